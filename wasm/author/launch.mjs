// Runs a verb of the author's module under Node.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import tty from "node:tty";
import vm from "node:vm";
import { keepCode, moduleOf } from "./code.mjs";

/**
 * Runs a verb; dist is the folder with author.wasm and wasm_exec.js. The process ends with the verb. making says that the
 * machine code of the run is to be kept for others.
 */
export function launch(dist, args, making = false) {
	globalThis.fs = direct(fs);
	globalThis.path = path;
	globalThis.asz = host(args);
	vm.runInThisContext(fs.readFileSync(path.join(dist, "wasm_exec.js"), "utf8"));
	const go = new globalThis.Go();
	// Go's own arguments and environment share 8 KB of the module's memory, so it gets none; host has the arguments.
	go.argv = ["asz"];
	go.env = {};
	const wasm = path.join(dist, "author.wasm");
	const module = moduleOf(wasm, making);
	go.exit = (status) => {
		if (making) keepCode(wasm, module);
		process.exit(status);
	};
	return go.run(new WebAssembly.Instance(module, go.importObject));
}

/** What the module is told about the machine; see main.go. */
function host(args) {
	const out = tty.isatty(1);
	const told = {
		args,
		stdoutTerminal: out,
		stderrTerminal: tty.isatty(2),
		color: out && !process.env.NO_COLOR && process.env.TERM !== "dumb",
		interrupted: false,
		// Only while asked for: a process with a handler does not end by Ctrl-C. A second Ctrl-C ends it.
		interrupts: (on) => (on ? process.once("SIGINT", note) : process.off("SIGINT", note)),
	};
	const note = () => {
		told.interrupted = true;
	};
	if (out && tty.isatty(0)) {
		// Touched only here: the getter would make a pipe non-blocking.
		told.tty = {
			raw: (on) => process.stdin.setRawMode(on),
			columns: () => process.stdout.columns ?? 0,
			rows: () => process.stdout.rows ?? 0,
		};
	}
	return told;
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
