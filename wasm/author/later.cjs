// A package brings no machine code, which each version of V8 has its own of. So after its first run it makes code for the
// runs to come, in a process that no one waits for. Where that cannot be, runs stay as they are.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { folders, known } = require("./code.cjs");

/** After this long, whoever began to make code has failed. */
const tooLong = 3600e3;

/** Begins to make code for the module in dist, unless someone does already. */
exports.makeCode = (dist) => {
	if (!known || process.env.CI) return; // what is thrown away after one run needs none
	for (const folder of folders(dist)) {
		try {
			if (folder !== dist) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
			const lock = path.join(folder, `making-${process.versions.v8}`);
			const since = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
			if (Date.now() - since < tooLong) return;
			if (since) fs.rmSync(lock);
			fs.closeSync(fs.openSync(lock, "wx"));
			const child = spawn(process.execPath, [__filename, dist, folder, lock], {
				cwd: folder,
				detached: true,
				stdio: "ignore",
				windowsHide: true,
			});
			child.on("error", () => {});
			child.unref();
			return;
		} catch (error) {
			if (error.code === "EEXIST") return; // another process came first
		}
	}
};

if (require.main === module) {
	const [dist, folder, lock] = process.argv.slice(2);
	os.setPriority(os.constants.priority.PRIORITY_LOW);
	const { status } = require("node:child_process").spawnSync(process.execPath, [path.join(__dirname, "train.cjs"), dist, folder], {
		stdio: "ignore",
		windowsHide: true,
	});
	if (status === 0) fs.rmSync(lock, { force: true });
}
