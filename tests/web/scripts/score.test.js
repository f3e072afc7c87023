import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { inWords, restsOn, scoreWords, shortScore, signed } = await import("../../../advisor/web/static/score.js");

test("numbers have a sign and a minus as books print it", () => {
  assert.deepEqual([7, 0, -12].map(signed), ["+7", "0", "−12"]);
});

const SCORES = [
  [{ kind: "win", in: 3, proved: true }, "▲3", "gewinnt in 3 (bewiesen)"],
  [{ kind: "loss", in: 2, within: true }, "▼2", "verliert in höchstens 2"],
  [{ kind: "draw" }, "=", "Remis"],
  [{ kind: "heuristic", value: -40 }, "−40", "−40"],
  [{ kind: "heuristic", mean: 0, playouts: 500 }, "50", "50 %"],
  [{ kind: "heuristic", mean: 1, playouts: 500 }, "100", "100 %"],
  [{ kind: "heuristic", mean: 0.2, playouts: 3, unsure: true }, "?", "zu wenige Partien"],
  [{ kind: "heuristic", mean: 0, playouts: 0, unsure: true }, "?", "nicht probiert"],
];

for (const [score, short, words] of SCORES) {
  test(`a score of ${JSON.stringify(score)}`, () => {
    assert.equal(shortScore(score), short);
    assert.equal(inWords(score), words);
  });
}

test("games are counted", () => {
  assert.deepEqual([undefined, 1, 1500].map((playouts) => restsOn({ playouts })), ["", "1 Partie", "1.500 Partien"]);
});

test("a screen reader hears the outcome of what is certain", () => {
  assert.equal(scoreWords({ kind: "win", in: 1 }, "wins at once"), "wins at once");
  assert.equal(scoreWords({ kind: "heuristic", value: 5 }, "unused"), "Wert 5");
  assert.equal(scoreWords(null, "unused"), "");
});
