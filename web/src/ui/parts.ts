// Small parts of the page: its elements by name, the lab's controls, what is said to screen readers, problems.

import type { Control } from "../core/bridge.ts";

/** The page's own element of this name. The page is ours, so a missing one is a mistake in it. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById("page_" + id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found as T;
}

/** The lab's controls as checkboxes. */
export class Controls {
  private readonly boxes = new Map<string, HTMLInputElement>();

  constructor(private readonly toggle: (id: string, on: boolean) => void) {}

  show(controls: readonly Control[]): void {
    this.boxes.clear();
    element("behaviour").hidden = controls.length === 0;
    element("controls").replaceChildren(...controls.map((control, index) => this.row(control, index)));
  }

  set(positions: readonly { readonly id: string; readonly on: boolean }[]): void {
    for (const { id, on } of positions) {
      const box = this.boxes.get(id);
      if (box) box.checked = on;
    }
  }

  private row(control: Control, index: number): HTMLElement {
    const row = document.createElement("p");
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = control.on;
    box.dataset["control"] = control.id;
    box.addEventListener("change", () => this.toggle(control.id, box.checked));
    this.boxes.set(control.id, box);
    label.append(box, " ", control.label || control.id);
    row.append(label);
    if (control.description) {
      const description = document.createElement("span");
      description.id = `page_control-${index}`;
      description.className = "description";
      description.textContent = control.description;
      box.setAttribute("aria-describedby", description.id);
      row.append(description);
    }
    return row;
  }
}

/** Has a screen reader say something that others see. */
export function say(text: string): void {
  element("said").textContent = text;
}

/** Tells of a problem above the terminals; empty text takes it away. */
export function problem(text: string): void {
  const place = element("problem");
  place.textContent = text;
  place.hidden = text === "";
}
