// Chess: FEN, PGN and algebraic notation over the atoms of encodings/chess/rules.lp.

import { Refusal, checked } from "./position.js";
import { isRemark, mainLine, readGame, writeGame } from "./pgn.js";
import { plain } from "./plain.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FILES = "abcdefgh";
const RIGHTS = { K: "castle(own,king)", Q: "castle(own,queen)", k: "castle(opp,king)", q: "castle(opp,queen)" };
const HOMES = { K: "Ke1 Rh1", Q: "Ke1 Ra1", k: "ke8 rh8", q: "ke8 ra8" };
const FEN = /^\s*([pnbrqkPNBRQK1-8]+(?:\/[pnbrqkPNBRQK1-8]+){7})\s+([wb])\s+(-|K?Q?k?q?)\s+(-|[a-h][36])(?:\s+(\d{1,4})\s+(\d{1,4}))?/;
const MOVE = /^([KQRBN])?([a-h])?([1-8])?[-x:]?([a-h][1-8])=?([QRBNqrbn])?$/;

const square = (x, y) => `${FILES[x - 1]}${y}`;

export const chess = {
  tellsTurn: true,

  read(engine, text) {
    const { begun, moves } = this.readTree(engine, text);
    return { begun, said: [...mainLine(moves)].map((number) => moves[number - 1].text) };
  },

  /** The beginning that a text tells, and the moves of all its lines; see pgn.js. */
  readTree(engine, text) {
    const bare = text.trim().replace(/^startpos/, START);
    const told = FEN.exec(bare)?.[0] ?? "";
    const game = readGame(bare.slice(told.length).replace(/^\s*moves\b/, ""));
    const { tags, result, moves } = game;
    const begun = beginning(engine, told.trim() || (tags.FEN ?? START));
    begun.tags = Object.keys(tags).length || result !== "*" ? { ...tags, Result: result } : {};
    begun.told = [...mainLine(moves)].length;
    const said = Object.keys(begun.tags).filter((name) => /[^?.]/.test(begun.tags[name]) && !["Result", "SetUp", "FEN"].includes(name));
    if (said.length) begun.text = withoutEmptyTags(written({ begun, path: [] }, "*"));
    return { ...game, begun };
  },

  /** A game with variations as a text. */
  writeTree: ({ over, winner, begun }, moves, remarks, result) => {
    const wrong = [...remarks, ...moves.flatMap(({ before, after, behind }) => [...before, ...after, ...behind])].find((each) => !isRemark(each));
    if (wrong) throw new Refusal(`remark '${wrong}': use a comment in {} or a sign as $1`);
    return written({ over, winner, begun }, result || "*", moves, remarks);
  },

  /** A state after pieces were moved by hand: castling rights are those that still fit. */
  rearranged({ game }, bits, side) {
    const held = new Set(bits);
    const pieces = new Map(game.pieces.filter(([, , , bit]) => held.has(bit)).map(([x, y, letter]) => [square(x, y), letter]));
    const fits = (right) => held.has(game.atoms.indexOf(RIGHTS[right])) && HOMES[right].split(" ").every((home) => pieces.get(home.slice(1)) === home[0]);
    const castling = [..."KQkq"].filter(fits).join("") || "-";
    return `${placement(pieces)} ${"wb"[side]} ${castling} - 0 1`;
  },

  code: (position, number) => position.move(number).code,

  names(position) {
    const pieces = piecesOf(position);
    const legal = position.legal.map((number) => ({ number, ...parts(position.move(number).code) }));
    return new Map(legal.map((move) => [move.number, `${san(move, pieces, legal)}${checkOf(position, move.number)}`]));
  },

  find(position, said) {
    const word = String(said).replace(/[+#]*[!?]*$/, "");
    const named = position.legal.find((number) => position.move(number).code === word);
    if (named !== undefined) return named;
    const bare = (name) => name.replace(/[+#]$/, "");
    const castling = word.replace(/0|o/g, "O");
    const exact = position.legal.find((number) => [word, castling].includes(bare(position.names.get(number))));
    if (exact !== undefined) return exact;
    const [, letter, file, rank, target, promotion = ""] = MOVE.exec(word) ?? [];
    if (!target) return undefined;
    const pieces = piecesOf(position);
    const found = position.legal.filter((number) => {
      const move = parts(position.move(number).code);
      const piece = pieces.get(move.from).toUpperCase();
      if (!letter && !(file && rank) && piece !== "P") return false;
      return move.to === target && (!letter || letter === piece) && (!file || file === move.from[0]) && (!rank || rank === move.from[1]) && promotion.toLowerCase() === move.promotion;
    });
    return found.length === 1 ? found[0] : undefined;
  },

  texts(position) {
    const { begun, path } = position;
    const { tags, told } = begun;
    const fen = path.length ? fenOf(position) : begun.fen;
    const whole = written(position, (path.length === told && tags.Result) || "*");
    return { position: fen, begun: begun.text, text: whole, short: path.length ? withoutEmptyTags(whole) : `${begun.fen}\n`, tags };
  },

  /** The number of the next move, as it stands ahead of an error. */
  place({ begun, path }) {
    const ply = firstPly(begun) + path.length;
    return `${Math.floor(ply / 2)}${ply % 2 ? "..." : "."} `;
  },

  outcome: ({ kind, plies, within }) => (plies === null ? `a ${kind}` : `${kind === "win" ? "mate" : "mated"} ${within ? "within" : "in"} ${Math.ceil(plies / 2)}`),

  words: plain.words,
};

function beginning(engine, fen) {
  const [whole, rows, turn, castling, passed, clock = "0", number = "1"] = FEN.exec(fen) ?? [];
  if (!whole) throw new Refusal("FEN: not a position (use pieces, side to move, castling, en passant, halfmove clock, move number)");
  const { game } = engine;
  const bit = (atom) => {
    const found = game.atoms.indexOf(atom);
    if (found < 0) throw new Refusal(`FEN: ${atom} is impossible`);
    return found;
  };
  const pieces = new Map();
  rows.split("/").forEach((row, i) => {
    let x = 1;
    for (const sign of row) {
      if (sign in "012345678".split("")) x += Number(sign);
      else pieces.set(square(x++, 8 - i), sign);
    }
    if (x !== 9) throw new Refusal(`FEN: pieces: row ${8 - i}: ${x - 1} squares, use 8`);
  });
  const count = (letter) => [...pieces.values()].filter((piece) => piece === letter).length;
  for (const king of "Kk") if (count(king) !== 1) throw new Refusal(`FEN: pieces: ${king === "K" ? "white" : "black"} has ${count(king)} kings (use one)`);
  const atoms = [...pieces].map(([at, letter]) => {
    const found = game.pieces.find(([x, y, text]) => text === letter && square(x, y) === at);
    if (!found) throw new Refusal(`FEN: pieces: no ${letter} on ${at}`);
    return found[3];
  });
  for (const right of castling.replace("-", "")) {
    const away = HOMES[right].split(" ").find((home) => pieces.get(home.slice(1)) !== home[0]);
    if (away) throw new Refusal(`FEN: castling: ${right} needs ${away}`);
    atoms.push(bit(RIGHTS[right]));
  }
  if (passed !== "-") {
    const file = FILES.indexOf(passed[0]) + 1;
    const rank = turn === "w" ? 5 : 4;
    const beside = [file - 1, file + 1].map((x) => pieces.get(square(x, rank)));
    if (beside.includes(turn === "w" ? "P" : "p")) atoms.push(bit(`ep(${file})`));
  }
  for (let b = 0; b < 7; b++) if ((Math.min(Number(clock), 100) >> b) & 1) atoms.push(bit(`clock(${b})`));
  const exchanged = turn === "b";
  const row = engine.rows.row(atoms);
  checked(engine, exchanged ? engine.turned(row) : row);
  if (engine.facts.held("states", exchanged ? row : engine.turned(row))[0]) throw new Refusal("FEN: the side that has moved stands in check");
  const told = `${rows} ${turn} ${castling} ${passed} ${clock} ${Math.max(1, Number(number))}`;
  return { row: exchanged ? engine.turned(row) : row, exchanged, text: told === START ? "" : told, fen: told };
}

const parts = (code) => ({ from: code.slice(0, 2), to: code.slice(2, 4), promotion: code.slice(4) });

const piecesOf = (position) => new Map(position.shown.map(([x, y, letter]) => [square(x, y), letter]));

/** A move in algebraic notation, without the signs of check and mate. */
function san({ from, to, promotion }, pieces, legal) {
  const piece = pieces.get(from).toUpperCase();
  if (piece === "K" && Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 2) return to[0] === "g" ? "O-O" : "O-O-O";
  if (piece === "P") return `${from[0] === to[0] ? "" : `${from[0]}x`}${to}${promotion ? `=${promotion.toUpperCase()}` : ""}`;
  const others = legal.filter((other) => other.to === to && other.from !== from && pieces.get(other.from).toUpperCase() === piece).map((other) => other.from);
  const told = others.length ? ([...from].find((mark) => !others.some((other) => other.includes(mark))) ?? from) : "";
  return `${piece}${told}${pieces.has(to) ? "x" : ""}${to}`;
}

/** The sign behind a move that gives check or mate. */
function checkOf(position, number) {
  const { rows, facts } = position.engine;
  position.children ??= new Map();
  if (!position.children.size) {
    const { legal } = position;
    const after = rows.step(position.row, new Int32Array(legal.length), legal, position.look.turn);
    const look = rows.look(after);
    legal.forEach((move, i) => position.children.set(move, look.result[i] ? "#" : facts.held("states", rows.at(after, i))[0] ? "+" : ""));
  }
  return position.children.get(number);
}

function placement(pieces) {
  const rows = [];
  for (let y = 8; y > 0; y--) {
    const row = Array.from({ length: 8 }, (_, i) => pieces.get(square(i + 1, y)) ?? " ").join("");
    rows.push(row.replace(/ +/g, (gap) => gap.length));
  }
  return rows.join("/");
}

function fenOf(position) {
  const { engine, path, begun, side } = position;
  const held = new Set(engine.bits(position.asFirst).map((bit) => engine.game.atoms[bit]));
  const castling = [..."KQkq"].filter((right) => held.has(RIGHTS[right])).join("") || "-";
  const clock = [0, 1, 2, 3, 4, 5, 6].reduce((sum, b) => sum + (held.has(`clock(${b})`) ? 1 << b : 0), 0);
  const pieces = piecesOf(position);
  const { from, to } = parts(path.at(-1).code);
  const pushed = "Pp".includes(pieces.get(to)) && Math.abs(from[1] - to[1]) === 2;
  const passed = pushed ? `${from[0]}${(Number(from[1]) + Number(to[1])) / 2}` : "-";
  const [, first, , , , number] = begun.fen.split(" ");
  const moved = Number(number) + Math.floor((Number(first === "b") + path.length) / 2);
  return `${placement(pieces)} ${"wb"[side]} ${castling} ${passed} ${clock} ${moved}`;
}

/** A game in PGN, by default the moves that led to a position; the rules know a result better. */
function written({ begun, path, over, winner }, result, moves = line(path), remarks = []) {
  const known = over ? (winner === null ? "1/2-1/2" : ["1-0", "0-1"][winner]) : result;
  const tags = { ...begun.tags, ...(begun.fen === START ? {} : { SetUp: "1", FEN: begun.fen }) };
  return writeGame(moves, known, tags, firstPly(begun), remarks);
}

/** Twice the number of a game's first move, plus 1 if it is Black's. */
function firstPly({ fen }) {
  const [, side, , , , number] = fen.split(" ");
  return 2 * Number(number) + Number(side === "b");
}

const line = (path) => path.map(({ name }, follows) => ({ text: name, follows, instead: 0, before: [], after: [], behind: [] }));

/** A PGN without empty tags and without the result, which its end shows. */
const withoutEmptyTags = (whole) => `${whole.replace(/^\[\w+ "[?.]*"\]\n|^\[Result .*\n/gm, "").trim()}\n`;
