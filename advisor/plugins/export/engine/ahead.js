// Full-width look-ahead over batches of states; `Ahead` of advisor/engine/rows.py in JavaScript.

import { FORCED, WIN } from "./rows.js";

const NOTHING = -(WIN + 1); // less than every value
const ROUNDS = [0, 1, 4]; // ranks where rounds begin: the leaves below a state are settled 1, then 3, then the rest
const AT_ONCE = 1 << 12; // states that are expanded together

/** A value as seen one ply above: forced results are one ply further off. */
export const fromAbove = (value) => value - (value >= FORCED) + (value <= -FORCED);

const sign = (turn) => (turn ? -1 : 1);

export class Ahead {
  /** @param {import("./rows.js").Rows} game */
  constructor(game) {
    this.game = game;
    this.leaves = this.guesses = 0; // static values, and how many of them were heuristic
  }

  /**
   * Negamax values of states, `plies` ahead, for role 0; forced results count from each state.
   * @param {Recurrences} again states that are a draw below these, or null
   */
  look(rows, plies, again = null) {
    const { words } = this.game;
    const n = this.game.count(rows);
    if (n <= AT_ONCE) return this.#look(rows, plies, again);
    const values = new Float64Array(n);
    for (let from = 0; from < n; from += AT_ONCE) {
      values.set(this.#look(rows.subarray(from * words, (from + AT_ONCE) * words), plies, again), from);
    }
    return values;
  }

  #look(rows, plies, again) {
    const { game } = this;
    if (plies === 0) {
      const leaves = game.leaf(rows);
      this.#count(leaves);
      return this.settled(rows, leaves, game.noisyPlies);
    }
    const children = game.expand(rows);
    const { look } = children;
    const best = new Float64Array(look.n);
    for (let i = 0; i < look.n; i++) best[i] = look.over[i] ? sign(look.turn[i]) * look.result[i] * WIN : NOTHING;
    again = again?.next() ?? null;
    if (plies === 1 && game.noisyPlies) {
      const leaves = game.leaf(children.rows);
      again?.among(children.rows).forEach((drawn, i) => drawn && ((leaves.values[i] = 0), (leaves.certain[i] = 1)));
      this.#count(leaves);
      this.#raise(children, leaves, best, game.noisyPlies, ROUNDS);
    } else {
      const { distinct, copy } = merged(children.rows, game.words);
      const ahead = this.look(distinct, plies - 1, again);
      again?.among(distinct).forEach((drawn, i) => drawn && (ahead[i] = 0));
      for (let i = 0; i < copy.length; i++) {
        const parent = children.parent[i];
        const value = this.forMover(look.turn[parent], ahead[copy[i]]);
        if (value > best[parent]) best[parent] = value;
      }
    }
    return best.map((value, i) => value * sign(look.turn[i]));
  }

  /** The value of a child, given for role 0 there, for the side to move one ply above. */
  forMover(turn, value) {
    const below = fromAbove(value);
    return this.game.exchanges || turn ? -below : below;
  }

  #count({ certain }) {
    this.leaves += certain.length;
    for (const each of certain) this.guesses += 1 - each;
  }

  /** Values of leaves after a search of their noisy moves; the side to move may always stand pat. */
  settled(rows, leaves, plies) {
    const { game } = this;
    const values = leaves.values.slice();
    if (!plies) return values;
    const open = [...leaves.certain.keys()].filter((i) => !leaves.certain[i]);
    if (!open.length) return values;
    const some = take(rows, open, game.words);
    const look = game.noisy(some);
    const children = game.expand(some, look);
    const best = Float64Array.from(open, (at, i) => values[at] * sign(look.turn[i]));
    if (children.move.length) this.#raise(children, game.leaf(children.rows), best, plies - 1, [0]);
    open.forEach((at, i) => (values[at] = best[i] * sign(look.turn[i])));
    return values;
  }

  /**
   * Raises `best`, values for the side to move, to those of settled children: noisy moves can only
   * raise a child's value for the side to move there, so a child that promises no more than was
   * found is left out.
   */
  #raise(children, leaves, best, plies, rounds) {
    const { parent, look } = children;
    const promise = leaves.values.map((value, i) => this.forMover(look.turn[parent[i]], value));
    const order = Uint32Array.from(promise.keys()).sort((a, b) => parent[a] - parent[b] || promise[b] - promise[a] || a - b);
    const rank = new Uint32Array(order.length);
    for (let i = 1; i < order.length; i++) rank[i] = parent[order[i]] === parent[order[i - 1]] ? rank[i - 1] + 1 : 0;
    rounds.forEach((start, round) => {
      const end = rounds[round + 1] ?? Infinity;
      const some = order.filter((at, i) => start <= rank[i] && rank[i] < end && promise[at] > best[parent[at]]);
      if (!some.length) return;
      const part = { values: Float64Array.from(some, (at) => leaves.values[at]), certain: Uint8Array.from(some, (at) => leaves.certain[at]) };
      const values = this.settled(take(children.rows, some, this.game.words), part, plies);
      some.forEach((at, i) => {
        const value = this.forMover(look.turn[parent[at]], values[i]);
        if (value > best[parent[at]]) best[parent[at]] = value;
      });
    });
  }
}

/** Some of the states. */
export function take(rows, which, words) {
  const found = new Int32Array(which.length * words);
  for (let i = 0; i < which.length; i++) for (let w = 0; w < words; w++) found[i * words + w] = rows[which[i] * words + w];
  return found;
}

/** The states without doubles, and for each state its number among these. */
function merged(rows, words) {
  const n = rows.length / words;
  let bits = 4;
  while (1 << bits < 2 * n) bits++;
  const table = new Int32Array(1 << bits).fill(-1);
  const copy = new Int32Array(n);
  const kept = [];
  for (let i = 0; i < n; i++) {
    let hash = 0;
    for (let w = 0; w < words; w++) hash = Math.imul(hash ^ rows[i * words + w], 0x9e3779b1) ^ (hash >>> 15);
    let place = Math.imul(hash, 0x85ebca6b) >>> (32 - bits);
    while (table[place] >= 0 && !same(rows, i, kept[table[place]], words)) place = (place + 1) & (table.length - 1);
    if (table[place] < 0) table[place] = kept.push(i) - 1;
    copy[i] = table[place];
  }
  return { distinct: kept.length === n ? rows : take(rows, kept, words), copy };
}

function same(rows, i, j, words) {
  for (let w = 0; w < words; w++) if (rows[i * words + w] !== rows[j * words + w]) return false;
  return true;
}

/** States that are a draw if they come again; advisor/engine/recurrences.py says why. */
export class Recurrences {
  constructor(game, here, there, supposed = false) {
    Object.assign(this, { game, here, there, supposed });
  }

  /**
   * The states that must not come again where one that has stood `times` times is a draw.
   * @param {string[]} before identities of the states before, the latest one last
   */
  static of(game, before, row, times) {
    const now = game.identity(row);
    const often = (states) => {
      const count = new Map();
      for (const state of states) count.set(state, (count.get(state) ?? 0) + 1);
      return new Set([...count].filter(([, n]) => n >= times - 1).map(([state]) => state));
    };
    const states = [...before, now];
    if (!game.exchanges) {
      const drawn = often(states);
      const supposed = !drawn.has(now);
      drawn.add(now);
      return new Recurrences(game, drawn, drawn, supposed);
    }
    const every = (last) => states.filter((_, i) => i <= last && (last - i) % 2 === 0);
    const here = often(every(states.length - 1));
    const supposed = !here.has(now);
    here.add(now);
    return new Recurrences(game, here, often(every(states.length - 2)), supposed);
  }

  /** Whether a win that is found without looking back is a real one. */
  get harmless() {
    return this.here.size + (this.there === this.here ? 0 : this.there.size) === 1;
  }

  /** As seen one ply later. */
  next() {
    return new Recurrences(this.game, this.there, this.here);
  }

  /** Which states must not come again. */
  among(rows) {
    const found = new Uint8Array(this.game.count(rows));
    if (this.here.size) for (let i = 0; i < found.length; i++) found[i] = this.here.has(this.game.identity(this.game.at(rows, i)));
    return found;
  }
}
