// Types acts through the player's bridge and prints each outcome on a line.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { Bridge } from "../player/bridge.mjs";

const dir = process.argv[2];
createRequire(import.meta.url)(path.join(dir, "wasm_exec.js"));
const player = await Bridge.start(Go, fs.readFileSync(path.join(dir, "player.wasm")));
const { lab, acts } = JSON.parse(fs.readFileSync(0));
const lines = [player.boot(new Uint8Array(Buffer.from(lab, "base64")))];
for (const [kind, terminal, text] of acts) lines.push(player.act(kind, terminal, text));
fs.writeSync(1, lines.join("\n") + "\n");
process.exit(0);
