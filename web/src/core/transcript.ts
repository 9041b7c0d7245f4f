// What a learner typed and saw, as plain text: for the screen reader's log, for print and for export.

import type { Outcome } from "./bridge.ts";
import { plain } from "./sgr.ts";

export interface Entry {
  readonly terminal: string;
  readonly prompt: string;
  /** What was typed; a masked value is kept as dots only. */
  readonly input: string;
  readonly out: readonly string[];
}

export function entryOf(terminal: string, prompt: string, input: string, outcome: Outcome): Entry {
  const out = outcome.blocks.flatMap((block) => (block.text === undefined ? [] : plain(block.text).split("\n")));
  return { terminal, prompt, input, out };
}

export function textOf(entry: Entry): string {
  return [entry.prompt + entry.input, ...entry.out].join("\n");
}
