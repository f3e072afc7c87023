// What the user takes away as a file.

import { h } from "./dom.js";

/** Hands the user a file. */
export function save(text, name, type = "application/yaml") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
