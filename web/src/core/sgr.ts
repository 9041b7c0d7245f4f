// Lab text may colour and style what it prints (SGR) and do nothing else to the terminal.

// Alternatives in order: a whole CSI sequence; a string sequence (OSC, DCS, SOS, PM, APC) up to its end; any other
// escape; a control character that stands alone. Every escape character is consumed by one of them, so nothing
// that is left over can join up to a new sequence.
const sequence =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Text with every control sequence and control character but SGR, tab and newline taken out. */
export function onlyStyle(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(sequence, (whole: string, params?: string, final?: string) =>
      final === "m" && /^[0-9;:]*$/.test(params ?? "") && /^\x1b\[[0-9;:]*m$/.test(whole) ? whole : "");
}

/** Text without any control sequence at all, as a transcript keeps it. */
export function plain(text: string): string {
  return onlyStyle(text).replace(/\x1b\[[0-9;:]*m/g, "");
}

/** Whether text leaves the terminal in a style that must be ended. */
export function styled(text: string): boolean {
  return text.includes("\x1b[");
}
