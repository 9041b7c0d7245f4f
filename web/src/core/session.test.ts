import assert from "node:assert/strict";
import { test } from "node:test";
import { actsOf, Session, type Act } from "./session.ts";

const line = (text: string): Act => ["line", "main", text];

test("a session is replayed in order and then goes on", () => {
  const session = new Session([line("a"), ["control", "main", "x on"]]);
  assert.deepEqual(session.next(), line("a"));
  assert.deepEqual(session.next(), ["control", "main", "x on"]);
  assert.equal(session.next(), null);
  session.record("line", "main", "b", false);
  assert.deepEqual(session.acts, [line("a"), ["control", "main", "x on"], line("b")]);
});

test("a masked answer is not kept", () => {
  const session = new Session();
  session.record("line", "main", "login", false);
  session.record("line", "main", "s3cret", true);
  session.record("line", "main", "after", false);
  assert.doesNotMatch(JSON.stringify(session.acts), /s3cret/);
  assert.deepEqual(session.acts[1], ["masked", "main", ""]);
});

test("a replay stops at a masked answer and goes on once it is given", () => {
  const session = new Session([line("login"), ["masked", "main", ""], line("after")]);
  assert.deepEqual(session.next(), line("login"));
  assert.equal(session.next(), null);
  assert.equal(session.waitsFor, "main");
  assert.equal(session.record("line", "other", "meanwhile", false), false);
  assert.equal(session.record("line", "main", "s3cret", true), true);
  assert.deepEqual(session.next(), line("after"));
  assert.deepEqual(session.acts, [line("login"), ["line", "other", "meanwhile"], ["masked", "main", ""], line("after")]);
});

test("giving a masked input up drops what came after its answer", () => {
  for (const [kind, text] of [["interrupt", ""], ["line", " /cancel "]] as const) {
    const session = new Session([line("login"), ["masked", "main", ""], line("after")]);
    session.next();
    assert.equal(session.record(kind, "main", text, true), false);
    assert.deepEqual(session.acts, [line("login"), ["interrupt", "main", ""]]);
  }
});

test("a reset begins anew", () => {
  const session = new Session([line("login"), ["masked", "main", ""], line("after")]);
  session.next();
  session.record("reset", "main", "", false);
  assert.deepEqual(session.acts, []);
  assert.equal(session.waitsFor, null);
});

test("a new engine replays everything", () => {
  const session = new Session([line("a")]);
  session.next();
  session.record("line", "main", "b", false);
  session.rewind();
  assert.deepEqual([session.next(), session.next(), session.next()], [line("a"), line("b"), null]);
});

test("of what was stored only acts are taken", () => {
  assert.deepEqual(actsOf([line("a"), ["line", "main", 1], line("b")]), [line("a")]);
  assert.deepEqual(actsOf([["masked", "main", "s3cret"]]), [["masked", "main", ""]]);
  for (const stored of [null, 1, "x", {}, [null], [["eval", "a", "b"]]]) assert.deepEqual(actsOf(stored), []);
});
