// Runs the author's module under Node: node node.mjs DIST VERB …, where DIST is
// the folder with author.wasm and wasm_exec.js.
import fs from "node:fs";
import path from "node:path";
import tty from "node:tty";
import { createRequire } from "node:module";

const [dist, ...args] = process.argv.slice(2);
const require = createRequire(import.meta.url);
globalThis.fs = fs;
globalThis.path = path;
globalThis.asz = {};
if (tty.isatty(0) && tty.isatty(1)) {
	// Touched only here: the getter would make a pipe non-blocking.
	globalThis.asz.tty = {
		raw: (on) => process.stdin.setRawMode(on),
		columns: () => process.stdout.columns ?? 0,
		rows: () => process.stdout.rows ?? 0,
	};
}
require(path.resolve(dist, "wasm_exec.js"));
const go = new Go();
go.argv = ["asz", ...args];
// Arguments and environment share 8 KB of the module's memory, so it gets an
// environment of its own.
go.env = {};
go.exit = process.exit;
const { instance } = await WebAssembly.instantiate(fs.readFileSync(path.join(dist, "author.wasm")), go.importObject);
await go.run(instance);
