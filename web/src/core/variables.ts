// The variables of the instructions, $$name$$, and what depends on them.

export type OS = "mac" | "linux" | "windows" | "other";

export interface Condition {
  readonly variable?: string;
  readonly requiredValue?: string;
  readonly hasValue?: boolean;
  readonly hasNoValue?: boolean;
  readonly os?: readonly string[];
}

export class Variables {
  private readonly initial: ReadonlyMap<string, string>;
  private readonly own = new Map<string, string>();

  constructor(initial: Readonly<Record<string, string>>, stored: Readonly<Record<string, string>> = {}) {
    this.initial = new Map(Object.entries(initial));
    for (const [name, value] of Object.entries(stored)) this.set(name, value);
  }

  get(name: string): string {
    return this.own.get(name) ?? this.initial.get(name) ?? "";
  }

  set(name: string, value: string): void {
    this.own.set(name, value);
  }

  /** What stands for $$name$$: its value, or the bare name. */
  shown(name: string): string {
    return this.get(name) || name;
  }

  /** Fills $$name$$ in, once: a value that holds one is not filled in again. `\$\$` is a literal $$. */
  fill(template: string): string {
    return template.replace(/\\\$\\\$|\$\$([^$\n]+?)\$\$/g, (_, name?: string) => (name === undefined ? "$$" : this.shown(name.trim())));
  }

  holds(condition: Condition, os: OS): boolean {
    const value = this.get(condition.variable ?? "");
    if (condition.requiredValue !== undefined && value !== condition.requiredValue) return false;
    if (condition.hasValue && value === "") return false;
    if (condition.hasNoValue && value !== "") return false;
    if (condition.os && !condition.os.some((name) => name === os || (name === "unix" && (os === "mac" || os === "linux")))) return false;
    return true;
  }

  /** What the learner set, which may differ from what the lab begins with. */
  get changed(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.own);
  }
}

/** The system from what a browser says of its platform. */
export function osOf(platform: string): OS {
  if (/mac|iphone|ipad|ipod/i.test(platform)) return "mac";
  if (/win/i.test(platform)) return "windows";
  if (/linux|x11|cros|android/i.test(platform)) return "linux";
  return "other";
}
