// When each piece of an outcome appears. Pacing never changes what is printed.

import type { Outcome, Settings } from "./bridge.ts";
import { onlyStyle, styled } from "./sgr.ts";

/** Text to write `at` milliseconds after the outcome arrived. */
export interface Chunk {
  at: number;
  text: string;
}

export interface Schedule {
  /** How long "Evaluating…" is shown before anything else, in milliseconds. */
  readonly think: number;
  readonly chunks: readonly Chunk[];
}

/** All that an outcome prints, as text for a terminal. */
export function printed(outcome: Outcome): string {
  return schedule(outcome, { streaming: false, streamDelayMs: 0, agentThinkMs: 0 }).chunks.map((chunk) => chunk.text).join("");
}

/** The outcome as text for a terminal (CR LF, style only), in chunks; without streaming it is one chunk at 0. */
export function schedule(outcome: Outcome, settings: Settings): Schedule {
  const think = outcome.turn && settings.streaming ? Math.max(0, settings.agentThinkMs) : 0;
  const chunks: Chunk[] = [];
  let at = think;
  for (const block of outcome.blocks) {
    if (settings.streaming) at += Math.max(0, block.delay ?? settings.streamDelayMs);
    if (block.text === undefined) continue;
    let text = onlyStyle(block.text);
    if (styled(text)) text += "\x1b[0m";
    text = text.replace(/\n/g, "\r\n") + "\r\n";
    const last = chunks[chunks.length - 1];
    if (last && last.at === at) last.text += text;
    else chunks.push({ at, text });
  }
  return { think, chunks };
}
