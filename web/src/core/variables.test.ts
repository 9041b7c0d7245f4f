import assert from "node:assert/strict";
import { test } from "node:test";
import { osOf, Variables } from "./variables.ts";

test("variables fill templates once", () => {
  const variables = new Variables({ name: "web", loop: "$$name$$" }, { name: "shop" });
  assert.equal(variables.fill("$$name$$.txt $$ name $$ $$loop$$ $$none$$"), "shop.txt shop $$name$$ none");
  assert.equal(variables.fill("\\$\\$name\\$\\$ costs $5"), "$$name$$ costs $5");
  assert.equal(variables.shown("none"), "none");
  assert.deepEqual(variables.changed, { name: "shop" });
});

test("all conditions that are given must hold", () => {
  const variables = new Variables({ track: "full", empty: "" });
  assert.ok(variables.holds({}, "linux"));
  assert.ok(variables.holds({ variable: "track", requiredValue: "full", os: ["mac", "linux"] }, "linux"));
  assert.ok(!variables.holds({ variable: "track", requiredValue: "full", os: ["windows"] }, "linux"));
  assert.ok(!variables.holds({ variable: "track", requiredValue: "short" }, "linux"));
  assert.ok(variables.holds({ variable: "track", hasValue: true }, "mac"));
  assert.ok(!variables.holds({ variable: "empty", hasValue: true }, "mac"));
  assert.ok(variables.holds({ variable: "empty", hasNoValue: true }, "mac"));
  assert.ok(!variables.holds({ variable: "track", hasNoValue: true }, "mac"));
  assert.ok(variables.holds({ os: ["unix"] }, "mac"));
  assert.ok(!variables.holds({ os: ["unix"] }, "windows"));
});

test("the system is told by its platform", () => {
  assert.deepEqual(["MacIntel", "macOS", "Win32", "Windows", "Linux x86_64", "Chrome OS", "BeOS"].map(osOf),
    ["mac", "mac", "windows", "windows", "linux", "other", "other"]);
});
