#!/usr/bin/env node
// asz with Node alone: the verbs that work on labs.
require("./start.cjs").start(process.argv.slice(2));
