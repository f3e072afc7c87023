// What the user takes away as a file.

import { h } from "./dom.js";

/** Hands the user a file. */
export const save = (text, name, type = "application/yaml") => saveBlob(new Blob([text], { type }), name);

/** The same of a file that is no text. */
export const saveBytes = (bytes, name) => saveBlob(new Blob([bytes], { type: "application/octet-stream" }), name);

function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
