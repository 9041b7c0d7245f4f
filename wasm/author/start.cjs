// Runs a verb with the module that is in dist. In the project it is built there first; a package brings it.
const fs = require("node:fs");
const path = require("node:path");
const { launch } = require("./launch.cjs");

exports.start = (args) => {
	const dist = path.join(__dirname, "dist");
	const root = path.join(__dirname, "..", "..");
	const inProject = fs.existsSync(path.join(root, "go.mod"));
	if (inProject) {
		const { refresh } = require("./build.cjs");
		const problem = refresh(root, dist);
		if (problem) {
			console.error(`asz: ${problem}`);
			process.exit(2);
		}
	}
	launch(dist, args, { later: !inProject });
};
