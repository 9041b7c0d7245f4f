// Checks a lab through the author's bridge, breaks it, mends it, and prints each answer on a line.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { createAuthor } from "../author/bridge.mjs";

const [dir, labs, lab] = process.argv.slice(2);
createRequire(import.meta.url)(path.join(dir, "wasm_exec.js"));
let last;
class Noted extends Go {
	constructor() {
		super();
		last = this;
	}
}
const author = await createAuthor({ module: fs.readFileSync(path.join(dir, "author.wasm")), Go: Noted });
const print = (value) => fs.writeSync(1, JSON.stringify(value) + "\n");
const failure = (promise) => promise.then(() => "no failure", (error) => error.name + ": " + error.message);

const files = {};
for (const entry of fs.readdirSync(labs, { recursive: true, withFileTypes: true })) {
	const file = path.join(entry.parentPath ?? entry.path, entry.name);
	if (entry.isFile()) files[path.relative(labs, file)] = fs.readFileSync(file);
}
author.files(files);
print(await author.check(lab, { solution: true, coverage: true }));

// The check that goes on does not see the change.
const name = `${lab}/labspace.yaml`;
const before = author.check(lab);
author.setFile(name, `${files[name]}nonsense: true\n`);
const broken = author.check(lab, { explore: "off" });
print([await before, await broken]);
author.setFile(name, null);
print(await author.check(lab));
author.setFile(name, files[name]);
print(await author.check(lab));

const reasons = [];
const controller = new AbortController();
const aborted = author.check(lab, { explore: "full", signal: controller.signal });
controller.abort();
reasons.push(await failure(aborted), await failure(author.check(lab, { signal: AbortSignal.abort() })));
reasons.push(await failure(author.check("nowhere")), await failure(author.check(lab, { explore: "much" })));
try {
	author.setFile("../x", "");
} catch (error) {
	reasons.push(error.message);
}
print(reasons);
print([await author.explain("unknown-key"), await author.explain("nonsense")]);

// A module that stopped is started anew, with the files.
last.exited = true;
const stopped = await failure(author.check(lab));
print([stopped, (await author.check(lab)).findings.length]);
author.close();
print(await failure(author.check(lab)));
process.exit(0);
