// The JavaScript side of the player's module. Texts cross in a buffer of the
// module's memory; see main.go.

export class Bridge {
	#go;
	#exports;
	#encoder = new TextEncoder();
	#decoder = new TextDecoder();

	/** Starts the module. wasm_exec.js must have defined Go. */
	static async start(Go, module) {
		const go = new Go();
		const result = await WebAssembly.instantiate(module, go.importObject);
		const instance = result instanceof WebAssembly.Instance ? result : result.instance;
		// run goes on until the program ends, and then the bridge says so.
		go.run(instance).catch(() => {});
		return new Bridge(go, instance.exports);
	}

	constructor(go, exports) {
		this.#go = go;
		this.#exports = exports;
	}

	boot(lab) {
		this.#room(lab.length).set(lab);
		const length = this.#call("boot", lab.length);
		if (length < 0) throw new Error(this.#take(-length));
		return this.#take(length);
	}

	act(kind, terminal, text) {
		return this.#take(this.#call("act", this.#put(`${kind}\0${terminal}\0${text}`)));
	}

	mark() {
		return this.#call("mark");
	}

	restore(id, terminal = "") {
		const length = this.#call("restore", id, this.#put(terminal));
		if (length < 0) throw new Error(`There is no mark ${id}.`);
		return this.#take(length);
	}

	explain(id) {
		return this.#take(this.#call("explain", id));
	}

	runs() {
		return this.#take(this.#call("runs"));
	}

	#call(name, ...numbers) {
		if (this.#go.exited) throw new Error("The simulator stopped.");
		const result = this.#exports[name](...numbers);
		if (this.#go.exited) throw new Error("The simulator stopped.");
		return result;
	}

	/** The first bytes of the buffer. Memory may grow in between, so the view is made afterwards. */
	#room(length) {
		const at = this.#call("reserve", length);
		return new Uint8Array(this.#exports.mem.buffer, at, length);
	}

	#put(text) {
		return this.#encoder.encodeInto(text, this.#room(text.length * 3)).written; // UTF-8 takes no more
	}

	#take(length) {
		return this.#decoder.decode(this.#room(length));
	}
}
