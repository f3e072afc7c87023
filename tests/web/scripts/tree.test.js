import assert from "node:assert/strict";
import { test } from "node:test";
import * as trees from "../../../advisor/web/static/tree.js";

const { branch, comment, commentsOf, follow, fromWords, grown, headOf, inOrder, listed, pathTo, plant, promote, remove, rename, restOf, signsOf, words } = trees;

/** Numbers below a bound, the same ones each time. */
function numbers(seed) {
  let state = seed;
  return (bound) => {
    state = (state * 48271) % 2147483647;
    return state % bound;
  };
}

/** A tree of random moves, some of whose variations stand within others. */
function random(seed, size) {
  const next = numbers(seed + 1);
  const root = plant();
  const nodes = [root];
  for (let i = 0; i < size; i += 1) {
    const node = branch(nodes[next(nodes.length)], `m${next(6)}`);
    if (nodes.includes(node)) continue;
    const earlier = node.parent.next.slice(0, -1);
    if (earlier.length) node.instead = earlier[next(earlier.length)];
    node.after = next(3) ? [] : [`{${i}}`, "$1"];
    if (node.instead) Object.assign(node, { before: next(3) ? [] : [`{before ${i}}`], behind: next(3) ? [] : [`{behind ${i}}`] });
    nodes.push(node);
  }
  return { root, nodes, next };
}

/** The moves of every line, as texts in alphabetical order. */
const linesOf = (root) => [...inOrder(root)].map((node) => pathTo(node).map(({ move }) => move).join(" ")).sort();

function check(root) {
  for (const { next } of [root, ...inOrder(root)]) {
    next.forEach(({ instead }, i) => assert.ok(i ? next.slice(0, i).includes(instead) || next.includes(instead) : instead === null));
    assert.equal(new Set(next.map(({ move }) => move)).size, next.length);
  }
}

const SEEDS = Array.from({ length: 60 }, (_, i) => i);

test("a tree is the same after it has been a list, and words", () => {
  for (const seed of SEEDS) {
    const { root, nodes } = random(seed, 25);
    check(root);
    const list = listed(root);
    assert.equal(list.moves.length, nodes.length - 1);
    assert.deepEqual(listed(grown(JSON.parse(JSON.stringify(list)))), list);
    const bare = list.moves.map(({ move, follows, instead }) => ({ move, follows, instead }));
    const again = listed(fromWords(words(root), (word) => word)).moves;
    assert.deepEqual(again.map(({ move, follows, instead }) => ({ move, follows, instead })), bare);
  }
});

test("a line that is made the main line loses no move, no other line and no remark", () => {
  for (const seed of SEEDS) {
    const { root, nodes, next } = random(seed, 25);
    const [lines, remarks] = [linesOf(root), allRemarks(root)];
    const node = nodes[next(nodes.length)];
    promote(node);
    check(root);
    assert.deepEqual(linesOf(root), lines);
    assert.deepEqual(allRemarks(root), remarks);
    assert.equal(headOf(node), null);
    assert.deepEqual([...restOf(root)].slice(0, pathTo(node).length), pathTo(node));
  }
});

test("what is taken away is a move and what follows it", () => {
  for (const seed of SEEDS) {
    const { root, nodes, next } = random(seed, 25);
    if (nodes.length < 2) continue;
    const node = nodes[1 + next(nodes.length - 1)];
    const gone = pathTo(node).map(({ move }) => move).join(" ");
    const left = linesOf(root).filter((line) => line !== gone && !line.startsWith(`${gone} `));
    assert.equal(remove(node), node.parent);
    check(root);
    assert.deepEqual(linesOf(root), left);
    const again = listed(grown(listed(root)));
    assert.deepEqual(again, listed(root));
  }
});

const allRemarks = (root) => [root, ...inOrder(root)].flatMap(({ before, after, behind }) => [...before, ...after, ...behind]).sort();

test("another move begins a variation, and the same one again follows it", () => {
  const root = plant();
  const e5 = follow(root, ["e4", "e5"]);
  const c5 = follow(root, ["e4", "c5"]);
  assert.equal(follow(root, ["e4", "c5"]), c5);
  assert.deepEqual([headOf(e5), headOf(c5)], [null, c5]);
  assert.equal(c5.instead, e5);
  assert.deepEqual(words(root), ["e4", "e5", "(", "c5", ")"]);
});

test("words that are no tree are refused", () => {
  for (const text of ["(", ")", "( e4 )", "e4 (", "e4 ( )", "e4 ) e5", "e4 ( d4", "e4 ( e4 )", "e4 ( d4 ) ( d4 )"]) {
    assert.equal(fromWords(text.split(" "), (word) => word), null, text);
  }
  assert.equal(fromWords(["x"], () => null), null);
});

test("a long line is no deep call", () => {
  const root = plant();
  follow(root, Array.from({ length: 20_000 }, (_, i) => i));
  assert.equal(listed(grown(listed(root))).moves.length, 20_000);
});

test("a line has a name, which no brace can end", () => {
  const root = plant();
  follow(root, ["e4"]);
  const d4 = follow(root, ["d4"]);
  d4.before = ["$1", "{old}"];
  rename(d4, " Queen's } ( pawn ");
  assert.deepEqual(d4.before, ["{Queen's ( pawn}", "$1"]);
  rename(d4, "");
  assert.deepEqual(d4.before, ["$1"]);
});

test("a move has a comment, which no brace can end; signs and commands for programs stay", () => {
  const root = plant();
  const e4 = follow(root, ["e4"]);
  e4.after = ["{[%clk 0:01] old}", "$1", "; older"];
  comment(e4, " <b>Good</b> }\n1. d4 { [%eval 3] ");
  assert.deepEqual(e4.after, ["$1", "{[%clk 0:01] <b>Good</b> 1. d4}"]);
  assert.equal(commentsOf(e4.after), "<b>Good</b> 1. d4");
  comment(e4, "");
  assert.deepEqual(e4.after, ["$1", "{[%clk 0:01]}"]);
  comment(root, "Ahead");
  assert.deepEqual(listed(grown(listed(root))).remarks, ["{Ahead}"]);
});

test("remarks are shown without their marks and without commands for programs", () => {
  const remarks = ["{[%clk 0:01] a good\nmove}", "; up to here ", "$3", "!?", "$99"];
  assert.equal(commentsOf(remarks), "a good move up to here");
  assert.equal(signsOf(remarks), "!! !? $99");
});
