import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import "./page.js";

const STATIC = new URL("../../../advisor/web/static/", import.meta.url);
const { either, language, say } = await import(new URL("languages.js", STATIC).href);

test("the first language of the browser that is offered is the page's", () => assert.equal(language, "de"));

test("a count chooses the form of a text, and places are filled", () => {
  assert.equal(say("review.left", { count: 1 }), "noch 1 Zug");
  assert.equal(say("review.left", { count: 2 }), "noch 2 Züge");
  assert.equal(say("review.at", { at: 3, all: 9 }), "Zug 3 von 9");
});

test("names are listed as people say them", () => {
  assert.deepEqual([["3"], ["3", "6"], ["3", "6", "7"]].map((names) => either(names)), ["3", "3 oder 6", "3, 6 oder 7"]);
  assert.equal(either(["3", "6"], true), "3, 6");
});

test("values that look like places or forms stay as they are", () => {
  assert.equal(say("puzzle.hint", { text: "{text}|$&" }), "Tipp: {text}|$&");
});

test("every place of a text is filled by whoever says it", async () => {
  const { default: words } = await import(new URL("languages/en.js", STATIC).href);
  const texts = await Promise.all((await readdir(STATIC)).filter((name) => name.endsWith(".js")).map((name) => readFile(new URL(name, STATIC), "utf8")));
  const all = texts.join("\n");
  for (const [key, text] of Object.entries(words)) {
    const places = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const calls = [...all.matchAll(new RegExp(`say\\("${key.replace(".", "\\.")}"(, \\{)?`, "g"))];
    for (const [call, values] of calls) assert.ok(!places.length || values, `${call}: ${places}`);
  }
});
