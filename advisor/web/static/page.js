// The page: what happens when a column is chosen, a mode, another weight.

import { Advice } from "./advice.js";
import { Refusal, Superseded, attempt, get, position, suggest } from "./api.js";
import { Board } from "./board.js";
import { Book } from "./book.js";
import { COLOURS, announce, byId, h, notice, setIcon } from "./dom.js";
import { Exact } from "./exact.js";
import { Line } from "./line.js";
import { Review } from "./review.js";
import { Game, Setup } from "./settings.js";
import { begin, play, readAddress, redo, setup, state, undo, writeAddress } from "./state.js";
import { Weights } from "./weights.js";

const PAUSE_MS = 350; // before an answering move, so that the eye can follow
const other = (disc) => (disc === "x" ? "o" : "x");

const limits = await get("server");
const board = new Board({ play: choose, point });
const advice = new Advice((squares) => board.light(squares));
const line = new Line(preview);
const exact = new Exact((found) => board.showExact(found));
const review = new Review(travelTo);
const book = new Book((id) => openPuzzle(id));
const weights = new Weights(limits, () => consider());
const game = new Game(limits, () => show());
const boardSetup = new Setup(limits, () => show({ step: true }));

let view = null; // the position as the server describes it
let shown = null; // the position on the board, another one during a preview
let puzzle = null; // in puzzle mode
let current = new AbortController(); // ends what the last position had begun
let remark = ""; // why the advisor made its last move
let waiting = false; // for the answering move of the other side

// Showing a position

/** Shows the state's position and begins what follows from it. */
async function show({ step = false, spoken = "" } = {}) {
  const signal = restart();
  notice();
  writeAddress(step);
  try {
    if (state.mode === "puzzle") await preparePuzzle();
    view = await position(setup(), signal);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    begin();
    await show();
    notice(error.message);
    return;
  }
  if (signal.aborted) return;
  // A board text may say its own size.
  state.size = { width: view.width, height: view.height, connect: view.connect };
  shown = view;
  board.show(view);
  board.hint([]);
  boardSetup.show(view);
  drawStatus();
  drawMode();
  review.follow(state.mode === "analyse" ? setup() : null);
  announce([spoken, view.status].filter(Boolean).join(" "));
  document.body.dataset.ready = "";
  await guarded(follow(signal));
}

/** What a position leads to: advice, the other side's move, the state of a puzzle. */
async function follow(signal) {
  line.show([]);
  advice.show(null, view.over ? `${remark} The game is over.`.trim() : "");
  if (state.mode === "puzzle") {
    await judge(signal);
  } else if (view.over) {
    return;
  } else if (state.mode === "play" && view.turn === state.advisor) {
    advice.show(null, "The advisor is thinking.");
    await answer(signal);
  } else if (state.mode === "analyse" || state.hints) {
    if (state.mode === "analyse" && state.exact) exact.recall(setup());
    await think(signal);
    if (state.mode === "analyse" && state.exact) await exact.look(setup(), signal);
  } else {
    advice.show(null, remark || "Your move. Ask for a hint, or let the scores be shown while you play.");
  }
}

/** Looks at the same position again, with other weights. */
function consider() {
  if (!view || view.over || waiting || state.mode === "puzzle") return;
  if (state.mode === "play" && !state.hints) return;
  const signal = restart();
  guarded(think(signal).then(() => (state.exact ? exact.look(setup(), signal) : null)));
}

function restart() {
  current.abort();
  current = new AbortController();
  waiting = false;
  progress();
  return current.signal;
}

async function guarded(promise) {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    progress();
    notice(error.message);
  }
}

const limitOf = () =>
  state.time ? { time: state.time } : state.level ? { level: state.level } : { depth: 0 };

/** Shows the strategies at once, and the scores as the look-ahead goes deeper. */
async function think(signal, limit = limitOf()) {
  const request = { ...setup(), weights: weights.text() };
  let found = await suggest({ ...request, depth: 0 }, signal);
  if (limit.depth !== 0) {
    advice.showRough(found);
    found = await suggest({ ...request, ...limit }, signal, (reached) => {
      progress(reached);
      board.showScores(reached);
    });
  }
  if (signal.aborted) throw new Superseded();
  progress();
  board.showScores({ scores: found.moves, best: found.best });
  advice.show(found);
  line.show(found.pv, view.turn);
  const first = found.moves.find(({ column }) => column === found.best[0]);
  announce(`Best: column ${found.best.join(" or ")}${first.outcome ? `, ${first.outcome}` : ""}.`);
  return found;
}

/** The advisor's own move in a game. */
async function answer(signal) {
  waiting = true;
  progress("The advisor is thinking.");
  const request = { ...setup(), weights: weights.text(), ...limitOf() };
  const [found] = await Promise.all([suggest(request, signal, progress), pause(signal)]);
  if (signal.aborted) throw new Superseded();
  const choices = found.choices ?? found.best;
  const column = choices[Math.floor(Math.random() * choices.length)];
  // A weaker level's choice was not made for its score.
  const { explanation } = found.moves.find((move) => move.column === column);
  remark = `The advisor played column ${column}.`;
  if (found.best.includes(column)) remark += ` ${explanation.join(" ")}`;
  await moved(column, "advisor");
}

const pause = (signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  });

/** Says how far a look-ahead has come: a text, the depth reached, nothing. */
function progress(reached = null) {
  const text =
    reached && typeof reached !== "string"
      ? `Depth ${reached.depth}, best so far: column ${reached.best.join(" or ")}`
      : (reached ?? sideLine());
  byId("progress").textContent = text;
  byId("progress").classList.toggle("busy", reached !== null);
}

function sideLine() {
  if (state.mode === "play") return `You play ${COLOURS[other(state.advisor)].toLowerCase()}.`;
  if (view?.over) return "";
  if (state.mode === "puzzle" && puzzle) return `Win in ${puzzle.win_in}`;
  return "";
}

function drawStatus() {
  byId("status").textContent = view.status;
  setIcon(byId("turn"), `disc-${view.winner ?? view.turn}`);
  progress();
}

function drawMode() {
  for (const button of document.querySelectorAll("[data-mode]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === state.mode));
  }
  const solving = state.mode === "puzzle";
  byId("restart-label").textContent = state.mode === "play" ? "New game" : "Restart";
  byId("flip").hidden = state.mode !== "play";
  byId("undo").disabled = !state.moves.length;
  byId("redo").disabled = !state.redo.length;
  byId("hint").disabled = view.over;
  byId("review").hidden = state.mode !== "analyse";
  byId("review").disabled = !state.moves.length;
  byId("book-card").hidden = !solving;
  byId("puzzle-card").hidden = !solving;
  byId("position-card").hidden = solving;
  byId("weights-card").hidden = solving;
  game.draw();
}

// What the user does

function choose(column) {
  if (!view) return;
  if (waiting) return notice("Wait for the other side's move.");
  // In an analysis one can go on from a preview; elsewhere a choice ends it.
  if (line.at && state.mode !== "analyse") return line.go(0);
  if (shown.over) return notice("The game is over.");
  if (!shown.moves.some(([legal]) => legal === column)) {
    if (column <= view.width) notice(`Column ${column} is full.`);
    return;
  }
  state.moves.push(...line.columns.slice(0, line.at));
  moved(column);
}

function moved(column, by = "user") {
  if (by === "user") remark = "";
  const mover = COLOURS[shown.turn];
  play(column);
  return show({ spoken: `${mover} plays column ${column}.` });
}

function point(column) {
  if (!line.at) advice.point(column);
}

/** The side that the page moves for, if any. */
const opponent = () =>
  state.mode === "play" ? state.advisor : state.mode === "puzzle" ? other(puzzle.turn) : null;

/** Takes back, or plays again, until it is the user's turn. */
function travel(step, left) {
  if (!left().length) return;
  const turn = other(view.turn);
  step();
  if (turn === opponent() && left().length) step();
  remark = "";
  show();
}

const back = () => travel(undo, () => state.moves);
const forth = () => travel(redo, () => state.redo);

function startAgain() {
  remark = "";
  if (state.mode === "puzzle") state.moves = [];
  else begin();
  show();
}

function flip() {
  if (state.mode !== "play") return;
  state.advisor = other(state.advisor);
  show();
}

/** Goes to another move of the game that is reviewed. */
function travelTo(moves, later) {
  Object.assign(state, { moves: [...moves], redo: [...later].reverse() });
  show();
}

/** Grades the whole game, what has been taken back of it too. */
async function lookBack() {
  if (!view || state.mode !== "analyse" || !state.moves.length) return;
  const signal = restart();
  const moves = [...state.moves, ...[...state.redo].reverse()];
  await guarded(review.begin({ ...setup(moves), weights: weights.text() }, state.moves.length, signal));
}

function toggleExact() {
  if (state.mode !== "analyse") return;
  state.exact = !state.exact;
  show();
}

async function hint() {
  if (!view || view.over || waiting) return;
  const signal = restart();
  await guarded(
    (async () => {
      const found = await think(signal, state.mode === "puzzle" ? puzzleLimit() : limitOf());
      board.hint(found.best);
      announce(`Hint: column ${found.best.join(" or ")}.`);
    })(),
  );
}

/** Shows the position after some moves of the expected line. */
async function preview(count) {
  const { signal } = current;
  const moves = line.columns.slice(0, count);
  const heights = view.rows[0].split("").map((_, i) => view.rows.filter((row) => row[i] !== ".").length);
  const numbered = new Map(moves.map((column, i) => [`${++heights[column - 1]},${column}`, i + 1]));
  await guarded(
    (async () => {
      const found = count ? await position(setup([...state.moves, ...moves]), signal) : view;
      if (signal.aborted || line.at !== count) return;
      shown = found;
      board.show(found, numbered);
      byId("status").textContent = count ? `After ${count} of the expected moves` : view.status;
      setIcon(byId("turn"), `disc-${found.winner ?? found.turn}`);
      if (!count && advice.advice) board.showScores({ scores: advice.advice.moves, best: advice.advice.best });
      if (!count && state.mode === "analyse" && state.exact) exact.recall(setup());
      if (count) announce(`Move ${count}: column ${moves.at(-1)}. ${found.status}`);
    })(),
  );
}

// Puzzles

async function preparePuzzle() {
  await book.load();
  const wanted = book.find(state.puzzle) ?? book.next();
  puzzle = wanted;
  state.puzzle = puzzle.id;
  state.start = puzzle.text;
  state.size = { width: puzzle.width, height: puzzle.height, connect: puzzle.connect };
  writeAddress();
  book.draw(puzzle.id);
}

function openPuzzle(id) {
  Object.assign(state, { mode: "puzzle", puzzle: id, moves: [], redo: [] });
  show({ step: true });
}

const puzzleLimit = () => ({
  depth: Math.max(1, 2 * (puzzle.win_in - Math.floor(state.moves.length / 2)) - 1),
});

/** Asks how the try stands, and plays the best defence. */
async function judge(signal) {
  advice.show(null);
  puzzleCard("open");
  if (!state.moves.length) return;
  const mine = view.turn !== puzzle.turn;
  waiting = mine && !view.over;
  if (waiting) progress("Looking for the best defence.");
  const [found] = await Promise.all([attempt(puzzle.id, state.moves, signal), mine ? pause(signal) : null]);
  if (signal.aborted) throw new Superseded();
  waiting = false;
  progress();
  if (found.state === "solved") {
    book.remember(puzzle.id);
    book.draw(puzzle.id);
  }
  if (found.reply) {
    await moved(found.reply);
    if (found.state === "slipped") puzzleCard("slipped");
  } else {
    puzzleCard(found.state);
  }
}

const VERDICTS = {
  open: "",
  solved: "Solved.",
  slipped: "That lets the win slip: it takes longer now, or is gone. Undo and try another move.",
  missed: "Not in time. Undo, or start again.",
};

function puzzleCard(verdict) {
  const go = (label, target) =>
    h(
      "button",
      { type: "button", disabled: !target, on: { click: () => openPuzzle(target.id) } },
      label,
    );
  const colour = COLOURS[puzzle.turn];
  const next = book.beside(puzzle.id, 1);
  byId("puzzle-card").replaceChildren(
    h("h2", { id: "puzzle-title" }, `Chapter ${puzzle.chapter}, problem ${puzzle.number}`),
    h(
      "p",
      {},
      `${colour} to move and win in ${puzzle.win_in}${puzzle.win_in > 1 ? ", against the best defence" : ""}.`,
    ),
    h("p", { class: `verdict ${verdict}`, id: "verdict" }, VERDICTS[verdict]),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", id: "solution", disabled: view.over, on: { click: solution } }, "Solution"),
      go("Previous", book.beside(puzzle.id, -1)),
      go(verdict === "solved" ? "Next puzzle" : "Next", next),
    ),
  );
  if (VERDICTS[verdict]) announce(VERDICTS[verdict]);
}

/** Shows the whole winning line, to step through. */
async function solution() {
  state.moves = [];
  state.redo = [];
  await show();
  await hint();
  line.go(1);
}

// Set-up

const KEYS = {
  u: back,
  r: forth,
  h: hint,
  n: startAgain,
  f: flip,
  v: lookBack,
  x: toggleExact,
  "[": () => review.step(-1),
  "]": () => review.step(1),
  ",": () => line.step(-1),
  ".": () => line.step(1),
  ArrowLeft: () => board.step(-1),
  ArrowRight: () => board.step(1),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  const action = /^[1-9]$/.test(event.key) ? () => choose(Number(event.key)) : KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

byId("undo").addEventListener("click", back);
byId("redo").addEventListener("click", forth);
byId("restart").addEventListener("click", startAgain);
byId("hint").addEventListener("click", hint);
byId("flip").addEventListener("click", flip);
byId("review").addEventListener("click", lookBack);
for (const button of document.querySelectorAll("[data-mode]")) {
  button.addEventListener("click", () => {
    if (state.mode === button.dataset.mode) return;
    // A puzzle's position can be analysed; a puzzle begins at its own.
    if (button.dataset.mode === "puzzle") state.moves = [];
    Object.assign(state, { mode: button.dataset.mode, redo: [] });
    if (state.mode === "play" && state.level === 0) state.level = 1;
    show({ step: true });
  });
}
window.addEventListener("popstate", () => {
  readAddress(limits);
  show();
});

readAddress(limits);
weights.draw();
await show();
