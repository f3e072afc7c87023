// The page: what happens when a column is chosen, a mode, another weight.

import { Advice } from "./advice.js";
import { Refusal, Superseded, enough, get, position, suggest } from "./api.js";
import { Board } from "./board.js";
import { COLOURS, announce, byId, either, icon, notice, setIcon } from "./dom.js";
import { Editor } from "./editor.js";
import { Kept } from "./exact.js";
import { listen } from "./keys.js";
import { Line } from "./line.js";
import { Moves } from "./moves.js";
import { Plan } from "./plan.js";
import { Proof } from "./proof.js";
import { Puzzle } from "./puzzle.js";
import { Review } from "./review.js";
import { Game, Setup } from "./settings.js";
import { begin, play, readAddress, redo, setup, state, undo, writeAddress } from "./state.js";
import { Weights } from "./weights.js";

const PAUSE_MS = 350; // before an answering move, so that the eye can follow
const SETTLE_MS = 200; // browsers limit how often the address may change
const EXACT_SECONDS = 5; // to search to the end of the game, after the look-ahead
const PLANLESS = { depth: 8 }; // sees the few threats in a row by which a solution's unwritten ends win
const other = (disc) => (disc === "x" ? "o" : "x");

const limits = await get("server");
const board = new Board({ play: choose, point });
const advice = new Advice((squares) => board.light(squares));
const line = new Line(preview);
const moves = new Moves((at) => travelTo(at));
const kept = new Kept();
const plan = new Plan({ number: (numbers, now) => board.number(numbers, now), challenge });
const proof = new Proof();
const review = new Review(travelTo, () => view && listMoves());
const puzzle = new Puzzle({
  open: openPuzzle,
  solve: solution,
  reply: (column) => moved(column, "defence"),
  takeBack: () => (undo(), state.redo.pop(), show()),
  pause,
  wait: (text) => ((waiting = text !== null), progress(text)),
});
const editor = new Editor({ draw: (drawn) => board.show((shown = drawn)), done: takeOver, cancel: () => show() });
const weights = new Weights(limits, reweighed);
const game = new Game(limits, () => show());
const boardSetup = new Setup(limits, { changed: () => show({ step: true }), edit });

let view = null; // the position as the server describes it
let shown = null; // the position on the board, another one during a preview
let current = new AbortController(); // ends what the last position had begun
let remark = ""; // why the advisor made its last move
let waiting = false; // for the answering move of the other side
let settling = null; // the address

// Showing a position

/** Opens what the address says, and tells what of it cannot be used. */
async function open() {
  const wrong = [readAddress(limits), await weights.load()];
  remark = "";
  await show({ wrong });
}

/**
 * Shows the state's position and begins what follows from it; `step` makes it an entry of the
 * browser's history, `wrong` is told beside it.
 */
async function show({ step = false, spoken = "", wrong = [] } = {}) {
  const signal = restart();
  editor.close();
  delete document.body.dataset.editing;
  try {
    if (state.mode === "puzzle") wrong = [...wrong, await puzzle.prepare()];
    if (signal.aborted) return;
    writeAddress(step);
    notice(wrong.filter(Boolean).join(" "));
    view = await position(setup(), signal);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (!(error instanceof Refusal)) throw error;
    begin();
    await show({ wrong: [...wrong, `This position cannot be shown: ${error.message}.`] });
    return;
  }
  if (signal.aborted) return;
  // A board text may say its own size.
  state.size = { width: view.width, height: view.height, connect: view.connect };
  shown = view;
  board.show(view, state.moves.at(-1));
  board.hint([]);
  plan.show(null);
  proof.show(null);
  boardSetup.show(view);
  drawStatus();
  drawMode();
  review.follow(state.mode === "analyse" ? setup() : null);
  listMoves();
  announce([spoken, view.status].filter(Boolean).join(" "));
  document.body.dataset.ready = "";
  await guarded(follow(signal));
}

/** The moves with those that have been taken back. */
const wholeGame = () => [...state.moves, ...[...state.redo].reverse()];

function listMoves() {
  const turns = state.moves.length % 2 ? [other(view.turn), view.turn] : [view.turn, other(view.turn)];
  const items = wholeGame().map((column, i) => {
    const disc = turns[i % 2];
    return { text: String(column), label: `${COLOURS[disc].toLowerCase()}, column ${column}`, mark: icon(`disc-${disc}`, "step-disc"), error: review.errorAt(i + 1) };
  });
  moves.show(items, state.moves.length);
}

/** What a position leads to: advice, the other side's move, the state of a puzzle. */
async function follow(signal) {
  line.show([]);
  advice.show(null, view.over ? `${remark} The game is over.`.trim() : "");
  if (state.mode === "puzzle") {
    await puzzle.judge(view, signal);
  } else if (view.over) {
    return;
  } else if (state.mode === "play" && view.turn === state.advisor) {
    advice.show(null, "The advisor is thinking.");
    await answer(signal);
  } else if (state.mode === "analyse" || state.hints) {
    await plan.look(setup(), view, state.mode === "analyse", signal);
    await think(signal);
    await prove(signal);
  } else {
    if (againstPlan()) await plan.lookBack(setup(), view, false, signal);
    advice.show(null, remark || "Your move. Ask for a hint, or turn on scores while you play.");
  }
}

/** Adds a proof to be read, unless a plan is shown. */
async function prove(signal) {
  if (showsExact() && !plan.step) await proof.look(setup(), signal);
}

const showsExact = () => state.mode === "analyse" && state.exact;

/** Looks at the same position again, with other weights. */
function consider() {
  if (!view || view.over || waiting || editor.active || state.mode === "puzzle") return;
  if (state.mode === "play" && !state.hints) return;
  const signal = restart();
  guarded(think(signal).then(() => prove(signal)));
}

/** What other weights change: the advice at once, the address when they are let go of. */
function reweighed() {
  clearTimeout(settling);
  settling = setTimeout(writeAddress, SETTLE_MS);
  consider();
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

/** How far an analysis looks ahead; a level is for the opponent alone. */
const analysis = () => (state.time ? { time: state.time } : { depth: state.level });
const opponentsLimit = () => (state.time ? { time: state.time } : { level: state.level });

/**
 * Shows the strategies at once, the scores as the look-ahead goes deeper, then what is certain as it
 * is proved. What all that comes to the server says; `onAdvice` is told each time.
 */
async function think(signal, limit = analysis(), onAdvice = () => {}) {
  const seconds = showsExact() || state.mode === "play" ? { exact: EXACT_SECONDS } : {};
  const request = { ...setup(), weights: weights.text(), ...limit, ...seconds };
  const show = (advised) => {
    if (signal.aborted) return;
    drawAdvice(advised);
    onAdvice(advised);
  };
  let found = kept.recall(request);
  if (!found) {
    if (limit.depth !== 0) advice.showRough(await suggest({ ...setup(), weights: request.weights, depth: 0 }, signal));
    found = await suggest(request, signal, (reached) => {
      if (reached.moves) {
        progress("Searching to the end of the game.");
        show(reached);
      } else {
        progress(reached);
        if (!line.at) board.showScores(reached);
      }
    });
    if (signal.aborted) throw new Superseded();
    kept.keep(request, found);
  }
  progress();
  show(found);
  const first = found.moves.find(({ column }) => column === found.best[0]);
  announce(`Best: column ${either(found.best)}${first.outcome ? `, ${first.outcome}` : ""}.`);
  return found;
}

/** Shows advice everywhere: in its card, on the board unless that shows a preview, as a line. */
function drawAdvice(found) {
  advice.show(found);
  if (line.at) return;
  drawScores(found);
  if (String(found.pv) !== String(line.columns)) line.show(found.pv, view.turn);
}

function drawScores(found) {
  board.showScores({ scores: found.moves, best: found.best });
  if (showsExact()) board.showExact(found.exact, found.best);
}

/** Whether the advisor plays by the plan, where there is one. */
const againstPlan = () => state.mode === "play" && state.plan;

/** The advisor's own move in a game. */
async function answer(signal) {
  waiting = true;
  progress("The advisor is thinking.");
  const step = againstPlan() ? await plan.ask(setup(), signal) : null;
  if (step) {
    await pause(signal);
    if (signal.aborted) throw new Superseded();
    remark = `The advisor played column ${step.column}. ${step.text.at(-1)}`;
    return moved(step.column, "advisor");
  }
  const how = againstPlan() ? PLANLESS : { ...opponentsLimit(), weights: weights.text() };
  const request = { ...setup(), ...how };
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

function pause(signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  });
}

/** Says how far a look-ahead has come: a text, the depth reached, nothing. */
function progress(reached = null) {
  const text =
    reached && typeof reached !== "string"
      ? `Depth ${reached.depth}, best so far: column ${either(reached.best)}`
      : (reached ?? sideLine());
  byId("progress").textContent = text;
  byId("progress").classList.toggle("busy", reached !== null);
  byId("stop").hidden = reached === null || state.mode === "puzzle";
}

function sideLine() {
  if (state.mode === "play") return `You play ${COLOURS[other(state.advisor)].toLowerCase()}.`;
  if (view?.over) return "";
  if (state.mode === "puzzle" && puzzle.posed) return `Win in ${puzzle.posed.win_in}`;
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
  if (editor.active) return editor.put(column);
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
  // An answer belongs to the move before it: the browser's Back takes back both.
  return show({ step: by === "user", spoken: `${mover} plays column ${column}.` });
}

function point(column) {
  if (!line.at && !editor.active) advice.point(column);
}

/** The side that the page moves for, if any. */
const opponent = () =>
  state.mode === "play" ? state.advisor : state.mode === "puzzle" ? other(puzzle.posed.turn) : null;

/** Takes back, or plays again, until it is the user's turn. */
function travel(step, left) {
  if (!left().length) return;
  const turn = other(view.turn);
  step();
  if (turn === opponent() && left().length) step();
  remark = "";
  show({ step: true });
}

const back = () => travel(undo, () => state.moves);
const forth = () => travel(redo, () => state.redo);

function startAgain() {
  remark = "";
  begin(state.mode === "puzzle" || againstPlan() ? state.start : "");
  show({ step: true });
}

function flip() {
  if (state.mode !== "play") return;
  state.advisor = other(state.advisor);
  show();
}

/** Goes to the position after some moves of the game, where it is the user's turn if it can be. */
function travelTo(at, game = wholeGame()) {
  const turn = (at - state.moves.length) % 2 ? other(view.turn) : view.turn;
  const to = turn === opponent() && at < game.length ? at + 1 : at;
  Object.assign(state, { moves: game.slice(0, to), redo: game.slice(to).reverse() });
  remark = "";
  show({ step: true });
}

/** Grades the whole game, what has been taken back of it too. */
async function lookBack() {
  if (!view || state.mode !== "analyse" || !state.moves.length) return;
  const signal = restart();
  await guarded(review.begin({ ...setup(wholeGame()), weights: weights.text() }, state.moves.length, signal));
}

function toggleExact() {
  if (state.mode !== "analyse") return;
  state.exact = !state.exact;
  show();
}

/** Ends the look-ahead with what it has seen. */
function stop() {
  if (!byId("stop").hidden) enough();
}

async function hint() {
  if (!view || view.over || waiting || editor.active) return;
  if (state.mode === "puzzle") return guarded(puzzle.hint(restart()).then((columns) => board.hint(columns)));
  await best();
}

/** Shows the best moves and what is expected after them. */
async function best(limit) {
  const signal = restart();
  await guarded(
    (async () => {
      const found = await think(signal, limit, (advised) => board.hint(advised.best));
      announce(`Hint: column ${either(found.best)}.`);
    })(),
  );
}

/** Shows the position after some moves of the expected line. */
async function preview(count) {
  const { signal } = current;
  const ahead = line.columns.slice(0, count);
  const heights = view.rows[0].split("").map((_, i) => view.rows.filter((row) => row[i] !== ".").length);
  const numbered = new Map(ahead.map((column, i) => [`${++heights[column - 1]},${column}`, i + 1]));
  await guarded(
    (async () => {
      const found = count ? await position(setup([...state.moves, ...ahead]), signal) : view;
      if (signal.aborted || line.at !== count) return;
      shown = found;
      board.show(found, ahead.at(-1) ?? state.moves.at(-1), numbered);
      byId("status").textContent = count ? `After ${count} of the expected moves` : view.status;
      setIcon(byId("turn"), `disc-${found.winner ?? found.turn}`);
      if (!count && advice.advice && !advice.rough) drawScores(advice.advice);
      if (!count) plan.draw();
      if (count) announce(`Move ${count}: column ${ahead.at(-1)}. ${found.status}`);
    })(),
  );
}

// Puzzles

function openPuzzle(id) {
  Object.assign(state, { mode: "puzzle", puzzle: id });
  begin();
  show({ step: true });
}

/** Shows the whole winning line, to step through. */
async function solution() {
  begin(state.start);
  await show({ step: true });
  await best({ depth: puzzle.depth });
  line.go(1);
}

/** A game against the plan, from the position on the board on. */
function challenge() {
  begin(view.text);
  Object.assign(state, { mode: "play", advisor: plan.waits ? other(view.turn) : view.turn, plan: true });
  show({ step: true });
}

// Setting up by clicking

function edit() {
  if (!view) return;
  restart();
  notice();
  line.show([]);
  plan.show(null);
  proof.show(null);
  advice.show(null, "Advice appears when the position is set up.");
  document.body.dataset.editing = "";
  editor.begin(view);
}

function takeOver({ text }) {
  begin(text);
  remark = "";
  show({ step: true });
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
  s: stop,
  e: () => state.mode !== "puzzle" && edit(),
  "[": () => review.step(-1),
  "]": () => review.step(1),
  ",": () => line.step(-1),
  ".": () => line.step(1),
  Home: () => moves.go(0),
  End: () => moves.go(moves.count),
};
const WALK = { ArrowLeft: () => board.step(-1), ArrowRight: () => board.step(1) };

listen((key) => {
  if (/^[1-9]$/.test(key)) return () => choose(Number(key));
  return editor.active ? (editor.keyed(key) ?? WALK[key]) : (KEYS[key] ?? WALK[key]);
});

byId("stop").addEventListener("click", stop);
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
window.addEventListener("popstate", open);

await open();
