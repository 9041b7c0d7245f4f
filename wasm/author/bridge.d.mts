import type { GoRuntime } from "../player/bridge.mjs";

/** Where in a folder of labs something is found. Lines and columns count from 1, columns in characters; the end is exclusive. */
export interface Finding {
  file: string; // relative to the folder of labs
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  fix: string | null;
  witness: string[] | null; // lines for `asz play --script`
}

/** Where something is played: in the order of the sections, only beside it, nowhere, or not known because a bound was hit. */
export interface Covered {
  name: string;
  where: "documented" | "reachable" | "never" | "unknown";
}

export interface CheckedLab {
  id: string;
  path: string;
  states: number; // that were looked at
  exhaustive: boolean; // all there are were looked at
  solution?: { lines: string[]; shortest: boolean; missing: string[] };
  coverage?: { scenarios: Covered[]; steps: Covered[]; lines: Covered[] };
}

/** As `asz validate-lab --format json` prints it. */
export interface Report {
  version: 1;
  labs: CheckedLab[];
  findings: Finding[];
}

export interface CheckOptions {
  explore?: "off" | "auto" | "full"; // auto
  solution?: boolean;
  coverage?: boolean;
  /** Called between the slices of a long search. */
  onProgress?(progress: { states: number }): void;
  /** Ends the check: its promise is rejected with the signal's reason. */
  signal?: AbortSignal;
}

/** A scenario that came near to taking a line, and what of it failed. */
export interface Reason {
  scenario: string;
  text: string;
  commands: string[]; // after these it takes the line; none when that is not known
}

export interface Miss {
  /** What was typed before, one line of `asz play --script` each. */
  script?: string[];
  /** Where the line is typed; where the script ends without it. */
  terminal?: string;
  line: string;
}

export interface Explanation {
  code: string;
  severity: Finding["severity"];
  title: string;
  fix: string;
  explain: string;
}

/**
 * The author's module with a folder of labs. When it stops, what was asked of it is rejected, and the next call starts it
 * again with the same files.
 */
export interface Author {
  /** Replaces the folder of labs: path relative to it → contents. The arrays are kept; do not change them. */
  files(files: Map<string, Uint8Array | string> | Record<string, Uint8Array | string>): void;
  /** Sets one file, or removes it with null. A check that goes on does not see it. */
  setFile(path: string, contents: Uint8Array | string | null): void;
  /** Checks the lab in a folder of the folder of labs, in slices between which events have their turn. */
  check(lab: string, options?: CheckOptions): Promise<Report>;
  /**
   * Why nothing takes a line: what `asz play --explain` says, the nearest scenario first. Empty when something takes it.
   * It is rejected when the lab does not load or the script cannot be played. Unlike a check it is no work in slices: a
   * search for commands in a large lab takes about a second, so a page calls it in a worker.
   */
  why(lab: string, miss: Miss): Promise<Reason[]>;
  /** What a finding's code means; null when there is no such code. */
  explain(code: string): Promise<Explanation | null>;
  close(): void;
}

/** module is author.wasm, compiled or not; else url is where it is. Go is what wasm_exec.js defines (globalThis.Go). */
export function createAuthor(options: {
  module?: WebAssembly.Module | BufferSource;
  url?: string | URL;
  Go?: new () => GoRuntime;
}): Promise<Author>;
