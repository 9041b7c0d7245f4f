#!/usr/bin/env node
// asz validate-lab with Node alone.
require("./start.cjs").start(["validate-lab", ...process.argv.slice(2)]);
