import assert from "node:assert/strict";
import { test } from "node:test";
import { Console } from "./console.ts";
import { FakeHost, FakeScreen, outcome, settled } from "./fakes.ts";

const prompt = { mode: "command", prompt: "$ ", mask: false } as const;

function started(): { console: Console; screen: FakeScreen; host: FakeHost } {
  const screen = new FakeScreen();
  const host = new FakeHost();
  const console = new Console("main", screen, host);
  console.ready(prompt);
  screen.text = "";
  return { console, screen, host };
}

test("a typed line is acted on, recorded and answered", async () => {
  const { console, screen, host } = started();
  host.answer = () => outcome({ blocks: [{ stream: "out", text: "hello" }] });
  console.receive("echo hi");
  console.receive("\r");
  await settled();
  assert.deepEqual(host.acts, [["line", "echo hi"]]);
  assert.match(screen.text, /hello\r\n/);
  assert.deepEqual(host.entries, [{ terminal: "main", prompt: "$ ", input: "echo hi", out: ["hello"] }]);
});

test("what is typed while the engine starts runs when it is ready", async () => {
  const screen = new FakeScreen();
  const host = new FakeHost();
  const console = new Console("main", screen, host);
  assert.match(screen.text, /Starting/);
  console.receive("one\rtw");
  assert.match(screen.text, /one/);
  assert.deepEqual(host.acts, []);
  console.ready(prompt);
  await settled();
  console.receive("o\r");
  await settled();
  assert.deepEqual(host.acts, [["line", "one"], ["line", "two"]]);
});

test("a paste of several lines runs line by line, its last part stays", async () => {
  const { console, host } = started();
  console.receive("\x1b[200~one\r\ntwo\rthr\x1b[2Jee\x1b[201~");
  await settled();
  assert.deepEqual(host.acts, [["line", "one"], ["line", "two"]]);
  console.receive("\r");
  await settled();
  assert.deepEqual(host.acts[2], ["line", "thr[2Jee"]);
});

test("a long paste does not nest", async () => {
  const { console, host } = started();
  console.receive("\x1b[200~" + "x\r".repeat(5_000) + "\x1b[201~");
  await settled();
  assert.equal(host.acts.length, 5_000);
});

test("a masked line is neither shown nor recorded", async () => {
  const { console, screen, host } = started();
  host.answer = () => outcome({ mode: "input", prompt: "Password: ", mask: true });
  console.receive("login\r");
  await settled();
  screen.text = "";
  host.answer = () => outcome();
  console.receive("s3cret\r");
  await settled();
  assert.deepEqual(host.acts[1], ["line", "s3cret"]);
  assert.ok(!screen.text.includes("s3cret"));
  assert.match(screen.text, /Password: ••••••/);
  assert.equal(host.entries[1]!.input, "••••••");
  console.receive("\x1b[A\r");
  await settled();
  assert.deepEqual(host.acts[2], ["line", "login"]);
});

test("Ctrl-C at the prompt interrupts, while output runs it shows the rest at once", async () => {
  const { console, screen, host } = started();
  console.receive("abc\x03");
  await settled();
  assert.deepEqual(host.acts, [["interrupt", ""]]);
  assert.match(screen.text, /abc\^C\r\n/);
  host.streaming = true;
  host.stuck = true;
  host.answer = () => outcome({ blocks: [{ stream: "out", text: "first", delay: 5000 }, { stream: "out", text: "last" }] });
  console.receive("run\rnext\r");
  await settled();
  assert.ok(!screen.text.includes("first"));
  console.receive("\x03");
  await settled();
  assert.match(screen.text, /first\r\nlast\r\n/);
  assert.deepEqual(host.acts.slice(1), [["line", "run"]]);
});

test("Ctrl-D on an empty line leaves a session and does nothing at the prompt", async () => {
  const { console, host } = started();
  console.receive("\x04");
  host.answer = () => outcome({ mode: "session", prompt: "> " });
  console.receive("agent\r");
  await settled();
  console.receive("\x04");
  await settled();
  assert.deepEqual(host.acts, [["line", "agent"], ["line", "/exit"]]);
});

test("an agent's turn thinks first", async () => {
  const { console, screen, host } = started();
  host.streaming = true;
  host.answer = () => outcome({ turn: true, blocks: [{ stream: "out", text: "answer" }] });
  console.receive("hi\r");
  await settled();
  assert.match(screen.text, /Evaluating….*\r\x1b\[Kanswer/s);
  assert.deepEqual(host.sleeps, [700, 20]);
});

test("a button's task is shown below its note and drops the draft", async () => {
  const { console, screen, host } = started();
  console.receive("draft");
  console.interject("Undone.", () => outcome({ prompt: "% " }));
  await settled();
  assert.match(screen.text, /Undone\./);
  console.receive("\r");
  await settled();
  assert.deepEqual(host.acts, [["line", ""]]);
  assert.match(screen.text, /% /);
});

test("a task that waits lets a block run to its end and keeps the draft", async () => {
  const { console, screen, host } = started();
  console.run(["one", "two"]);
  console.enqueue("Saved.", () => outcome());
  await settled();
  assert.deepEqual(host.acts, [["line", "one"], ["line", "two"]]);
  assert.match(screen.text, /two[^]*Saved\./);
  assert.equal(host.busyness.at(-1), false);
  assert.ok(host.busyness.includes(true));
  console.receive("draft");
  console.enqueue("Saved again.", () => outcome());
  await settled();
  console.receive("\r");
  await settled();
  assert.deepEqual(host.acts.at(-1), ["line", "draft"]);
});

test("a button's task that fails has no note", async () => {
  const { console, screen } = started();
  console.interject("Undone.", () => outcome({ exit: 1, blocks: [{ stream: "err", text: "nothing to undo" }] }));
  await settled();
  assert.match(screen.text, /nothing to undo/);
  assert.doesNotMatch(screen.text, /Undone/);
});

test("another terminal's action changes the prompt and keeps the draft", async () => {
  const { console, screen } = started();
  console.receive("draft");
  screen.text = "";
  console.await({ mode: "session", prompt: "> ", mask: false });
  assert.match(screen.text, /> draft/);
});

test("after the engine was lost the console starts anew", async () => {
  const { console, screen, host } = started();
  host.answer = () => {
    console.starting("The simulator stopped.");
    return null;
  };
  console.receive("boom\rafter\r");
  await settled();
  assert.match(screen.text, /The simulator stopped\./);
  console.receive("later\r");
  host.answer = () => outcome();
  console.ready(prompt);
  await settled();
  assert.deepEqual(host.acts, [["line", "boom"], ["line", "later"]]);
});

test("a block runs line by line in place of what is half typed", async () => {
  const { console, screen, host } = started();
  host.answer = (_, text) => outcome({ blocks: [{ stream: "out", text: `did ${text}` }] });
  console.receive("half");
  console.run(["one", "two"]);
  await settled();
  assert.deepEqual(host.acts, [["line", "one"], ["line", "two"]]);
  assert.match(screen.text, /\$ one\r\ndid one\r\n[^]*\$ two\r\ndid two/);
  console.receive("\x1b[A\x1b[A\r");
  await settled();
  assert.deepEqual(host.acts[2], ["line", "one"]);
});

test("a prompt of several lines is one line to the engine", async () => {
  const { console, screen, host } = started();
  console.run(["# one\n\ntwo\x1b[2J"]);
  await settled();
  assert.deepEqual(host.acts, [["line", "# one\n\ntwo\x1b[2J"]]);
  assert.match(screen.text, /# one\r\n\r\ntwo\r\n/);
});

test("an unfinished block is ended", async () => {
  const { console, host } = started();
  host.answer = (kind) => outcome({ mode: kind === "line" ? "continuation" : "command" });
  console.run(["echo 'a"]);
  await settled();
  assert.deepEqual(host.acts, [["line", "echo 'a"], ["end", ""]]);
});

test("what was done before is shown without being done again", async () => {
  const screen = new FakeScreen();
  const host = new FakeHost();
  const console = new Console("main", screen, host);
  console.ready(prompt, [
    { prompt: "$ ", input: "ls", remember: true, outcome: outcome({ blocks: [{ stream: "out", text: "a.txt" }] }) },
    { prompt: "Token: ", input: "•••", remember: false, outcome: outcome() },
    { note: "Key: on", outcome: outcome() },
  ]);
  assert.deepEqual(host.acts, []);
  assert.match(screen.text, /\$ ls\r\na\.txt\r\nToken: •••\r\n.*Key: on.*\r\n/);
  console.receive("\x1b[A\r");
  await settled();
  assert.deepEqual(host.acts, [["line", "ls"]]);
});

test("what happened elsewhere is shown when the answer is out, and Ctrl-C does not lose it", async () => {
  const { console, screen, host } = started();
  host.streaming = true;
  host.stuck = true;
  host.answer = () => outcome({ blocks: [{ stream: "out", text: "answer" }] });
  console.receive("x\r");
  await settled();
  console.catchUp([{ note: "later", outcome: outcome() }], { mode: "session", prompt: "agent> ", mask: false });
  console.receive("\x03");
  await settled();
  assert.match(screen.text, /answer\r\n[^]*later[^]*agent> /);
});
