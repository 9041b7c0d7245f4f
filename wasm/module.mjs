// One run of a module of ours, from JavaScript. Texts cross in a buffer of the module's memory.

export class Module {
	/** Set once a call has thrown or the program has ended: no call works any more. */
	dead = false;
	#name;
	#go;
	#exports;
	#encoder = new TextEncoder();
	#decoder = new TextDecoder();

	/** Starts a compiled module, or its bytes; name is what messages call it. wasm_exec.js must have defined Go. */
	static async start(name, Go, module) {
		const go = new Go();
		const result = await WebAssembly.instantiate(module, go.importObject);
		const instance = result instanceof WebAssembly.Instance ? result : result.instance;
		// run goes on until the program ends, and then calls say so.
		go.run(instance).catch(() => {});
		return new Module(name, go, instance.exports);
	}

	constructor(name, go, exports) {
		this.#name = name;
		this.#go = go;
		this.#exports = exports;
	}

	call(name, ...numbers) {
		if (this.dead || this.#go.exited) throw this.#stopped();
		let result;
		try {
			result = this.#exports[name](...numbers);
		} catch (error) {
			throw this.#stopped(error);
		}
		if (this.#go.exited) throw this.#stopped();
		return result;
	}

	/** The first bytes of the buffer. Memory may grow with any call, so the view is made afterwards. */
	room(length) {
		const at = this.call("reserve", length);
		return new Uint8Array(this.#exports.mem.buffer, at, length);
	}

	/** Leaves a text in the buffer and returns its length there. */
	text(text) {
		return this.#encoder.encodeInto(text, this.room(text.length * 3)).written; // UTF-8 takes no more
	}

	/** The first bytes of the buffer as a text. */
	take(length) {
		return this.#decoder.decode(this.room(length));
	}

	#stopped(cause) {
		this.dead = true;
		return new Error(`${this.#name} stopped.`, { cause });
	}
}
