// The lab page: one engine, its terminals, and the parts around them.

import type { ActKind, Boot, Outcome, Waiting } from "../core/bridge.ts";
import type { Host, Past } from "../core/console.ts";
import { Progress } from "../core/progress.ts";
import { Session } from "../core/session.ts";
import { entryOf } from "../core/transcript.ts";
import { Variables } from "../core/variables.ts";
import { Blocks, reading } from "./blocks.ts";
import { CI } from "./ci.ts";
import { Diagrams } from "./diagrams.ts";
import { Engine } from "./engine.ts";
import { Instructions } from "./instructions.ts";
import { Look } from "./look.ts";
import { Pane } from "./pane.ts";
import { Controls, element, problem, say } from "./parts.ts";
import { Services, type Service } from "./services.ts";
import { connectSettings } from "./settings.ts";
import { openStore, site } from "./storage.ts";
import { Tabs } from "./tabs.ts";
import { Words } from "./words.ts";

interface Config {
  readonly id: string;
  readonly version: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly services: readonly Service[];
  readonly files: readonly string[];
}

const notes = {
  undo: "Went back before the last command that changed something.",
  reset: "The lab is back at its start.",
  masked: "What was typed here is not kept. Answer again, and the session goes on.",
  lost: "The simulator stopped and was started again, without the last command.",
};

const nothing: Outcome = {
  id: 0, blocks: [], exit: 0, scenario: null, builtin: null, completed: [],
  changes: { state: [], files: [], run: 0 }, mode: "command", prompt: "", mask: false, turn: false,
};

class LabPage {
  private readonly config: Config;
  private readonly store = openStore();
  private readonly look = new Look(this.store);
  private readonly instructions = new Instructions();
  private readonly progress: Progress;
  private readonly variables: Variables;
  private session: Session;
  private readonly panes = new Map<string, Pane>(); // by terminal
  private readonly tabs: Tabs;
  private readonly services: Services;
  private readonly ci: CI | null;
  private readonly blocks: Blocks;
  private readonly controls = new Controls((id, on) => this.switchControl(id, on));
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private engine: Engine | null = null;
  private boot: Boot | null = null;
  private positions: Outcome["controls"] = []; // of the controls
  private saving = 0; // the timer of the next save
  private waits = new Map<string, Waiting>(); // what each terminal waits for
  private first = ""; // the terminal that is meant when none is named
  private current = ""; // the terminal that was shown last

  constructor(private readonly root: HTMLElement) {
    this.config = JSON.parse(root.dataset["config"]!) as Config;
    const { id, version } = this.config;
    const saved = this.store.session(site, id, version);
    this.session = new Session(saved.acts);
    this.variables = new Variables(this.config.variables, saved.variables);
    const steps = [...document.querySelectorAll<HTMLElement>("[data-step]")].map((item) => ({
      id: item.dataset["step"]!, section: item.closest(".section")!.id,
    }));
    this.progress = new Progress(steps, this.store.progress(site, id, version));
    this.tabs = new Tabs(element("tabs"), element("panes"), (key) => this.shown(key), (key) => this.services.close(key));
    this.services = new Services(this.tabs, this.config.services, this.config.files);
    const diagrams = new Diagrams(root.dataset["diagrams"]!, () => this.look.dark);
    this.instructions.onShow((section) => diagrams.draw(section));
    this.look.follow(() => this.instructions.current && diagrams.draw(this.instructions.current));
    new Words(this.variables, () => this.save());
    const titles = new Map([...document.querySelectorAll<HTMLElement>(".pane.terminal")].map((place) => [
      place.dataset["terminal"]!, document.getElementById(place.getAttribute("aria-labelledby")!)?.textContent ?? "",
    ]));
    this.blocks = new Blocks(titles, {
      run: (terminal, lines) => this.run(terminal, lines),
      show: (terminal, path) => this.showFile(terminal, path),
      save: (terminal, path, text) => this.saveFile(terminal, path, text),
      open: (service) => this.open(service),
    });
    this.instructions.follow();
    this.instructions.mark(this.progress);
    connectSettings(this.look, () => this.resetProgress());
    element("undo").addEventListener("click", () => this.goBack("undo"));
    element("reset").addEventListener("click", () => this.goBack("reset"));
    for (const place of document.querySelectorAll<HTMLElement>(".pane.terminal")) {
      const terminal = place.dataset["terminal"]!;
      this.panes.set(terminal, new Pane(terminal, titles.get(terminal) ?? terminal, place, this.host(terminal), this.look));
      this.first ||= terminal;
    }
    this.current = this.first;
    element("tabs").addEventListener("click", (event) => {
      const pane = this.tabs.pane(this.tabs.chosen).dataset["terminal"];
      if (event.detail > 0 && pane !== undefined) this.pane(pane).focus(); // pressed by a pointer
    });
    const ciPane = document.getElementById("page_pane-ci");
    addEventListener("pagehide", () => {
      if (this.saving) this.saveNow();
    });
    this.ci = ciPane && new CI(ciPane, (run) => this.rerun(run));
  }

  async start(note = ""): Promise<void> {
    let past: Map<string, Past[]>;
    try {
      this.engine ??= await Engine.load(this.root.dataset["player"]!, this.root.dataset["bytes"]!);
      this.boot = await this.engine.start();
      past = await this.replayed();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problem(`This lab could not be started: ${why.replace(/[.\s]*$/, ".")} Reload the page to try again.`);
      return;
    }
    this.controls.set(this.positions ?? []);
    this.showRuns(false);
    this.enable(true);
    problem(note);
    for (const [id, pane] of this.panes) pane.console.ready(this.waits.get(id)!, past.get(id) ?? []);
    const latest = this.session.acts.at(-1)?.[1]; // where the learner was
    if (latest !== undefined && this.panes.has(latest)) this.bring(latest);
    this.bringWaiting();
  }

  // Plays what is stored; a session that the engine does not survive is dropped.
  private async replayed(): Promise<Map<string, Past[]>> {
    this.controls.show(this.boot!.controls);
    this.settle();
    try {
      return this.replay();
    } catch (error) {
      console.warn(error);
      this.session = new Session();
      this.save();
      this.boot = await this.engine!.start();
      this.controls.show(this.boot.controls);
      this.settle();
      return new Map();
    }
  }

  private replay(): Map<string, Past[]> {
    const past = new Map<string, Past[]>([...this.panes.keys()].map((id) => [id, []]));
    for (let act = this.session.next(); act; act = this.session.next()) {
      const [kind, terminal, text] = act;
      if (kind === "masked") continue;
      const before = this.waits.get(terminal);
      const outcome = this.engine!.act(kind, terminal, text);
      this.learn(kind, terminal, outcome); // the steps of a replay were counted when they were done
      if (!before) continue;
      const shown = before.mask ? "•".repeat(text.length) : kind === "interrupt" ? "^C" : text;
      if (kind === "line" || kind === "interrupt") {
        const remember = kind === "line" && before.mode !== "input";
        past.get(terminal)!.push({ prompt: before.prompt, input: shown, remember, outcome });
        this.pane(terminal).note(entryOf(terminal, before.prompt, shown, outcome));
      } else {
        past.get(terminal)!.push({ note: this.noteOf(kind, text), outcome });
      }
    }
    const waits = this.session.waitsFor;
    if (waits !== null && !this.waits.get(waits)?.mask) this.session = new Session(); // the lab has changed
    else if (waits !== null) past.get(waits)?.push({ note: notes.masked, outcome: nothing });
    return past;
  }

  // The masked answer was given again: the rest of the session follows.
  private goOn(): void {
    const past = this.replay();
    for (const [id, pane] of this.panes) pane.console.catchUp(past.get(id) ?? [], this.waits.get(id)!);
    this.controls.set(this.positions ?? []);
    this.showRuns(false);
    this.save();
    this.bringWaiting();
  }

  private bringWaiting(): void {
    const waits = this.session.waitsFor;
    if (waits !== null) this.bring(waits);
  }

  // What is to be known of an outcome, live or replayed.
  private learn(kind: ActKind, terminal: string, outcome: Outcome): void {
    this.waits.set(terminal, outcome);
    if (outcome.controls) this.positions = outcome.controls;
    if (kind === "undo" || kind === "reset") this.settle(); // may open or end a session in any terminal
  }

  // Adds to what is stored, which another tab may have added to meanwhile.
  private count(completed: readonly string[]): void {
    if (!this.progress.complete(completed)) return;
    const { id, version } = this.config;
    this.progress.complete(this.store.progress(site, id, version));
    this.store.saveProgress(site, id, version, this.progress.list);
    this.instructions.mark(this.progress);
  }

  private settle(): void {
    for (const id of this.panes.keys()) this.waits.set(id, this.engine!.waiting(id));
  }

  private host(terminal: string): Host {
    return {
      act: (kind, text) => this.act(kind, terminal, text),
      settings: () => ({ ...this.boot!.settings, streaming: this.streaming }),
      now: () => performance.now(),
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      record: (entry) => this.pane(terminal).note(entry),
      busy: (on) => this.pane(terminal).busy(on),
    };
  }

  private get streaming(): boolean {
    return this.boot!.settings.streaming && this.look.streaming && !this.still.matches;
  }

  private act(kind: ActKind, terminal: string, text: string): Outcome | null {
    const before = this.waits.get(terminal)!;
    let outcome: Outcome;
    try {
      outcome = this.engine!.act(kind, terminal, text);
      this.learn(kind, terminal, outcome);
      this.count(outcome.completed);
      if (kind === "undo" || kind === "reset") {
        for (const [id, pane] of this.panes) if (id !== terminal) pane.console.await(this.waits.get(id)!);
      }
      if (outcome.changes.run > 0 || kind === "undo" || kind === "reset") this.showRuns(outcome.changes.run > 0);
    } catch (error) {
      console.error(error);
      this.restart();
      return null;
    }
    problem("");
    this.controls.set(this.positions ?? []);
    const idle = kind === "interrupt" && (before.mode === "command" || before.mode === "session");
    if (!idle) {
      if (this.session.record(kind, terminal, text, before.mask && (kind === "line" || kind === "interrupt"))) {
        queueMicrotask(() => this.goOn());
      }
      this.save();
    }
    return outcome;
  }

  // A long paste acts many times in a row, so what is stored follows a little later, but before the page goes away.
  private save(): void {
    this.saving ||= window.setTimeout(() => this.saveNow(), 100);
  }

  private saveNow(): void {
    clearTimeout(this.saving);
    this.saving = 0;
    this.store.saveSession(site, this.config.id, this.config.version, { acts: this.session.acts, variables: this.variables.changed });
  }

  private restart(): void {
    this.enable(false);
    for (const pane of this.panes.values()) {
      pane.console.starting("Starting again…");
      pane.forget();
    }
    this.session.rewind();
    void this.start(notes.lost);
  }

  private goBack(kind: "undo" | "reset"): void {
    const pane = this.pane(this.current);
    this.bring(pane.id);
    pane.console.interject(notes[kind], () => {
      const outcome = this.act(kind, pane.id, "");
      if (outcome && kind === "reset") {
        for (const { console } of this.panes.values()) console.clear();
        for (const other of this.panes.values()) other.forget();
      }
      return outcome;
    });
    pane.focus();
  }

  private resetProgress(): void {
    this.progress.clear();
    this.store.saveProgress(site, this.config.id, this.config.version, []);
    this.instructions.mark(this.progress);
    say("Your progress was reset.");
  }

  private switchControl(id: string, on: boolean): void {
    const pane = this.pane(this.current);
    const text = `${id} ${on ? "on" : "off"}`;
    pane.console.enqueue(this.noteOf("control", text), () => this.act("control", pane.id, text));
  }

  private showFile(terminal: string, path: string): void {
    const { id, console } = this.pane(terminal);
    if (console.mode !== "input") return this.run(id, [reading(path, console.mode)]);
    this.bring(id); // it would take the command for an answer
    problem("The terminal asks a question. Answer it, then open the file.");
  }

  private saveFile(terminal: string, path: string, text: string): void {
    const pane = this.pane(terminal);
    this.bring(pane.id);
    const what = `${path}\n${text}`;
    pane.console.enqueue(this.noteOf("save", what), () => this.act("save", pane.id, what));
  }

  private noteOf(kind: ActKind, text: string): string {
    switch (kind) {
      case "undo": return notes.undo;
      case "save": return `Saved ${text.split("\n", 1)[0]}.`;
      case "control": {
        const [id, position] = text.split(" ");
        return `${this.boot!.controls.find((control) => control.id === id)?.label || id}: ${position}`;
      }
      default: return "";
    }
  }

  private rerun(run: number): void {
    const outcome = this.act("rerun", this.first, String(run));
    if (outcome && outcome.exit !== 0) problem(outcome.blocks.map((block) => block.text ?? "").join("\n"));
  }

  private showRuns(replay: boolean): void {
    if (!this.ci) return;
    this.ci.show(this.engine!.runs(), replay && this.streaming);
    if (!replay || this.tabs.chosen === "ci") return;
    say(`${this.tabs.title("ci")} has a new run.`);
    // A run that is shown as it goes comes forward; to people who want no motion a mark at the tab tells of it.
    if (this.streaming) this.tabs.choose("ci");
    else this.tabs.news("ci", true);
  }

  private run(terminal: string, lines: readonly string[]): void {
    const pane = this.pane(terminal);
    this.bring(pane.id);
    if (this.waits.get(pane.id)?.mask) { // a command is no secret: it would be taken for one
      problem("The terminal asks for a secret. Answer it, then run the block.");
      return;
    }
    pane.console.run(lines);
    if (matchMedia("(pointer: fine)").matches) pane.focus();
  }

  // A tabLink may also name the CI tab or a terminal.
  private open(service: Service): void {
    if (service.id === "ci" && this.tabs.has("ci")) this.tabs.choose("ci");
    else if (this.panes.has(service.id)) this.bring(service.id);
    else this.services.show(service);
  }

  private pane(terminal: string): Pane {
    return this.panes.get(terminal) ?? this.panes.get(this.first)!;
  }

  private bring(terminal: string): void {
    this.tabs.choose(`terminal-${[...this.panes.keys()].indexOf(terminal)}`);
  }

  private shown(key: string): void {
    const terminal = this.tabs.pane(key).dataset["terminal"];
    if (terminal !== undefined) this.current = terminal;
    this.services?.shown(key);
  }

  private enable(on: boolean): void {
    this.blocks.enable(on);
    for (const name of ["undo", "reset"]) element<HTMLButtonElement>(name).disabled = !on;
  }
}

void new LabPage(element("lab")).start();
