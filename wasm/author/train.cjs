// Makes the machine code that is kept beside the module: node train.cjs DIST LABS… runs the verbs on folders of labs,
// each run in a process of its own, which adds the code of what it ran. See code.cjs.
const { spawnSync } = require("node:child_process");
const { known } = require("./code.cjs");
const { launch } = require("./launch.cjs");

const making = "--making"; // one run: node train.cjs DIST --making VERB …
const [dist, ...rest] = process.argv.slice(2);
if (rest[0] === making) {
	launch(dist, rest.slice(1), true);
} else if (known) {
	for (const run of [
		["validate-lab", ...rest, "--coverage"],
		["validate-lab", ...rest, "--format", "json", "--solution", "--coverage"],
		["validate-lab", ...rest, "--format", "sarif", "--explore", "off"],
		["validate-lab", ...rest, "--format", "github", "--explore", "off"],
		["validate-lab", "--explain", "dead-end"],
		["schema", "lab"],
	]) {
		const { status } = spawnSync(process.execPath, [__filename, dist, making, ...run], {
			stdio: ["ignore", "ignore", "inherit"],
		});
		if (status === null) process.exit(1);
	}
}
