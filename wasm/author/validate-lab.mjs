#!/usr/bin/env node
// asz validate-lab with Node alone.
import { start } from "./start.mjs";

await start(["validate-lab", ...process.argv.slice(2)]);
