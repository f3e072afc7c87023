// Wins that no defence stops: what advisor/engine/forced_wins.py finds. Only the rules decide here.

import { take } from "./ahead.js";
import { Stopped } from "./search.js";

const TRIED = 2; // replies that are tried alone before all of them: most moves fail at the first

export class ForcedWins {
  /** @param {import("./rows.js").Rows} rows @param {Object} how as in answers.js */
  constructor(rows, how) {
    Object.assign(this, { rows, how });
  }

  /** The moves of a state that win within some own moves, this one included. */
  async firstMoves(row, moves) {
    const children = this.rows.expand(row);
    const won = await this.#winning(children, this.rows.look(children.rows), moves);
    return [...children.move].filter((_, i) => won[i]);
  }

  /** In which states the side to move wins within some own moves; `look` is that at the states. */
  async within(rows, moves, look = this.rows.look(rows)) {
    const children = this.rows.expand(rows, look);
    const below = this.rows.look(children.rows);
    const found = some(children.parent, this.#ended(children, below, 1), look.n);
    if (moves === 1) return found;
    const left = indexes(children.parent, (parent) => !found[parent]);
    const rest = this.#take(children, left);
    const won = await this.#winning(rest, part(below, left), moves);
    rest.parent.forEach((parent, i) => (found[parent] ||= won[i]));
    return found;
  }

  /** After which moves their side wins within some own moves, these included. */
  async #winning(children, look, moves) {
    const won = this.#ended(children, look, 1);
    let left = moves > 1 ? indexes(look.over, (over) => !over) : [];
    for (let tried = 0; tried < TRIED && left.length; tried++) {
      const here = part(look, left);
      const chosen = Int32Array.from(left, (_, i) => here.first[i] + Math.floor(Math.random() * (here.first[i + 1] - here.first[i])));
      const move = chosen.map((at) => here.moves[at]);
      const parent = Int32Array.from(left.keys());
      const after = await this.#winsAfter({ rows: this.rows.step(this.#take(children, left).rows, parent, move, here.turn), parent, move, look: here }, moves - 1);
      left = left.filter((_, i) => after[i]);
    }
    // One after the other: the first reply that escapes ends the look at its move.
    for (const at of left) {
      const replies = this.rows.expand(this.rows.at(children.rows, at), part(look, [at]));
      won[at] = (await this.#winsAfter(replies, moves - 1)).every(Boolean);
    }
    return won;
  }

  /** After which replies the other side wins within some own moves, or has won. */
  async #winsAfter(replies, moves) {
    await this.how.breathe();
    if (this.how.stopped()) throw new Stopped();
    const look = this.rows.look(replies.rows);
    const found = this.#ended(replies, look, -1);
    const going = indexes(look.over, (over) => !over);
    if (!going.length) return found;
    const won = await this.within(this.#take(replies, going).rows, moves, part(look, going));
    going.forEach((at, i) => (found[at] = won[i]));
    return found;
  }

  /** Whether the moves that led to states have won the game (1) or lost it (-1). */
  #ended({ parent, look: above }, look, result) {
    return look.over.map((over, i) => Number(over && look.result[i] * (this.rows.exchanges || above.turn[parent[i]] ? -1 : 1) === result));
  }

  #take({ rows, parent, move, look }, which) {
    return { rows: take(rows, which, this.rows.words), parent: Int32Array.from(which, (i) => parent[i]), move: Int32Array.from(which, (i) => move[i]), look };
  }
}

const indexes = (array, wanted) => [...array.keys()].filter((i) => wanted(array[i]));

/** For each of some parents, whether a flag of one of its children is set. */
function some(parent, flags, count) {
  const found = new Uint8Array(count);
  parent.forEach((each, i) => (found[each] ||= flags[i]));
  return found;
}

/** A look at some of the states. */
function part(look, which) {
  const first = new Int32Array(which.length + 1);
  const moves = [];
  which.forEach((at, i) => {
    moves.push(...look.moves.subarray(look.first[at], look.first[at + 1]));
    first[i + 1] = moves.length;
  });
  const pick = (array) => array.constructor.from(which, (at) => array[at]);
  return { n: which.length, over: pick(look.over), result: pick(look.result), turn: pick(look.turn), first, moves: Int32Array.from(moves) };
}
