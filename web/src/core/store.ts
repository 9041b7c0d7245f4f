// What the page keeps between visits, per site and lab. Storage may be absent, full or hold anything: then the page
// works as on a first visit.

import { actsOf, type Act } from "./session.ts";

/** The part of the browser's Storage that is used. Any of it may throw. */
export interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The path of the site's root from that of its catalog or of a lab's page. */
export function siteOf(path: string): string {
  return path.replace(/(?:labs\/[^/]+\/)?(?:index\.html)?$/, "");
}

/** The storage key of a lab's data. Site is the path of the site's root, so that two sites on one host keep apart. */
export function keyOf(site: string, lab: string, what: "session" | "progress"): string {
  return `asz:${site}:lab:${lab}:${what}`;
}

export function settingsKey(site: string): string {
  return `asz:${site}:settings`;
}

export interface Saved {
  readonly acts: readonly Act[];
  readonly variables: Readonly<Record<string, string>>;
}

export class Store {
  constructor(private readonly storage: Storage | null) {}

  /** What a lab's session left; nothing when the lab's version has changed since. */
  session(site: string, lab: string, version: string): Saved {
    const stored = this.read(keyOf(site, lab, "session"));
    if (stored["version"] !== version) return { acts: [], variables: {} };
    const variables: Record<string, string> = Object.create(null) as Record<string, string>;
    const kept = stored["variables"];
    if (isRecord(kept)) {
      for (const [name, value] of Object.entries(kept)) if (typeof value === "string") variables[name] = value;
    }
    return { acts: actsOf(stored["acts"]), variables };
  }

  saveSession(site: string, lab: string, version: string, saved: Saved): boolean {
    return this.write(keyOf(site, lab, "session"), { version, ...saved });
  }

  /** The steps that were done in this version of the lab. */
  progress(site: string, lab: string, version: string): string[] {
    const stored = this.read(keyOf(site, lab, "progress"));
    const done = stored["done"];
    if (stored["version"] !== version || !Array.isArray(done)) return [];
    return (done as unknown[]).filter((id) => typeof id === "string");
  }

  saveProgress(site: string, lab: string, version: string, done: readonly string[]): boolean {
    return this.write(keyOf(site, lab, "progress"), { version, done });
  }

  settings(site: string): Record<string, unknown> {
    return this.read(settingsKey(site));
  }

  saveSettings(site: string, settings: Readonly<Record<string, unknown>>): boolean {
    return this.write(settingsKey(site), settings);
  }

  private read(key: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(this.storage?.getItem(key) ?? "null");
      return isRecord(value) ? value : {};
    } catch {
      return {};
    }
  }

  private write(key: string, value: unknown): boolean {
    try {
      if (!this.storage) return false;
      this.storage.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
