// The CI panel: the runs of the lab's pipelines, the newest first and replayed step by step.

import { frames, type Run, type Status } from "../core/run.ts";

const frameMs = 550;

const words: Record<Status, string> = {
  queued: "Queued", "in progress": "In progress", success: "Success", failure: "Failure", skipped: "Skipped",
};

export class CI {
  private shown: string[] = []; // each run as JSON
  private replaying = 0;

  constructor(private readonly pane: HTMLElement, private readonly rerun: (id: number) => void) {
    this.show([], false);
  }

  /** Shows the runs; a new one is replayed when asked for. */
  show(runs: readonly Run[], replay: boolean): void {
    const texts = runs.map((run) => JSON.stringify(run));
    const same = texts.findIndex((text, index) => text !== this.shown[index]);
    const keep = same < 0 ? texts.length : same;
    if (keep === texts.length && keep === this.shown.length && this.pane.childElementCount > 0) return;
    this.replaying++;
    const focused = this.pane.contains(document.activeElement) && document.activeElement !== this.pane;
    if (keep === 0) this.pane.replaceChildren();
    this.pane.querySelector(".empty")?.remove();
    const old = [...this.pane.children].reverse();
    for (const article of old.slice(keep)) article.remove();
    runs.slice(keep).forEach((run) => this.pane.prepend(this.article(run, true)));
    if (runs.length === 0) this.pane.append(line("p", "empty", "No runs yet. When a command starts the pipeline, its run appears here."));
    const added = texts.length > this.shown.length;
    this.shown = texts;
    if (focused) this.pane.querySelector<HTMLElement>(".rerun")?.focus();
    if (replay && added) void this.play(runs[runs.length - 1]!);
  }

  private async play(run: Run): Promise<void> {
    const replaying = this.replaying;
    const all = frames(run);
    for (const frame of all) {
      if (frame !== all[0]) await new Promise((resolve) => setTimeout(resolve, frameMs));
      if (replaying !== this.replaying) return;
      const focused = this.pane.firstElementChild?.contains(document.activeElement);
      this.pane.firstElementChild?.replaceWith(this.article(frame, frame === run));
      if (focused) this.pane.querySelector<HTMLElement>(".rerun")?.focus();
    }
  }

  private article(run: Run, ended: boolean): HTMLElement {
    const article = document.createElement("article");
    article.className = "run";
    const name = `${run.workflow} #${run.id}`;
    article.setAttribute("aria-label", name);
    const head = document.createElement("header");
    const badge = line("span", "badge", words[run.conclusion]);
    badge.dataset["status"] = run.conclusion;
    badge.setAttribute("role", "status");
    const again = document.createElement("button");
    again.type = "button";
    again.className = "rerun";
    again.textContent = "Re-run jobs";
    again.setAttribute("aria-label", `Re-run jobs of ${name}`);
    again.setAttribute("aria-disabled", String(!ended));
    again.addEventListener("click", () => {
      if (ended) this.rerun(run.id);
    });
    head.append(line("h3", "", name), badge, again);
    article.append(head, line("p", "meta", [run.commit, run.event && `on ${run.event}`].filter(Boolean).join(" · ")));
    const steps = document.createElement("ol");
    for (const step of run.steps) {
      const item = document.createElement("li");
      const state = line("span", "step-state", words[step.status]);
      item.dataset["status"] = step.status;
      if (step.logs.length > 0 && (step.status === "success" || step.status === "failure")) {
        const details = document.createElement("details");
        details.open = step.status === "failure";
        const summary = document.createElement("summary");
        summary.append(line("span", "", step.name), state);
        const logs = line("pre", "", step.logs.join("\n"));
        logs.tabIndex = 0;
        details.append(summary, logs);
        item.append(details);
      } else {
        item.append(line("span", "", step.name), state);
      }
      steps.append(item);
    }
    article.append(steps);
    if (run.error) article.append(line("p", "problem", run.error));
    return article;
  }
}

function line(tag: string, name: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}
