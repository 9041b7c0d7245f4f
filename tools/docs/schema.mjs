// Judges files by JSON Schemas, as an editor does: YAML 1.2, then ajv in strict mode.
// Standard input: {"schemas": {KIND: schema}, "files": [{"kind", "text"}]}; standard
// output: for each file the mistakes found in it, "" for none.
import fs from "node:fs";
import { Ajv } from "ajv";
import YAML from "yaml";

const { schemas, files } = JSON.parse(fs.readFileSync(0, "utf8"));
// A text may be written as a number, so unions of types are meant; `required` stands
// beside alternatives whose properties are listed once, for all of them.
const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true, formats: { "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ } });
const check = {};
for (const kind in schemas) {
	check[kind] = ajv.compile(schemas[kind]);
}
function judged(kind, value) {
	return check[kind](value) ? "" : ajv.errorsText(check[kind].errors, { separator: "\n", dataVar: "" });
}
process.stdout.write(
	JSON.stringify(
		files.map(({ kind, text }) => {
			if (text.startsWith('{"')) {
				return judged(kind, JSON.parse(text)); // far sooner than as YAML
			}
			const document = YAML.parseDocument(text, { merge: true, logLevel: "silent" });
			if (document.errors.length > 0) {
				return document.errors.map((e) => e.message).join("\n");
			}
			return judged(kind, document.toJS());
		}),
	),
);
