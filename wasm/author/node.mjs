// Runs the author's module under Node: node node.mjs DIST VERB …, where DIST is
// the folder with author.wasm and wasm_exec.js.
import { launch } from "./launch.mjs";

const [dist, ...args] = process.argv.slice(2);
launch(dist, args);
