// Runs before anything is shown, so that the page has its reader's theme and size at once, and its style sheet knows
// that scripts run.

import { Look } from "./look.ts";
import { openStore } from "./storage.ts";

document.documentElement.classList.add("scripted");
new Look(openStore());
