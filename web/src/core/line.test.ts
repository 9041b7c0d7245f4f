import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyReader } from "./keys.ts";
import { LineEditor } from "./line.ts";

function typed(data: string, editor = new LineEditor()): LineEditor {
  for (const key of new KeyReader().read(data)) editor.press(key);
  return editor;
}

test("editing keys change the text", () => {
  const cases: [string, string][] = [
    ["abc\x7f", "ab"],
    ["abc\x1b[D\x1b[DX", "aXbc"],
    ["abc\x01X\x05Y", "XabcY"],
    ["abc\x1b[H\x1b[3~", "bc"],
    ["abc\x01\x04", "bc"],
    ["one two\x17", "one "],
    ["one two  \x17\x19\x19", "one two  two  "],
    ["one two\x15", ""],
    ["one two\x01\x1b[1;5C\x0b", "one"],
    ["one two\x1b[1;5DX", "one Xtwo"],
    ["\x1b[D\x7f\x1b[Cx", "x"],
    ["a👩‍💻é\x7f\x7f", "a"],
    ["ab\x1b[D\u0301\x7f", "b"],
  ];
  for (const [keys, want] of cases) assert.equal(typed(keys).text, want, JSON.stringify(keys));
});

test("history goes up and down and keeps the draft", () => {
  const editor = typed("one\rtwo\rtwo\r  \rdraft");
  assert.equal(typed("\x1b[A", editor).text, "two");
  assert.equal(typed("\x1b[A", editor).text, "one");
  assert.equal(typed("\x1b[A", editor).text, "one");
  assert.equal(typed("\x1b[B\x1b[B", editor).text, "draft");
  assert.equal(typed("\x1b[B", editor).text, "draft");
});

test("a recalled line is copied, not changed in place", () => {
  const editor = typed("one\r\x1b[AX\r\x1b[A\x1b[A");
  assert.equal(editor.text, "one");
});

test("a masked line shows dots and has no history", () => {
  const editor = typed("one\r");
  editor.mask = true;
  typed("\x1b[Aé🐋", editor);
  assert.equal(editor.shown, "••");
  assert.ok(!editor.draw(80).includes("🐋"));
  assert.deepEqual(editor.press({ kind: "enter" }), { line: "é🐋" });
  editor.mask = false;
  assert.equal(typed("\x1b[A", editor).text, "one");
});

test("drawing wraps by cells, also at the margin", () => {
  const editor = typed("abcdefgh");
  editor.prompt = "$ ";
  assert.equal(editor.draw(20), "\r\x1b[J$ abcdefgh\r\x1b[10C");
  assert.equal(editor.draw(10), "\r\x1b[J$ abcdefgh\r\n\r");
  assert.equal(editor.leave(10), "\r");
  assert.equal(editor.draw(6), "\r\x1b[J$ abcdefgh\r\x1b[4C");
  assert.equal(editor.leave(6), "\r\n");
  typed("\x1b[H", editor);
  assert.equal(editor.draw(6), "\r\x1b[J$ abcdefgh\x1b[1A\r\x1b[2C");
  assert.equal(editor.leave(6), "\x1b[1B\r\n");
  const wide = typed("漢漢漢");
  assert.equal(wide.draw(5), "\r\x1b[J漢漢漢\r\x1b[2C");
  assert.equal(wide.erase(), "\r\x1b[1A\x1b[J");
});

test("a prompt may have style and nothing else", () => {
  const editor = new LineEditor();
  editor.prompt = "\x1b[32m>\x1b[2J ";
  assert.equal(editor.draw(80), "\r\x1b[J\x1b[32m> \x1b[0m\r\x1b[2C");
});

test("what was cut from a masked line cannot be brought back", () => {
  const editor = new LineEditor();
  editor.mask = true;
  typed("SECRET\x15", editor);
  editor.mask = false;
  assert.equal(typed("\x19", editor).text, "");
});
