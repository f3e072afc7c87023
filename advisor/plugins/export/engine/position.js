// Positions of a game with the moves that led to them, as the page draws them.

import { Recurrences } from "./ahead.js";
import { Node } from "./search.js";
import { summed } from "./wasm.js";

/** What a request asks for cannot be had, in words for people. */
export class Refusal extends Error {}

/** A game in all its parts. */
export class Engine {
  constructor(game, rows, facts, notation) {
    Object.assign(this, { game, rows, facts, notation });
    this.fires = table(game.fires); // each a strategy, a move, a place or -1, and an output
    this.held = table(game.held); // each a feature, a role, a place, and an output
    this.roles = notation.roles ?? game.still.roles;
  }

  /** The position after moves from a beginning, both as texts or as the notation reads them. */
  position(text, moves = []) {
    const { begun, said } = this.notation.read(this, text ?? "");
    let position = this.begin(begun);
    [...said, ...moves].forEach((move, i) => {
      const legal = position.over ? undefined : this.notation.find(position, move);
      if (legal === undefined) {
        const place = i < said.length ? `move ${i + 1}` : `moves: move ${i - said.length + 1}`;
        throw new Refusal(`${place}: ${position.over ? `'${move}': the game is over` : `'${move}' is not legal for ${position.turn}`}`);
      }
      position = position.after(legal);
    });
    return position;
  }

  /** The position of a beginning as the notation reads it. */
  begin(begun) {
    return new Position(this, begun);
  }

  /** A state seen by the other side. */
  turned(row) {
    const { seen } = this.game;
    return this.rows.row(this.bits(row).map((bit) => seen[bit]));
  }

  bits(row) {
    const found = [];
    for (let bit = 0; bit < this.game.bits; bit++) if ((row[bit >> 5] >>> (bit & 31)) & 1) found.push(bit);
    return found;
  }
}

/** The rows of a table of numbers that is given column by column. */
function table(columns) {
  const [first = [], ...rest] = columns.map(summed);
  return first.map((value, i) => [value, ...rest.map((column) => column[i])]);
}

export class Position {
  /**
   * @param {Object} begun `row` and `exchanged`, and `text`, what the beginning is as a text, empty for the usual one
   * @param {Object[]} path the moves since then: each its `number`, `name`, `code`, `player` and `squares`
   */
  constructor(engine, begun, row = begun.row, exchanged = begun.exchanged, path = [], before = []) {
    Object.assign(this, { engine, begun, exchanged, path, before, follow: new Map() });
    const { rows, game } = engine;
    this.row = withoutMoot(engine, row);
    this.identity = rows.identity(this.row);
    this.look = rows.look(this.row);
    const earlier = rows.exchanges ? before.filter((_, i) => (before.length - i) % 2 === 0) : before;
    this.repeated = game.repetition !== null && 1 + earlier.filter((state) => state === this.identity).length >= game.repetition;
    this.over = Boolean(this.look.over[0]) || this.repeated;
    this.side = rows.exchanges ? Number(exchanged) : this.look.turn[0];
    const result = this.look.result[0] * (exchanged ? -1 : 1);
    this.winner = result ? (result > 0 ? 0 : 1) : null;
  }

  get turn() {
    return this.engine.roles[this.side];
  }

  /** The numbers of the legal moves. */
  get legal() {
    return this.over ? [] : [...this.look.moves];
  }

  /** What is known of a move, as the player who began sees it. */
  move(number) {
    const { moves } = this.engine.game;
    return moves[this.exchanged ? moves.length - 1 : 0][number];
  }

  /** The legal moves as people write them, by their numbers. */
  get names() {
    return (this.named ??= this.engine.notation.names(this));
  }

  after(number) {
    if (!this.follow.has(number)) {
      const { rows } = this.engine;
      const row = rows.step(this.row, [0], [number], this.look.turn);
      const made = { number, name: this.names.get(number), code: this.engine.notation.code(this, number), player: this.turn, squares: this.move(number).squares };
      const exchanged = rows.exchanges ? !this.exchanged : this.exchanged;
      this.follow.set(number, new Position(this.engine, this.begun, row, exchanged, [...this.path, made], [...this.before, this.identity]));
    }
    return this.follow.get(number);
  }

  /** The moves of a line as people write them; `codes` as requests take them. */
  told(line, codes = false) {
    let position = this;
    return line.map((number) => {
      const next = position.after(number);
      position = next;
      return next.path.at(-1)[codes ? "code" : "name"];
    });
  }

  /** The position as a search takes it, with the states that must not come again. */
  get root() {
    const { rows, game } = this.engine;
    const again = game.repetition === null ? null : Recurrences.of(rows, this.before, this.row, game.repetition);
    return Node.of(rows, this.row, this.side, again);
  }

  /** The state as the player who began sees it. */
  get asFirst() {
    return this.exchanged ? this.engine.turned(this.row) : this.row;
  }

  /** The contents of the squares: columns, rows and symbols. */
  get shown() {
    const held = this.engine.facts.held("board", this.asFirst);
    return this.engine.game.board.filter(([, , , output]) => held[output]);
  }

  /** The squares that a win needs, so that only one chain or line is left; none if they say nothing. */
  get decisive() {
    if (this.winner === null || !this.look.over[0]) return [];
    const { game, rows } = this.engine;
    const { seen } = game;
    const result = this.look.result[0];
    let kept = new Set(this.engine.bits(this.asFirst));
    const needed = [];
    for (const [x, y, bits] of game.standing) {
      const left = new Set([...kept].filter((bit) => !bits.includes(bit)));
      if (left.size === kept.size) continue;
      const look = rows.look(rows.row([...left].map((bit) => (this.exchanged ? seen[bit] : bit))));
      if (look.over[0] && look.result[0] === result) kept = left;
      else needed.push([x, y]);
    }
    const stand = new Map(this.shown.map(([x, y, symbol]) => [`${x},${y}`, symbol]));
    const alike = new Set(needed.map((square) => stand.get(String(square)))).size === 1;
    return needed.length > 1 && (alike || 2 * needed.length <= stand.size) ? needed : [];
  }

  get status() {
    const capital = (text) => text[0].toUpperCase() + text.slice(1);
    if (!this.over) return `${capital(this.turn)} to move.`;
    return `The game is over: ${this.winner === null ? "a draw" : `${this.engine.roles[this.winner]} has won`}.`;
  }

  /** The name of the longest known line that the game begins with; empty without one. */
  get opening() {
    const { opening_names: names = {} } = this.engine.game;
    if (this.begun.text) return "";
    for (let count = this.path.length; count; count--) {
      const name = names[this.path.slice(0, count).map(({ name }) => name).join(" ")];
      if (name) return name;
    }
    return "";
  }

  /** The position for a page; the same keys as the server's. */
  toJson() {
    const { game, notation } = this.engine;
    const [width, height] = game.size;
    const squares = new Set(game.squares.map(String));
    const stand = new Map(this.shown.map(([x, y, symbol]) => [`${x},${y}`, symbol]));
    const rows = [];
    for (let y = height; y > 0; y--) rows.push(Array.from({ length: width }, (_, i) => stand.get(`${i + 1},${y}`) ?? (squares.has(`${i + 1},${y}`) ? "" : null)));
    return {
      ...game.still,
      turn: this.over ? null : this.turn,
      rows,
      moves: this.legal.map((number) => {
        const { squares, clicks } = this.move(number);
        return { move: notation.code(this, number), name: this.names.get(number), squares, clicks };
      }),
      opening: this.opening,
      played: this.path.map(({ name }) => name),
      movers: this.path.map(({ player }) => player),
      made: this.path.map(({ code }) => code),
      last: this.path.at(-1)?.squares ?? [],
      decisive: this.decisive,
      over: this.over,
      winner: this.winner === null ? null : this.engine.roles[this.winner],
      status: this.status,
      ...notation.texts(this),
    };
  }
}

/** A state without the atoms that change nothing in it. */
function withoutMoot({ game, facts, rows }, row) {
  if (!game.moot.length) return row;
  const held = facts.held("moot", row);
  const moot = rows.row(game.moot.filter(([, output]) => held[output]).map(([bit]) => bit));
  return row.map((word, i) => word & ~moot[i]);
}

/**
 * A beginning with other things on some squares.
 * @param {Array} squares each its column, its row and what stands there then, an empty text for nothing
 * @param {string} turn who is to move then; null for who is
 */
export function setUp(position, squares, turn) {
  const { engine } = position;
  const { game, roles } = engine;
  const side = turn === null ? position.side : roles.indexOf(turn);
  if (side < 0) throw new Refusal(`turn: '${turn}' is no player (use ${roles.join(" or ")})`);
  const bits = new Set(engine.bits(position.asFirst));
  for (const [x, y, symbol] of squares) {
    const here = ([column, row]) => column === x && row === y;
    const pieces = game.pieces.filter(here);
    const blank = game.blanks.find(here);
    const piece = pieces.find(([, , text]) => text === symbol);
    if (symbol && !piece) throw new Refusal(`squares: no '${symbol}' stands on ${x},${y}`);
    for (const [, , , bit] of pieces) bits.delete(bit);
    if (blank) bits.delete(blank[2]);
    if (piece) bits.add(piece[3]);
    else if (blank) bits.add(blank[2]);
  }
  for (const pair of game.pairs) {
    if (!pair.some((bit) => bits.has(bit))) continue;
    for (const bit of pair) bits.delete(bit);
    bits.add(pair[side]);
  }
  return engine.position(engine.notation.rearranged(engine, [...bits], side));
}

/** What may stand on squares; nothing if only a notation of its own could tell the position. */
export function symbols({ game, notation }) {
  if (game.exchanges && !notation.tellsTurn) return [];
  return [...new Set(game.pieces.map(([, , symbol]) => symbol))].sort();
}

/** Refuses a beginning that is impossible. */
export function checked(engine, row) {
  const bits = new Set(engine.bits(row));
  for (const pair of engine.game.pairs) {
    if (pair.filter((bit) => bits.has(bit)).length !== 1) {
      throw new Refusal(`position: ${pair.map((bit) => engine.game.atoms[bit]).join(" or ")} must hold, and not both`);
    }
  }
  const squares = engine.game.pieces.filter(([, , , bit]) => bits.has(bit)).map(([x, y]) => `${x},${y}`);
  if (new Set(squares).size < squares.length) throw new Refusal("position: two things on a square (one thing stands on a square)");
  const look = engine.rows.look(row);
  if (!look.over[0] && !look.moves.length) throw new Refusal("position: nobody can move, and the game is not over");
  return row;
}
