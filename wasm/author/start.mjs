// Runs a verb with the module that is in dist. In the project it is built there first; a package brings it.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./launch.mjs";

export async function start(args) {
	const dist = fileURLToPath(new URL("dist", import.meta.url));
	const root = fileURLToPath(new URL("../..", import.meta.url));
	if (fs.existsSync(`${root}go.mod`)) {
		const { refresh } = await import("./build.mjs");
		const problem = refresh(root, dist);
		if (problem) {
			console.error(`asz: ${problem}`);
			process.exit(2);
		}
	}
	return launch(dist, args);
}
