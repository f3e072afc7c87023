import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { stored } from "./page.js";
import { keep, mistakes } from "../../../advisor/web/static/mistakes.js";
import { kept } from "../../../advisor/web/static/kept.js";
import { state } from "../../../advisor/web/static/state.js";

const STORE = "advisor-mistakes";

/** An error in the position of a text. */
const error = (text, played = "4") => ({
  error: { name: played, grade: "blunder", better: [3], better_names: ["3"], reasons: ["Column 3 wins."] },
  view: { text, rows: ["."], turn: "x", width: 7, height: 6, connect: 4 },
});

beforeEach(() => {
  stored.clear();
  state.game = "connect4";
});

test("errors become puzzles with numbers that go on, and the first is named", () => {
  assert.equal(keep([error("44"), error("45")]), "mistakes/1");
  assert.equal(keep([error("46")]), "mistakes/3");
  assert.deepEqual(mistakes().map(({ id, text, why }) => [id, text, why]), [
    ["mistakes/1", "44", "Column 3 wins."],
    ["mistakes/2", "45", "Column 3 wins."],
    ["mistakes/3", "46", "Column 3 wins."],
  ]);
});

test("another error in a position that is known takes the place of the first one", () => {
  keep([error("44"), error("45")]);
  assert.equal(keep([error("45", "7")]), "mistakes/2");
  assert.deepEqual(mistakes().map(({ text, played }) => [text, played]), [["44", "4"], ["45", "7"]]);
});

test("each game has its own puzzles, and numbers", () => {
  keep([error("44")]);
  state.game = "chess";
  assert.deepEqual(mistakes(), []);
  assert.equal(keep([error("44")]), "mistakes/1");
  assert.equal(mistakes().length, 1);
});

test("the oldest puzzles go first", () => {
  const errors = Array.from({ length: 250 }, (_, i) => error(`position ${i}`));
  errors.forEach((each) => keep([each]));
  const left = mistakes();
  assert.equal(left.length, 200);
  assert.deepEqual([left[0].text, left.at(-1).text], ["position 50", "position 249"]);
});

for (const spoilt of ["", "{", "null", "7", '"text"', "{}", "[1, null, \"text\"]"]) {
  test(`what others have written there does no harm: ${spoilt}`, () => {
    stored.set(STORE, spoilt);
    assert.deepEqual(mistakes(), []);
    assert.equal(keep([error("44")]), "mistakes/1");
    assert.equal(mistakes().length, 1);
  });
}

test("a list is no object, and the other way round", () => {
  stored.set("list", "[1]");
  stored.set("object", '{"a": 1}');
  assert.deepEqual([kept("list", []), kept("list", {}), kept("object", {}), kept("object", [])], [[1], {}, { a: 1 }, []]);
});
