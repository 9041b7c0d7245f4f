// The sections: one is shown at a time, by the address's fragment, so that links lead to it and going back works.

import type { Progress } from "../core/progress.ts";
import { element } from "./parts.ts";

export class Instructions {
  private readonly sections = [...document.querySelectorAll<HTMLElement>(".section")];
  private readonly labTitle = document.title;
  private readonly followers: ((section: HTMLElement) => void)[] = [];

  constructor() {
    addEventListener("hashchange", () => this.follow(true));
  }

  /** Calls back with each section that is shown, from now on. */
  onShow(follower: (section: HTMLElement) => void): void {
    this.followers.push(follower);
  }

  /** Shows the section that the address asks for, the first when it asks for none. */
  follow(moved = false): void {
    const wanted = decoded(location.hash.slice(1));
    const heading = wanted ? document.getElementById(wanted) : null;
    const section =
      this.sections.find((candidate) => candidate.id === wanted) ??
      this.sections.find((candidate) => heading !== null && candidate.contains(heading)) ??
      (moved && wanted ? null : this.sections[0]);
    if (!section) return;
    const same = section.classList.contains("current");
    for (const other of this.sections) other.classList.toggle("current", other === section);
    for (const link of document.querySelectorAll<HTMLElement>("[data-section]")) {
      if (link.dataset["section"] === section.id) {
        link.setAttribute("aria-current", "true");
        link.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else {
        link.removeAttribute("aria-current");
      }
    }
    element("lead")?.toggleAttribute("hidden", section !== this.sections[0]);
    document.title = this.sections.length > 1 ? `${section.getAttribute("aria-label")} – ${this.labTitle}` : this.labTitle;
    if (moved || !same) {
      const place = element("instructions");
      if (heading && heading !== section) {
        heading.scrollIntoView();
      } else {
        place.scrollTop = 0;
        if (moved) section.focus({ preventScroll: true });
      }
    }
    for (const follower of this.followers) follower(section);
  }

  get current(): HTMLElement | null {
    return this.sections.find((section) => section.classList.contains("current")) ?? null;
  }

  /** Marks what is done, in the sections, in the list of sections and in the page's head. */
  mark(progress: Progress): void {
    for (const item of document.querySelectorAll<HTMLElement>("[data-step]")) {
      const done = progress.has(item.dataset["step"]!);
      item.classList.toggle("done", done);
      item.querySelector(".state")!.textContent = done ? "done" : "to do";
    }
    for (const link of document.querySelectorAll<HTMLElement>("[data-section]")) {
      const { done, of } = progress.count(link.dataset["section"]);
      link.classList.toggle("done", of > 0 && done === of);
      link.classList.toggle("begun", done > 0 && done < of);
      link.querySelector(".state")!.textContent = of === 0 ? "" : done === of ? "(done)" : `(${done} of ${of} step${of === 1 ? "" : "s"})`;
    }
    const { done, of } = progress.count();
    if (of === 0) return;
    element("steps-count").textContent = `${done} of ${of} step${of === 1 ? "" : "s"}`;
    element<HTMLProgressElement>("steps-bar").value = done;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
