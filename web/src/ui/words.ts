// The variables in the instructions: words, attributes and parts that depend on them, fields and buttons that set them.

import { osOf, type Condition, type Variables } from "../core/variables.ts";
import { element } from "./parts.ts";

export class Words {
  private readonly place = element("instructions");
  private readonly os = osOf(platform());

  constructor(private readonly variables: Variables, private readonly changed: () => void) {
    this.place.addEventListener("input", (event) => {
      const field = event.target;
      if (!(field instanceof HTMLInputElement) || field.dataset["variable"] === undefined) return;
      this.set([[field.dataset["variable"], field.value]]);
    });
    this.place.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button.set-variables") : null;
      if (button) this.set(pairs(button.dataset["set"]));
    });
    for (const button of this.place.querySelectorAll("button.set-variables")) {
      const paragraph = button.closest("p");
      if (paragraph?.textContent?.trim() === button.textContent?.trim()) paragraph?.classList.add("choice");
    }
    this.show();
  }

  private set(values: readonly (readonly [string, string])[]): void {
    for (const [name, value] of values) this.variables.set(name, value);
    this.show();
    this.changed();
  }

  private show(): void {
    const { variables } = this;
    for (const word of this.place.querySelectorAll<HTMLElement>("[data-var]")) word.textContent = variables.shown(word.dataset["var"]!);
    for (const holder of this.place.querySelectorAll<HTMLElement>("[data-vars]")) {
      for (const [name, template] of Object.entries(record(holder.dataset["vars"]))) {
        if (typeof template === "string" && settable.test(name)) holder.setAttribute(name, variables.fill(template));
      }
      const save = holder.querySelector("button.save");
      if (save && holder.dataset["save"] !== undefined) save.setAttribute("aria-label", `Save as ${holder.dataset["save"]}`);
    }
    for (const field of this.place.querySelectorAll<HTMLInputElement>("[data-variable]")) {
      const value = variables.get(field.dataset["variable"]!);
      if (field.value !== value) field.value = value;
    }
    for (const button of this.place.querySelectorAll<HTMLElement>("button.set-variables")) {
      const on = pairs(button.dataset["set"]).every(([name, value]) => variables.get(name) === value);
      button.setAttribute("aria-pressed", String(on));
    }
    for (const part of this.place.querySelectorAll<HTMLElement>("[data-if]")) {
      part.hidden = !variables.holds(record(part.dataset["if"]) as Condition, this.os);
    }
  }
}

// No attribute with which a value could do more than name something.
const settable = /^(?:data-[a-z-]+|title|alt|aria-label)$/;

function record(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function pairs(json: string | undefined): [string, string][] {
  return Object.values(record(json)).filter(
    (pair): pair is [string, string] => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string"),
  );
}

function platform(): string {
  const data = (navigator as { userAgentData?: { platform?: string } }).userAgentData;
  return data?.platform || navigator.platform || navigator.userAgent;
}
