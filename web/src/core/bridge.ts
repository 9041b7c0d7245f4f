// The shapes that cross between the page and the player module (wasm/player), which answers every call with JSON.

export type Mode = "command" | "session" | "input" | "continuation";

export type ActKind = "line" | "interrupt" | "end" | "control" | "save" | "rerun" | "undo" | "reset";

/** One piece of output. Without text it is a pure pause; without delay the lab's line delay applies (milliseconds). */
export interface Block {
  readonly stream: "out" | "err";
  readonly text?: string;
  readonly delay?: number;
}

export interface Outcome {
  readonly id: number;
  readonly blocks: readonly Block[];
  readonly exit: number;
  readonly scenario: string | null;
  readonly builtin: string | null;
  readonly completed: readonly string[];
  readonly changes: { readonly state: readonly string[]; readonly files: readonly string[]; readonly run: number };
  readonly mode: Mode;
  readonly prompt: string;
  readonly mask: boolean;
  /** An agent's turn: it thinks (agentThinkMs) before it answers. */
  readonly turn: boolean;
  /** Where the controls stand now, at least after undo and reset. */
  readonly controls?: readonly { readonly id: string; readonly on: boolean }[];
}

/** What a terminal waits for. */
export interface Waiting {
  readonly mode: Mode;
  readonly prompt: string;
  readonly mask: boolean;
}

export interface Settings {
  readonly streaming: boolean;
  readonly streamDelayMs: number;
  readonly agentThinkMs: number;
}

export interface Control {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly on: boolean;
}

export interface Boot {
  readonly title: string;
  readonly terminals: readonly { readonly id: string; readonly title: string }[];
  readonly prompt: string;
  readonly settings: Settings;
  readonly controls: readonly Control[];
  readonly steps: readonly { readonly id: string; readonly title: string; readonly section: string }[];
}
