// The Settings of the page: how it looks, the lab's controls, progress.

import type { Look, TextSize, Theme } from "./look.ts";
import { element } from "./parts.ts";

export function connectSettings(look: Look, resetProgress: () => void): void {
  const button = element("settings-button");
  const panel = element("settings");
  const open = (on: boolean) => {
    panel.hidden = !on;
    button.setAttribute("aria-expanded", String(on));
  };
  button.addEventListener("click", () => open(Boolean(panel.hidden)));
  for (const place of [panel, button]) {
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || panel.hidden) return;
      open(false);
      button.focus();
    });
  }
  document.addEventListener("pointerdown", (event) => {
    const at = event.target;
    if (at instanceof Node && !panel.contains(at) && !button.contains(at)) open(false);
  });

  const theme = element<HTMLSelectElement>("theme");
  theme.value = look.theme;
  theme.addEventListener("change", () => look.change({ theme: theme.value as Theme }));
  const size = element<HTMLSelectElement>("text-size");
  size.value = look.textSize;
  size.addEventListener("change", () => look.change({ textSize: size.value as TextSize }));
  const streaming = element<HTMLInputElement>("streaming");
  streaming.checked = look.streaming;
  streaming.addEventListener("change", () => look.change({ streaming: streaming.checked }));
  document.getElementById("page_reset-progress")?.addEventListener("click", resetProgress);
  connectSplitter(look);
}

function connectSplitter(look: Look): void {
  const splitter = element("splitter");
  const set = (percent: number) => {
    look.change({ split: Math.round(Math.min(75, Math.max(25, percent))) });
    splitter.setAttribute("aria-valuenow", String(look.split));
  };
  splitter.setAttribute("aria-valuenow", String(look.split));
  splitter.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") set(look.split - 2);
    else if (event.key === "ArrowRight") set(look.split + 2);
    else return;
    event.preventDefault();
  });
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  splitter.addEventListener("pointermove", (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) set((event.clientX / innerWidth) * 100);
  });
}
