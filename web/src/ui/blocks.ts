// The buttons in the instructions: Run, Save, Copy, links to files and tabs.

import { linesToRun, quoted } from "../core/block.ts";
import { element, say } from "./parts.ts";
import type { Service } from "./services.ts";

export interface Actions {
  run(terminal: string, lines: readonly string[]): void;
  show(terminal: string, path: string): void;
  save(terminal: string, path: string, text: string): void;
  open(service: Service): void;
}

const waiting = "button.run, button.save, button.file-link";

export class Blocks {
  /** Titles are those of the terminals, by id. */
  constructor(titles: ReadonlyMap<string, string>, actions: Actions) {
    for (const button of element("instructions").querySelectorAll("button.run")) {
      const terminal = button.closest<HTMLElement>(".block")?.dataset["terminal"] ?? "";
      button.setAttribute("aria-label", `Run in ${titles.get(terminal) ?? terminal}`);
    }
    element("instructions").addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) press(button, actions);
    });
  }

  /** Lets the buttons that need the engine be pressed. */
  enable(on: boolean): void {
    for (const button of element("instructions").querySelectorAll<HTMLButtonElement>(waiting)) button.disabled = !on;
  }
}

function press(button: HTMLButtonElement, actions: Actions): void {
  const data = button.dataset;
  if (button.matches(".tab-link")) {
    actions.open({ id: data["id"] ?? "", title: data["title"] ?? "", url: data["href"] ?? "" });
    return;
  }
  if (button.matches(".file-link")) {
    actions.show(data["terminal"] ?? "", data["path"] ?? "");
    return;
  }
  const block = button.closest<HTMLElement>(".block");
  const text = block?.querySelector("code")?.textContent ?? "";
  if (!block) return;
  const terminal = block.dataset["terminal"] ?? "";
  if (button.matches(".run")) {
    actions.run(terminal, linesToRun("prompt" in block.dataset ? "prompt" : (block.dataset["language"] ?? ""), text));
  } else if (button.matches(".save")) {
    actions.save(terminal, block.dataset["save"] ?? "", text.endsWith("\n") ? text : text + "\n");
  } else if (button.matches(".copy")) {
    void copy(button, block, text);
  }
}

/** What `cat PATH` is in a terminal: inside a session, commands begin with `!`. */
export function reading(path: string, mode: string): string {
  return `${mode === "session" ? "!" : ""}cat ${quoted(path)}`;
}

async function copy(button: HTMLElement, block: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ""));
    say("Copied.");
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1500);
  } catch {
    const code = block.querySelector("code");
    if (code) getSelection()?.selectAllChildren(code);
    say("The text is selected: copy it with the keyboard.");
  }
}
