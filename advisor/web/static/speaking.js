// Sentences that name squares light them up, where one points at them.

import { h } from "./preact.js";

const NAMES = /(?<![A-Za-z])([a-z]{1,2}\d{1,2})(?:-([a-z]{1,2}\d{1,2}))?(?!\d)|(?<=[A-Zx])([a-h][1-8])(?!\d)/g;

/**
 * The squares that a text names, those between two ends of a line too.
 * @param {string} text
 * @param {Function} named the square [column, row] of a name, null for none
 */
export function squaresIn(text, named) {
  const found = [];
  for (const [, from, to, piece] of text.matchAll(NAMES)) {
    const ends = [from ?? piece, to].map((name) => (name ? named(name) : null)).filter(Boolean);
    found.push(...between(...ends));
  }
  return found;
}

function between(from, to) {
  if (!from) return [];
  if (!to) return [from];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(dx), Math.abs(dy), 1);
  const straight = dx === 0 || dy === 0 || Math.abs(dx) === Math.abs(dy);
  if (!straight) return [from, to];
  return Array.from({ length: steps + 1 }, (_, i) => [from[0] + (dx * i) / steps, from[1] + (dy * i) / steps]);
}

/** A text with the signs of numbers as the page writes them. */
const typeset = (text) => text.replace(/(?<=^|[\s(;])-(?=\d)/g, "−");

/** The same with the names of squares marked. */
function parts(text, named) {
  const found = [];
  let from = 0;
  for (const match of text.matchAll(NAMES)) {
    if (!named(match[1] ?? match[3])) continue;
    const begun = match.index - /[A-Z]?[a-h]?[1-8]?x?$/.exec(match[3] ? text.slice(from, match.index) : "")[0].length; // as in Nxe5
    found.push(typeset(text.slice(from, begun)), h("span", null, text.slice(begun, match.index + match[0].length)));
    from = match.index + match[0].length;
  }
  return [...found, typeset(text.slice(from))];
}

/**
 * A sentence as a button, if it names squares.
 * @param {string} text
 * @param {{named: Function, light: Function, rest?: Function}} board `rest` shows what was lit before
 */
export function sentence(text, board) {
  const squares = squaresIn(text, board.named);
  if (!squares.length) return typeset(text);
  const show = () => board.light(squares.map(([column, row]) => ({ row, column, against: false })));
  const hide = () => (board.rest ? board.rest() : board.light([]));
  const events = { onClick: show, onFocus: show, onBlur: hide, onMouseEnter: show, onMouseLeave: hide };
  return h("button", { type: "button", class: "speaks", ...events }, ...parts(text, board.named));
}
