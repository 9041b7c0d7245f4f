// Tabs that show pages: of the lab, of the site, of others. Each is in a sandboxed frame, those of the lab and the
// site without scripts.

import { element } from "./parts.ts";
import type { Tabs } from "./tabs.ts";

export interface Service {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

export class Services {
  private readonly open = new Map<string, Service>(); // by the key of their tab
  private next: number;

  constructor(private readonly tabs: Tabs, services: readonly Service[], private readonly files: readonly string[]) {
    services.forEach((service, index) => this.open.set(`service-${index}`, { ...service, url: this.plain(service.url) }));
    this.next = services.length;
  }

  /** Opens a page in a tab, or brings the tab that has it forward. */
  show(wanted: Service): void {
    const service = { ...wanted, url: this.plain(wanted.url) };
    for (const [key, other] of this.open) {
      const same = service.id ? other.id === service.id : other.url === service.url;
      if (!same) continue;
      if (service.url && other.url !== service.url) {
        this.open.set(key, { ...other, url: service.url });
        this.tabs.pane(key).replaceChildren();
      }
      this.tabs.choose(key);
      return;
    }
    if (!service.url) return;
    const key = `service-${this.next++}`;
    const title = service.title || service.url;
    this.open.set(key, { ...service, title });
    this.tabs.add(key, title);
    this.tabs.choose(key);
  }

  /** Fills the pane of a tab that came forward; its page is not loaded before. */
  shown(key: string): void {
    const service = this.open.get(key);
    const pane = service && this.tabs.pane(key);
    if (!service || !pane || pane.childElementCount > 0) return;
    const bar = document.createElement("p");
    bar.className = "service-bar";
    const url = this.resolve(service.url);
    const address = document.createElement(url ? "a" : "span");
    address.textContent = service.url;
    if (address instanceof HTMLAnchorElement && url) {
      address.href = url.href; // some pages refuse frames
      address.target = "_blank";
      address.rel = "noopener noreferrer";
    }
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.setAttribute("aria-label", `Close ${service.title}`);
    close.addEventListener("click", () => this.close(key));
    bar.append(address, close);
    if (!url) {
      const message = document.createElement("p");
      message.className = "empty";
      message.textContent = "This address cannot be shown here.";
      pane.append(bar, message);
      return;
    }
    const frame = document.createElement("iframe");
    frame.title = service.title;
    frame.setAttribute("sandbox", url.origin === location.origin ? "" : "allow-scripts allow-forms");
    frame.referrerPolicy = "no-referrer";
    frame.src = url.href;
    pane.append(bar, frame);
  }

  close(key: string): void {
    if (!this.open.delete(key)) return;
    this.tabs.remove(key);
  }

  // The address of a file of the lab as its author wrote it.
  private plain(address: string): string {
    const path = address.replace(/^(?:\.\/)+/, "");
    return path.startsWith("files/") && this.files.includes(path.slice("files/".length).replace(/[?#].*$/, "")) ? path.slice("files/".length) : path;
  }

  // A relative address is of the lab when the file is there, else of the site.
  private resolve(address: string): URL | null {
    try {
      const relative = !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
      if (!relative) {
        const url = new URL(address);
        return url.protocol === "https:" || url.protocol === "http:" ? url : null;
      }
      const path = address.replace(/^\/+/, "");
      if (this.files.includes(decodeURI(path.replace(/[?#].*$/, "")))) return new URL(`files/${path}`, location.href);
      return new URL(path, new URL(element("lab").dataset["root"]!, location.href));
    } catch {
      return null;
    }
  }
}
