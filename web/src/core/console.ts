// One terminal's conversation: keys in, lines to the engine, outcomes out at their pace. It knows neither the page nor
// xterm, only a screen that takes escape sequences and a host that acts and keeps time.

import type { ActKind, Outcome, Settings, Waiting } from "./bridge.ts";
import { KeyReader, type Key } from "./keys.ts";
import { LineEditor } from "./line.ts";
import { printed, schedule } from "./pacing.ts";
import { onlyStyle } from "./sgr.ts";
import { entryOf, type Entry } from "./transcript.ts";

export interface Screen {
  write(text: string): void;
  columns(): number;
}

export interface Host {
  /** Lets the engine act. Null when it could not; the host has told the person. */
  act(kind: ActKind, text: string): Outcome | null;
  settings(): Settings;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Something was typed and answered. */
  record(entry: Entry): void;
  /** An answer is being shown, or no longer. */
  busy(on: boolean): void;
}

const wipe = "\x1b[H\x1b[2J\x1b[3J";
const soft = (text: string) => `\x1b[90m${text}\x1b[0m`; // the terminal's own words

// What runs between keys: a button of the page that acts on this terminal, a line of a block, the end of a block, and
// something that happened elsewhere.
type Task =
  | { readonly kind: "task"; readonly run: () => Outcome | null; readonly note: string; readonly keeps: boolean }
  | { readonly kind: "run"; readonly line: string }
  | { readonly kind: "end-of-block" }
  | { readonly kind: "past"; readonly past: readonly Past[]; readonly waiting: Waiting };

/** Something that was done before, to be shown as it was then. */
export type Past =
  | { readonly prompt: string; readonly input: string; readonly remember: boolean; readonly outcome: Outcome }
  | { readonly note: string; readonly outcome: Outcome };

export class Console {
  private readonly keys = new KeyReader();
  private readonly editor = new LineEditor();
  private queue: (Key | Task)[] = [];
  private state: "starting" | "idle" | "busy" = "starting";
  private waiting: Waiting = { mode: "command", prompt: "", mask: false };
  private hurry: (() => void) | null = null;
  private playing = 0; // which outcome is being shown; a play that finds another number stops

  constructor(private readonly terminal: string, private readonly screen: Screen, private readonly host: Host) {
    // With bracketed paste on, a paste can be told from typing. Lab text cannot switch it off again.
    screen.write("\x1b[?2004h" + soft("Starting the simulator… You can type already.") + "\r\n");
  }

  /** The engine is there: what was done before is shown, then what was typed meanwhile is run. */
  ready(waiting: Waiting, past: readonly Past[] = []): void {
    this.editor.discard();
    this.editor.begin();
    this.screen.write(wipe);
    this.tell(past);
    this.settle(waiting);
  }

  /** Shows what was done elsewhere, once this terminal is at rest. */
  catchUp(past: readonly Past[], waiting: Waiting): void {
    this.queue.unshift({ kind: "past", past, waiting });
    this.drain();
  }

  /** The engine is gone: typing is kept until ready is called again. */
  starting(note: string): void {
    this.playing++;
    this.rush();
    this.queue = [];
    this.state = "starting";
    this.screen.write(this.editor.erase() + soft(onlyStyle(note)) + "\r\n");
    this.editor.discard();
    this.editor.prompt = "";
    this.editor.mask = false;
  }

  /** What the terminal sends: typing, pastes, answers to queries. */
  receive(data: string): void {
    for (const key of this.keys.read(data).flatMap(linesOf)) {
      if (key.kind === "interrupt" && this.state === "busy") {
        this.drop();
        this.rush();
      } else {
        this.queue.push(key);
        if (this.state === "starting") this.preview(key);
      }
    }
    this.drain();
  }

  /** Runs a task of the page's once this terminal is at rest, and leaves what is half typed as it is. */
  enqueue(note: string, run: () => Outcome | null): void {
    if (this.state === "starting") return;
    this.queue.push({ kind: "task", note, run, keeps: true });
    this.drain();
  }

  /**
   * Runs a task of the page's in this terminal and shows its outcome, below a note when it went well. Keys
   * typed ahead are dropped.
   */
  interject(note: string, run: () => Outcome | null): void {
    if (this.state === "starting") return;
    this.drop();
    this.queue.push({ kind: "task", note, run, keeps: false });
    this.rush();
    this.drain();
  }

  /** Types lines as a person would, in place of what is half typed. */
  run(lines: readonly string[]): void {
    if (this.state === "starting") return;
    this.queue.push(...lines.map((line): Task => ({ kind: "run", line })), { kind: "end-of-block" });
    this.drain();
  }

  /** What this terminal waits for at this moment. */
  get mode(): Waiting["mode"] {
    return this.waiting.mode;
  }

  /** Another terminal's action changed what this one waits for. */
  await(waiting: Waiting): void {
    this.waiting = waiting;
    this.rush();
    if (this.state !== "idle") return;
    this.screen.write(this.editor.erase());
    if (this.editor.mask !== waiting.mask) this.editor.discard();
    this.settle(waiting);
  }

  /** The terminal's width changed. */
  resized(): void {
    if (this.state !== "busy") this.redraw();
  }

  /** Clears the screen. */
  clear(): void {
    this.screen.write(wipe);
    this.editor.begin();
    if (this.state !== "busy") this.redraw();
  }

  // Forgets what was typed ahead, but not what happened.
  private drop(): void {
    this.queue = this.queue.filter((key) => key.kind === "past");
  }

  private rush(): void {
    this.hurry?.();
  }

  private redraw(): void {
    this.screen.write(this.editor.draw(this.screen.columns()));
  }

  // While the engine starts, keys are only shown; they are run from the queue later.
  private preview(key: Key): void {
    if (key.kind === "enter") this.goBelow();
    const { signal } = this.editor.press(key);
    if (signal === "interrupt") {
      this.queue = [];
      this.editor.discard();
    }
    this.redraw();
  }

  private drain(): void {
    if (this.state !== "idle" || this.queue.length === 0) return;
    while (this.state === "idle") {
      const key = this.queue.shift();
      if (!key) break;
      this.handle(key);
    }
    if (this.state === "idle") this.redraw();
  }

  private handle(key: Key | Task): void {
    if (key.kind === "past") {
      this.screen.write(this.editor.erase());
      this.tell(key.past);
      this.settle(key.waiting);
      return;
    }
    if (key.kind === "end-of-block") {
      const outcome = this.waiting.mode === "continuation" ? this.host.act("end", "") : null;
      if (outcome) void this.play(outcome);
      return;
    }
    if (key.kind === "run") {
      this.editor.discard();
      this.editor.learn(key.line);
      const shown = this.editor.mask ? "•".repeat(key.line.length) : key.line;
      this.screen.write(this.editor.erase() + this.typed(this.waiting.prompt, shown));
      this.submit(key.line, shown);
      return;
    }
    if (key.kind === "task") {
      this.screen.write(this.editor.erase());
      const outcome = key.run();
      if (!outcome) return;
      if (!key.keeps) this.editor.discard();
      this.screen.write(this.editor.erase() + (outcome.exit === 0 ? soft(onlyStyle(key.note)) + "\r\n" : ""));
      void this.play(outcome);
      return;
    }
    const shown = this.editor.shown;
    if (key.kind === "enter") this.goBelow();
    const { line, signal } = this.editor.press(key);
    if (line !== undefined) this.submit(line, shown);
    else if (signal === "interrupt") this.abort();
    else if (signal === "eof") this.finish();
    else if (signal === "clear") this.clear();
  }

  // Several keys may have come since the last drawing, so the line is drawn once more before it is left.
  private goBelow(): void {
    const columns = this.screen.columns();
    this.screen.write(this.editor.draw(columns) + this.editor.leave(columns));
  }

  // A line as it stands in the terminal once it was entered.
  private typed(prompt: string, input: string): string {
    const before = onlyStyle(prompt);
    return before + (before.includes("\x1b") ? "\x1b[0m" : "") + onlyStyle(input).replace(/\n/g, "\r\n") + "\r\n";
  }

  private tell(past: readonly Past[]): void {
    for (const part of past) {
      if ("note" in part) this.screen.write(part.outcome.exit === 0 && part.note ? soft(onlyStyle(part.note)) + "\r\n" : "");
      else this.screen.write(this.typed(part.prompt, part.input));
      this.screen.write(printed(part.outcome));
      if (!("note" in part) && part.remember) {
        this.editor.mask = false;
        this.editor.remember = true;
        this.editor.learn(part.input);
      }
    }
  }

  private submit(line: string, shown: string): void {
    const prompt = this.waiting.prompt;
    const outcome = this.host.act("line", line);
    if (!outcome) return;
    this.host.record(entryOf(this.terminal, prompt, shown, outcome));
    void this.play(outcome);
  }

  private abort(): void {
    const shown = this.editor.shown + "^C";
    this.editor.discard();
    this.screen.write(this.editor.erase() + onlyStyle(this.waiting.prompt) + shown + "\r\n");
    const outcome = this.host.act("interrupt", "");
    if (outcome) void this.play(outcome);
  }

  // Ctrl-D on an empty line leaves a session, gives up an input or a continued line, and does nothing at the prompt.
  private finish(): void {
    if (this.waiting.mode === "session") this.queue.unshift({ kind: "text", text: "/exit" }, { kind: "enter" });
    else if (this.waiting.mode !== "command") this.abort();
  }

  private async play(outcome: Outcome): Promise<void> {
    const playing = ++this.playing;
    this.state = "busy";
    this.host.busy(true);
    this.waiting = outcome;
    let rushed = false;
    const skip = new Promise<void>((resolve) => {
      this.hurry = () => {
        rushed = true;
        resolve();
      };
    });
    await null; // even an outcome shown at once goes through here, so that a long paste does not nest
    const { think, chunks } = schedule(outcome, this.host.settings());
    const start = this.host.now();
    const until = async (at: number) => {
      const left = at - (this.host.now() - start);
      if (left > 0 && !rushed) await Promise.race([this.host.sleep(left), skip]);
      return this.playing === playing;
    };
    if (think > 0) {
      this.screen.write(soft("Evaluating…"));
      if (!(await until(think))) return;
      this.screen.write("\r\x1b[K");
    }
    for (const chunk of chunks) {
      if (!(await until(chunk.at))) return;
      this.screen.write(chunk.text);
    }
    if (!(await until(0))) return;
    this.hurry = null;
    this.settle(this.waiting);
  }

  private settle(waiting: Waiting): void {
    this.waiting = waiting;
    this.editor.prompt = waiting.prompt;
    this.editor.mask = waiting.mask;
    this.editor.remember = waiting.mode !== "input";
    this.state = "idle";
    this.host.busy(false);
    this.redraw();
    this.drain();
  }
}

/** A paste of several lines as if each had been typed and entered. */
function linesOf(key: Key): Key[] {
  if (key.kind !== "paste") return [key];
  return key.text.split("\n").flatMap((text, index): Key[] => {
    const typed: Key[] = text ? [{ kind: "text", text }] : [];
    return index === 0 ? typed : [{ kind: "enter" }, ...typed];
  });
}
