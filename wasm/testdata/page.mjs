// What a page does with the author's bridge: long searches, edits, and lines that nothing takes. Reads the labs and the
// questions from standard input; prints an object.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { createAuthor } from "../author/bridge.mjs";

const [dir] = process.argv.slice(2);
createRequire(import.meta.url)(path.join(dir, "wasm_exec.js"));
const { files, lab, edits, misses } = JSON.parse(fs.readFileSync(0, "utf8"));
const module = await WebAssembly.compile(fs.readFileSync(path.join(dir, "author.wasm")));
const author = await createAuthor({ module });
author.files(files);
const out = {};
const failure = (promise) => promise.then(() => "no failure", (error) => error.name + ": " + error.message);

// A long search tells how far it is, lets events happen, and stops at once.
const progress = [];
let ticks = 0;
const timer = setInterval(() => ticks++, 1);
const controller = new AbortController();
const onProgress = ({ states }) => {
	progress.push(states);
	if (progress.length === 12) controller.abort();
};
out.aborted = await failure(author.check("huge", { explore: "full", signal: controller.signal, onProgress }));
out.progress = progress;
out.ticks = ticks;

// An abort that comes as an event, while another check goes on.
const late = new AbortController();
let after = 0;
setTimeout(() => late.abort(new Error("left")), 50);
const [left, other] = await Promise.all([
	failure(author.check("huge", { explore: "full", signal: late.signal, onProgress: () => (after += late.signal.aborted) })),
	author.check(lab),
]);
clearInterval(timer);
out.left = left;
out.after = after;
const original = JSON.stringify(other);

// After each edit a check finds what a new module finds.
out.edited = [];
const now = { ...files };
const compare = async (name, contents) => {
	author.setFile(name, contents);
	if (contents === null) delete now[name];
	else now[name] = contents;
	const fresh = await createAuthor({ module });
	fresh.files(now);
	const got = JSON.stringify(await author.check(lab, { solution: true, coverage: true }));
	const want = JSON.stringify(await fresh.check(lab, { solution: true, coverage: true }));
	fresh.close();
	out.edited.push({ name, same: got === want, got });
};
for (const [name, contents] of edits) {
	await compare(name, contents);
	await compare(name, files[name] ?? null);
}
out.restored = JSON.stringify(await author.check(lab)) === original;

out.why = [];
for (const [of, miss] of misses) {
	out.why.push(await author.why(of, miss).catch((error) => error.message));
}
fs.writeSync(1, JSON.stringify(out));
process.exit(0);
