// Types acts through the player's bridge and prints each outcome on a line.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const dir = process.argv[2];
createRequire(import.meta.url)(path.join(dir, "wasm_exec.js"));
const go = new Go();
const { instance } = await WebAssembly.instantiate(fs.readFileSync(path.join(dir, "player.wasm")), go.importObject);
go.run(instance);
const { lab, acts } = JSON.parse(fs.readFileSync(0));
const lines = [asz.boot(new Uint8Array(Buffer.from(lab, "base64")))];
for (const [kind, terminal, text] of acts) lines.push(asz.act(kind, terminal, text));
fs.writeSync(1, lines.join("\n") + "\n");
process.exit(0);
