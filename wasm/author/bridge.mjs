// The JavaScript side of the author's module in a page or a worker; see page.go.
import { Module } from "../module.mjs";

// A slice of a check takes about this long before events get their turn.
const slice = 30; // ms

/** Gets the module ready. wasm_exec.js must have defined Go, or it is handed in. */
export async function createAuthor({ module, url, Go = globalThis.Go }) {
	module ??= await (await fetch(url)).arrayBuffer();
	if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
	return new Author(Go, module);
}

class Author {
	#Go;
	#module;
	#files = new Map(); // path → bytes, to begin anew with
	#instance;
	#closed = false;

	constructor(Go, module) {
		this.#Go = Go;
		this.#module = module;
	}

	files(map) {
		this.#open();
		const entries = map instanceof Map ? [...map] : Object.entries(map);
		for (const path of [...this.#files.keys()]) this.setFile(path, null);
		for (const [path, bytes] of entries) this.setFile(path, bytes);
	}

	setFile(path, bytes) {
		this.#open();
		if (!isPath(path)) throw new Error(`${path} is no path of a file in the folder.`);
		if (bytes === null) this.#files.delete(path);
		else this.#files.set(path, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
		if (this.#instance) this.#guard(this.#instance, (instance) => put(instance, path, this.#files.get(path)));
	}

	async check(lab, { explore = "auto", solution = false, coverage = false, onProgress, signal } = {}) {
		signal?.throwIfAborted();
		const instance = this.#instance ?? (await this.#ready()); // the files are those of the time of the call
		const words = [solution && "solution", coverage && "coverage"].filter(Boolean).join(" ");
		const id = this.#guard(instance, () => count(instance, "begin", `${lab}\0${explore}\0${words}`));
		try {
			let steps = 1000;
			for (;;) {
				await turn();
				this.#open();
				signal?.throwIfAborted();
				const start = performance.now();
				const states = this.#guard(instance, () => instance.call("step", id, steps));
				if (states < 0) break;
				// What is found does not depend on where the slices end.
				const took = Math.max(performance.now() - start, 1);
				steps = Math.round(Math.min(Math.max((steps * slice) / took, steps / 4, 1), steps * 4, 1e9));
				onProgress?.({ states });
			}
			return JSON.parse(this.#guard(instance, () => instance.take(instance.call("result", id))));
		} finally {
			if (!instance.dead) instance.call("drop", id);
		}
	}

	async why(lab, { script = [], terminal = "", line }) {
		const question = [lab, terminal, line, script.join("\n")];
		if (question.some((part) => typeof part !== "string" || part.includes("\0")) || /[\r\n]/.test(terminal + line))
			throw new Error("why takes the folder of a lab, a script, a terminal and one line.");
		const instance = this.#instance ?? (await this.#ready());
		return JSON.parse(this.#guard(instance, () => instance.take(count(instance, "why", question.join("\0")))));
	}

	async explain(code) {
		const instance = await this.#ready();
		const text = this.#guard(instance, () => instance.take(instance.call("explain", instance.text(code))));
		return text === "" ? null : JSON.parse(text);
	}

	close() {
		this.#closed = true;
		this.#instance = undefined;
		this.#files.clear();
	}

	#open() {
		if (this.#closed) throw new Error("The author's module is closed.");
	}

	/** The running module. One that stopped is replaced, with the same files. */
	async #ready() {
		this.#open();
		while (!this.#instance) {
			const instance = await Module.start("The author's module", this.#Go, this.#module);
			this.#open();
			if (this.#instance) break; // somebody else was faster
			for (const [path, bytes] of this.#files) put(instance, path, bytes);
			this.#instance = instance;
		}
		return this.#instance;
	}

	/** Calls the module. It does not survive an exception, so it is let go then. */
	#guard(instance, call) {
		try {
			return call(instance);
		} catch (error) {
			if (instance.dead && this.#instance === instance) this.#instance = undefined;
			throw error;
		}
	}
}

/** Gives the module a file, or takes it away when there are no bytes. */
function put(instance, path, bytes) {
	const name = new TextEncoder().encode(path);
	const room = instance.room(name.length + (bytes?.length ?? 0));
	room.set(name);
	if (bytes) room.set(bytes, name.length);
	if (instance.call("put", name.length, bytes ? bytes.length : -1) < 0) throw new Error(`${path} is no path of a file in the folder.`);
}

/** Calls what takes a text and returns a number, or the length of a message, negative. */
function count(instance, name, text) {
	const number = instance.call(name, instance.text(text));
	if (number < 0) throw new Error(instance.take(-number));
	return number;
}

/** As Go's fs.ValidPath. */
function isPath(path) {
	return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function turn() {
	return new Promise((resolve) => {
		setTimeout(resolve, 0);
	});
}
