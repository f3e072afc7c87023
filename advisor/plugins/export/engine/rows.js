// A game over rows of words, many states at once; advisor/engine/rows.py says the same in Python.

import { compile } from "./wasm.js";

export const WIN = 2 ** 40;
export const FORCED = WIN - 2 ** 20;
export const INFINITE = WIN + 1;

const SIDE = 128; // states of one call

/** A game's functions over rows: a state is `words` words of 32 bits, a batch is an Int32Array. */
export class Rows {
  /** @param {Object} game as description.py describes it. */
  static async of(game) {
    const { state, step } = game.functions;
    const found = new Rows(game);
    const names = ["look", "leaf", "noisy"].filter((name) => name in state.functions);
    const [play, made] = await Promise.all([compile(state, names, 32 * found.words), compile(step, ["step"], 32 * (found.words + found.moveWords))]);
    return Object.assign(found, { play, made });
  }

  constructor(game) {
    this.words = game.columns / 32;
    this.moveCount = game.moves[0].length;
    this.legalWords = Math.ceil(this.moveCount / 32);
    this.exchanges = game.exchanges;
    this.noisyPlies = game.noisy_plies;
    this.values = game.values;
    this.known = "leaf" in game.functions.state.functions;
    this.digits = this.known ? game.functions.state.functions.leaf.length - game.values.length : 0;
    const last = game.patterns.reduce((most, bits) => Math.max(most, bits.at(-1) ?? 0), 0);
    this.moveWords = (last >> 5) + 1;
    this.patterns = new Int32Array(game.patterns.length * this.moveWords);
    game.patterns.forEach((bits, row) => {
      for (const bit of bits) this.patterns[row * this.moveWords + (bit >> 5)] |= 1 << (bit & 31);
    });
    this.start = this.row(game.start);
    this.kept = this.row(game.counters).map((word) => ~word);
    this.found = new Int32Array(1 << 12); // moves of a look
  }

  /** The state in which some bits are set. */
  row(bits) {
    const row = new Int32Array(this.words);
    for (const bit of bits) row[bit >> 5] |= 1 << (bit & 31);
    return row;
  }

  count(rows) {
    return rows.length / this.words;
  }

  at(rows, i) {
    return rows.slice(i * this.words, (i + 1) * this.words);
  }

  /** What distinguishes a state, without its counters. */
  identity(row) {
    return row.map((word, i) => word & this.kept[i]).join();
  }

  /** What the rules say of states: moves from `first[i]` to `first[i + 1]`, in order. */
  look(rows) {
    const n = this.count(rows);
    const look = { n, over: new Uint8Array(n), result: new Int8Array(n), turn: new Uint8Array(n), late: new Uint8Array(n), first: new Int32Array(n + 1), moves: null };
    const { planes, run, at } = this.play;
    let found = 0;
    for (let from = 0; from < n; from += SIDE) {
      const some = Math.min(SIDE, n - from);
      enter(planes, 0, rows, this.words, this.words, from, some);
      run.look();
      found = this.#list(at.look, look.first, from, some, found);
      const status = 4 * (at.look + 32 * this.legalWords);
      for (let i = 0; i < some; i++) {
        const [word, bit] = [status + (i >> 5), i & 31];
        look.over[from + i] = (planes[word] >>> bit) & 1;
        look.result[from + i] = ((planes[word + 4] >>> bit) & 1) - ((planes[word + 8] >>> bit) & 1);
        look.turn[from + i] = (planes[word + 12] >>> bit) & 1;
        look.late[from + i] = (planes[word + 16] >>> bit) & 1;
      }
    }
    look.moves = this.found.slice(0, found);
    return look;
  }

  /** Lists moves by their planes, after the first `found` ones; returns how many there are then. */
  #list(plane, first, from, some, found) {
    const { planes } = this.play;
    const legal = this.legalOf(planes, plane, some);
    for (let i = 0; i < some; i++) {
      if (found + this.moveCount > this.found.length) this.found = grown(this.found, found + this.moveCount);
      for (let w = 0; w < this.legalWords; w++) {
        for (let bits = legal[i * this.legalWords + w]; bits; bits &= bits - 1) this.found[found++] = 32 * w + 31 - Math.clz32(bits & -bits);
      }
      first[from + i + 1] = found;
    }
    return found;
  }

  /** The legal moves of up to 128 states as words, by their planes. */
  legalOf(planes, plane, some) {
    return leave(planes, plane, this.legalWords, some);
  }

  /** The states after moves: move `moves[i]` in state `parents[i]`. */
  step(rows, parents, moves, turn) {
    const { words, moveWords } = this;
    const { planes, run, at } = this.made;
    const found = new Int32Array(moves.length * words);
    const both = words + moveWords;
    const block = new Int32Array(SIDE * both);
    for (let from = 0; from < moves.length; from += SIDE) {
      const some = Math.min(SIDE, moves.length - from);
      for (let i = 0; i < some; i++) {
        const parent = parents[from + i];
        const pattern = (moves[from + i] + (this.exchanges ? 0 : turn[parent] * this.moveCount)) * moveWords;
        for (let w = 0; w < words; w++) block[i * both + w] = rows[parent * words + w];
        for (let w = 0; w < moveWords; w++) block[i * both + words + w] = this.patterns[pattern + w];
      }
      enter(planes, 0, block, both, both, 0, some);
      run.step();
      found.set(leave(planes, at.step, words, some), from * words);
    }
    return found;
  }

  /** Static values of states for role 0, and whether they are certain. */
  leaf(rows) {
    const n = this.count(rows);
    const leaves = { values: new Float64Array(n), certain: new Uint8Array(n) };
    if (!this.known) {
      const { over, result } = this.look(rows);
      leaves.values.set(Float64Array.from(result, (won) => won * WIN));
      leaves.certain.set(over);
      return leaves;
    }
    const { planes, run, at } = this.play;
    for (let from = 0; from < n; from += SIDE) {
      const some = Math.min(SIDE, n - from);
      enter(planes, 0, rows, this.words, this.words, from, some);
      run.leaf();
      if (this.digits) this.#sums(at.leaf + this.values.length, leaves.values, from, some);
      this.values.forEach((value, k) => {
        for (let w = 0; 32 * w < some; w++) {
          for (let bits = planes[4 * (at.leaf + k) + w]; bits; bits &= bits - 1) {
            const i = 32 * w + 31 - Math.clz32(bits & -bits);
            if (i >= some) continue;
            leaves.values[from + i] = value;
            leaves.certain[from + i] = 1;
          }
        }
      });
    }
    return leaves;
  }

  /** Reads sums by the planes of their digits, the last of which is the sign. */
  #sums(plane, values, from, some) {
    const { planes } = this.play;
    for (let w = 0; 32 * w < some; w++) {
      for (let b = 0; b < 32; b++) square[b] = planes[4 * (plane + Math.min(b, this.digits - 1)) + w];
      transpose();
      for (let i = 0; i < Math.min(32, some - 32 * w); i++) values[from + 32 * w + i] = square[i];
    }
  }

  /** A look with the noisy moves alone; apart from these only the turn means anything. */
  noisy(rows) {
    const n = this.count(rows);
    const look = { n, turn: this.exchanges ? new Uint8Array(n) : this.look(rows).turn, first: new Int32Array(n + 1), moves: null };
    let found = 0;
    for (let from = 0; from < n; from += SIDE) {
      const some = Math.min(SIDE, n - from);
      enter(this.play.planes, 0, rows, this.words, this.words, from, some);
      this.play.run.noisy();
      found = this.#list(this.play.at.noisy, look.first, from, some, found);
    }
    look.moves = this.found.slice(0, found);
    return look;
  }

  /** All children of states, by the moves of a look at these. */
  expand(rows, look = this.look(rows)) {
    const parent = new Int32Array(look.moves.length);
    for (let i = 0; i < look.n; i++) parent.fill(i, look.first[i], look.first[i + 1]);
    return { rows: this.step(rows, parent, look.moves, look.turn), parent, move: look.moves, look };
  }
}

function grown(array, least) {
  const larger = new Int32Array(2 * least);
  larger.set(array);
  return larger;
}

const square = new Int32Array(32);

/** Turns the square: bit j of word i becomes bit i of word j. */
function transpose() {
  let mask = 0xffff;
  for (let j = 16; j; j >>= 1, mask ^= mask << j) {
    for (let k = 0; k < 32; k = (k + j + 1) & ~j) {
      const changed = ((square[k] >>> j) ^ square[k + j]) & mask;
      square[k + j] ^= changed;
      square[k] ^= changed << j;
    }
  }
}

/**
 * Writes rows as planes, 32 for each word.
 * @param {Int32Array} planes four words each
 * @param {number} first the plane of the first word's lowest bit
 * @param {Int32Array} rows each `length` words long, of which the first `words` count
 */
export function enter(planes, first, rows, words, length, from, some) {
  for (let r = 0; 32 * r < some; r++) {
    const height = Math.min(32, some - 32 * r);
    const begun = (from + 32 * r) * length;
    for (let w = 0; w < words; w++) {
      let any = 0;
      for (let i = 0; i < height; i++) any |= square[i] = rows[begun + i * length + w];
      const place = 4 * (first + 32 * w) + r;
      if (any) {
        square.fill(0, height);
        transpose();
        for (let b = 0; b < 32; b++) planes[place + 4 * b] = square[b];
      } else {
        for (let b = 0; b < 32; b++) planes[place + 4 * b] = 0;
      }
    }
  }
}

/** The inverse: rows of `words` words from planes. */
export function leave(planes, first, words, some) {
  const rows = new Int32Array(some * words);
  for (let r = 0; 32 * r < some; r++) {
    const height = Math.min(32, some - 32 * r);
    for (let w = 0; w < words; w++) {
      const place = 4 * (first + 32 * w) + r;
      let any = 0;
      for (let b = 0; b < 32; b++) any |= square[b] = planes[place + 4 * b];
      if (!any) continue;
      transpose();
      for (let i = 0; i < height; i++) rows[(32 * r + i) * words + w] = square[i];
    }
  }
  return rows;
}
