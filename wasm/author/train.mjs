// Makes the machine code that is kept beside the module: node train.mjs DIST LABS runs the verbs on a folder of labs,
// each in a process of its own, which adds the code of what it ran. See code.mjs.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { launch } from "./launch.mjs";

const [dist, labs, ...args] = process.argv.slice(2);
if (args.length > 0) {
	launch(dist, args, true);
} else {
	const check = (...more) => ["validate-lab", labs, ...more];
	for (const run of [
		check("--coverage"),
		check("--format", "json", "--solution", "--coverage"),
		check("--format", "sarif", "--explore", "off"),
		check("--format", "github", "--explore", "off"),
		["validate-lab", "--explain", "dead-end"],
		["schema", "lab"],
	]) {
		const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), dist, labs, ...run], {
			stdio: ["ignore", "ignore", "inherit"],
		});
		if (status === null) process.exit(1);
	}
}
