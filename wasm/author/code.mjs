// The module's machine code. V8 compiles a WebAssembly module anew in each process, function by function as they are
// first called, which takes longer than the checks of most labs. So the code that V8 makes of what usually runs is kept
// beside the module, by the two functions that V8 has for its own tests of that. Where these, the file, or the version
// of V8 that wrote it are not there, the module is compiled as ever.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import v8 from "node:v8";
import vm from "node:vm";

// V8 takes code only when it runs with the flags with which the code was made.
const forCode = ["--allow-natives-syntax", "--no-liftoff", "--no-wasm-dynamic-tiering", "--wasm-lazy-validation"];
// Most runs are over in less time than V8 takes to optimise or to check all of the module.
const withoutCode = ["--liftoff", "--wasm-dynamic-tiering", "--wasm-tiering-budget=1000000000", "--wasm-lazy-validation"];

/** A flag that V8 does not know would be complained about: these are known to all versions up to this one. */
export const known = Number.parseInt(process.versions.v8, 10) <= 13;

function set(flags) {
	if (known) for (const flag of flags) v8.setFlagsFromString(flag);
}

/** How the file with the code of a module, as it now is, for this V8, begins; the length of the code ends its name. */
function codeName(wasm) {
	const { size, mtimeMs } = fs.statSync(wasm);
	return `${path.basename(wasm)}.${process.versions.v8}-${process.arch}-${size}-${Math.floor(mtimeMs)}-`;
}

/** The kept code of a module, undefined when there is none; a file that was cut short is none: V8 would not notice. */
function readCode(wasm) {
	try {
		const begin = codeName(wasm);
		const name = fs.readdirSync(path.dirname(wasm)).find((name) => name.startsWith(begin) && name.endsWith(".code"));
		const { buffer } = fs.readFileSync(path.join(path.dirname(wasm), name));
		return buffer.byteLength === Number(name.slice(begin.length, -".code".length)) ? buffer : undefined;
	} catch {
		return undefined;
	}
}

/** Compiles the module in a file, with its kept code if there is any; making says that code is to be made of this run. */
export function moduleOf(wasm, making) {
	const bytes = fs.readFileSync(wasm);
	const code = known && readCode(wasm);
	if (code || making) set(forCode);
	if (code) {
		const module = vm.runInThisContext("(code, bytes) => %DeserializeWasmModule(code, bytes)")(code, bytes);
		if (module instanceof WebAssembly.Module) return module;
	}
	if (!making) set(withoutCode);
	return new WebAssembly.Module(bytes);
}

/** Keeps the code that V8 has made of a module so far; older code is removed. */
export function keepCode(wasm, module) {
	const code = vm.runInThisContext("(module) => %SerializeWasmModule(module)")(module);
	const file = path.join(path.dirname(wasm), `${codeName(wasm)}${code.byteLength}.code`);
	fs.writeFileSync(`${file}.new`, new Uint8Array(code));
	fs.renameSync(`${file}.new`, file);
	for (const name of fs.readdirSync(path.dirname(wasm))) {
		const old = path.join(path.dirname(wasm), name);
		if (name.startsWith(`${path.basename(wasm)}.`) && old !== file) fs.rmSync(old, { force: true });
	}
}
