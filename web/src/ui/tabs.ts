// Tabs by the ARIA pattern: arrow keys, Home and End move between them; one pane shows at a time.

export function connectTabs(tabs: readonly HTMLElement[], panes: readonly HTMLElement[], shown: (index: number) => void): void {
  const choose = (index: number) => {
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
    });
    panes.forEach((pane, i) => {
      pane.hidden = i !== index;
    });
    shown(index);
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(index));
    tab.addEventListener("keydown", (event) => {
      const to = target(event.key, index, tabs.length);
      if (to === null) return;
      event.preventDefault();
      choose(to);
      tabs[to]!.focus();
    });
  });
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
