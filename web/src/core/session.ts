// The session as a list of what was typed, toggled, saved and re-run. Replaying it in a new engine leads to the same
// place. What is typed into a masked input is not in it: there the replay stops, and goes on once it is given again.

import type { ActKind } from "./bridge.ts";

/** One act, as stored: its kind, terminal and text; a masked answer has no text. */
export type Act = readonly [kind: ActKind | "masked", terminal: string, text: string];

const kinds: ReadonlySet<string> = new Set<Act[0]>(["line", "interrupt", "end", "control", "save", "rerun", "undo", "reset", "masked"]);

/** Acts from what was stored, up to the first that is none. */
export function actsOf(stored: unknown): Act[] {
  const acts: Act[] = [];
  if (!Array.isArray(stored)) return acts;
  for (const entry of stored as unknown[]) {
    if (!Array.isArray(entry) || entry.length !== 3 || !entry.every((part) => typeof part === "string") || !kinds.has(entry[0] as string)) break;
    acts.push(entry[0] === "masked" ? ["masked", entry[1] as string, ""] : (entry as unknown as Act));
  }
  return acts;
}

export class Session {
  private done: Act[] = [];
  private rest: Act[];

  constructor(stored: readonly Act[] = []) {
    this.rest = [...stored];
  }

  /** Everything that there is to store. */
  get acts(): readonly Act[] {
    return [...this.done, ...this.rest];
  }

  /** The terminal whose masked input the replay waits for. */
  get waitsFor(): string | null {
    const next = this.rest[0];
    return next?.[0] === "masked" ? next[1] : null;
  }

  /** Takes the next act to replay; null at the end and at a masked input. */
  next(): Act | null {
    if (this.rest.length === 0 || this.waitsFor !== null) return null;
    const act = this.rest.shift()!;
    this.done.push(act);
    return act;
  }

  /**
   * Notes an act that a person did. Masked says that it answered a masked input; giving such an input up is no secret.
   * True: a replay waited for this answer and can go on.
   */
  record(kind: ActKind, terminal: string, text: string, masked: boolean): boolean {
    if (kind === "reset") {
      this.done = [];
      this.rest = [];
      return false;
    }
    const givesUp = masked && (kind === "interrupt" || /^\/(?:cancel|exit|quit)$/.test(text.trim()));
    if (masked && !givesUp) this.done.push(["masked", terminal, ""]);
    else this.done.push(givesUp ? ["interrupt", terminal, ""] : [kind, terminal, text]);
    if (this.waitsFor === null) return false;
    if (masked && !givesUp && terminal === this.waitsFor) {
      this.rest.shift();
      return true;
    }
    // The question is not asked any more, so what came after its answer cannot come.
    if (kind === "undo" || (masked && givesUp && terminal === this.waitsFor)) this.rest = [];
    return false;
  }

  /** Forgets the latest act: the engine did not survive it. */
  forget(): void {
    this.done.pop();
  }

  /** Prepares the whole session for a new engine. */
  rewind(): void {
    this.rest = [...this.done, ...this.rest];
    this.done = [];
  }
}
