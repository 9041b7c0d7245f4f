// The lab page: one engine, its terminals, and the parts around them.

import type { ActKind, Boot, Outcome, Waiting } from "../core/bridge.ts";
import type { Host } from "../core/console.ts";
import { textOf } from "../core/transcript.ts";
import { Engine } from "./engine.ts";
import { Pane } from "./pane.ts";
import { announce, Controls, element, problem, Steps } from "./parts.ts";
import { connectTabs } from "./tabs.ts";

const lost = "The simulator stopped and was started again. The lab is back at its start.";

class LabPage {
  private readonly panes: Pane[];
  private readonly steps = new Steps();
  private readonly controls = new Controls((id, on) => this.switchControl(id, on));
  private readonly undo = element<HTMLButtonElement>("undo");
  private readonly reset = element<HTMLButtonElement>("reset");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private engine: Engine | null = null;
  private boot: Boot | null = null;
  private current = 0;

  constructor(private readonly root: HTMLElement) {
    const places = [...document.querySelectorAll<HTMLElement>('[role="tabpanel"]')];
    const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
    this.panes = places.map((place, index) => {
      const id = place.dataset["terminal"]!;
      return new Pane(id, tabs[index]!.textContent ?? id, place, this.host(id));
    });
    connectTabs(tabs, places, (index) => {
      this.current = index;
    });
    tabs.forEach((tab, index) => tab.addEventListener("click", () => this.panes[index]!.focus()));
    this.undo.addEventListener("click", () => this.goBack("undo", "Went back before the last command that changed something."));
    this.reset.addEventListener("click", () => this.goBack("reset", "The lab is back at its start."));
  }

  async start(): Promise<void> {
    try {
      this.engine ??= await Engine.load(this.root.dataset["player"]!, this.root.dataset["bytes"]!);
      this.boot = await this.engine.start();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problem(`This lab could not be started: ${why} Reload the page to try again.`);
      return;
    }
    this.controls.show(this.boot.controls);
    this.enable(true);
    const waiting: Waiting = { mode: "command", prompt: this.boot.prompt, mask: false };
    for (const pane of this.panes) pane.console.ready(waiting);
  }

  private host(terminal: string): Host {
    return {
      act: (kind, text) => this.act(kind, terminal, text),
      settings: () => ({ ...this.boot!.settings, streaming: this.boot!.settings.streaming && !this.still.matches }),
      now: () => performance.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      record: (entry) => announce(textOf(entry)),
    };
  }

  private act(kind: ActKind, terminal: string, text: string): Outcome | null {
    try {
      const outcome = this.engine!.act(kind, terminal, text);
      // Going back may open or end a session in any terminal.
      if (kind === "undo" || kind === "reset") {
        for (const pane of this.panes) {
          if (pane.id !== terminal) pane.console.await(this.engine!.waiting(pane.id));
        }
      }
      problem("");
      this.steps.complete(outcome.completed);
      if (outcome.controls) this.controls.set(outcome.controls);
      return outcome;
    } catch (error) {
      console.error(error);
      this.restart();
      return null;
    }
  }

  private restart(): void {
    this.enable(false);
    for (const pane of this.panes) pane.console.starting("Starting again…");
    problem(lost);
    void this.start();
  }

  private goBack(kind: "undo" | "reset", note: string): void {
    const pane = this.panes[this.current]!;
    pane.console.interject(note, () => {
      const outcome = this.act(kind, pane.id, "");
      if (outcome && kind === "reset") for (const { console } of this.panes) console.clear();
      return outcome;
    });
    pane.focus();
  }

  private switchControl(id: string, on: boolean): void {
    const pane = this.panes[this.current]!;
    const label = this.boot!.controls.find((control) => control.id === id)?.label || id;
    pane.console.interject(`${label}: ${on ? "on" : "off"}`, () => this.act("control", pane.id, `${id} ${on ? "on" : "off"}`));
  }

  private enable(on: boolean): void {
    this.undo.disabled = !on;
    this.reset.disabled = !on;
  }
}

void new LabPage(element("lab")).start();
