// Builds the author's module where the project's sources are.
const fs = require("node:fs");
const path = require("node:path");

// What the module and its builder are made of; a folder counts with all below it.
const sources = ["go.mod", "go.sum", "shared", "tools/build", "wasm/author"];

/** Builds the module into dist unless it is newer than its sources. Returns what went wrong, or "". */
exports.refresh = (root, dist) => {
	const stamp = path.join(dist, "built");
	const built = fs.statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	if (sources.every((source) => before(path.join(root, source), built))) return "";
	const { spawnSync } = require("node:child_process"); // rarely needed
	console.error("asz: building the module …");
	fs.mkdirSync(dist, { recursive: true });
	const begun = new Date(); // what changes during the build is newer
	// The module's output is the caller's; what the build says is for the person who waits.
	const go = spawnSync("go", ["run", "./tools/build", "-author", dist], { cwd: root, stdio: ["ignore", 2, 2] });
	if (go.error?.code === "ENOENT") return "the module is not built yet, and Go, which builds it, is not installed: see README.md";
	if (go.error || go.status !== 0) return "the module could not be built";
	fs.writeFileSync(stamp, "");
	fs.utimesSync(stamp, begun, begun);
	return "";
};

/** Whether a file or folder and all in it is from before a time. A folder is as new as the last name that came or went. */
function before(file, time) {
	const info = fs.statSync(file, { throwIfNoEntry: false });
	if (!info) return true;
	if (!info.isDirectory()) return info.mtimeMs < time;
	const name = path.basename(file);
	if (name === "dist" || name === "testdata") return true;
	return info.mtimeMs < time && fs.readdirSync(file).every((entry) => entry.endsWith("_test.go") || before(path.join(file, entry), time));
}
