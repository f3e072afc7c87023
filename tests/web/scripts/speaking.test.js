import assert from "node:assert/strict";
import { test } from "node:test";
import { squaresIn } from "../../../advisor/web/static/speaking.js";

/** The square of a name on a board of ten by ten. */
const named = (name) => {
  const [, letter, digits] = /^([a-j])(\d+)$/.exec(name) ?? [];
  const row = Number(digits);
  return letter && row >= 1 && row <= 10 ? ["abcdefghij".indexOf(letter) + 1, row] : null;
};

const CASES = [
  ["red completes a line on d1-g4", [[4, 1], [5, 2], [6, 3], [7, 4]]],
  ["a square on c4, and e4", [[3, 4], [5, 4]]],
  ["d4-d1", [[4, 4], [4, 3], [4, 2], [4, 1]]],
  ["a knight goes b1-c3", [[2, 1], [3, 3]]],
  ["Nf3, then Qxe5+", [[6, 3], [5, 5]]],
  ["exd5", [[4, 5]]],
  ["column 4 and z9, k2 or a11", []],
  ["abc1 is a word", []],
  ["h10", [[8, 10]]],
  ["b2-z9", [[2, 2]]],
];

for (const [text, squares] of CASES) {
  test(`the squares of “${text}”`, () => assert.deepEqual(squaresIn(text, named), squares));
}

test("between the ends of each straight line stand all its squares, in order", () => {
  const files = "abcdefghij";
  for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1], [-1, 0], [0, -1], [-1, -1], [-1, 1]]) {
    for (let length = 1; length < 5; length += 1) {
      const squares = Array.from({ length: length + 1 }, (_, i) => [5 + dx * i, 5 + dy * i]);
      const [from, to] = [squares[0], squares.at(-1)].map(([x, y]) => `${files[x - 1]}${y}`);
      assert.deepEqual(squaresIn(`${from}-${to}`, named), squares);
    }
  }
});
