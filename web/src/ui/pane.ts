// One terminal of the page: xterm.js around the console of web/src/core.

import { FitAddon } from "@xterm/addon-fit";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal, type ITheme } from "@xterm/xterm";
import { Console, type Host } from "../core/console.ts";
import { textOf, type Entry } from "../core/transcript.ts";
import type { Look } from "./look.ts";

const themes: Record<"dark" | "light", ITheme> = {
  dark: { background: "#1a2029", foreground: "#e3e7ee", cursor: "#e3e7ee", selectionBackground: "#3d5a86", brightBlack: "#8f99a8" },
  light: {
    background: "#ffffff", foreground: "#1d2430", cursor: "#1d2430", cursorAccent: "#ffffff", selectionBackground: "#b6d0f7",
    black: "#1d2430", red: "#b3261e", green: "#1b6b35", yellow: "#7a5900", blue: "#1f52b5", magenta: "#8a2a86",
    cyan: "#0b6470", white: "#5c6370", brightBlack: "#5c6370", brightRed: "#c4372e", brightGreen: "#227a40",
    brightYellow: "#8a6500", brightBlue: "#2a62cc", brightMagenta: "#9c3a98", brightCyan: "#107480", brightWhite: "#3b424e",
  },
};

const maxLog = 200; // entries that a screen reader can go back to

export class Pane {
  readonly console: Console;
  private readonly element: HTMLElement;
  private readonly log: HTMLElement;
  private readonly terminal: Terminal;
  private readonly fit = new FitAddon();

  constructor(readonly id: string, title: string, private readonly place: HTMLElement, host: Host, private readonly look: Look) {
    this.element = place.querySelector(".screen")!;
    this.log = place.querySelector(".log")!;
    this.terminal = new Terminal({
      allowProposedApi: true, // the grapheme addon needs it
      cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
      fontSize: look.terminalSize,
      lineHeight: 1.2, // below that, rows cut off underscores of some fonts
      scrollback: 5000,
      minimumContrastRatio: 4.5,
    });
    this.terminal.loadAddon(this.fit);
    this.terminal.loadAddon(new UnicodeGraphemesAddon());
    this.applyLook();
    look.follow(() => this.applyLook());
    this.terminal.open(this.element);
    this.terminal.textarea?.setAttribute("aria-label", `${title}: type a command`);
    this.handleKeys();
    this.console = new Console(id, {
      write: (text) => this.terminal.write(text),
      columns: () => this.terminal.cols,
    }, host);
    this.terminal.onData((data) => this.console.receive(data));
    new ResizeObserver(() => this.refit()).observe(this.element);
    this.refit();
  }

  focus(): void {
    this.terminal.focus();
  }

  /** An answer is being shown, or no longer. */
  busy(on: boolean): void {
    this.place.setAttribute("aria-busy", String(on));
  }

  /** Keeps what was typed and answered where screen readers read it out. */
  note(entry: Entry): void {
    const line = document.createElement("div");
    line.textContent = textOf(entry);
    this.log.append(line);
    while (this.log.childElementCount > maxLog) this.log.firstElementChild!.remove();
  }

  forget(): void {
    this.log.replaceChildren();
  }

  // A hidden terminal has no size to fit; it is fitted when it is shown.
  private refit(): void {
    if (this.element.clientWidth === 0 || this.element.clientHeight === 0) return;
    const before = this.terminal.cols;
    this.fit.fit();
    if (this.terminal.cols !== before) this.console.resized();
  }

  private applyLook(): void {
    this.terminal.options.theme = themes[this.look.dark ? "dark" : "light"];
    if (this.terminal.options.fontSize === this.look.terminalSize) return;
    this.terminal.options.fontSize = this.look.terminalSize;
    this.refit();
  }

  // Esc then Tab leaves the terminal, and Ctrl-C copies when there is something to copy.
  private handleKeys(): void {
    let escaped = false;
    this.terminal.attachCustomKeyEventHandler((event) => {
      if (event.type !== "keydown") return true;
      if (event.key === "Tab" && escaped) return false;
      if (event.key !== "Shift") escaped = event.key === "Escape";
      return !(event.key === "c" && event.ctrlKey && !event.altKey && !event.metaKey && this.terminal.hasSelection());
    });
  }
}
