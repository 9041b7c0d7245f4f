/** What wasm_exec.js defines. */
export interface GoRuntime {
  readonly importObject: WebAssembly.Imports;
  readonly exited: boolean;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** The player's module. A call throws when the module has stopped: start it anew. Answers are JSON. */
export class Bridge {
  static start(Go: new () => GoRuntime, module: WebAssembly.Module | BufferSource): Promise<Bridge>;
  /** Begins a compiled lab. Throws when it is none. */
  boot(lab: Uint8Array): string;
  act(kind: string, terminal: string, text: string): string;
  mark(): number;
  restore(id: number, terminal?: string): string;
  explain(id: number): string;
  /** The records of state.ci.runs, the oldest first. */
  runs(): string;
}
