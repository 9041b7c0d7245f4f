import assert from "node:assert/strict";
import { test } from "node:test";
import { linesToRun, quoted } from "./block.ts";

test("each command of a block is a line", () => {
  assert.deepEqual(linesToRun("bash", "# look\nls\n\n  cat a\n"), ["ls", "cat a"]);
  assert.deepEqual(linesToRun("SH", "ls\r\npwd"), ["ls", "pwd"]);
});

test("a backslash at the end joins lines, two do not", () => {
  assert.deepEqual(linesToRun("bash", "git commit \\\n  -m \"x\"\nls"), ["git commit   -m \"x\"", "ls"]);
  assert.deepEqual(linesToRun("bash", "echo a\\\\\nls"), ["echo a\\\\", "ls"]);
  assert.deepEqual(linesToRun("bash", "echo \\\n# not a comment\n"), ["echo # not a comment"]);
  assert.deepEqual(linesToRun("bash", "echo \\"), ["echo \\"]);
});

test("a console block runs what stands behind the dollar", () => {
  assert.deepEqual(linesToRun("console", "$ desk status \\\n  --all\n{\"a\":1}\n$ ls\n  out"), ["desk status   --all", "ls"]);
  assert.deepEqual(linesToRun("console", "ls\npwd"), ["ls", "pwd"]);
  assert.deepEqual(linesToRun("console", "$ \n$ # no\n$ ls"), ["ls"]);
  assert.deepEqual(linesToRun("bash", "$ ls"), ["$ ls"]);
});

test("a prompt is sent whole", () => {
  assert.deepEqual(linesToRun("prompt", "# Write\n\nthe notes.\n"), ["# Write\n\nthe notes."]);
});

test("other languages and empty blocks run nothing", () => {
  assert.deepEqual(linesToRun("yaml", "a: 1"), []);
  assert.deepEqual(linesToRun("bash", "\n# only\n"), []);
  assert.deepEqual(linesToRun("prompt", " \n"), []);
});

test("a path is one word", () => {
  assert.equal(quoted("notes/a-1.md"), "notes/a-1.md");
  assert.equal(quoted("my file's"), "'my file'\\''s'");
});
