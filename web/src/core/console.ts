// One terminal's conversation: keys in, lines to the engine, outcomes out at their pace. It knows neither the page nor
// xterm, only a screen that takes escape sequences and a host that acts and keeps time.

import type { ActKind, Outcome, Settings, Waiting } from "./bridge.ts";
import { KeyReader, type Key } from "./keys.ts";
import { LineEditor } from "./line.ts";
import { schedule } from "./pacing.ts";
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
}

const wipe = "\x1b[H\x1b[2J\x1b[3J";
const soft = (text: string) => `\x1b[90m${text}\x1b[0m`; // the terminal's own words

// A task runs between keys: a button of the page that acts on this terminal.
type Task = { readonly kind: "task"; readonly run: () => Outcome | null; readonly note: string };

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

  /** The engine is there: what was typed meanwhile is run. */
  ready(waiting: Waiting): void {
    this.editor.discard();
    this.editor.begin();
    this.screen.write(wipe);
    this.settle(waiting);
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
        this.queue = [];
        this.rush();
      } else {
        this.queue.push(key);
        if (this.state === "starting") this.preview(key);
      }
    }
    this.drain();
  }

  /**
   * Runs a task of the page's in this terminal and shows its outcome, below a note when it went well. Keys
   * typed ahead are dropped.
   */
  interject(note: string, run: () => Outcome | null): void {
    if (this.state === "starting") return;
    this.queue = [{ kind: "task", note, run }];
    this.rush();
    this.drain();
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
    if (key.kind === "task") {
      this.screen.write(this.editor.erase());
      const outcome = key.run();
      if (!outcome) return;
      this.editor.discard();
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
