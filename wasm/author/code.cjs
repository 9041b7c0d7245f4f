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

const begin = "author.wasm.";
/** How the names of files with code for this V8 begin; the module's id and the length of the code follow. */
const forUs = `${begin}${process.versions.v8}-${process.arch}-`;

/** What a module is told apart by: what Go makes of all that is in it. A package's files all have the same time. */
function idOf(wasm) {
	const fd = fs.openSync(wasm);
	const head = Buffer.alloc(256);
	fs.readSync(fd, head);
	fs.closeSync(fd);
	return /Go build ID: "[^"]*\/([\w-]+)"/.exec(head.latin1Slice())[1];
}

/** The folders that may hold code, the first that can be written has it: the module's or, in a package of all users, one's own. */
exports.folders = (dist) => {
	const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
	const own = process.platform === "win32" ? LOCALAPPDATA : XDG_CACHE_HOME || path.join(require("node:os").homedir(), ".cache");
	return own && path.isAbsolute(own) ? [dist, path.join(own, "asz")] : [dist];
};

/** The file with code for the module in dist, and how long it is; undefined when there is none. */
function find(dist) {
	const start = `${forUs}${idOf(path.join(dist, "author.wasm"))}-`;
	for (const folder of exports.folders(dist)) {
		const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
		const name = names.find((name) => name.startsWith(start) && name.endsWith(".code"));
		if (name) return { file: path.join(folder, name), size: Number(name.slice(start.length, -".code".length)) };
	}
	return undefined;
}

/**
 * Reads the kept code of a module, on another thread; done gets undefined when there is none. A file that was cut short is
 * none: V8 would not notice.
 */
function readCode(dist, done) {
	try {
		const { file, size } = find(dist);
		const fd = fs.openSync(file);
		if (fs.fstatSync(fd).size !== size) throw new Error();
		const code = Buffer.allocUnsafeSlow(size);
		fs.read(fd, code, 0, size, 0, (error, n) => done(n === size ? code.buffer : undefined));
	} catch {
		done(undefined);
	}
}

/**
 * Compiles the module in dist, with its kept code if there is any. done gets the module, and whether there was code; making
 * says that code is to be made of this run.
 */
exports.compile = (dist, making, done) => {
	let bytes;
	const read = () => (bytes ??= fs.readFileSync(path.join(dist, "author.wasm")));
	if (!known) {
		done(new WebAssembly.Module(read()), false);
		return;
	}
	readCode(dist, (code) => {
		if (code || making) set(withCode);
		const taken = code && vm.runInThisContext("(code, bytes) => %DeserializeWasmModule(code, bytes)")(code, read());
		if (making) set(whileMaking);
		else if (!taken) set(withoutCode);
		done(taken instanceof WebAssembly.Module ? taken : new WebAssembly.Module(read()), code !== undefined);
	});
	read(); // meanwhile
};

/** Keeps the code that V8 has made of the module in dist so far, in a folder; code that it replaces is removed. */
exports.keep = (dist, module, folder) => {
	set(withCode);
	const code = vm.runInThisContext("(module) => %SerializeWasmModule(module)")(module);
	const start = `${forUs}${idOf(path.join(dist, "author.wasm"))}-`;
	const name = `${start}${code.byteLength}.code`;
	const fresh = path.join(folder, `${name}.${process.pid}`);
	fs.writeFileSync(fresh, new Uint8Array(code));
	fs.renameSync(fresh, path.join(folder, name));
	const others = fs.readdirSync(folder).filter((other) => other.startsWith(begin) && other !== name);
	for (const other of others) {
		// One's own folder may have code of several packages, and several versions of Node.
		const old = Date.now() - fs.statSync(path.join(folder, other)).mtimeMs > month;
		if (folder === dist || other.startsWith(start) || old) fs.rmSync(path.join(folder, other), { force: true });
	}
};

const month = 30 * 24 * 3600e3;
