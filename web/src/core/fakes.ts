// A screen that remembers what was written and a host that answers from a table, for the console's tests.

import type { ActKind, Outcome, Settings } from "./bridge.ts";
import type { Host, Screen } from "./console.ts";
import type { Entry } from "./transcript.ts";

export function outcome(part: Partial<Outcome> = {}): Outcome {
  return {
    id: 1, blocks: [], exit: 0, scenario: null, builtin: null, completed: [],
    changes: { state: [], files: [], run: 0 }, mode: "command", prompt: "$ ", mask: false, turn: false, ...part,
  };
}

export class FakeScreen implements Screen {
  text = "";
  constructor(private readonly width = 80) {}
  write(text: string): void {
    this.text += text;
  }
  columns(): number {
    return this.width;
  }
}

export class FakeHost implements Host {
  readonly acts: [ActKind, string][] = [];
  readonly entries: Entry[] = [];
  readonly sleeps: number[] = [];
  readonly busyness: boolean[] = [];
  time = 0;
  streaming = false;
  answer: (kind: ActKind, text: string) => Outcome | null = () => outcome();
  /** While it holds, sleep waits for ever. */
  stuck = false;

  busy(on: boolean): void {
    this.busyness.push(on);
  }
  act(kind: ActKind, text: string): Outcome | null {
    this.acts.push([kind, text]);
    return this.answer(kind, text);
  }
  settings(): Settings {
    return { streaming: this.streaming, streamDelayMs: 20, agentThinkMs: 700 };
  }
  now(): number {
    return this.time;
  }
  sleep(milliseconds: number): Promise<void> {
    this.sleeps.push(milliseconds);
    if (this.stuck) return new Promise(() => {});
    this.time += milliseconds;
    return Promise.resolve();
  }
  record(entry: Entry): void {
    this.entries.push(entry);
  }
}

/** Lets everything that waits only for promises go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
