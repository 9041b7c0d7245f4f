// Runs the author's module under Node: node node.cjs DIST VERB …, where DIST is
// the folder with author.wasm and wasm_exec.js.
const { launch } = require("./launch.cjs");

const [dist, ...args] = process.argv.slice(2);
launch(dist, args);
