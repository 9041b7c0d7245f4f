// Diagrams: mermaid is fetched when a section that has one is shown, and draws into an image, where nothing in the
// diagram can run, link or style the page. When it cannot, the source stays.

import { tame } from "../core/diagram.ts";

interface Mermaid {
  initialize(options: Record<string, unknown>): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

export class Diagrams {
  private loading: Promise<Mermaid | null> | null = null;
  private drawing: Promise<void> = Promise.resolve();
  private count = 0;

  constructor(private readonly script: string, private readonly dark: () => boolean) {}

  /** Draws the diagrams in a part of the page that were not yet drawn this way; one at a time, as mermaid needs it. */
  draw(part: HTMLElement): void {
    const theme = this.dark() ? "dark" : "default";
    for (const figure of part.querySelectorAll<HTMLElement>("[data-mermaid]")) {
      if (figure.dataset["drawn"] === theme) continue;
      figure.dataset["drawn"] = theme;
      this.drawing = this.drawing.then(() => this.one(figure, theme));
    }
  }

  private async one(figure: HTMLElement, theme: string): Promise<void> {
    const source = figure.querySelector("pre");
    const mermaid = await (this.loading ??= this.load());
    if (!mermaid || !source) return;
    try {
      mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true, securityLevel: "strict", theme, fontFamily: "system-ui, sans-serif", htmlLabels: false, flowchart: { htmlLabels: false } });
      const { svg } = await mermaid.render(`page_diagram-${this.count++}`, tame(source.textContent ?? ""));
      const image = await picture(svg);
      image.alt = "Diagram; its description follows.";
      figure.querySelector("img")?.remove();
      figure.prepend(image);
      source.className = "unseen";
    } catch {
      source.className = ""; // no diagram: its author sees the source
      document.getElementById(`dpage_diagram-${this.count - 1}`)?.remove(); // what mermaid worked in
    }
  }

  private load(): Promise<Mermaid | null> {
    return new Promise((resolve) => {
      if (!this.script) return resolve(null);
      const script = document.createElement("script");
      script.src = this.script;
      script.onload = () => resolve((globalThis as unknown as { mermaid?: Mermaid }).mermaid ?? null);
      script.onerror = () => resolve(null);
      document.head.append(script);
    });
  }
}

async function picture(svg: string): Promise<HTMLImageElement> {
  const drawn = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (!drawn) throw new Error("no drawing");
  const box = (drawn.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const [width, height] = [Math.ceil(box[2] || 600), Math.ceil(box[3] || 300)];
  drawn.setAttribute("width", String(width));
  drawn.setAttribute("height", String(height));
  const image = new Image(width, height);
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(drawn));
  await image.decode();
  return image;
}
