#!/usr/bin/env node
// asz with Node alone: the verbs that work on labs.
import { start } from "./start.mjs";

await start(process.argv.slice(2));
