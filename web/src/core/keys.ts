// What the terminal sends when a person types or pastes, as keys. Sequences that no key makes, such as a terminal's
// answers to queries, are dropped and never taken for typing.

export type Key =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "enter" | "left" | "right" | "up" | "down" | "home" | "end" | "word-left" | "word-right" }
  | { readonly kind: "backspace" | "delete" | "kill-start" | "kill-end" | "kill-word" | "yank" | "clear" | "interrupt" | "eof" };

type Plain = Exclude<Key["kind"], "text" | "paste">;

const controls: Readonly<Record<string, Plain>> = {
  "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace",
  "\x01": "home", "\x05": "end", "\x02": "left", "\x06": "right", "\x10": "up", "\x0e": "down",
  "\x15": "kill-start", "\x0b": "kill-end", "\x17": "kill-word", "\x19": "yank", "\x0c": "clear", "\x03": "interrupt", "\x04": "eof",
};

const sequences: Readonly<Record<string, Plain>> = {
  "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end",
  "OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end",
  "[1~": "home", "[7~": "home", "[4~": "end", "[8~": "end", "[3~": "delete",
  "[1;5D": "word-left", "[1;5C": "word-right", "[1;3D": "word-left", "[1;3C": "word-right",
  b: "word-left", f: "word-right", "\x7f": "kill-word",
};

const pasteStart = "[200~";
const pasteEnd = "\x1b[201~";

// After ESC: a CSI or SS3 sequence, a string sequence up to its end, or one character.
const afterEscape = /^(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[\s\S])?/;

/** Pasted text as typing: no escape characters or other controls, every line end one newline, a tab one blank. */
export function cleanPaste(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "");
}

/** Reads keys out of what the terminal sends. A paste may come in several pieces, so the reader keeps its beginning. */
export class KeyReader {
  private pasting: string | null = null;

  read(data: string): Key[] {
    const keys: Key[] = [];
    let rest = data;
    let text = "";
    const flush = () => {
      if (text) keys.push({ kind: "text", text });
      text = "";
    };
    while (rest) {
      if (this.pasting !== null) {
        const all: string = this.pasting + rest;
        const end = all.indexOf(pasteEnd);
        if (end < 0) {
          this.pasting = all;
          break;
        }
        keys.push({ kind: "paste", text: cleanPaste(all.slice(0, end)) });
        this.pasting = null;
        rest = all.slice(end + pasteEnd.length);
        continue;
      }
      const first = String.fromCodePoint(rest.codePointAt(0)!);
      rest = rest.slice(first.length);
      if (first === "\x1b") {
        flush();
        const name = afterEscape.exec(rest)![0];
        rest = rest.slice(name.length);
        const kind = sequences[name];
        if (name === pasteStart) this.pasting = "";
        else if (kind) keys.push({ kind });
        continue;
      }
      const kind = controls[first];
      if (kind) {
        flush();
        keys.push({ kind });
      } else if (!/[\x00-\x1f\x7f-\x9f]/.test(first)) {
        text += first;
      }
    }
    flush();
    return keys;
  }
}
