import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, siteOf, Store, type Storage } from "./store.ts";

class Memory implements Storage {
  readonly items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
}

test("what is kept comes back, per site and lab", () => {
  const store = new Store(new Memory());
  store.saveSession("/a/", "one", "1", { acts: [["line", "t", "ls"]], variables: { name: "x" } });
  store.saveProgress("/a/", "one", "1", ["s"]);
  assert.deepEqual(store.session("/a/", "one", "1").acts, [["line", "t", "ls"]]);
  assert.equal(store.session("/a/", "one", "1").variables["name"], "x");
  assert.deepEqual(store.progress("/a/", "one", "1"), ["s"]);
  assert.deepEqual(store.progress("/b/", "one", "1"), []);
  assert.deepEqual(store.progress("/a/", "two", "1"), []);
});

test("a changed version starts anew", () => {
  const store = new Store(new Memory());
  store.saveSession("/", "one", "1", { acts: [["line", "t", "ls"]], variables: {} });
  store.saveProgress("/", "one", "1", ["s"]);
  assert.deepEqual(store.session("/", "one", "2").acts, []);
  assert.deepEqual(store.progress("/", "one", "2"), []);
});

test("storage that is absent, full or corrupt is no storage", () => {
  const throwing: Storage = {
    getItem: () => { throw new Error("denied"); },
    setItem: () => { throw new Error("full"); },
    removeItem: () => { throw new Error("denied"); },
  };
  const corrupt = new Memory();
  for (const [index, text] of ["{", "null", "[]", "7", '{"version":"1","acts":{},"variables":[1],"done":{}}', '{"version":"1","done":[1,null]}'].entries()) {
    corrupt.setItem(keyOf("/", String(index), "session"), text);
    corrupt.setItem(keyOf("/", String(index), "progress"), text);
  }
  for (const storage of [null, throwing, corrupt]) {
    const store = new Store(storage);
    for (let index = 0; index < 6; index++) {
      assert.deepEqual([...store.session("/", String(index), "1").acts], []);
      assert.deepEqual(Object.keys(store.session("/", String(index), "1").variables), []);
      assert.deepEqual(store.progress("/", String(index), "1"), []);
    }
    assert.deepEqual(store.settings("/"), {});
  }
  assert.equal(new Store(throwing).saveProgress("/", "one", "1", []), false);
  assert.equal(new Store(null).saveProgress("/", "one", "1", []), false);
});

test("the site is found from its pages", () => {
  for (const path of ["/x/", "/x/index.html", "/x/labs/one/", "/x/labs/one/index.html"]) assert.equal(siteOf(path), "/x/");
  assert.equal(siteOf("/labs/one/"), "/");
});
