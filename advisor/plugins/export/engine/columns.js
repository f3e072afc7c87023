// Connect Four: moves are columns, and the position is what a page with a board of columns draws.

import { Refusal, checked } from "./position.js";
import { few, inWords } from "./plain.js";

const DISCS = ["x", "o"];
const COLOURS = ["red", "yellow"];

const letters = (column) => String.fromCharCode(96 + column);
const squareName = ([row, column]) => `${letters(column)}${row}`;

export const columns = {
  tellsTurn: true,
  roles: DISCS,

  read(engine, text) {
    const bare = text.trim();
    if (/^[\d,\s]*$/.test(bare)) {
      const compact = bare.replace(/\s/g, "");
      const wide = engine.game.still.constants.width > 9 || compact.includes(",");
      const said = wide ? compact.split(",").filter(Boolean) : [...compact];
      return { begun: { row: engine.rows.start, exchanged: false, text: "" }, said };
    }
    const moves = /^moves:\s*"?([\d,]*)"?\s*$/m.exec(bare);
    if (moves) return this.read(engine, moves[1]);
    const picture = bare.replace(/^board:\s*\|?\s*$/m, "").split(/\/|\n/).map((row) => row.replace(/\s/g, "")).filter((row) => /^[.xo]+$/.test(row));
    return { begun: drawn(engine, picture, /^turn:\s*([xo])/m.exec(bare)?.[1]), said: [] };
  },

  rearranged(engine, bits, side) {
    const text = pictureOf(engine, bits).join("/");
    return `${text}\nturn: ${DISCS[side]}`;
  },

  code: (position, number) => position.move(number).squares[0][0],

  names: (position) => new Map(position.legal.map((number) => [number, position.move(number).squares[0][0]])),

  find: (position, said) => position.legal.find((number) => String(position.names.get(number)) === String(said)),

  texts: () => ({}),

  outcome: ({ kind, moves, proved }) => `${{ win: "wins", loss: "loses", draw: "draws" }[kind]}${moves === null ? "" : ` in ${moves}`}${proved ? " (proved)" : ""}`,

  /** The words for lines, the square, its row, and the squares that the lines lack after the move. */
  words(position, number, places) {
    const [column, row] = position.move(number).squares[0];
    const stand = new Set(position.shown.map(([x, y]) => `${y},${x}`));
    const spans = merged(places.map(({ squares }) => squares).filter(({ length }) => length));
    const where = spans.map(lineName);
    const holes = new Map(places.flatMap(({ squares }) => squares).map((square) => [String(square), square]));
    const open = [...holes].filter(([at]) => !stand.has(at) && at !== `${row},${column}`).map(([, square]) => square);
    open.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    return {
      where: few(where),
      lines: `${places.length === 1 ? "a line" : where.length === places.length ? "lines" : `${inWords(places.length)} lines`} ${few(where)}`,
      holes: few(open.map(squareName)),
      square: squareName([row, column]),
      rows: row % 2 ? "odd" : "even",
    };
  },

  /** A position as the page draws a board of columns. */
  toJson(position) {
    const { game } = position.engine;
    const { width, height, connect } = game.still.constants;
    const rows = pictureOf(position.engine, position.engine.bits(position.row));
    const lines = position.winner === null ? [] : linesOf(rows, DISCS[position.winner], connect);
    const capital = (text) => text[0].toUpperCase() + text.slice(1);
    const status = !position.over ? `${capital(COLOURS[position.side])} to move.` : lines.length ? `${capital(COLOURS[position.winner])} has won ${lines.map(lineName).join(" and ")}.` : "The game is over: a draw.";
    const made = position.path.map(({ code }) => code);
    const { text } = position.begun;
    return {
      width,
      height,
      connect,
      rows,
      turn: DISCS[position.side],
      moves: position.legal.map((number) => position.move(number).squares[0]).sort((a, b) => a[0] - b[0]),
      discs: rows.join("").replaceAll(".", "").length,
      over: position.over,
      winner: position.winner === null ? null : DISCS[position.winner],
      lines,
      status,
      text: rows.join("/"),
      yaml: text || !made.length ? `board: |\n${rows.map((row) => `  ${row}\n`).join("")}` : `moves: "${made.join(width > 9 ? "," : "")}"\n`,
      made: text ? [] : made,
      short: text ? rows.join("/") : made.join(width > 9 ? "," : ""),
      accepts: "moves as 4453, or rows of . x o with / between",
    };
  },
};

/** The rows of the board, top first. */
function pictureOf({ game }, bits) {
  const held = new Set(bits);
  const stand = new Map(game.pieces.filter(([, , , bit]) => held.has(bit)).map(([x, y, symbol]) => [`${x},${y}`, symbol]));
  const [width, height] = game.size;
  return Array.from({ length: height }, (_, i) => Array.from({ length: width }, (_, x) => stand.get(`${x + 1},${height - i}`) ?? ".").join(""));
}

/** The beginning that a picture shows. */
function drawn(engine, picture, turn) {
  const { game } = engine;
  const [width, height] = game.size;
  if (picture.length !== height || picture.some((row) => row.length !== width)) throw new Refusal(`board: use ${height} rows of ${width} squares (. x o), with / between`);
  const rows = [...picture].reverse();
  const count = DISCS.map((disc) => rows.join("").split(disc).length - 1);
  for (let y = 1; y < height; y++) for (let x = 0; x < width; x++) if (rows[y][x] !== "." && rows[y - 1][x] === ".") throw new Refusal(`board: a disc on ${squareName([y + 1, x + 1])} rests on nothing`);
  const side = turn ? DISCS.indexOf(turn) : count[0] > count[1] ? 1 : 0;
  const bits = game.pieces.filter(([x, y, symbol]) => rows[y - 1][x - 1] === symbol).map(([, , , bit]) => bit);
  bits.push(game.pairs[0][side]);
  const text = `${picture.join("/")}${turn ? `\nturn: ${turn}` : ""}`;
  return { row: checked(engine, engine.rows.row(bits)), exchanged: false, text };
}

/** "on a1-d4", from left to right or from below; "on d1" for a square. */
function lineName(squares) {
  const ends = [squares[0], squares.at(-1)].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return `on ${[...new Set(ends.map(squareName))].join("-")}`;
}

/** Lines with those that overlap on one straight joined, each from end to end. */
function merged(lines) {
  const found = [];
  const order = (a, b) => a[0] - b[0] || a[1] - b[1];
  const direction = ([first, next = first]) => `${next[0] - first[0]},${next[1] - first[1]}`;
  for (const line of lines.map((squares) => [...squares].sort(order)).sort((a, b) => order(a[0], b[0]) || order(a.at(-1), b.at(-1)))) {
    const names = new Set(line.map(String));
    const at = found.findIndex((span) => direction(span) === direction(line) && span.some((square) => names.has(String(square))));
    if (at < 0) found.push(line);
    else found[at] = [...new Map([...found[at], ...line].map((square) => [String(square), square])).values()].sort(order);
  }
  return found;
}

/** The lines of a disc on a board that win. */
function linesOf(rows, disc, connect) {
  const found = [];
  for (const [dy, dx] of [[0, 1], [1, 0], [1, 1], [-1, 1]]) {
    for (let row = 1; row <= rows.length; row++) {
      for (let column = 1; column <= rows[0].length; column++) {
        const line = Array.from({ length: connect }, (_, i) => [row + i * dy, column + i * dx]);
        if (line.every(([y, x]) => rows[rows.length - y]?.[x - 1] === disc)) found.push(line);
      }
    }
  }
  return found;
}
