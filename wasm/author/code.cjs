// The module's machine code. V8 compiles a WebAssembly module anew in each process, function by function as they are
// first called, which takes longer than the checks of most labs. So the code that V8 makes of what usually runs is kept
// beside the module, by the two functions that V8 has for its own tests of that. Where these, the file, or the version
// of V8 that wrote it are not there, the module is compiled as ever.
const fs = require("node:fs");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");

// V8 takes code only when its flags are those with which it gave the code away. It gives away what is optimised, so while
// code is made all is optimised at once. What is missing of it later is compiled as ever.
const withCode = ["--allow-natives-syntax", "--liftoff", "--wasm-dynamic-tiering", "--wasm-lazy-validation"];
const whileMaking = ["--no-liftoff", "--no-wasm-dynamic-tiering"];
// Most runs are over in less time than V8 takes to optimise or to check all of the module.
const withoutCode = ["--liftoff", "--wasm-dynamic-tiering", "--wasm-tiering-budget=1000000000", "--wasm-lazy-validation"];

/** A flag that V8 does not know would be complained about: these are known to all versions up to this one. */
const known = Number.parseInt(process.versions.v8, 10) <= 13;
exports.known = known;

function set(flags) {
	if (known) for (const flag of flags) v8.setFlagsFromString(flag);
}

/** How the file with the code of a module, as it now is, for this V8, begins; the length of the code ends its name. */
function codeName(wasm) {
	const { size, mtimeMs } = fs.statSync(wasm);
	return `${path.basename(wasm)}.${process.versions.v8}-${process.arch}-${size}-${Math.floor(mtimeMs)}-`;
}

/**
 * Reads the kept code of a module, on another thread: done gets undefined when there is none. A file that was cut short is
 * none: V8 would not notice.
 */
function readCode(wasm, done) {
	try {
		const begin = codeName(wasm);
		const name = fs.readdirSync(path.dirname(wasm)).find((name) => name.startsWith(begin) && name.endsWith(".code"));
		const size = Number(name.slice(begin.length, -".code".length));
		const fd = fs.openSync(path.join(path.dirname(wasm), name));
		if (fs.fstatSync(fd).size !== size) throw new Error();
		const code = Buffer.allocUnsafeSlow(size);
		fs.read(fd, code, 0, size, 0, (error, n) => done(n === size ? code.buffer : undefined));
	} catch {
		done(undefined);
	}
}

/**
 * Compiles the module in a file, with its kept code if there is any, and hands it to done; making says that code is to be
 * made of this run.
 */
exports.moduleOf = (wasm, making, done) => {
	let bytes;
	const compiled = (code) => done(compile((bytes ??= fs.readFileSync(wasm)), code, making));
	if (!known) {
		compiled(undefined);
		return;
	}
	readCode(wasm, compiled);
	bytes ??= fs.readFileSync(wasm); // meanwhile
};

function compile(bytes, code, making) {
	if (code || making) set(withCode);
	const taken = code && vm.runInThisContext("(code, bytes) => %DeserializeWasmModule(code, bytes)")(code, bytes);
	if (making) set(whileMaking);
	if (taken instanceof WebAssembly.Module) return taken;
	if (!making) set(withoutCode);
	return new WebAssembly.Module(bytes);
}

/** Keeps the code that V8 has made of a module so far; older code is removed. */
exports.keepCode = (wasm, module) => {
	set(withCode);
	const code = vm.runInThisContext("(module) => %SerializeWasmModule(module)")(module);
	const file = path.join(path.dirname(wasm), `${codeName(wasm)}${code.byteLength}.code`);
	fs.writeFileSync(`${file}.new`, new Uint8Array(code));
	fs.renameSync(`${file}.new`, file);
	for (const name of fs.readdirSync(path.dirname(wasm))) {
		const old = path.join(path.dirname(wasm), name);
		if (name.startsWith(`${path.basename(wasm)}.`) && old !== file) fs.rmSync(old, { force: true });
	}
};
