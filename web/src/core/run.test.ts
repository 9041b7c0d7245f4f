import assert from "node:assert/strict";
import { test } from "node:test";
import { frames, runsOf } from "./run.ts";
import { found } from "./search.ts";
import { Progress } from "./progress.ts";

const records = JSON.stringify([{
  id: 1, workflowId: "w", workflow: "Build", event: "push", commit: null, conclusion: "failure", error: "no key",
  steps: [
    { id: "a", name: "A", status: "success", logs: ["x"] },
    { id: "b", name: "B", status: "failure", logs: [] },
    { id: "c", name: "C", status: "skipped", logs: [] },
  ],
}]);

test("a run is replayed from queued to its conclusion", () => {
  const run = runsOf(records)[0]!;
  const all = frames(run);
  assert.deepEqual(all.map((frame) => [frame.conclusion, ...frame.steps.map((step) => step.status)]), [
    ["queued", "queued", "queued", "queued"],
    ["in progress", "in progress", "queued", "queued"],
    ["in progress", "success", "in progress", "queued"],
    ["failure", "success", "failure", "skipped"],
  ]);
  assert.equal(all[2]!.error, "");
  assert.equal(all[3], run);
  assert.deepEqual(runsOf('[{"workflow":"E","conclusion":"success","steps":[]}]').map((empty) => frames(empty).length), [2]);
});

test("seeded runs may be anything", () => {
  assert.deepEqual(runsOf('{"a":1}'), []);
  assert.equal(runsOf('[1,null,{"steps":[1,{"logs":7}]},{"workflow":{"a":1}}]').length, 2);
});

test("the catalog is searched by the beginnings of words", () => {
  assert.ok(found("", "anything"));
  assert.ok(found("cont dock", "Your first Containers docker"));
  assert.ok(found("RÉSUMÉ", "a resume"));
  assert.ok(!found("ocker", "docker"));
});

test("steps are counted per section", () => {
  const progress = new Progress([{ id: "a", section: "one" }, { id: "b", section: "one" }, { id: "c", section: "two" }], ["a", "gone"]);
  assert.deepEqual(progress.count(), { done: 1, of: 3 });
  assert.ok(progress.complete(["b", "a"]));
  assert.ok(!progress.complete(["b", "unknown"]));
  assert.deepEqual(progress.count("one"), { done: 2, of: 2 });
  assert.deepEqual(progress.list, ["a", "b"]);
  progress.clear();
  assert.deepEqual(progress.count(), { done: 0, of: 3 });
});
