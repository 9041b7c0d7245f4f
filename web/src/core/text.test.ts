import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, graphemes } from "./cells.ts";
import { KeyReader } from "./keys.ts";
import { schedule } from "./pacing.ts";
import { onlyStyle, plain } from "./sgr.ts";
import { outcome } from "./fakes.ts";
import { entryOf, textOf } from "./transcript.ts";

test("only style survives in lab text", () => {
  const cases: [string, string][] = [
    ["\x1b[1;31mred\x1b[0m", "\x1b[1;31mred\x1b[0m"],
    ["a\x1b[2Jb\x1b[?1049hc\x1b[6nd\x1b[>4;1me", "abcde"],
    ["\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link", "xlink"],
    ["\x1bP+q\x1b\\x\x1bcy\x9b2Jz\x9b31mw", "xyzw"],
    ["\x1b\x1b]0;t\x07[2J\x1b", "[2J"],
    ["tab\tkept\rline\r\nend\x00\x08", "tab\tkept\nline\nend"],
    ["\x1b[ m\x1b[31", "31"],
  ];
  for (const [text, want] of cases) assert.equal(onlyStyle(text), want, JSON.stringify(text));
  assert.equal(plain("\x1b[1mbold\x1b[m"), "bold");
});

test("graphemes take the cells that a terminal gives them", () => {
  const cases: [string, number][] = [
    ["a", 1], ["é", 1], ["e\u0301", 1], ["漢", 2], ["ｱ", 1], ["Ａ", 2], ["🐋", 2], ["❤️", 2], ["❤", 1], ["🇩🇪", 2],
    ["👩‍💻", 2], ["\u0301", 0], ["\u200d", 0], ["한", 2], ["•", 1],
  ];
  for (const [text, want] of cases) {
    assert.equal(graphemes(text).length, 1, text);
    assert.equal(cellsOf(text), want, text);
  }
});

test("a terminal's answers to queries are no typing", () => {
  const keys = new KeyReader().read("a\x1b[?1;2c\x1b[24;80R\x1b]10;rgb:ff/ff/ff\x1b\\\x1bP1$r0m\x1b\\b\x1b[I\x1b");
  assert.deepEqual(keys, [{ kind: "text", text: "a" }, { kind: "text", text: "b" }]);
});

test("keys are read from sequences and control characters", () => {
  const kinds = (data: string) => new KeyReader().read(data).map((key) => key.kind);
  assert.deepEqual(kinds("\x1b[A\x1bOB\x1b[3~\x01\x05\x15\x0b\x17\x19\x0c\x04\x7f\r"), [
    "up", "down", "delete", "home", "end", "kill-start", "kill-end", "kill-word", "yank", "clear", "eof", "backspace", "enter",
  ]);
});

test("a paste in pieces is one paste without controls", () => {
  const reader = new KeyReader();
  assert.deepEqual(reader.read("x\x1b[200~a\x1b[31m\tb\r\n"), [{ kind: "text", text: "x" }]);
  assert.deepEqual(reader.read("c\x1b[201~y"), [{ kind: "paste", text: "a[31m b\nc" }, { kind: "text", text: "y" }]);
});

test("pacing spreads blocks over time and collapses without streaming", () => {
  const turn = outcome({
    turn: true,
    blocks: [{ stream: "out", text: "a" }, { stream: "out", delay: 500 }, { stream: "err", text: "\x1b[1mb", delay: 0 }],
  });
  const settings = { streaming: true, streamDelayMs: 20, agentThinkMs: 700 };
  assert.deepEqual(schedule(turn, settings), {
    think: 700,
    chunks: [{ at: 720, text: "a\r\n" }, { at: 1220, text: "\x1b[1mb\x1b[0m\r\n" }],
  });
  assert.deepEqual(schedule(turn, { ...settings, streaming: false }), {
    think: 0,
    chunks: [{ at: 0, text: "a\r\n\x1b[1mb\x1b[0m\r\n" }],
  });
});

test("the transcript is plain text", () => {
  const entry = entryOf("main", "$ ", "ls", outcome({ blocks: [{ stream: "out", text: "\x1b[34mdir\x1b[0m\nfile" }, { stream: "out", delay: 9 }] }));
  assert.equal(textOf(entry), "$ ls\ndir\nfile");
});
