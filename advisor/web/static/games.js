// Any game that is given by its rules: a board of buttons, a list of moves, the advisor's answer.

import { Refusal, Superseded, enough, game, gameAdvice, get } from "./api.js";
import { announce, byId, drawing, h, notice, vector } from "./dom.js";
import { listen } from "./keys.js";
import { Moves } from "./moves.js";

/** redo: moves taken back, the last first. advisor: the role that it plays, 0 or 1, or null. */
const state = { game: "", start: "", moves: [], redo: [], constants: {}, advisor: null, time: 1 };

const limits = await get("server");
let view = null; // the state of the game as the server describes it
let chosen = []; // squares that have been pointed at, of a move that is not yet known
let advice = null;
let current = new AbortController(); // ends what the last state had begun
let waiting = false; // for the server, or for the advisor's move
let place = [1, 1]; // the square that Tab leads to
const moves = new Moves(travelTo);
const written = new Map(); // moves as people write them, by the game as far as each
const answers = new Set(); // which of the moves, by their numbers from 0, the advisor made

const request = () => ({ game: state.game, start: state.start, moves: state.moves, constants: state.constants });

// The address

/** Takes the state from the address; returns what of it cannot be used. */
function readAddress() {
  const known = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { game: wanted = "", start = "", moves: played = "", advisor = "", const: chosen = "", ...others } = known;
  const wrong = Object.keys(others).map((key) => `${key} (no such key)`);
  if (wanted && !limits.games.includes(wanted)) wrong.push(`game=${wanted} (use ${limits.games.join(", ")})`);
  if (!["", "0", "1"].includes(advisor)) wrong.push(`advisor=${advisor} (use 0 or 1)`);
  const numbers = chosen.split(" ").filter(Boolean);
  const right = numbers.filter((text) => /^\w+=\d+$/.test(text)).map((text) => text.split("="));
  if (right.length < numbers.length) wrong.push(`const=${chosen} (use names and numbers, as size=4)`);
  state.game = limits.games.includes(wanted) ? wanted : limits.games.at(-1);
  state.start = start;
  state.moves = played.split(" ").filter(Boolean);
  state.redo = history.state?.redo ?? [];
  state.advisor = { 0: 0, 1: 1 }[advisor] ?? null;
  state.constants = Object.fromEntries(right.map(([name, value]) => [name, Number(value)]));
  return wrong.length ? `Left out of the address: ${wrong.join("; ")}.` : "";
}

/** Puts the state into the address; `step` makes it an entry of the browser's history. */
function writeAddress(step) {
  const numbers = Object.entries(state.constants).map((pair) => pair.join("=")).join(" ");
  const known = { game: state.game, const: numbers, start: state.start, moves: state.moves.join(" "), advisor: state.advisor };
  const wanted = Object.entries(known).filter(([, value]) => value !== null && value !== "");
  const hash = `#${new URLSearchParams(wanted)}`;
  history[step && hash !== location.hash ? "pushState" : "replaceState"]({ redo: [...state.redo] }, "", hash);
}

// Showing a state

async function show({ step = false, wrong = "" } = {}) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  notice(wrong);
  chosen = [];
  advice = null;
  waiting = true;
  try {
    view = await game(request(), signal);
    if (signal.aborted) return;
    waiting = !view.over && view.roles[state.advisor] === view.turn;
    writeAddress(step);
    draw();
    announce(view.status);
    if (waiting) await answer(signal);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    progress();
    const told = [wrong, `This cannot be shown: ${error.message}.`].filter(Boolean).join(" ");
    notice(told);
    if (!state.moves.length && !state.start && !Object.keys(state.constants).length) return;
    Object.assign(state, { start: "", moves: [], redo: [], constants: {} });
    await show({ wrong: told });
  }
}

/** The advisor's own move. */
async function answer(signal) {
  progress("The advisor is thinking.");
  const found = await gameAdvice({ ...request(), time: state.time }, signal);
  progress();
  announce(`The advisor plays ${nameOf(found.best[0])}.`);
  answers.add(state.moves.length);
  push(found.best[0]);
  await show();
}

async function hint() {
  if (!view || view.over || waiting) return;
  const { signal } = current;
  progress("Looking for a move.");
  try {
    advice = await gameAdvice({ ...request(), time: state.time }, signal);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    notice(error.message);
  }
  progress();
  drawBoard();
  drawMoves();
  if (advice) announce(`Hint: ${nameOf(advice.best[0])}.`);
}

/** A move as people write it. */
const nameOf = (move) => view.moves.find((each) => each.move === move)?.name ?? move;

function progress(text = "") {
  byId("progress").textContent = text;
  byId("progress").classList.toggle("busy", text !== "");
  byId("stop").hidden = text === "";
}

function draw() {
  progress();
  byId("status").textContent = view.status;
  byId("aim").textContent = view.aim;
  byId("undo").disabled = !state.moves.length;
  byId("redo").disabled = !state.redo.length;
  byId("hint").disabled = view.over;
  fill("game", limits.games.map((name) => [name, name]), state.game);
  const sides = view.roles.map((role, i) => [String(i), `plays ${role}`]);
  fill("advisor", [["", "plays neither side"], ...sides], String(state.advisor ?? ""));
  drawNumbers();
  drawBoard();
  drawMoves();
  moves.show(namesOfAll().map((name) => ({ text: name, label: name, mark: null })), state.moves.length);
}

/** The moves as people write them; how those are written that were taken back is known from before. */
function namesOfAll() {
  const all = [...state.moves, ...[...state.redo].reverse()];
  const until = (i) => [state.game, state.start, ...all.slice(0, i + 1)].join();
  view.played.forEach((name, i) => written.set(until(i), name));
  return all.map((move, i) => written.get(until(i)) ?? move);
}

/** What the rules leave open, such as the side of the board. */
function drawNumbers() {
  byId("numbers").replaceChildren(
    ...Object.entries(view.constants).flatMap(([name, value]) => [
      h("label", { for: `number-${name}` }, name),
      h("input", {
        id: `number-${name}`,
        type: "number",
        min: "0",
        max: String(limits.max_constant),
        value: String(value),
        on: { change: ({ target }) => choose(name, target) },
      }),
    ]),
  );
}

/** Another game of the same rules. */
function choose(name, input) {
  if (!input.checkValidity() || input.value === "") return input.reportValidity();
  Object.assign(state, { start: "", moves: [], redo: [], constants: { ...state.constants, [name]: Number(input.value) } });
  show();
}

function fill(id, options, value) {
  byId(id).replaceChildren(...options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
}

// The board

/** The squares that come next where a move is pointed at: of some moves any of several will do. */
const nextOf = ({ squares, clicks }) => (chosen.length === 0 && clicks.length ? clicks : squares.slice(chosen.length, chosen.length + 1));

/** The legal moves that begin with the squares that have been pointed at. */
const possible = () =>
  view.moves.filter(({ squares, clicks }) =>
    clicks.length && chosen.length
      ? chosen.length === 1 && clicks.some((square) => String(square) === String(chosen[0]))
      : chosen.every((square, i) => String(squares[i]) === String(square)),
  );

function drawBoard() {
  const grid = byId("grid");
  const height = view.rows.length;
  grid.style.setProperty("--columns", (view.rows[0]?.length ?? 1) + (view.slanted ? (height - 1) / 2 : 0));
  grid.classList.toggle("slanted", view.slanted);
  grid.classList.toggle("chequered", Object.keys(view.shapes).length > 0);
  grid.classList.toggle("lined", view.lines.length > 0);
  grid.classList.toggle("sided", view.sides.length > 0);
  const open = new Set(possible().flatMap(nextOf).map(String));
  const taken = new Set(chosen.map(String));
  const last = new Set(view.last.map(String));
  const best = view.moves.find(({ move }) => move === advice?.best[0]);
  const hinted = new Set((best?.squares.length ? best.squares : (best?.clicks ?? [])).map(String));
  const focused = grid.contains(document.activeElement);
  const shift = (i) => (view.slanted ? height - 1 - i : 0); // in halves of a square
  grid.replaceChildren(
    ground(),
    ...view.rows.flatMap((row, i) => [
      edge(view.beside[i], "edge", `${i + 1} / ${shift(i) + 1}`),
      ...row.map((symbol, j) => {
        const field = square(symbol, [j + 1, height - i], { open, taken, last, hinted });
        field.style.gridArea = `${i + 1} / ${2 * j + 2 + shift(i)} / auto / span 2`;
        return field;
      }),
    ]),
    ...(view.rows[0] ?? []).map((_, j) => edge(view.columns[j], "edge below", `${height + 1} / ${2 * j + 2} / auto / span 2`)),
  );
  if (!focusable(place)) place = String(grid.querySelector("[data-square]")?.dataset.square ?? "1,1").split(",").map(Number);
  goTo(place, focused);
}

const focusable = (square) => byId("grid").querySelector(`[data-square="${square}"]`);

/** Makes a square the one that Tab leads to. */
function goTo(square, focus = true) {
  const field = focusable(square);
  if (!field) return;
  focusable(place)?.setAttribute("tabindex", "-1");
  place = square;
  field.setAttribute("tabindex", "0");
  if (focus) field.focus();
}

const walk = (right, up) => goTo([place[0] + right, place[1] + up]);

/** What stands at the edge of the board beside a row or below a column; squares say it themselves. */
function edge(text, side, area) {
  const mark = h("span", { class: side, "aria-hidden": "true" }, String(text));
  mark.style.gridArea = area;
  return mark;
}

/** A square as the game's moves have it, or by the numbers of its column and row. */
const squareName = ([x, y]) => {
  const [column, row] = [view.columns[x - 1], view.beside[view.rows.length - y]];
  return /\d$/.test(column) ? `${column},${row}` : `${column}${row}`;
};

/** What lies under the squares: the sides of the board and the lines on it. */
function ground() {
  const height = view.rows.length;
  const width = (view.rows[0]?.length ?? 1) + (view.slanted ? (height - 1) / 2 : 0);
  const middle = ([x, y]) => [x - 0.5 + (view.slanted ? (y - 1) / 2 : 0), height - y + (view.slanted ? HEXAGON : 0.5)];
  const svg = vector("svg", { class: "ground", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { colour, corners } of view.sides) {
    svg.append(vector("polygon", { points: corners.map(middle).join(" "), fill: colour }));
  }
  for (const ends of view.lines) {
    const [[x1, y1], [x2, y2]] = ends.map(middle);
    svg.append(vector("line", { x1, y1, x2, y2 }));
  }
  svg.style.gridArea = `1 / 2 / ${height + 1} / -1`;
  return svg;
}

/** The middle of a hexagon, counted in rows from its top. */
const HEXAGON = 0.645;

function square(symbol, place, { open, taken, last, hinted }) {
  if (symbol === null) return h("span");
  const known = open.has(String(place)) && !waiting;
  const role = ["first", "second"][view.roles.indexOf(symbol)] ?? "";
  const shape = view.shapes[symbol];
  const dark = (place[0] + place[1]) % 2 === 0;
  return h(
    "button",
    {
      type: "button",
      class: `field ${known ? "open" : ""} ${taken.has(String(place)) ? "chosen" : ""} ${dark ? "dark" : ""} ${last.has(String(place)) ? "last" : ""} ${hinted.has(String(place)) ? "hinted" : ""}`,
      "data-square": String(place),
      tabindex: "-1",
      "aria-label": `${squareName(place)}, ${shape?.name ?? (symbol || "empty")}${last.has(String(place)) ? ", of the last move" : ""}${hinted.has(String(place)) ? ", of the hint" : ""}`,
      "aria-disabled": String(!known),
      on: { click: () => point(place) },
    },
    shape ? drawing(shape) : symbol ? piece(symbol, role) : null,
  );
}

function piece(symbol, role) {
  const disc = h("span", { class: `piece ${role} ${symbol}` }, symbol[0]);
  [disc.style.background, disc.style.color] = view.colours[symbol] ?? ["", ""];
  return disc;
}

/** Takes a square for the next of a move, or as the first of another one. */
function point(square) {
  goTo(square);
  if (waiting || view.over) return;
  const before = chosen;
  chosen = [...before, square];
  if (!possible().length) chosen = [square];
  const found = possible();
  if (!found.length) {
    chosen = [];
    notice(`No move ${before.length ? "leads to" : "begins at"} ${squareName(square)}.`);
  } else if (found.length === 1 && (found[0].clicks.length || found[0].squares.length === chosen.length)) {
    return play(found[0].move);
  } else {
    notice();
  }
  drawBoard();
  drawMoves();
}

function play(move) {
  if (waiting) return;
  answers.delete(state.moves.length);
  push(move);
  show({ step: true });
}

function push(move) {
  state.moves.push(move);
  if (state.redo.pop() !== move) state.redo = [];
}

// The list of moves

function drawMoves() {
  const known = new Map(advice?.moves.map(({ move, score }) => [move, score]));
  const moves = possible();
  if (advice) {
    const rank = new Map(advice.moves.map(({ move }, i) => [move, i]));
    moves.sort((a, b) => rank.get(a.move) - rank.get(b.move));
  }
  byId("about").textContent = about();
  byId("reasons").replaceChildren(...(advice?.reasons ?? []).map((sentence) => h("p", {}, sentence)));
  byId("move-list").replaceChildren(
    ...moves.map(({ move, name }) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: advice?.best.includes(move) ? "best" : "", on: { click: () => play(move) } },
          h("code", {}, name),
          h("span", { class: "quiet" }, scoreText(known.get(move))),
        ),
      ),
    ),
  );
}

function about() {
  if (view.over) return "None: the game is over.";
  if (!advice) return "Point at a square, or choose a move here.";
  const looked = `${advice.depth} ${advice.depth === 1 ? "ply" : "plies"} ahead in ${advice.seconds.toFixed(1)} s.`;
  const random = advice.moves.some(({ score }) => score.mean !== undefined);
  const told = advice.untried ? `${looked} There was no time for random games after ${advice.untried} moves.` : looked;
  return random ? `${told} The mean of random games is from −1, all lost, to +1, all won.` : told;
}

function scoreText(score) {
  if (!score) return "";
  if (score.kind === "draw") return "a draw";
  if (score.plies) return `${score.kind === "win" ? "wins" : "loses"} ${score.within ? "within" : "in"} ${score.in}`;
  if (score.mean === undefined) return score.value === undefined ? "" : String(score.value);
  const mean = score.mean.toFixed(2).replace("-", "−");
  return `${score.mean > 0 ? "+" : ""}${mean} of ${score.playouts} random games`;
}

// What the user does

/** Goes to the position after some moves, on to the advisor's answer where that has been made. */
function travelTo(at) {
  const all = [...state.moves, ...[...state.redo].reverse()];
  let to = Math.max(0, Math.min(at, all.length));
  while (to > 0 && to < all.length && answers.has(to)) to += at < state.moves.length ? -1 : 1;
  Object.assign(state, { moves: all.slice(0, to), redo: all.slice(to).reverse() });
  show({ step: true });
}

/** Ends the advisor's thinking with what it knows. */
function stop() {
  if (!byId("stop").hidden) enough();
}

const undo = () => state.moves.length && travelTo(state.moves.length - 1);
const redo = () => state.redo.length && travelTo(state.moves.length + 1);

function startAgain() {
  Object.assign(state, { start: "", moves: [], redo: [] });
  answers.clear();
  show({ step: true });
}

const KEYS = {
  u: undo,
  r: redo,
  h: hint,
  s: stop,
  n: startAgain,
  Home: () => moves.go(0),
  End: () => moves.go(moves.count),
};
const WALK = {
  ArrowLeft: () => walk(-1, 0),
  ArrowRight: () => walk(1, 0),
  ArrowUp: () => walk(0, 1),
  ArrowDown: () => walk(0, -1),
};

listen((key) => KEYS[key] ?? (byId("grid").contains(document.activeElement) ? WALK[key] : undefined));
byId("stop").addEventListener("click", stop);
byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("hint").addEventListener("click", hint);
byId("restart").addEventListener("click", startAgain);
byId("game").addEventListener("change", ({ target }) => {
  Object.assign(state, { game: target.value, constants: {} });
  startAgain();
});
byId("advisor").addEventListener("change", ({ target }) => {
  state.advisor = target.value === "" ? null : Number(target.value);
  show();
});
byId("time").addEventListener("change", ({ target }) => (state.time = Number(target.value)));
window.addEventListener("popstate", () => show({ wrong: readAddress() }));

await show({ wrong: readAddress() });
