// The catalog: search, and how far the learner is in each lab.

import { found } from "../core/search.ts";
import { element } from "./parts.ts";
import { openStore, site } from "./storage.ts";

const store = openStore();
const cards = [...document.querySelectorAll<HTMLElement>(".card")];

for (const card of cards) {
  const done = store.progress(site, card.dataset["lab"]!, card.dataset["version"]!).length;
  if (done > 0) card.querySelector(".done-count")!.textContent = ` · ${done} done`;
}

if (cards.length > 0) {
  const query = element<HTMLInputElement>("query");
  const texts = cards.map((card) => Array.from(card.querySelectorAll("h2, .about, .tags li"), (part) => part.textContent).join(" "));
  const search = () => {
    let left = 0;
    cards.forEach((card, index) => {
      card.hidden = !found(query.value, texts[index]!);
      if (!card.hidden) left++;
    });
    element("found").textContent = query.value.trim() === "" ? "" : left === 0 ? "No lab fits." : `${left} of ${cards.length} labs`;
  };
  element("search").hidden = false;
  query.addEventListener("input", search);
  search(); // going back may bring the last query with it
}
