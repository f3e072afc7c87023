// A tree of random games (UCT) for the rules of any game; advisor/engine/uct.py has its sources.
//
// 128 games are played side by side, each in a slot: bit i of every plane. A finished game is counted
// on its way up the tree; the next one descends from the root and starts where it leaves the tree.

import { enter, leave } from "./rows.js";

const SLOTS = 128;
const ROOM = 1 << 19; // entries
const STATE_WORDS = 1 << 21; // of listed states
const MAX_PLIES = 1000; // after which a random game counts as drawn
const EXPAND_AT = 8; // visits after which the moves of a state are listed
const [FEW_SLOTS, GAMES_A_SLOT] = [32, 64]; // games side by side at first, and finished games for each more
const BIAS = 0.001; // of RAVE: the greater, the sooner an entry's own games outweigh it
const EXPLORATION = 0.3;
const [DRAWN, CERTAIN] = [1, 1 << 20]; // certain results: a draw, or a win or loss less the plies to its end
const TELLING = 1 / 20; // a line goes on as long as this share of the games after its first move follows it

const COLUMNS = ["visits", "wins", "alikeVisits", "alikeWins", "proven", "first", "count", "move", "parent", "turn", "state"];

export class Tree {
  /**
   * @param {import("./search.js").Node} root whose game goes on
   * @param {boolean} proves the ends of games are certain: no state is a draw because of moves before the root
   */
  constructor(root, proves = true, seed = 1) {
    const { game } = root;
    this.game = game;
    this.root = root;
    this.proves = proves;
    for (const name of COLUMNS) this[name] = new Int32Array(ROOM);
    this.states = new Int32Array(STATE_WORDS);
    this.masks = game.legalWords;
    this.long = game.words + this.masks; // words of a listed state and the mask of its moves
    this.used = 1;
    this.listed = 0;
    this.means = new Int32Array(4 * 32 * this.masks).map((_, i) => 1 + (i & 1)); // of each move of each role: results, each plus 1, and games
    this.random = seed | 0 || 1;
    this.finished = 0;
    this.slots = {
      count: 0,
      planes: new Int32Array(4 * 32 * game.words),
      leaf: new Int32Array(SLOTS),
      age: new Int32Array(SLOTS),
      side: new Uint8Array(SLOTS),
      move: new Int32Array(SLOTS),
      played: new Int32Array(SLOTS * 2 * this.masks),
    };
    this.moves = new Int32Array(SLOTS * game.moveWords); // the columns of the moves that are made
    const mask = new Int32Array(this.masks);
    for (const move of root.seen.moves) mask[move >> 5] |= 1 << (move & 31);
    this.list(0, root.row, mask, game.exchanges ? root.turn : root.seen.turn);
  }

  /** Whether the root's result is certain. */
  get certain() {
    return this.proven[0] !== 0;
  }

  /** Tells what is certain of a root's move: "win", "loss" or "draw", and the plies to the end. */
  know(move, kind, plies) {
    const entry = this.first[0] + this.root.seen.moves.indexOf(move);
    if (!this.proven[entry]) this.prove(entry, { win: CERTAIN - plies + 1, loss: plies - 1 - CERTAIN, draw: DRAWN }[kind]);
  }

  /** Plays a ply of each game. */
  tick() {
    const { game, slots } = this;
    const { count, age, side } = slots;
    if (count) {
      const { planes, run, at } = game.play;
      planes.set(slots.planes);
      run.look();
      const legal = leave(planes, at.look, this.masks, count);
      const status = 4 * (at.look + 32 * this.masks);
      const over = [];
      const due = [];
      for (let i = 0; i < count; i++) {
        const [word, bit] = [status + (i >> 5), i & 31];
        const ended = (planes[word] >>> bit) & 1;
        if (!game.exchanges) side[i] = (planes[word + 12] >>> bit) & 1;
        if (ended || age[i] >= MAX_PLIES) over.push([i, ((planes[word + 4] >>> bit) & 1) - ((planes[word + 8] >>> bit) & 1), ended]);
        else {
          this.choose(i, legal);
          if (age[i] === 0) due.push(i);
        }
      }
      // What is listed needs the memory of the functions, so all is read before.
      for (const [i, result, ended] of over) {
        this.finish(i, result, ended);
        this.begin(i);
      }
      for (const i of due) this.expand(i, legal);
    }
    const few = FEW_SLOTS + this.count[0];
    while (slots.count < Math.min(SLOTS, few + Math.floor(this.finished / GAMES_A_SLOT))) this.begin(slots.count++);
    this.step();
  }

  step() {
    const { game, slots } = this;
    const { planes, run, at } = game.made;
    const { moveWords } = game;
    for (let i = 0; i < slots.count; i++) {
      const pattern = (slots.move[i] + (game.exchanges ? 0 : slots.side[i] * game.moveCount)) * moveWords;
      for (let w = 0; w < moveWords; w++) this.moves[i * moveWords + w] = game.patterns[pattern + w];
    }
    planes.set(slots.planes);
    enter(planes, 32 * game.words, this.moves, moveWords, moveWords, 0, slots.count);
    run.step();
    slots.planes.set(planes.subarray(4 * at.step, 4 * (at.step + 32 * game.words)));
    for (let i = 0; i < slots.count; i++) {
      slots.age[i]++;
      if (game.exchanges) slots.side[i] ^= 1;
    }
  }

  /** A random number below a bound. */
  below(bound) {
    let x = this.random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.random = x;
    return Math.floor(((x >>> 0) / 4294967296) * bound);
  }

  /** Chooses the one of two random moves with the better mean (MAST). */
  choose(i, legal) {
    const { masks, means, slots } = this;
    const begun = i * masks;
    let total = 0;
    for (let w = 0; w < masks; w++) total += ones(legal[begun + w]);
    const one = nth(legal, begun, this.below(total));
    const two = nth(legal, begun, this.below(total));
    const role = 64 * masks * slots.side[i];
    const [x, y] = [role + 2 * one, role + 2 * two];
    const move = means[y] * means[x + 1] > means[x] * means[y + 1] ? two : one;
    slots.move[i] = move;
    slots.played[(2 * i + slots.side[i]) * masks + (move >> 5)] |= 1 << (move & 31);
  }

  /** Counts the finished game of a slot; its result is as the state shows it. */
  finish(i, result, ended) {
    const { slots, proven, masks } = this;
    const leaf = slots.leaf[i];
    if (this.game.exchanges && slots.side[i]) result = -result;
    const mover = this.turn[this.parent[leaf]];
    if (slots.age[i] === 0 && ended && !proven[leaf] && this.proves) this.prove(leaf, (mover ? -result : result) * CERTAIN || DRAWN);
    if (proven[leaf]) {
      const own = proven[leaf] === DRAWN ? 0 : Math.sign(proven[leaf]);
      result = mover ? -own : own;
    }
    const { played } = slots;
    for (let entry = leaf; entry; entry = this.parent[entry]) {
      const node = this.parent[entry];
      const role = this.turn[node];
      const points = role ? -result : result;
      this.wins[entry] += points + 1;
      const begun = (2 * i + role) * masks;
      played[begun + (this.move[entry] >> 5)] |= 1 << (this.move[entry] & 31);
      for (let below = this.first[node], end = below + this.count[node]; below < end; below++) {
        const move = this.move[below];
        if (!((played[begun + (move >> 5)] >>> (move & 31)) & 1)) continue;
        this.alikeVisits[below]++;
        this.alikeWins[below] += points;
      }
    }
    this.wins[0] += 1 + (this.turn[0] ? -result : result);
    for (let role = 0; role < 2; role++) {
      const points = 1 + (role ? -result : result);
      for (let w = 0; w < masks; w++) {
        for (let bits = played[(2 * i + role) * masks + w]; bits; bits &= bits - 1) {
          const at = 2 * (32 * (role * masks + w) + 31 - Math.clz32(bits & -bits));
          this.means[at] += points;
          this.means[at + 1]++;
        }
      }
    }
    this.finished++;
  }

  /** Puts the next game into a slot: a state and the move to make there. */
  begin(i) {
    const { slots, game } = this;
    const leaf = this.descend();
    const node = this.parent[leaf];
    const begun = this.state[node] * this.long;
    const [word, bit] = [i >> 5, 1 << (i & 31)];
    for (let w = 0; w < game.words; w++) {
      const bits = this.states[begun + w];
      for (let b = 0, place = 128 * w + word; b < 32; b++, place += 4) {
        if ((bits >>> b) & 1) slots.planes[place] |= bit;
        else slots.planes[place] &= ~bit;
      }
    }
    slots.move[i] = this.move[leaf];
    slots.side[i] = this.turn[node];
    slots.leaf[i] = leaf;
    slots.age[i] = this.proven[leaf] ? MAX_PLIES - 1 : -1; // a certain one needs no game
    slots.played.fill(0, 2 * i * this.masks, 2 * (i + 1) * this.masks);
  }

  /** Descends from the root to the entry from which the next game begins. */
  descend() {
    const { visits, wins } = this;
    let entry = 0;
    visits[0]++;
    wins[0]--;
    while (this.first[entry]) {
      entry = this.best(entry);
      visits[entry]++;
      wins[entry]--; // a game under way counts as lost, so that others go elsewhere
      if (this.proven[entry]) break;
    }
    return entry;
  }

  /** The move to descend to: the mean of its own games and of all games in which it was made, and a bonus for few visits. */
  best(entry) {
    const { visits, wins, alikeVisits, alikeWins, proven } = this;
    const n = visits[entry];
    const alternating = this.turn[entry] !== this.turn[this.parent[entry]];
    const usual = ((alternating ? -1 : 1) * wins[entry]) / n;
    const seldom = Math.sqrt(Math.log(n + 1)) * EXPLORATION;
    const end = this.first[entry] + this.count[entry];
    let [most, found] = [-Infinity, 0];
    for (let i = this.first[entry]; i < end; i++) {
      let score = 0; // of a lost move
      if (proven[i] >= 0) {
        const [own, alike] = [visits[i], alikeVisits[i]];
        const sums = wins[i] * (1 + BIAS * alike) + alikeWins[i] + 1e-6 * usual;
        score = 4 + sums / (own + alike + BIAS * own * alike + 1e-6) + seldom / Math.sqrt(own + 1);
      }
      if (score > most) [most, found] = [score, i];
    }
    return found;
  }

  /** Lists the moves of the state in a slot, if it is due and there is room. */
  expand(i, legal) {
    const leaf = this.slots.leaf[i];
    if (this.first[leaf] || this.visits[leaf] < EXPAND_AT) return;
    if (this.used + 32 * this.masks > ROOM || (this.listed + 1) * this.long > STATE_WORDS) return;
    const { words } = this.game;
    const row = new Int32Array(words);
    const [word, bit] = [i >> 5, i & 31];
    for (let k = 0; k < 32 * words; k++) row[k >> 5] |= ((this.slots.planes[4 * k + word] >>> bit) & 1) << (k & 31);
    this.list(leaf, row, legal.subarray(i * this.masks, (i + 1) * this.masks), this.slots.side[i]);
    if (this.proves) this.tryMoves(leaf, row);
  }

  /** Lists the moves of a mask after an entry. */
  list(entry, row, mask, turn) {
    const begun = this.listed * this.long;
    this.states.set(row, begun);
    this.states.set(mask, begun + row.length);
    this.first[entry] = this.used;
    this.turn[entry] = turn;
    this.state[entry] = this.listed++;
    for (let w = 0; w < mask.length; w++) {
      for (let bits = mask[w]; bits; bits &= bits - 1) {
        this.move[this.used] = 32 * w + 31 - Math.clz32(bits & -bits);
        this.parent[this.used++] = entry;
      }
    }
    this.count[entry] = this.used - this.first[entry];
  }

  /** Proves which of the moves after an entry end the game; otherwise one reply among 300 would be found only by chance. */
  tryMoves(leaf, row) {
    const { game } = this;
    const first = this.first[leaf];
    const moves = this.move.subarray(first, first + this.count[leaf]);
    const turn = this.turn[leaf];
    const look = game.look(game.step(row, new Int32Array(moves.length), moves, [turn]));
    const sign = game.exchanges || turn ? -1 : 1;
    let [best, where] = [-Infinity, 0];
    for (let i = 0; i < moves.length; i++) {
      if (!look.over[i]) continue;
      const value = sign * look.result[i] * CERTAIN || DRAWN;
      this.proven[first + i] = value;
      if (value > best) [best, where] = [value, first + i];
    }
    if (where) this.prove(where, best);
  }

  /** Stores the certain result of an entry, and what follows from it up the tree. */
  prove(entry, value) {
    const { proven, parent, turn } = this;
    proven[entry] = value;
    while (entry) {
      const node = parent[entry];
      if (proven[node]) return;
      value = proven[entry];
      if (value <= DRAWN) {
        for (let i = this.first[node], end = i + this.count[node]; i < end; i++) {
          if (!proven[i]) return;
          value = Math.max(value, proven[i]);
        }
      }
      if (value !== DRAWN) {
        value -= Math.sign(value);
        if (turn[node] !== turn[parent[node]]) value = -value;
      }
      proven[node] = value;
      entry = node;
    }
  }

  /** What the tree tells of the root's moves: wins first, then those with the most games, losses last. */
  branches() {
    const found = [];
    for (let entry = this.first[0]; entry < this.first[0] + this.count[0]; entry++) {
      const value = this.proven[entry];
      const kind = value === 0 ? "heuristic" : value === DRAWN ? "draw" : value > 0 ? "win" : "loss";
      const plies = kind === "win" || kind === "loss" ? CERTAIN - Math.abs(value) + 1 : null;
      const games = this.visits[entry] - this.waiting(entry);
      found.push({ move: this.move[entry], games, mean: games ? (this.wins[entry] + this.waiting(entry)) / games : 0, kind, plies, ...this.line(entry) });
    }
    const order = { win: 0, heuristic: 1, draw: 1, loss: 2 };
    return found.sort((a, b) => order[a.kind] - order[b.kind] || b.games - a.games || b.mean - a.mean);
  }

  /** How many games under way began with a move of the root. */
  waiting(top) {
    let found = 0;
    for (let i = 0; i < this.slots.count; i++) {
      let entry = this.slots.leaf[i];
      while (this.parent[entry]) entry = this.parent[entry];
      if (entry === top) found++;
    }
    return found;
  }

  /** The line that is expected from an entry, and the share of its games that followed all of it. */
  line(entry) {
    const visits = Math.max(1, this.visits[entry]);
    const line = [this.move[entry]];
    let share = 1;
    while (this.first[entry]) {
      const by = this.proven[entry] ? this.proven : this.visits;
      let best = this.first[entry];
      for (let i = best + 1; i < this.first[entry] + this.count[entry]; i++) if (by[i] > by[best]) best = i;
      const going = this.visits[best] / visits;
      if (going < TELLING && !this.proven[entry]) break;
      entry = best;
      line.push(this.move[entry]);
      share = going;
    }
    return { line, share };
  }
}

/** The number of bits of a word that are set. */
function ones(word) {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The place of the n-th set bit of a mask. */
function nth(masks, begun, n) {
  let w = 0;
  for (let count = ones(masks[begun]); n >= count; count = ones(masks[begun + ++w])) n -= count;
  let bits = masks[begun + w];
  while (n--) bits &= bits - 1;
  return 32 * w + 31 - Math.clz32(bits & -bits);
}
