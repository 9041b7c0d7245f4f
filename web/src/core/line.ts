// The line a person edits. It owns the text and says which escape sequences redraw it; it knows no terminal.

import { advance, graphemes, type Place } from "./cells.ts";
import type { Key } from "./keys.ts";
import { onlyStyle, plain } from "./sgr.ts";

/** What a key amounts to beyond a change of the line. */
export interface LineResult {
  /** A whole line, when the key ended one. */
  readonly line?: string;
  readonly signal?: "interrupt" | "eof" | "clear";
}

const dot = "•";

export class LineEditor {
  private units: string[] = [];
  private cursor = 0;
  private killed: string[] = [];
  private readonly history: string[] = [];
  private recalled = 0; // index into history; its length = the line being written
  private draft: string[] = [];
  private drawn: Place = { row: 0, column: 0 }; // where the last drawing left the cursor

  private masked = false;

  prompt = "";
  /** Whether lines are remembered for up and down. A masked line never is. */
  remember = true;

  get mask(): boolean {
    return this.masked;
  }

  /** Whether the line is secret. What was cut from a secret line goes with it. */
  set mask(on: boolean) {
    if (on !== this.masked) this.killed = [];
    this.masked = on;
  }

  get text(): string {
    return this.units.join("");
  }

  /** What may be shown of the text: dots while it is masked. */
  get shown(): string {
    return this.mask ? dot.repeat(this.units.length) : this.text;
  }

  /** Takes one key. Text must hold no line end; the caller cuts pastes into lines. */
  press(key: Key): LineResult {
    switch (key.kind) {
      case "text":
      case "paste": this.insert(key.text); break;
      case "left": this.cursor = Math.max(0, this.cursor - 1); break;
      case "right": this.cursor = Math.min(this.units.length, this.cursor + 1); break;
      case "home": this.cursor = 0; break;
      case "end": this.cursor = this.units.length; break;
      case "word-left": this.cursor = this.wordStart(); break;
      case "word-right": this.cursor = this.wordEnd(); break;
      case "backspace": if (this.cursor > 0) this.units.splice(--this.cursor, 1); break;
      case "delete": this.units.splice(this.cursor, 1); break;
      case "kill-start": this.kill(0, this.cursor); break;
      case "kill-end": this.kill(this.cursor, this.units.length); break;
      case "kill-word": this.kill(this.wordStart(), this.cursor); break;
      case "yank": this.insert(this.killed.join("")); break;
      case "up": this.recall(-1); break;
      case "down": this.recall(1); break;
      case "enter": return { line: this.take() };
      case "clear": return { signal: "clear" };
      case "interrupt": return { signal: "interrupt" };
      case "eof":
        if (this.units.length === 0) return { signal: "eof" };
        this.units.splice(this.cursor, 1);
    }
    return {};
  }

  /** Drops the text and what was being recalled. */
  discard(): void {
    this.units = [];
    this.cursor = 0;
    this.recalled = this.history.length;
  }

  /** Says that the terminal's cursor is at the start of an empty row, where the next drawing begins. */
  begin(): void {
    this.drawn = { row: 0, column: 0 };
  }

  /** The sequences that draw prompt and text over the last drawing, the cursor at its place. */
  draw(columns: number): string {
    const prompt = this.promptUnits();
    const text = this.mask ? this.units.map(() => dot) : this.units;
    const at = advance(advance({ row: 0, column: 0 }, prompt, columns), text.slice(0, this.cursor), columns);
    const end = advance(at, text.slice(this.cursor), columns);
    let out = this.home() + "\x1b[J" + onlyStyle(this.prompt) + (this.prompt.includes("\x1b") ? "\x1b[0m" : "") + text.join("");
    // A terminal wraps only when the next character comes, so a full row is ended by hand.
    for (const place of [at, end]) {
      if (place.column >= columns) {
        place.row++;
        place.column = 0;
      }
    }
    if (end.column === 0 && end.row > 0) out += "\r\n";
    if (end.row > at.row) out += `\x1b[${end.row - at.row}A`;
    out += "\r" + (at.column > 0 ? `\x1b[${at.column}C` : "");
    this.drawn = at;
    return out;
  }

  /** The sequences that leave the drawing as it is and go on below it. */
  leave(columns: number): string {
    const end = advance({ row: 0, column: 0 }, [...this.promptUnits(), ...graphemes(this.shown)], columns);
    const full = end.column >= columns; // then draw has gone on to the next row already
    const down = end.row + (full ? 1 : 0) - this.drawn.row;
    this.begin();
    return (down > 0 ? `\x1b[${down}B` : "") + (full ? "\r" : "\r\n");
  }

  /** The sequences that wipe the drawing. */
  erase(): string {
    const out = this.home() + "\x1b[J";
    this.begin();
    return out;
  }

  private home(): string {
    return "\r" + (this.drawn.row > 0 ? `\x1b[${this.drawn.row}A` : "");
  }

  private promptUnits(): string[] {
    return graphemes(plain(this.prompt));
  }

  // What is inserted may join the character before it (a combining mark), so the whole line is cut anew.
  private insert(text: string): void {
    const before = this.units.slice(0, this.cursor).join("") + text;
    this.units = graphemes(before + this.units.slice(this.cursor).join(""));
    this.cursor = 0;
    for (let length = 0; length < before.length; this.cursor++) length += this.units[this.cursor]!.length;
  }

  private kill(from: number, to: number): void {
    if (to > from) this.killed = this.units.splice(from, to - from);
    this.cursor = from;
  }

  private wordStart(): number {
    let at = this.cursor;
    while (at > 0 && this.units[at - 1] === " ") at--;
    while (at > 0 && this.units[at - 1] !== " ") at--;
    return at;
  }

  private wordEnd(): number {
    let at = this.cursor;
    while (at < this.units.length && this.units[at] === " ") at++;
    while (at < this.units.length && this.units[at] !== " ") at++;
    return at;
  }

  private recall(step: number): void {
    if (this.mask) return;
    const to = this.recalled + step;
    if (to < 0 || to > this.history.length) return;
    if (this.recalled === this.history.length) this.draft = this.units;
    this.recalled = to;
    this.units = to === this.history.length ? this.draft : graphemes(this.history[to]!);
    this.cursor = this.units.length;
  }

  /** Keeps a line for up and down, as if it had been entered. */
  learn(line: string): void {
    if (this.remember && !this.mask && line.trim() && this.history[this.history.length - 1] !== line) this.history.push(line);
    this.recalled = this.history.length;
  }

  private take(): string {
    const line = this.text;
    this.learn(line);
    this.discard();
    return line;
  }
}
