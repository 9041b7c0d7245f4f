// The browser's storage as core/store.ts wants it. Reading the property alone may throw.

import { siteOf, Store } from "../core/store.ts";

export const site = siteOf(location.pathname);

export function openStore(): Store {
  try {
    return new Store(localStorage);
  } catch {
    return new Store(null);
  }
}
