import assert from "node:assert/strict";
import { test } from "node:test";
import { tame } from "./diagram.ts";

test("tags in a diagram are text, arrows and line breaks stay", () => {
  assert.equal(tame(`a["<img src=x onerror=y>"] --> b["<script>c</script>"]`), `a["#lt;img src=x onerror=y>"] --> b["#lt;script>c#lt;/script>"]`);
  for (const source of ["A <|-- B", "class A { <<interface>> }", "a <--> b", "a[one<br/>two<BR>three <b>bold</b>]", "x < y and z"]) {
    assert.equal(tame(source), source);
  }
  assert.equal(tame("<b onclick=x>"), "#lt;b onclick=x>");
});
