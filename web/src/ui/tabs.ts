// Tabs by the ARIA pattern: arrow keys, Home and End move between them, Delete closes one that may be closed; one pane
// shows at a time. A tab's key is the end of its id.

const tabPrefix = "page_tab-";
const panePrefix = "page_pane-";

export class Tabs {
  private current: string;

  constructor(
    private readonly list: HTMLElement,
    private readonly panes: HTMLElement,
    private readonly shown: (key: string) => void,
    private readonly closed: (key: string) => void,
  ) {
    this.current = this.keys()[0] ?? "";
    list.addEventListener("click", (event) => {
      const key = keyOf(event.target);
      if (key) this.choose(key);
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  get chosen(): string {
    return this.current;
  }

  has(key: string): boolean {
    return this.keys().includes(key);
  }

  pane(key: string): HTMLElement {
    return document.getElementById(panePrefix + key)!;
  }

  title(key: string): string {
    return this.tab(key).textContent ?? "";
  }

  /** Adds a tab and its empty pane at the end. */
  add(key: string, title: string): HTMLElement {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = tabPrefix + key;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panePrefix + key);
    tab.setAttribute("aria-selected", "false");
    tab.tabIndex = -1;
    tab.textContent = title;
    const pane = document.createElement("div");
    pane.className = "pane service";
    pane.id = panePrefix + key;
    pane.setAttribute("role", "tabpanel");
    pane.setAttribute("aria-labelledby", tab.id);
    pane.hidden = true;
    this.list.append(tab);
    this.panes.append(pane);
    return pane;
  }

  remove(key: string): void {
    const keys = this.keys();
    const next = keys[keys.indexOf(key) - 1] ?? keys[1];
    document.getElementById(tabPrefix + key)?.remove();
    document.getElementById(panePrefix + key)?.remove();
    if (this.current === key && next) {
      this.choose(next);
      this.tab(next).focus();
    }
  }

  choose(key: string): void {
    this.current = key;
    for (const other of this.keys()) {
      const tab = this.tab(other);
      tab.setAttribute("aria-selected", String(other === key));
      tab.tabIndex = other === key ? 0 : -1;
      this.pane(other).hidden = other !== key;
    }
    this.news(key, false);
    this.shown(key);
  }

  /** Marks a tab in which something happened that is not being looked at. */
  news(key: string, there: boolean): void {
    if (this.has(key)) this.tab(key).classList.toggle("news", there && key !== this.current);
  }

  private key(event: KeyboardEvent): void {
    const key = keyOf(event.target);
    if (!key || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Delete") {
      this.closed(key);
      return;
    }
    const keys = this.keys();
    const to = target(event.key, keys.indexOf(key), keys.length);
    if (to === null) return;
    event.preventDefault();
    this.choose(keys[to]!);
    this.tab(keys[to]!).focus();
  }

  private keys(): string[] {
    return Array.from(this.list.children, (tab) => tab.id.slice(tabPrefix.length));
  }

  private tab(key: string): HTMLElement {
    return document.getElementById(tabPrefix + key)!;
  }
}

function keyOf(target: EventTarget | null): string {
  const tab = target instanceof Element ? target.closest('[role="tab"]') : null;
  return tab ? tab.id.slice(tabPrefix.length) : "";
}

function target(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowLeft": return (index + count - 1) % count;
    case "ArrowRight": return (index + 1) % count;
    case "Home": return 0;
    case "End": return count - 1;
    default: return null;
  }
}
