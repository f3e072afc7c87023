// Games with variations: read from a text, named and written; as advisor/games/tree.py does.

import { mainLine } from "./pgn.js";
import { Refusal } from "./position.js";

const REMARKS = ["before", "after", "behind"];

/** A game from its text, with variations where the notation has them. */
export function readTree(engine, { board = "" }) {
  const { notation } = engine;
  const told = notation.readTree ? notation.readTree(engine, board) : ofLine(notation.read(engine, board));
  const { begun, moves, remarks, result } = told;
  const main = new Set(mainLine(moves));
  const positions = [engine.begin(begun)];
  const kept = new Map([[0, 0]]); // the new numbers of moves
  const found = [];
  const leftOut = [];
  const several = new Set([...main].map((number) => moves[number - 1].line)).size > 1;
  for (const [i, move] of moves.entries()) {
    if (!kept.has(move.follows) || !kept.has(move.instead)) continue;
    const before = positions[kept.get(move.follows)];
    const legal = before.over ? undefined : notation.find(before, move.text);
    if (legal === undefined) {
      const why = `${several ? `line ${move.line}: ` : ""}${notation.place?.(before) ?? `move ${i + 1}: `}'${move.text}' is not legal`;
      if (main.has(i + 1)) throw new Refusal(`board: ${why}`);
      leftOut.push(why);
      continue;
    }
    const after = before.after(legal);
    const { code, name } = after.path.at(-1);
    found.push({ move: code, name: String(name), follows: kept.get(move.follows), instead: kept.get(move.instead), ...withRemarks(move) });
    positions.push(after);
    kept.set(i + 1, found.length);
  }
  return { begun: begun.text, tags: begun.tags ?? {}, result, remarks, moves: found, left_out: leftOut };
}

/** The names of the moves of a game with variations, and the game as a text: where the notation has no variations, the main line. */
export function recordTree(engine, { board = "", moves, remarks = [], result = "" }, drawn) {
  const positions = [engine.position(board)];
  const made = moves.map(({ move, follows, instead = 0, ...beside }, i) => {
    const before = positions[follows];
    const number = before.over ? undefined : engine.notation.find(before, move);
    if (number === undefined) throw new Refusal(`moves: move ${i + 1}: '${move}' is not legal for ${before.turn}`);
    positions.push(before.after(number));
    return { text: String(positions.at(-1).path.at(-1).name), follows, instead, ...withRemarks(beside) };
  });
  const end = positions[Math.max(0, ...mainLine(made))];
  const { text, yaml } = drawn(end);
  const whole = engine.notation.writeTree?.(end, made, remarks, result) ?? yaml ?? text;
  return { text: whole, names: made.map(({ text }) => text) };
}

const withRemarks = (move) => Object.fromEntries(REMARKS.map((key) => [key, move[key] ?? []]));

const ofLine = ({ begun, said }) => ({ begun, remarks: [], result: "", moves: said.map((text, follows) => ({ text: String(text), line: 1, follows, instead: 0 })) });
