// What the page shows, and its form in the address: whoever opens the address sees the same.

import { either, say } from "./languages.js";
import { comment, follow, fromWords, grown, headOf, inOrder, listed, pathTo, plant, promote, remove, rename, restOf, words } from "./tree.js";

const STANDARD = { width: 7, height: 6, connect: 4 };
const SIDES = ["x", "o"];
const RESULTS = ["1-0", "0-1", "1/2-1/2"];
const LINES_MOST = 1500; // letters of all lines in an address; longer addresses are cut off elsewhere
export const OWN = "connect4"; // the game of an address that names none

/**
 * game: its name; size: of a board of columns; constants: what other rules leave open, by name.
 * mode: "analyse", "play" or "puzzle".
 * start: a position's text, empty for the usual beginning; moves: played from there on, columns or
 * moves as the server names them.
 * redo: moves taken back, the last first. result: that the text of the game told of its main line,
 * or null. level: 0 looks at the position alone.
 * exact: whether every move's exact score, and a proof, are looked for while analysing.
 * weights: a preset, and the weights that are changed, by their paths such as "moves.center.0".
 * plan: whether the advisor, in a game, follows the plan of the board's solution.
 * time: seconds instead of a level, or null. advisor: which player the advisor is in a game, 0 or 1.
 * turned: whether the board is turned round.
 */
export const state = {
  game: OWN,
  mode: "analyse",
  size: { ...STANDARD },
  constants: {},
  start: "",
  moves: [],
  redo: [],
  result: null,
  level: 6,
  time: null,
  advisor: 1,
  hints: false,
  plan: false,
  exact: true,
  turned: false,
  puzzle: null,
  weights: { preset: "default", changed: new Map() },
};

/** A move string as columns, or null if it is something else. */
export function columnsOf(text) {
  const compact = text.replace(/\s/g, "");
  return /^[0-9,]*$/.test(compact) ? columnsIn(compact) : null;
}

function columnsIn(compact) {
  const words = compact.includes(",") || state.size.width > 9 ? compact.split(",") : [...compact];
  return words.filter(Boolean).map(Number);
}

// The moves on the board and those taken back are one line of a tree. Whoever changes them need not
// think of the tree: what it lacks is added when it is looked at.

let root = plant();
let ending = root; // the end of the main line that the result is of

const endOf = (tree) => restOf(tree).at(-1) ?? tree;

/** The game with its variations, and where in it the board stands. */
export function lines() {
  if (state.mode === "puzzle") root = plant(); // a try is no line of a game
  const here = follow(root, state.moves);
  if (state.redo.length) follow(here, [...state.redo].reverse());
  else if (state.mode === "analyse") state.redo = restOf(here).map(({ move }) => move).reverse();
  if (endOf(root) !== ending) Object.assign(state, { result: null });
  ending = endOf(root);
  return { root, here };
}

/** Whether the board shows the end of the main line. */
export const atEnd = () => lines().here === ending;

/** The moves of the main line. */
export const mainLine = () => restOf(lines().root).map(({ move }) => move);

/** The moves of the line through a node, to its end, and how many of them lead to the node. */
export function lineThrough(node) {
  const path = pathTo(node);
  return { moves: [...path, ...restOf(node)].map(({ move }) => move), at: path.length };
}

/** Gives the variation on the board a name. */
export const nameLine = (name) => rename(headOf(lines().here), name);

/** Gives the last move on the board a comment; before the first move, the game. */
export const commentMove = (text) => comment(lines().here, text);

/** Makes the line on the board the main line. */
export const promoteLine = () => promote(lines().here);

/** Takes the variation on the board away, and goes back to the move before it. */
export function deleteLine() {
  const before = remove(headOf(lines().here));
  Object.assign(state, { moves: pathTo(before).map(({ move }) => move), redo: [] });
}

/** Takes away what nobody could name, since the rules do not allow it. */
export function dropUnnamed() {
  for (const node of [...inOrder(lines().root)]) if (node.name === null) remove(node);
}

/** Shows the moves that the rules allow; the next one, and what follows it, is no line of the game. */
export function keepLegal(moves) {
  const before = follow(lines().root, moves);
  const illegal = before.next.find(({ move }) => move === state.moves[moves.length]);
  if (illegal) remove(illegal);
  Object.assign(state, { moves: [...moves], redo: [] });
}

export function play(move) {
  lines();
  state.moves.push(move);
  if (state.redo.pop() !== move) state.redo = [];
}

export function undo() {
  if (state.moves.length) state.redo.push(state.moves.pop());
}

export function redo() {
  if (state.redo.length) state.moves.push(state.redo.pop());
}

/** Begins a game, with all lines of a `tree` where there is one. */
export function begin(start = "", moves = [], result = null, tree = plant()) {
  Object.assign(state, { start, moves: [...moves], redo: [], result: RESULTS.includes(result) ? result : null });
  root = tree;
  follow(root, state.moves);
  ending = endOf(root);
}

/** Another game, from its beginning. */
export function choose(game) {
  Object.assign(state, { game, size: { ...STANDARD }, constants: {}, turned: false });
  state.puzzle = null;
  state.weights = { preset: usual.preset, changed: new Map() };
  begin();
}

const usual = { preset: "default" }; // which the server says

/** Weights as the address has them: "default,moves.center.0:5". */
function weightsText({ preset, changed }) {
  const pairs = [...changed].map(([path, value]) => `${path}:${value}`);
  return pairs.length || preset !== usual.preset ? [preset, ...pairs].join() : null;
}

/** The same read again: its right changes, and whether that is all of it. */
function weightsOf(text, limits, presets) {
  const [preset, ...pairs] = text.split(",");
  if (!presets.includes(preset)) return {};
  const all = pairs.map((pair) => pair.split(":")).map(([path, value]) => [path, value ? Number(value) : NaN]);
  const right = all.filter(([, value]) => Number.isInteger(value) && Math.abs(value) <= limits.weight_limit);
  return { value: { preset, changed: new Map(right) }, whole: right.length === all.length };
}

/** All lines as the address has them: where there are more moves than those on the board, and not too many. */
function linesText() {
  const all = state.mode === "puzzle" ? [] : words(root);
  const text = all.join(" ");
  return all.length > state.moves.length && text.length <= LINES_MOST ? text : null;
}

/** A sign as addresses have it, unless it may stay as it is. */
const coded = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Puts the state into the address; `step` makes it an entry of the browser's history. All lines of
 * the game are kept beside the address, for the browser's Back, Forward and Reload.
 */
export function writeAddress(step = false) {
  const { width, height, connect } = state.size;
  lines();
  const size = `${width}x${height}x${connect}`;
  const own = state.game === OWN;
  const playing = state.mode === "play";
  const known = {
    game: own ? null : state.game,
    const: Object.entries(state.constants).map((pair) => pair.join("=")).join(" "),
    mode: state.mode,
    puzzle: state.mode === "puzzle" ? state.puzzle : null,
    start: state.mode === "puzzle" ? null : state.start,
    moves: own ? state.moves.join(width > 9 ? "," : "") : state.moves.join(" "),
    lines: linesText(),
    result: state.result,
    size: size === Object.values(STANDARD).join("x") ? null : size,
    advisor: playing ? (own ? SIDES[state.advisor] : state.advisor) : null,
    hints: playing && state.hints ? "on" : null,
    plan: playing && state.plan ? "on" : null,
    exact: state.mode === "analyse" && !state.exact ? "off" : null,
    turned: state.turned ? "on" : null,
    level: state.time ? null : state.level,
    time: state.time,
    weights: weightsText(state.weights),
  };
  const wanted = Object.entries(known).filter(([, value]) => value !== null && value !== "");
  const written = `#${new URLSearchParams(wanted)}`;
  const hash = [..."/,:()"].reduce((text, sign) => text.replaceAll(coded(sign), sign), written);
  const beside = { redo: [...state.redo], tree: listed(root) };
  history[step && hash !== location.hash ? "pushState" : "replaceState"](beside, "", hash);
}

/**
 * Takes the state from the address; what is missing there has its usual value.
 * @param {Object} limits of the server
 * @param {Object[]} games that the server offers
 * @returns {string} what in the address cannot be used, empty if all can.
 */
export function readAddress(limits, games) {
  const known = new URLSearchParams(location.hash.slice(1));
  const wrong = [];
  /**
   * A key's value, the usual one if it is missing. `read` gives the value of a text, or of its part
   * that can be read, and whether that is the whole text.
   */
  const takePart = (key, fallback, allowed, read) => {
    const text = known.get(key);
    known.delete(key);
    if (text === null) return fallback;
    const { value = fallback, whole = false } = read(text);
    if (!whole) wrong.push(say("address.use", { part: `${key}=${shortened(text)}`, allowed }));
    return value;
  };
  /** The same of values that are right or wrong as a whole: `read` gives null for a wrong one. */
  const take = (key, fallback, allowed, read) =>
    takePart(key, fallback, allowed, (text) => {
      const value = read(text);
      return value === null ? {} : { value, whole: true };
    });
  const number = (key, low, high, fallback) =>
    take(key, fallback, say("address.between", { low, high }), (text) => within(text, low, high));
  const word = (key, words, fallback) =>
    take(key, fallback, either(words), (text) => (words.includes(text) ? text : null));

  usual.preset = limits.default;
  state.game = word("game", games.map(({ game }) => game), OWN);
  const own = state.game === OWN;
  state.constants = takePart("const", {}, say("address.constants"), constantsOf);
  // Games had addresses without a mode, in which the advisor's side says that he plays.
  const mode = !own && known.has("advisor") ? "play" : "analyse";
  state.mode = word("mode", ["analyse", "play", "puzzle"], mode);
  state.size = take("size", STANDARD, say("address.size", { most: limits.max_side }), (text) => {
    const [width, height, connect, ...more] = text.split("x").map((side) => within(side, 1, limits.max_side));
    return width && height && connect && !more.length ? { width, height, connect } : null;
  });
  state.level = number("level", state.mode === "play" ? 1 : 0, limits.max_level, 6);
  state.time = number("time", 1, limits.max_seconds, null);
  const sides = own ? SIDES : ["0", "1"];
  state.advisor = sides.indexOf(word("advisor", sides, sides[1]));
  state.hints = word("hints", ["on", "off"], "off") === "on";
  state.plan = word("plan", ["on", "off"], "off") === "on";
  state.exact = word("exact", ["on", "off"], "on") === "on";
  state.turned = word("turned", ["on", "off"], "off") === "on";
  state.puzzle = take("puzzle", null, "", (text) => text);
  const fallback = { preset: limits.default, changed: new Map() };
  state.weights = takePart("weights", fallback, say("address.weights"), (text) => weightsOf(text, limits, games.find(({ game }) => game === state.game).presets));
  const start = take("start", "", "", (text) => text);
  const words = (text) => ({ value: text.split(" ").filter(Boolean), whole: true });
  const moves = takePart("moves", [], say("address.columns"), own ? columnsUpTo : words);
  const moveOf = own ? (text) => within(text, 1, limits.max_side) : (text) => text;
  const written = take("lines", plant(), say("address.lines"), (text) => fromWords(text.split(" ").filter(Boolean), moveOf));
  const { redo: left = [], tree } = history.state ?? {};
  begin(start, moves, word("result", RESULTS, null), tree ? grown(tree) : written);
  state.redo = [...left];
  for (const [key, value] of known) wrong.push(say("address.unknown", { part: `${key}=${shortened(value)}` }));
  return wrong.length ? say("address.left-out", { parts: wrong.join("; ") }) : "";
}

/** "size=4 steps=9" as an object: its right pairs, and whether these are all. */
function constantsOf(text) {
  const pairs = text.split(" ").filter(Boolean);
  const right = pairs.filter((pair) => /^\w+=\d+$/.test(pair)).map((pair) => pair.split("="));
  return { value: Object.fromEntries(right.map(([name, value]) => [name, Number(value)])), whole: right.length === pairs.length };
}

/** The columns of a move string up to its first wrong one, and whether there is none. */
function columnsUpTo(text) {
  const [right] = /^[0-9,\s]*/.exec(text);
  const whole = right === text;
  // A number of several digits that is broken off may be another column.
  const known = whole || !(text.includes(",") || state.size.width > 9) ? right : right.slice(0, right.lastIndexOf(",") + 1);
  return { value: columnsIn(known.replace(/\s/g, "")), whole };
}

const shortened = (text) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

function within(text, low, high) {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= low && value <= high ? value : null;
}
