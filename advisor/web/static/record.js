// The game with its variations as a text: what the server reads, names and writes.

import * as api from "./api.js";
import { source } from "./game.js";
import { begin, dropUnnamed, lines, state } from "./state.js";
import { grown, inOrder, listed, restOf } from "./tree.js";

/** Reads a text; gives what shows its game, and what of it is left out. */
export async function readGame(text) {
  const { begun, tags, result, left_out: leftOut, ...tree } = await api.tree({ ...place(), board: text });
  const root = grown(tree);
  const moves = restOf(root).map(({ move }) => move);
  return { show: () => begin(begun, moves, result || tags.Result, root), leftOut };
}

/** The game as a file's text. */
export const writeGame = async () => (await recorded(lines().root)).text;

/** Whether a game has more than its main line. */
export const hasAsides = () => {
  const { root } = lines();
  return root.after.length > 0 || [...inOrder(root)].some(({ instead, after }) => instead || after.length);
};

/** Asks how people write the moves that have not been on the board; illegal ones are taken away. */
export async function nameMoves() {
  const { root } = lines();
  const nodes = [...inOrder(root)];
  try {
    const { names } = await recorded(root);
    nodes.forEach((node, i) => (node.name = names[i]));
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    dropUnnamed();
  }
}

/** The game in its size, without a position. */
function place() {
  const asked = { ...source().setup([]) };
  delete asked.moves;
  return asked;
}

let kept = { key: null, answer: null }; // the last game that was asked for, which steps do not change

/** What the server says of a tree: its text, and its moves' names. */
function recorded(root) {
  const { remarks, moves } = listed(root);
  const told = moves.map(({ move, follows, instead, before, after, behind }) => ({ move: String(move), follows, instead, before, after, behind }));
  const request = { ...place(), remarks, moves: told, result: state.result ?? "" };
  const key = JSON.stringify(request);
  if (kept.key !== key) {
    kept = { key, answer: api.record(request) };
    kept.answer.catch(() => (kept.key = null));
  }
  return kept.answer;
}
