// Answers the requests of the page as the server does, from a game in this file.

import { advise } from "./advice.js";
import { chess } from "./chess.js";
import { columns } from "./columns.js";
import { Facts } from "./facts.js";
import { plain } from "./plain.js";
import { Engine, Refusal, setUp, symbols } from "./position.js";
import { puzzles, solved } from "./puzzles.js";
import { readTree, recordTree } from "./records.js";
import { Rows } from "./rows.js";

const NOTATIONS = { "": plain, chess, columns };

/** Makes the engine of a game that description.py describes. */
export async function makeEngine(game) {
  const rows = await Rows.of(game);
  const engine = new Engine(game, rows, await Facts.of(game, rows.words), NOTATIONS[game.notation]);
  if (game.openings) engine.book = readBook(game.openings);
  return engine;
}

/** The exact scores of all columns in positions of the opening book; null elsewhere. */
function readBook(lines) {
  const known = new Map();
  const mirrored = (moves) => [...moves].map((column) => 8 - column).join("");
  for (const line of lines) {
    const [moves, ...points] = line.split(" ");
    const played = /^\d+$/.test(moves) ? moves : "";
    known.set(played, points.map(Number));
  }
  // Moves may come in another order: the same discs have the same scores.
  const byBoard = new Map();
  const board = (moves) => {
    const stacks = Array.from({ length: 7 }, () => "");
    [...moves].forEach((column, i) => (stacks[column - 1] += "xo"[i % 2]));
    return stacks.join("/");
  };
  for (const [moves, points] of known) {
    byBoard.set(board(moves), points);
    byBoard.set(board(mirrored(moves)), [...points].reverse());
  }
  return (position) => {
    const stacks = Array.from({ length: 7 }, () => "");
    for (const [x, , symbol] of [...position.shown].sort((a, b) => a[1] - b[1])) stacks[x - 1] += symbol;
    return byBoard.get(stacks.join("/")) ?? null;
  };
}

/**
 * Answers a request.
 * @param {string} path of the server's interface, as "suggest"
 * @param {Object} body of the request
 * @param {Object} how `tell`, `stopped` and `breathe`; see advice.js
 */
export async function answer(engine, path, body, how) {
  const [name] = path.split(/[?/]/);
  const found = ANSWERS[name];
  if (!found) throw new Refusal(`${name}: this page works without a server, which alone can do that`);
  return found(engine, body ?? {}, how, path);
}

/** What the page may offer beside moves and advice. */
const abilities = ({ notation, puzzles }) => [...(notation === "columns" ? ["size", "plies", "setup"] : []), ...(puzzles.length ? ["puzzles"] : [])];

/** A position for the page, whose constants stay as they are. */
const drawn = (position) => position.engine.notation.toJson?.(position) ?? { ...position.toJson(), constants: {} };

/** The position of a request. */
function asked(engine, body) {
  const { board, start, moves = [] } = body;
  const { constants } = engine.game.still;
  for (const [name, value] of Object.entries(constants)) {
    if (value !== (body[name] ?? value)) throw new Refusal(`${name}: ${body[name]} (in this page it is ${value})`);
  }
  return engine.position(board ?? start ?? "", moves);
}

const ANSWERS = {
  games: ({ game }) => ({
    games: [{ game: game.name, title: game.title, board: game.notation === "columns" ? "columns" : "squares", can: abilities(game), presets: ["default"], scale: game.scale }],
  }),
  server: ({ game }) => ({ presets: ["default"], default: "default", max_level: 20, max_seconds: 60, max_side: 40, weight_limit: 0, games: game.notation === "columns" ? [] : [game.name], max_constant: 0, scripts: [] }),
  program: ({ game }) => ({ files: game.program ?? [] }),
  position: (engine, body) => drawn(asked(engine, body)),
  setup(engine, body) {
    const { squares = [], turn = null } = body;
    const given = asked(engine, body);
    const position = squares.length || turn !== null ? setUp(given, squares, turn) : given;
    return { ...drawn(position), symbols: symbols(engine) };
  },
  tree: (engine, body) => readTree(engine, body),
  record: (engine, body) => recordTree(engine, body, drawn),
  puzzles: (engine, body, how, path) => puzzles(engine, path, body, drawn, how),
  async suggest(engine, body, how) {
    const position = asked(engine, body);
    return advise(position, body, how, await solved(position, body, how));
  },
  weights: () => ({ name: "default", depth: null, weights: [], yaml: "" }),
};
