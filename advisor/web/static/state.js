// What the page shows, and its form in the address: whoever opens the address sees the same.

const STANDARD = { width: 7, height: 6, connect: 4 };
const SIDES = ["x", "o"];
export const OWN = "connect4"; // the game of an address that names none

/**
 * game: its name; size: of a board of columns; constants: what other rules leave open, by name.
 * mode: "analyse", "play" or "puzzle".
 * start: a position's text, empty for the usual beginning; moves: played from there on, columns or
 * moves as the server names them.
 * redo: moves taken back, the last first. level: 0 looks at the position alone.
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
  if (!/^[0-9,]*$/.test(compact)) return null;
  const words = compact.includes(",") || state.size.width > 9 ? compact.split(",") : [...compact];
  return words.filter(Boolean).map(Number);
}

export function play(move) {
  state.moves.push(move);
  if (state.redo.pop() !== move) state.redo = [];
}

export function undo() {
  if (state.moves.length) state.redo.push(state.moves.pop());
}

export function redo() {
  if (state.redo.length) state.moves.push(state.redo.pop());
}

export function begin(start = "", moves = []) {
  Object.assign(state, { start, moves: [...moves], redo: [] });
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

/** The same read again, null if it cannot be. */
function weightsOf(text, limits, presets) {
  const [preset, ...pairs] = text.split(",");
  const changed = new Map(pairs.map((pair) => pair.split(":")).map(([path, value]) => [path, value ? Number(value) : NaN]));
  const right = (value) => Number.isInteger(value) && Math.abs(value) <= limits.weight_limit;
  return presets.includes(preset) && [...changed.values()].every(right) ? { preset, changed } : null;
}

/** A sign as addresses have it, unless it may stay as it is. */
const coded = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Puts the state into the address; `step` makes it an entry of the browser's history. What has been
 * taken back is kept beside the address, for the browser's Back and Forward.
 */
export function writeAddress(step = false) {
  const { width, height, connect } = state.size;
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
  const beside = { redo: [...state.redo] };
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
  /** A key's value as `read` has it, the usual one if it is missing or `read` gives none. */
  const take = (key, fallback, allowed, read) => {
    const text = known.get(key);
    known.delete(key);
    if (text === null) return fallback;
    const value = read(text);
    if (value === null) wrong.push(`${key}=${shortened(text)} (use ${allowed})`);
    return value ?? fallback;
  };
  const number = (key, low, high, fallback) =>
    take(key, fallback, `${low} to ${high}`, (text) => within(text, low, high));
  const word = (key, words, fallback) =>
    take(key, fallback, words.join(" or "), (text) => (words.includes(text) ? text : null));

  usual.preset = limits.default;
  state.game = word("game", games.map(({ game }) => game), OWN);
  const own = state.game === OWN;
  state.constants = take("const", {}, "names and numbers, as size=4", constantsOf);
  // Games had addresses without a mode, in which the advisor's side says that he plays.
  const mode = !own && known.has("advisor") ? "play" : "analyse";
  state.mode = word("mode", ["analyse", "play", "puzzle"], mode);
  state.size = take("size", STANDARD, `width x height x connect, each 1 to ${limits.max_side}, as 7x6x4`, (text) => {
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
  state.weights = take("weights", fallback, "a preset and changes such as moves.center.0:5", (text) => weightsOf(text, limits, games.find(({ game }) => game === state.game).presets));
  const start = take("start", "", "", (text) => text);
  const words = (text) => text.split(" ").filter(Boolean);
  const moves = take("moves", [], "the columns that are played, as 4453", own ? columnsOf : words);
  begin(start, moves);
  state.redo = history.state?.redo ?? [];
  for (const [key, value] of known) wrong.push(`${key}=${shortened(value)} (no such key)`);
  return wrong.length ? `Left out of the address: ${wrong.join("; ")}.` : "";
}

/** "size=4 steps=9" as an object, null if it is something else. */
function constantsOf(text) {
  const pairs = text.split(" ").filter(Boolean);
  if (!pairs.every((pair) => /^\w+=\d+$/.test(pair))) return null;
  return Object.fromEntries(pairs.map((pair) => pair.split("=")).map(([name, value]) => [name, Number(value)]));
}

const shortened = (text) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

function within(text, low, high) {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= low && value <= high ? value : null;
}
