import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { address } from "./page.js";
import { begin, columnsOf, deleteLine, lines, mainLine, nameLine, play, promoteLine, readAddress, redo, state, undo, writeAddress } from "../../../advisor/web/static/state.js";

const LIMITS = { max_side: 20, max_level: 20, max_seconds: 30, weight_limit: 100_000, default: "default" };
const GAMES = [
  { game: "connect4", presets: ["default", "original"] },
  { game: "chess", presets: ["default"] },
];

/** What the page shows, as plain values. */
const plain = () => JSON.parse(JSON.stringify({ ...state, weights: { ...state.weights, changed: [...state.weights.changed] } }));

const read = (hash) => {
  address.hash = `#${hash}`;
  return readAddress(LIMITS, GAMES);
};

beforeEach(() => {
  globalThis.history.state = null;
  assert.equal(read(""), "");
});

const WHOLE = [
  "",
  "moves=4453",
  "moves=445&level=3&exact=off",
  "mode=play&advisor=x&hints=on&plan=on&moves=44&level=1",
  "size=10x8x5&moves=1,10,3",
  "mode=puzzle&puzzle=chapter3/5",
  "weights=original,moves.center.0:5,features.threat.first.later.3:-7",
  "game=chess&moves=e2e4+e7e5&result=1-0&turned=on",
  "game=chess&mode=play&advisor=0&time=5",
  "start=..x%0A.xo&moves=1",
];

for (const hash of WHOLE) {
  test(`an address and what it shows say the same: ${hash}`, () => {
    assert.equal(read(hash), "");
    const before = plain();
    writeAddress();
    const written = address.hash;
    assert.equal(read(written.slice(1)), "");
    assert.deepEqual(plain(), before);
    writeAddress();
    assert.equal(address.hash, written);
  });
}

test("games at random come back from their addresses", () => {
  let seed = 20260101;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 300; round += 1) {
    const width = 1 + random(20);
    const mode = ["analyse", "play"][random(2)];
    Object.assign(state, {
      mode,
      size: { width, height: 1 + random(20), connect: 1 + random(20) },
      level: 1 + random(20),
      time: random(2) ? 1 + random(30) : null,
      exact: mode === "play" || random(2) === 1, // exact scores are looked for while analysing
      turned: random(2) === 1,
    });
    begin("", Array.from({ length: random(30) }, () => 1 + random(width)));
    const { level, ...before } = plain();
    writeAddress();
    assert.equal(read(address.hash.slice(1)), "", `round ${round}: ${address.hash}`);
    const { level: after, ...found } = plain();
    assert.deepEqual(found, before, `round ${round}: ${address.hash}`);
    if (!state.time) assert.equal(after, level);
  }
});

const WRONG = [
  ["moves=44x5", "moves", { moves: [4, 4] }],
  ["level=99", "erlaubt: 0 bis 20", { level: 6 }],
  ["size=7x6", "size=7x6", { size: { width: 7, height: 6, connect: 4 } }],
  ["game=go", "game=go", { game: "connect4" }],
  ["weights=default,moves.center.0:x,moves.win:9", "erlaubt: eine Vorgabe", { weights: { preset: "default", changed: [["moves.win", 9]] } }],
  ["colour=red", "unbekannt", {}],
];

for (const [hash, told, shown] of WRONG) {
  test(`what is wrong in ${hash} is left out and told, and nothing else`, () => {
    assert.match(read(`${hash}&exact=off`), new RegExp(told));
    const found = plain();
    assert.equal(found.exact, false);
    for (const [key, value] of Object.entries(shown)) assert.deepEqual(found[key], value);
  });
}

test("what is taken back can be played again, until another move is made", () => {
  read("moves=445");
  undo();
  undo();
  assert.deepEqual([state.moves, state.redo], [[4], [5, 4]]);
  redo();
  assert.deepEqual([state.moves, state.redo], [[4, 4], [5]]);
  play(5);
  assert.deepEqual([state.moves, state.redo], [[4, 4, 5], []]);
  undo();
  undo();
  play(6);
  assert.deepEqual([state.moves, state.redo], [[4, 6], []]);
});

test("columns are read with commas or, on narrow boards, without", () => {
  assert.deepEqual(columnsOf("4 4 5"), [4, 4, 5]);
  assert.deepEqual(columnsOf("4,4,5"), [4, 4, 5]);
  assert.equal(columnsOf("4a"), null);
  read("size=10x6x4");
  assert.deepEqual(columnsOf("10,1"), [10, 1]);
});

test("another move keeps the line that it leaves, in the address and beside it", () => {
  read("game=chess&moves=e2e4+e7e5+g1f3&result=1-0");
  undo();
  undo();
  play("c7c5");
  writeAddress();
  assert.deepEqual(state.redo, []);
  assert.deepEqual(mainLine(), ["e2e4", "e7e5", "g1f3"]);
  assert.equal(state.result, "1-0"); // which is of the main line
  assert.match(address.hash, /&moves=e2e4\+c7c5&lines=e2e4\+e7e5\+\(\+c7c5\+\)\+g1f3&result=1-0/);
  nameLine("Sicilian");
  writeAddress();
  const beside = globalThis.history.state;
  for (const reloaded of [true, false]) {
    globalThis.history.state = reloaded ? beside : null;
    assert.equal(read(address.hash.slice(1)), "");
    assert.deepEqual(mainLine(), ["e2e4", "e7e5", "g1f3"]);
    assert.deepEqual(lines().here.before, reloaded ? ["{Sicilian}"] : []);
    assert.deepEqual(state.moves, ["e2e4", "c7c5"]);
  }
  undo();
  lines();
  assert.deepEqual(state.redo, ["c7c5"]); // the line that was left last
});

test("a line is deleted, or made the main line, which ends the result of the text", () => {
  for (const [change, main, moves, result] of [
    [deleteLine, ["e2e4", "e7e5"], ["e2e4"], "1-0"],
    [promoteLine, ["e2e4", "c7c5"], ["e2e4", "c7c5"], null],
  ]) {
    read("game=chess&moves=e2e4+c7c5&lines=e2e4+e7e5+(+c7c5+)&result=1-0");
    change();
    assert.deepEqual(mainLine(), main);
    assert.deepEqual(state.moves, moves);
    assert.equal(state.result, result);
  }
});

test("too many lines for an address stay beside it", () => {
  read("game=chess");
  for (let i = 0; i < 400; i += 1) play(`move${i}`);
  writeAddress();
  assert.doesNotMatch(address.hash, /lines=/);
  state.moves.slice(1).forEach(undo);
  writeAddress();
  assert.doesNotMatch(address.hash, /lines=/);
  assert.equal(read(address.hash.slice(1)), "");
  assert.equal(mainLine().length, 400);
});
