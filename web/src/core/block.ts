// What pressing Run types.

const runnable: ReadonlySet<string> = new Set(["bash", "sh", "shell", "console", "prompt"]);

export function isRunnable(language: string): boolean {
  return runnable.has(language.toLowerCase());
}

/**
 * The lines that a block sends to its terminal: as a person would type them, one command each, however many lines it
 * takes; a prompt is sent whole. In a console block with `$ `, lines without it are output.
 */
export function linesToRun(language: string, text: string): string[] {
  const kind = language.toLowerCase();
  const whole = text.replace(/\r\n?/g, "\n").replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  if (!isRunnable(kind) || !whole.trim()) return [];
  if (kind === "prompt") return [whole];
  const dollars = kind === "console" && /^\s*\$ /m.test(whole);
  const lines: string[] = [];
  let joined: string | null = null;
  for (const source of whole.split("\n")) {
    let line = source;
    if (joined === null) {
      const dollar = /^\s*\$(?: |$)/.exec(line);
      if (dollars && !dollar) continue;
      if (dollars) line = line.slice(dollar![0].length);
      if (!line.trim() || line.trimStart().startsWith("#")) continue;
    }
    const all: string = (joined ?? "") + line;
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(all)) {
      joined = all.slice(0, -1);
    } else {
      lines.push(all.trim());
      joined = null;
    }
  }
  if (joined !== null) lines.push(joined.trimStart() + "\\"); // unfinished: the engine says so
  return lines;
}

/** A path as one word of a command line. */
export function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replace(/'/g, `'\\''`)}'`;
}
