// Only in the development server's pages: reloads the page when the site was built anew, and shows what the build
// found wrong while the previous site stays up.

const events = new EventSource("/.dev/events");
let first: string | null = null;

events.addEventListener("site", (event: MessageEvent<string>) => {
  first ??= event.data;
  if (event.data !== first) location.reload();
});

events.addEventListener("findings", (event: MessageEvent<string>) => {
  const text = JSON.parse(event.data) as string;
  document.getElementById("page_findings")?.remove();
  if (!text) return;
  const box = document.createElement("pre");
  box.id = "page_findings";
  box.className = "findings";
  box.setAttribute("role", "alert");
  box.textContent = text;
  document.body.append(box);
});

export {};
