// How the page looks, as its reader chose: theme, text size, width of the instructions, streaming.

import type { Store } from "../core/store.ts";
import { site } from "./storage.ts";

export type Theme = "" | "light" | "dark";
export type TextSize = "small" | "" | "large";

export class Look {
  theme: Theme = "";
  textSize: TextSize = "";
  streaming = true;
  split = 46; // percent of the width that the instructions take
  private readonly followers: (() => void)[] = [];

  constructor(private readonly store: Store) {
    const stored = store.settings(site);
    if (stored["theme"] === "light" || stored["theme"] === "dark") this.theme = stored["theme"];
    if (stored["textSize"] === "small" || stored["textSize"] === "large") this.textSize = stored["textSize"];
    if (stored["streaming"] === false) this.streaming = false;
    if (typeof stored["split"] === "number") this.split = Math.min(75, Math.max(25, stored["split"]));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.tell());
    this.apply();
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  /** The terminals' text size in pixels. */
  get terminalSize(): number {
    return { small: 12, "": 14, large: 17 }[this.textSize];
  }

  change(part: Partial<Pick<Look, "theme" | "textSize" | "streaming" | "split">>): void {
    Object.assign(this, part);
    const { theme, textSize, streaming, split } = this;
    this.store.saveSettings(site, { theme, textSize, streaming, split });
    this.apply();
    this.tell();
  }

  follow(follower: () => void): void {
    this.followers.push(follower);
  }

  private apply(): void {
    const root = document.documentElement;
    root.dataset["theme"] = this.theme;
    root.dataset["textSize"] = this.textSize;
    root.style.setProperty("--split", String(this.split));
  }

  private tell(): void {
    for (const follower of this.followers) follower();
  }
}
