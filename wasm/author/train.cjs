// Makes the machine code that is kept of the module: node train.cjs DIST FOLDER runs the verbs on the labs in
// DIST/practice, each run in a process of its own, which adds the code of what it ran to that in FOLDER. See code.cjs.
const path = require("node:path");
const { spawnSync } = require("node:child_process");
const { known } = require("./code.cjs");
const { launch } = require("./launch.cjs");

const making = "--making"; // one run: node train.cjs DIST FOLDER --making VERB …
const [dist, folder, ...rest] = process.argv.slice(2);
if (rest[0] === making) {
	launch(dist, rest.slice(1), { keepIn: folder });
} else if (known) {
	const labs = path.join(dist, "practice");
	for (const run of [
		["validate-lab", labs, "--coverage"],
		["validate-lab", labs, "--format", "json", "--solution", "--coverage"],
	]) {
		const { status } = spawnSync(process.execPath, [__filename, dist, folder, making, ...run], {
			stdio: ["ignore", "ignore", "inherit"],
			windowsHide: true,
		});
		if (status === null) process.exit(1);
	}
}
