// What the page shows, and its form in the address: whoever opens the address sees the same.

export const STANDARD = { width: 7, height: 6, connect: 4 };

/**
 * mode: "analyse", "play" or "puzzle".
 * start: a board's text, empty for the empty board; moves: columns played from there on.
 * redo: columns taken back, the last first. level: 0 looks at the position alone.
 * exact: whether every column's exact score is looked for while analysing.
 * time: seconds instead of a level, or null. advisor: the advisor's colour in a game.
 */
export const state = {
  mode: "analyse",
  size: { ...STANDARD },
  start: "",
  moves: [],
  redo: [],
  level: 6,
  time: null,
  advisor: "o",
  hints: false,
  exact: true,
  puzzle: null,
};

/** The position as a request names it. */
export const setup = (moves = state.moves) => ({ board: state.start, moves, ...state.size });

/** A move string as columns, or null if it is something else. */
export function columnsOf(text) {
  const compact = text.replace(/\s/g, "");
  if (!/^[0-9,]*$/.test(compact)) return null;
  const words = compact.includes(",") || state.size.width > 9 ? compact.split(",") : [...compact];
  return words.filter(Boolean).map(Number);
}

export function play(column) {
  state.moves.push(column);
  state.redo = [];
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

/** Puts the state into the address; `step` makes it an entry of the browser's history. */
export function writeAddress(step = false) {
  const { width, height, connect } = state.size;
  const known = {
    mode: state.mode,
    puzzle: state.mode === "puzzle" ? state.puzzle : null,
    start: state.mode === "puzzle" ? null : state.start,
    moves: state.moves.join(width > 9 ? "," : ""),
    size: [7, 6, 4].join() === [width, height, connect].join() ? null : [width, height, connect].join("x"),
    advisor: state.mode === "play" ? state.advisor : null,
    hints: state.mode === "play" && state.hints ? "on" : null,
    exact: state.mode === "analyse" && !state.exact ? "off" : null,
    level: state.time ? null : state.level,
    time: state.time,
  };
  const wanted = Object.entries(known).filter(([, value]) => value !== null && value !== "");
  const hash = `#${new URLSearchParams(wanted)}`.replaceAll("%2F", "/").replaceAll("%2C", ",");
  if (hash === location.hash) return;
  history[step ? "pushState" : "replaceState"](null, "", hash);
}

/** Takes the state from the address; what is missing there has its usual value. */
export function readAddress(limits) {
  const known = new URLSearchParams(location.hash.slice(1));
  const number = (text, low, high, usual) => {
    const value = Number(text);
    return text !== null && Number.isInteger(value) && value >= low && value <= high ? value : usual;
  };
  const sides = (known.get("size") ?? "").split("x").map((text) => number(text, 1, limits.max_side, 0));
  const [width, height, connect] = sides.length === 3 && sides.every(Boolean) ? sides : [7, 6, 4];
  const mode = known.get("mode");
  state.mode = ["analyse", "play", "puzzle"].includes(mode) ? mode : "analyse";
  state.size = { width, height, connect };
  state.level = number(known.get("level"), 0, limits.max_level, 6);
  state.time = number(known.get("time"), 1, limits.max_seconds, null);
  state.advisor = known.get("advisor") === "x" ? "x" : "o";
  state.hints = known.get("hints") === "on";
  state.exact = known.get("exact") !== "off";
  state.puzzle = known.get("puzzle");
  begin(known.get("start") ?? "", columnsOf(known.get("moves") ?? "") ?? []);
}
