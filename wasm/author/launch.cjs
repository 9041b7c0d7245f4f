// Runs a verb of the author's module under Node.
// These files are CommonJS: Node takes 20 ms more to start with modules, and touches parts of itself that are not needed.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { compile, keep } = require("./code.cjs");

/**
 * Runs a verb; dist is the folder with author.wasm and wasm_exec.js. The process ends with the verb. The machine code of the
 * run goes to the folder keepIn, for other runs; later says that where there is none it is made once this run is over.
 */
exports.launch = (dist, args, { keepIn, later = false } = {}) => {
	compile(dist, Boolean(keepIn), (module, hasCode) => {
		run(dist, module, args, (status) => {
			if (keepIn) keep(dist, module, keepIn);
			else if (later && !hasCode && status < 2 && args[0] === "validate-lab") require("./later.cjs").makeCode(dist);
			process.exit(status);
		});
	});
};

function run(dist, module, args, exit) {
	globalThis.fs = direct(fs);
	globalThis.path = path;
	globalThis.asz = host(args);
	// Go wants bytes for the seeds of its maps, nothing else; Node's crypto takes milliseconds to load.
	const getRandomValues = (bytes) => bytes.forEach((_, i) => (bytes[i] = Math.random() * 256));
	Object.defineProperty(globalThis, "crypto", { value: { getRandomValues }, configurable: true });
	vm.runInThisContext(fs.readFileSync(path.join(dist, "wasm_exec.js"), "utf8"));
	const go = new globalThis.Go();
	// Go's own arguments and environment share 8 KB of the module's memory, so it gets none; host has the arguments.
	go.argv = ["asz"];
	go.env = {};
	go.exit = exit;
	go.run(new WebAssembly.Instance(module, go.importObject));
}

/** What the module is told about the machine; see main.go. */
function host(args) {
	const out = isTerminal(1);
	const told = {
		args,
		stdoutTerminal: out,
		stderrTerminal: isTerminal(2),
		color: out && !process.env.NO_COLOR && process.env.TERM !== "dumb",
		interrupted: false,
		size: (folder, name) => attempt(() => plain(folder, name).size),
		read: (folder, name) => attempt(() => (plain(folder, name).size <= mostRead ? fs.readFileSync(`${folder}/${name}`) : undefined)),
		// Only while asked for: a process with a handler does not end by Ctrl-C. A second Ctrl-C ends it.
		interrupts: (on) => (on ? process.once("SIGINT", note) : process.off("SIGINT", note)),
	};
	const note = () => {
		told.interrupted = true;
	};
	if (out && isTerminal(0)) {
		// Touched only here: the getter would make a pipe non-blocking.
		told.tty = {
			raw: (on) => process.stdin.setRawMode(on),
			columns: () => process.stdout.columns ?? 0,
			rows: () => process.stdout.rows ?? 0,
		};
	}
	return told;
}

/** Larger files are left to the module, which has bounds of its own. */
const mostRead = 4 << 20;

/** What plain file a path leads to in a folder, through plain folders; links, and names that Windows reads otherwise, are none. */
function plain(folder, name) {
	if (/[\\:\0]/.test(name)) throw new Error();
	let info;
	let at = folder;
	for (const part of name.split("/")) {
		if (info && !info.isDirectory()) throw new Error();
		info = fs.lstatSync((at += `/${part}`));
	}
	if (!info.isFile()) throw new Error();
	return info;
}

function attempt(work) {
	try {
		return work();
	} catch {
		return undefined;
	}
}

/** Whether a stream is a terminal. Most are files or pipes, for which Node's terminals need not be loaded. */
function isTerminal(fd) {
	const info = attempt(() => fs.fstatSync(fd));
	return !(info?.isFile() || info?.isFIFO() || info?.isSocket()) && require("node:tty").isatty(fd);
}

/**
 * Node's fs with files read on this thread, which spares the module two changes of thread for each call. Standard
 * streams stay as they are: waiting for them must not stop the terminal.
 */
function direct(fs) {
	const out = Object.create(fs);
	for (const name of ["open", "close", "stat", "lstat", "fstat", "readdir", "readlink"]) {
		const now = fs[`${name}Sync`];
		out[name] = (...args) => answer(args.pop(), () => now(...args));
	}
	out.read = (fd, buffer, offset, length, position, done) => {
		if (fd <= 2) fs.read(fd, buffer, offset, length, position, done);
		else answer(done, () => fs.readSync(fd, buffer, offset, length, position));
	};
	return out;
}

function answer(done, work) {
	let result;
	try {
		result = work();
	} catch (error) {
		done(error);
		return;
	}
	done(null, result);
}
