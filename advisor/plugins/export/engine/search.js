// Alpha-beta over positions of any game: every move of the root gets its exact value, the same as
// plain full-width negamax to the same depth. advisor/engine/search.py is the same in Python.

import { Ahead } from "./ahead.js";
import { FORCED, INFINITE, WIN } from "./rows.js";

const LEAVES_OF_ONE = 512; // leaves, about, of a batch of the last plies below one position
const LEAVES_OF_TWO_PLIES = 1 << 12;
const LEAVES_AT_ONCE = 1 << 14;
const ROOM = 1 << 18; // positions in the table; once it is full, it is cleared

const [EXACT, AT_LEAST, AT_MOST] = [0, 1, 2];

/** The search has to stop. */
export class Stopped extends Error {}

/** A value with forced results counted from the root, given those from a node at `ply`. */
const fromNode = (value, ply) => (value >= FORCED ? value - ply : value <= -FORCED ? value + ply : value);

/** A state of a game and its player to move; treat as immutable. */
export class Node {
  /**
   * @param {Int32Array} row
   * @param {Object} seen `over`, `result`, `turn` and `late` of the look at it; `moves`, its legal ones
   * @param {number} turn the player to move, whichever role the state gives it
   */
  constructor(game, row, seen, turn, again) {
    Object.assign(this, { game, row, seen, turn, again, drawn: false, made: null });
  }

  /** The position of one state. */
  static of(game, row, turn, again = null) {
    const look = game.look(row);
    const seen = seenAt(look, 0);
    return new Node(game, row, seen, game.exchanges ? turn : seen.turn, again);
  }

  get key() {
    const kept = this.seen.late ? this.row.join() : this.game.identity(this.row);
    return `${kept},${this.turn}`;
  }

  /** The factor that turns a value for the state's role 0 into one for the player to move. */
  get sign() {
    return !this.game.exchanges && this.turn ? -1 : 1;
  }

  /** The result for the player to move, null while the game goes on. */
  get result() {
    if (this.seen.over) return this.seen.result * this.sign;
    return this.drawn ? 0 : null;
  }

  /** The legal moves, those that look better after one ply first, each with the position it leads to. */
  get children() {
    if (this.made) return this.made;
    const { game, seen } = this;
    const look = { n: 1, turn: [seen.turn], first: [0, seen.moves.length], moves: seen.moves };
    const { rows, move } = game.expand(this.row, look);
    const ahead = new Ahead(game);
    const values = ahead.settled(rows, game.leaf(rows), game.noisyPlies).map((value) => ahead.forMover(seen.turn, value));
    const order = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
    const again = this.again?.next() ?? null;
    const drawn = again?.among(rows);
    const looks = game.look(rows);
    this.made = new Map();
    for (const i of order) {
      const below = seenAt(looks, i);
      const child = new Node(game, game.at(rows, i), below, game.exchanges ? 1 - this.turn : below.turn, again);
      child.drawn = Boolean(drawn?.[i]);
      this.made.set(move[i], child);
    }
    return this.made;
  }

  /** The noisy moves from here to the state that gives it its value; often none. */
  settling() {
    const { game } = this;
    const line = [];
    let node = this;
    for (let left = game.noisyPlies - 1; left >= 0; left--) {
      const leaf = game.leaf(node.row);
      const children = game.expand(node.row, game.noisy(node.row));
      if (leaf.certain[0] || !children.move.length) break;
      const ahead = new Ahead(game);
      const below = ahead.settled(children.rows, game.leaf(children.rows), left).map((value) => ahead.forMover(children.look.turn[0], value));
      const most = Math.max(...below);
      if (most <= leaf.values[0] * node.sign) break;
      line.push(children.move[below.indexOf(most)]);
      node = node.children.get(line.at(-1));
    }
    return line;
  }
}

const seenAt = (look, i) => ({ over: look.over[i], result: look.result[i], turn: look.turn[i], late: look.late[i], moves: look.moves.slice(look.first[i], look.first[i + 1]) });

/** The greatest number of plies with at most `leaves` leaves, at least one. */
function pliesWithin(branching, leaves) {
  let plies = 1;
  while (branching ** (plies + 1) <= leaves) plies++;
  return plies;
}

/**
 * Searches deeper and deeper.
 * @param {Node} root whose game goes on
 * @param {Object} how `depth`; `stopped` says whether to stop; `bonus`, a Map, is added to a move's
 * heuristic value; `onIteration` is told the result of every depth; `breathe` lets others work
 * @returns the values and lines of all moves, and whether every line was followed to its end
 */
export async function search(root, { depth = Infinity, stopped = () => false, bonus = new Map(), onIteration = () => {}, breathe = () => {} } = {}) {
  const tree = new Search(root, bonus);
  let order = [...root.children.keys()];
  let done = null;
  try {
    for (let plies = 1; plies <= depth; plies++) {
      done = await tree.iteration(order, plies, breathe);
      onIteration(done);
      if (Math.abs(done.value) >= FORCED || done.exhaustive) break;
      const { scores } = done;
      order = order.toSorted((a, b) => scores.get(b) - scores.get(a));
      tree.stopped = stopped;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return { ...done, nodes: tree.nodes, leaves: tree.ahead.leaves };
}

class Search {
  constructor(root, bonus) {
    const moves = [...root.children];
    // A move that ends the game as a draw has a certain value, unless it only leads back to the root.
    this.drawn = new Set(moves.filter(([, child]) => child.result === 0 && child.key !== root.key).map(([move]) => move));
    this.bonus = new Map([...bonus].filter(([move]) => !this.drawn.has(move)));
    this.root = root;
    this.ahead = new Ahead(root.game);
    this.branching = Math.max(2, moves.length);
    this.atOnce = Math.max(pliesWithin(this.branching, LEAVES_OF_ONE), Math.min(2, pliesWithin(this.branching, LEAVES_OF_TWO_PLIES)));
    this.stopped = () => false; // the first ply is always finished
    this.table = new Map();
    this.killers = [];
    this.nodes = 0;
    this.guesses = 0; // heuristic values used so far; a result found without new ones is certain
  }

  async iteration(order, depth, breathe) {
    const { root } = this;
    const before = this.guesses;
    this.nodes++;
    const children = order.map((move) => root.children.get(move));
    const values = [];
    for (const some of depth - 1 > this.atOnce ? children.map((child) => [child]) : [children]) {
      values.push(...this.values(some, depth - 1, 1));
      await breathe();
    }
    const scores = new Map(order.map((move, i) => [move, this.raised(move, children[i].turn === root.turn ? values[i] : -values[i], 1)]));
    const exhaustive = this.guesses === before;
    if (exhaustive) for (const [move, value] of scores) scores.set(move, this.raised(move, value, -1));
    const value = Math.max(...scores.values());
    const best = [...root.children.keys()].filter((move) => scores.get(move) === value);
    const lines = new Map([...scores].map(([move, score]) => [move, this.line(move, depth, Math.abs(score) >= FORCED)]));
    return { depth, value, best, scores, lines, exhaustive, drawn: this.drawn };
  }

  /** A root move's value with its bonus, unless it is forced; `times` -1 takes the bonus away. */
  raised(move, value, times) {
    return Math.abs(value) >= FORCED ? value : value + times * (this.bonus.get(move) ?? 0);
  }

  /** The values of positions at one ply, for their sides to move; forced results count from the root. */
  values(nodes, plies, ply) {
    if (plies > this.atOnce) return nodes.map((node) => this.value(node, plies, -INFINITE, INFINITE, ply));
    const results = nodes.map((node) => node.result);
    const going = nodes.filter((_, i) => results[i] === null);
    const found = [];
    const before = this.ahead.guesses;
    const size = Math.max(1, Math.floor(LEAVES_AT_ONCE / (this.branching ** plies * (1 + this.root.game.noisyPlies))));
    for (let from = 0; from < going.length; from += size) {
      this.listen();
      const some = going.slice(from, from + size);
      const { words } = some[0].game;
      const rows = new Int32Array(some.length * words);
      some.forEach((node, i) => rows.set(node.row, i * words));
      this.ahead.look(rows, plies, some[0].again).forEach((value, i) => found.push(value * some[i].sign));
    }
    this.guesses += this.ahead.guesses - before;
    let next = 0;
    return results.map((result) => fromNode(result === null ? found[next++] : result * WIN, ply));
  }

  /** The fail-soft alpha-beta value: exact inside the window, otherwise a bound. */
  value(node, depth, alpha, beta, ply) {
    if (node.result !== null) return node.result * (WIN - ply);
    if (depth <= this.atOnce) return this.values([node], depth, ply)[0];
    this.listen();
    this.nodes++;
    const { key } = node;
    const entry = this.table.get(key);
    if (entry && (entry.depth === depth || (entry.certain && entry.depth < depth))) {
      const value = fromNode(entry.value, ply);
      if (entry.bound === EXACT || (entry.bound === AT_LEAST && value >= beta) || (entry.bound === AT_MOST && value <= alpha)) {
        this.guesses += entry.certain ? 0 : 1;
        return value;
      }
    }
    for (const child of node.children.values()) if (child.result === (child.turn === node.turn ? 1 : -1)) return WIN - ply - 1;
    const before = this.guesses;
    const { value, move } = this.bestOf(node, depth, alpha, beta, ply, entry?.move);
    if (value >= beta) this.killers[ply] = move;
    const bound = value >= beta ? AT_LEAST : value > alpha ? EXACT : AT_MOST;
    const certain = this.guesses === before || Math.abs(value) >= FORCED;
    if (this.table.size >= ROOM) this.table.clear();
    this.table.set(key, { depth, bound, value: fromNode(value, -ply), move, certain });
    return value;
  }

  bestOf(node, depth, alpha, beta, ply, hint) {
    const rank = (move) => (move === hint ? 0 : move === this.killers[ply] ? 1 : 2);
    const moves = [...node.children.keys()].sort((a, b) => rank(a) - rank(b));
    let best = { value: -INFINITE, move: moves[0] };
    const take = (move, value) => value > best.value && (best = { value, move });
    if (depth - 1 <= this.atOnce) {
      // The eldest child may cause a cutoff; otherwise its siblings form one batch.
      for (const group of [moves.slice(0, 1), moves.slice(1)]) {
        if (best.value >= beta || !group.length) break;
        const children = group.map((move) => node.children.get(move));
        this.values(children, depth - 1, ply + 1).forEach((value, i) => take(group[i], children[i].turn === node.turn ? value : -value));
      }
      return best;
    }
    for (const move of moves) {
      const low = Math.max(alpha, best.value);
      take(move, this.childValue(node, node.children.get(move), depth - 1, low, beta, ply + 1, best.value !== -INFINITE));
      if (best.value >= beta) break;
    }
    return best;
  }

  /** The value of a child for the side to move above it; a `doubted` one first gets a narrow window. */
  childValue(node, child, depth, alpha, beta, ply, doubted = false) {
    if (doubted && beta - alpha > 1) {
      const value = this.childValue(node, child, depth, alpha, alpha + 1, ply);
      if (!(alpha < value && value < beta)) return value;
    }
    return child.turn === node.turn ? this.value(child, depth, alpha, beta, ply) : -this.value(child, depth, -beta, -alpha, ply);
  }

  /** The principal variation that begins with a move; a forced one goes to its end. */
  line(first, depth, forced) {
    const moves = [first];
    let node = this.root.children.get(first);
    if (depth === 1 && !forced) return moves;
    let value = this.value(node, depth - 1, -INFINITE, INFINITE, 1);
    while (node.result === null && (moves.length < depth || forced)) {
      const move = this.reaching(node, value, Math.max(1, depth - moves.length), moves.length);
      if (move === null) break; // a game may say that a position is won without saying how
      const { turn } = node;
      moves.push(move);
      node = node.children.get(move);
      if (node.turn !== turn) value = -value;
    }
    return moves;
  }

  /** The first move that leads a position at `ply` to its value at this depth. */
  reaching(node, value, depth, ply) {
    const children = [...node.children];
    if (depth - 1 <= this.atOnce) {
      const values = this.values(children.map(([, child]) => child), depth - 1, ply + 1);
      const at = values.findIndex((found, i) => (children[i][1].turn === node.turn ? found : -found) === value);
      return at < 0 ? null : children[at][0];
    }
    const found = children.find(([, child]) => this.childValue(node, child, depth - 1, value - 1, value, ply + 1) >= value);
    return found ? found[0] : null;
  }

  listen() {
    if (this.stopped()) throw new Stopped();
  }
}
