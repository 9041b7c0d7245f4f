// The JavaScript side of the player's module; see main.go.
import { Module } from "../module.mjs";

export class Bridge {
	#module;

	/** Starts the module. wasm_exec.js must have defined Go. */
	static async start(Go, module) {
		return new Bridge(await Module.start("The simulator", Go, module));
	}

	constructor(module) {
		this.#module = module;
	}

	boot(lab) {
		this.#module.room(lab.length).set(lab);
		const length = this.#module.call("boot", lab.length);
		if (length < 0) throw new Error(this.#module.take(-length));
		return this.#module.take(length);
	}

	act(kind, terminal, text) {
		return this.#ask("act", this.#module.text(`${kind}\0${terminal}\0${text}`));
	}

	mark() {
		return this.#module.call("mark");
	}

	restore(id, terminal = "") {
		const length = this.#module.call("restore", id, this.#module.text(terminal));
		if (length < 0) throw new Error(`There is no mark ${id}.`);
		return this.#module.take(length);
	}

	explain(id) {
		return this.#ask("explain", id);
	}

	runs() {
		return this.#ask("runs");
	}

	/** Calls what answers with a text. */
	#ask(name, ...numbers) {
		return this.#module.take(this.#module.call(name, ...numbers));
	}
}
