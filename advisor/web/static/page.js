// The page: what happens when a move is made, a mode or a game chosen, another weight.

import { Advice } from "./advice.js";
import { Analysis, hinted } from "./analysis.js";
import { Refusal, Superseded, enough, threats, why } from "./api.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { announce, byId, h, notice } from "./dom.js";
import { Editor } from "./editor.js";
import { keepFocus } from "./focus.js";
import { can, current as gameHere, games, limits, offerAnew, source } from "./game.js";
import { Grid } from "./grid.js";
import { Hints } from "./hints.js";
import { isReached, listen } from "./keys.js";
import { language, say, translate } from "./languages.js";
import { Line } from "./line.js";
import { keep } from "./mistakes.js";
import { Looks } from "./looks.js";
import { Moves } from "./moves.js";
import { Plan } from "./plan.js";
import { Program } from "./program.js";
import { Proof } from "./proof.js";
import { Puzzle } from "./puzzle.js";
import { Review } from "./review.js";
import { Game, Setup, levelName } from "./settings.js";
import { Share } from "./share.js";
import { begin, choose as chooseGame, keepLegal, play, readAddress, redo, state, undo, writeAddress } from "./state.js";
import { ThreatMap } from "./threatmap.js";
import { Weights } from "./weights.js";
import { Work, pause } from "./work.js";

const SETTLE_MS = 200; // browsers limit how often the address may change
const SILENT = { text: "", reasons: [] };
const PLANLESS = { depth: 8 }; // sees the few threats in a row by which a solution's unwritten ends win

const actions = { play: choose, point, wrong: (text) => notice(text === "" ? whyNot() : (text ?? "")) };
const boards = { columns: new Board(actions), squares: new Grid(actions) };
const board = () => boards[gameHere().board];
const squares = { named: (name) => board().named(name), light: (lit) => board().light(lit), play: choose };
const asking = {
  here: () => JSON.stringify([state.game, source().setup(), weights.text()]),
  why: (asked, line = []) => why({ ...source().setup([...state.moves, ...line]), weights: weights.text(), ...asked }),
  threats: () => threats({ ...source().setup(state.moves), weights: weights.text(), language }),
  weighed: (kind) => weights.of(kind),
};
const advice = new Advice({ ...squares, ...asking, anew: () => show() });
const line = new Line(preview);
const analysis = new Analysis({ advice, line, bar: new Bar(), board, weights: () => weights.text(), progress });
const moves = new Moves({ travel: travelTo, back: () => back(), forth: () => forth(), changed: () => show({ step: true }), errorAt: (ply) => review.errorAt(ply) });
const plan = new Plan({ number: (numbers, now) => can("plan") && board().number(numbers, now), challenge });
const program = new Program();
const proof = new Proof();
const review = new Review({ travel: travelTo, graded: () => view && listMoves(), practise }, squares);
const puzzle = new Puzzle({
  open: openPuzzle,
  solve: solution,
  reply: (move) => moved(move, "defence"),
  takeBack: () => (undo(), state.redo.pop(), show()),
  keep: () => writeAddress(true),
  pause,
  wait: (text) => ((waiting = text !== null), progress(text)),
});
const editor = new Editor({ draw: (view, ...how) => board().edit((shown = view), ...how), brush: (symbol) => board().brush(symbol), done: takeOver, cancel: () => show() });
const weights = new Weights(limits, reweighed);
const game = new Game(limits, (change) => ("advisor" in change && sit(), editor.active || show()));
const share = new Share(toExport, () => weights.text());
const looks = new Looks();
const threatMap = new ThreatMap({ ask: asking.threats, board });
const hints = new Hints();
const work = new Work({ begun: () => ((waiting = false), progress()), refused: (why) => (progress(), notice(why)) });
const boardSetup = new Setup(limits, { changed: (wrong) => show({ step: true, wrong }), edit });

let view = null; // the position as the server describes it
let shown = null; // the position on the board, another one during a preview
let remark = SILENT; // what the advisor played last, and why
let waiting = false; // for the answering move of the other side
let settling = null; // the address
let depicted = 0; // how many moves lead to the view
let awaited = "position"; // what the board does not show yet: a "move", another "position", or null
const queued = []; // moves that follow that one in an analysis
const cards = []; // those of plugins

// Showing a position

/** Opens what the address says, and tells what of it cannot be used. */
async function open() {
  const wrong = [readAddress(limits, games)];
  byId("game").value = state.game;
  // The first time the usual weights are read after the advice, which does without their names.
  if (state.weights.changed.size || weights.key) wrong.push(await weights.load());
  remark = SILENT;
  await show({ wrong });
  await weights.load();
}

/**
 * Shows the state's position and begins what follows from it; `step` makes it an entry of the
 * browser's history, without an `address` it is not even there, `wrong` is told beside it. Until
 * it is there nothing can be done on the board, but that moves may follow where it is a `move` that
 * is awaited. `anew`: nothing else can be shown.
 * Tells whether it is shown still when all is done.
 */
async function show({ step = false, spoken = "", wrong = [], move = false, anew = false, address = true } = {}) {
  const signal = work.begin();
  lag(move ? "move" : "position");
  if (!move) queued.length = 0;
  editor.close();
  delete document.body.dataset.editing;
  try {
    if (state.mode === "puzzle") wrong = [...wrong, await puzzle.prepare(signal)];
    if (signal.aborted) return false;
    if (address) writeAddress(step);
    notice(told(wrong));
    view = await source().position(state.moves, signal);
  } catch (error) {
    if (error instanceof Superseded) return false;
    if (!(error instanceof Refusal)) throw error;
    wrong = [...wrong, say("page.unshown", { why: error.message })];
    if (anew) {
      notice(told(wrong));
      return false;
    }
    const legal = movesBefore(error.message);
    if (legal) {
      keepLegal(legal);
      return show({ wrong: [...wrong, say("page.moves-before")] });
    }
    begin();
    state.constants = {};
    if (state.mode === "puzzle") Object.assign(state, { mode: "analyse", puzzle: null }); // it would be posed again
    return show({ wrong, anew: true });
  }
  if (signal.aborted) return false;
  lag(null);
  depicted = state.moves.length;
  delete document.body.dataset.preview;
  // A board text may say its own size.
  if (can("size")) state.size = { width: view.width, height: view.height, connect: view.connect };
  shown = view;
  drawBoard(view, { last: state.moves.at(-1) });
  board().hint([]);
  looks.follow(view, { game: state.game, moves: state.moves.length, user: state.mode === "play" ? 1 - state.advisor : null });
  threatMap.show(view);
  plan.show(null);
  proof.show(null);
  boardSetup.show(view);
  for (const card of cards) card.show();
  program.show();
  drawStatus();
  drawMode();
  review.follow(state.mode === "analyse" ? source().setup() : null);
  share.show(view, whatIsShown());
  listMoves();
  announce([spoken, view.status].filter(Boolean).join(" "));
  document.body.dataset.ready = "";
  const next = queued.shift();
  if (shown.choices.some(({ move }) => move === next)) {
    choose(next);
    return false;
  }
  queued.length = 0;
  await work.guard(advising(follow(signal)));
  return !signal.aborted;
}

/** The moves before the one that a refusal names as "moves: move N" or "moves.N"; null if it names none. */
function movesBefore(refusal) {
  const [, number, index] = /^moves(?:: move (\d+)|\.(\d+)): /.exec(refusal) ?? [];
  const count = number ? Number(number) - 1 : Number(index);
  return count < state.moves.length ? state.moves.slice(0, count) : null;
}

/** Notes what the board does not show yet. */
function lag(what) {
  awaited = what;
  document.body.toggleAttribute("data-awaited", what !== null);
}

/** What is wrong, each thing once. */
const told = (wrong) => [...new Set(wrong)].filter(Boolean).join(" ");

function drawBoard(drawn, marks) {
  for (const [kind, { root }] of Object.entries(boards)) root.hidden = kind !== gameHere().board;
  byId("aim").textContent = drawn.aim;
  board().turn(state.turned);
  board().show(drawn, { ...marks, locked: drawn.over || (!line.at && drawn.mover === opponent()) });
}

/** The moves with those that have been taken back. */
const wholeGame = () => [...state.moves, ...[...state.redo].reverse()];

const listMoves = () => moves.show(view);

/** What a position leads to: advice, the other side's move, the state of a puzzle. */
async function follow(signal) {
  analysis.clear(view, view.over ? `${remark.text} ${say("page.over")}`.trim() : "", remark.reasons);
  if (state.mode === "puzzle") {
    await puzzle.judge(view, signal);
  } else if (view.over) {
    return;
  } else if (state.mode === "play" && view.mover === state.advisor) {
    advice.show(null, say("page.thinking"));
    await answer(signal);
  } else if (state.mode === "analyse" || state.hints) {
    if (can("plan")) await plan.look(source().setup(), view, state.mode === "analyse", signal);
    await analysis.think(signal);
    if (review.winner !== null) analysis.know(review.winner);
    await prove(signal);
    await analysis.thinkOn(signal);
  } else {
    if (againstPlan()) await plan.lookBack(source().setup(), view, false, signal);
    advice.show(null, remark.text || say("page.your-move"), remark.reasons);
  }
}

/** Adds a proof to be read, unless a plan is shown. */
async function prove(signal) {
  if (!analysis.exact || !can("proof") || plan.step) return;
  const winner = await proof.look(source().setup(), signal);
  if (winner) analysis.know(view.roles.indexOf(winner));
}

/** Looks at the same position again, with other weights. */
function consider() {
  if (awaited || view.over || waiting || editor.active || state.mode === "puzzle") return;
  if (state.mode === "play" && !state.hints) return;
  const signal = work.begin();
  work.guard(advising(analysis.think(signal).then(() => prove(signal)).then(() => analysis.thinkOn(signal))));
}

/** Asks anew for all that rules decide; the game may have weights now or none any more. */
async function rulesChanged() {
  analysis.forget();
  weights.forget();
  await offerAnew();
  await open();
}

/** What other weights change: the address when they are let go of, and the advice; of columns at once. */
function reweighed() {
  clearTimeout(settling);
  const quick = can("plies");
  settling = setTimeout(() => (writeAddress(), quick || consider()), SETTLE_MS);
  if (quick) consider();
}

/** Says in place of advice what it was refused for. */
async function advising(promise) {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Refusal && !analysis.found) advice.refuse(error.message);
    throw error;
  }
}

/** Whether the advisor plays by the plan, where there is one. */
const againstPlan = () => state.mode === "play" && state.plan && can("plan");

/** The advisor's own move in a game. */
async function answer(signal) {
  const step = againstPlan() ? await plan.ask(source().setup(), signal) : null;
  if (step) {
    await pause(signal);
    if (signal.aborted) throw new Superseded();
    remark = { text: say("page.played", { move: source().label(String(step.column)) }), reasons: step.text.slice(-1) };
    return moved(step.column, "advisor");
  }
  progress(say("page.thinking"));
  const how = againstPlan() ? PLANLESS : { ...source().opponentsLimit(), weights: weights.text() };
  const [found] = await Promise.all([source().suggest(view, how, signal, progress), pause(signal)]);
  if (signal.aborted) throw new Superseded();
  const choices = found.choices ?? found.best;
  const chosen = choices[Math.floor(Math.random() * choices.length)];
  // A weaker level's choice was not made for its score.
  const { name, explanation } = found.moves.find(({ move }) => move === chosen);
  remark = { text: say("page.played", { move: name }), reasons: found.best.includes(chosen) ? explanation : [] };
  await moved(chosen, "advisor");
}

/** Says how far a look-ahead has come: a text, the depth reached, nothing; or that it goes on, `calm`. */
function progress(reached = null, { calm = false } = {}) {
  const text =
    reached && typeof reached !== "string"
      ? say("page.depth", { depth: reached.depth })
      : (reached ?? sideLine());
  byId("progress").textContent = text;
  byId("progress").classList.toggle("busy", reached !== null && !calm);
  byId("stop").hidden = reached === null || state.mode === "puzzle";
}

function sideLine() {
  if (view && state.mode === "play") return view.over ? `${outcome()} ${source().count(view)}`.trim() : say("page.you-play", { side: view.called[1 - state.advisor], against: againstPlan() ? say("page.against-plan") : strength() });
  if (state.mode === "puzzle") return view?.over ? "" : puzzle.task;
  return view && state.mode === "analyse" ? [source().heading(view), source().count(view)].filter(Boolean).join(". ") : "";
}

/** How well the advisor plays. */
const strength = () => (state.time ? say("page.seconds", { time: state.time }) : levelName(state.level));

/** What the end of a game is for who has played it. */
const outcome = () => (view.won === null ? say("page.nobody-won") : view.won === state.advisor ? say("page.lost") : say("page.won"));

function drawStatus(drawn = view, text = drawn.status) {
  byId("status").textContent = text;
  byId("turn").replaceChildren(source().mark(drawn.won ?? drawn.mover, "turn-mark"));
  byId("brand").replaceChildren(source().mark(0, "brand-mark"));
  progress();
}

/** @returns {NodeListOf<HTMLElement>} */
const modeButtons = () => document.querySelectorAll("[data-mode]");
/** Parts of the page that only some games, or pages, can fill. @returns {NodeListOf<HTMLElement>} */
const needy = () => document.querySelectorAll("[data-needs]");
/** @returns {NodeListOf<HTMLDetailsElement>} */
const folds = (which = "") => document.querySelectorAll(`details.fold${which}`);

function drawMode() {
  for (const button of modeButtons()) {
    button.setAttribute("aria-pressed", String(button.dataset.mode === state.mode));
    button.hidden = button.dataset.mode === "puzzle" && !can("puzzles") && !can("review"); // which makes puzzles
  }
  for (const part of needy()) part.hidden = !can(part.dataset.needs);
  const solving = state.mode === "puzzle";
  document.body.dataset.doing = state.mode;
  document.body.dataset.board = gameHere().board;
  document.body.toggleAttribute("data-unposed", solving && !puzzle.posed);
  document.body.toggleAttribute("data-advised", state.mode === "analyse" || (state.mode === "play" && state.hints));
  byId("game").value = state.game;
  document.title = `${gameHere().title} - advisor`;
  byId("restart-label").textContent = say(state.mode === "play" ? "page.new-game" : "page.restart");
  byId("flip").hidden = state.mode !== "play";
  byId("turn-board").hidden = can("size");
  byId("undo").disabled = !state.moves.length;
  byId("redo").disabled = !state.redo.length;
  byId("hint").disabled = view.over || (solving && !puzzle.posed);
  byId("review").hidden = !can("review") || solving || (state.mode === "play" && !view.over);
  byId("review").disabled = !state.moves.length;
  byId("puzzle-card").hidden = !solving;
  if (!solving) byId("book-card").hidden = true;
  byId("position-card").hidden = solving;
  byId("weights-card").hidden = solving || !can("weights");
  game.draw(view);
}

// What the user does

const theirTurn = () => waiting || view.mover === opponent();

/** Why no move can be made now. */
const whyNot = () => (theirTurn() ? say("page.wait") : say("page.over"));

function choose(move) {
  if (awaited) return awaited === "move" && state.mode === "analyse" ? void queued.push(move) : undefined;
  if (editor.active) return editor.drop(move);
  if (waiting) return notice(whyNot());
  // In an analysis one can go on from a preview; elsewhere a choice ends it.
  if (line.at && state.mode !== "analyse") return line.go(0);
  if (shown.over) return notice(say("page.over"));
  if (state.mode === "puzzle" && !puzzle.posed) return notice(say("page.no-puzzle"));
  if (!shown.choices.some((legal) => legal.move === move)) {
    if (can("size") && move <= view.width) notice(say("page.full", { column: move }));
    return;
  }
  for (const ahead of line.moves.slice(0, line.at)) play(ahead);
  moved(move);
}

function moved(move, by = "user") {
  if (by === "user") remark = SILENT;
  const mover = shown.players[shown.mover];
  const name = source().label(shown.choices.find((legal) => legal.move === move)?.name ?? String(move));
  board().drop(move);
  play(move);
  // An answer belongs to the move before it: the browser's Back takes back both. A try at a puzzle
  // is in the address once it is right.
  const address = state.mode !== "puzzle" || by !== "user";
  return show({ step: by !== "advisor", address, spoken: `${mover} plays ${name}.`, move: true });
}

function point(move) {
  if (!line.at && !editor.active) advice.point(move);
}

/** The side that the page moves for, if any. */
function opponent() {
  if (state.mode === "play") return state.advisor;
  return state.mode === "puzzle" ? puzzle.opponent(view) : null;
}

/** Whose turn it is after so many moves, of which the board may show others. */
const moverAfter = (moves) => (view.mover + Math.abs(moves - depicted)) % 2;

/** Takes back, or plays again, until it is the user's turn. */
function travel(step, left) {
  if (!view || !left().length) return;
  step();
  if (moverAfter(state.moves.length) === opponent() && left().length) step();
  remark = SILENT;
  show({ step: true });
}

const back = () => (queued.length ? void queued.pop() : travel(undo, () => state.moves));
const forth = () => travel(redo, () => state.redo);

function startAgain() {
  remark = SILENT;
  begin(state.mode === "puzzle" || againstPlan() ? state.start : "");
  show({ step: true });
}

function flip() {
  if (state.mode !== "play") return;
  state.advisor = 1 - state.advisor;
  sit();
  show();
}

/** One's own pieces are below, in games whose pieces go from square to square. */
function sit() {
  if (view?.choices.some(({ squares }) => squares.length > 1)) state.turned = state.advisor === 0;
}

function turnBoard() {
  if (awaited || can("size")) return;
  state.turned = !state.turned;
  board().turn(state.turned);
  writeAddress();
}

/** Goes to the position after some moves of the game, where it is the user's turn if it can be. */
function travelTo(at, all = wholeGame()) {
  const to = moverAfter(at) === opponent() && at < all.length ? at + 1 : at;
  Object.assign(state, { moves: all.slice(0, to), redo: all.slice(to).reverse() });
  remark = SILENT;
  show({ step: true });
}

/** Grades the whole game, what has been taken back of it too; one that was played to its end also. */
async function lookBack() {
  if (awaited || byId("review").hidden || !state.moves.length || work.goesOn("review")) return;
  const own = state.mode === "play" ? 1 - state.advisor : null;
  for (const fold of folds("[open]")) fold.open = false; // the review takes the room
  if (line.at) line.go(0);
  if (state.mode === "play") {
    state.mode = "analyse";
    if (!(await show({ step: true }))) return;
  }
  await work.once("review", (signal) => review.begin(source().setup(wholeGame()), weights.text(), state.moves.length, view, own, signal));
  share.show(view, whatIsShown());
}

function toggleExact() {
  if (state.mode !== "analyse" || !can("exact")) return;
  state.exact = !state.exact;
  show();
}

/** Ends the look-ahead with what it has seen. */
function stop() {
  if (!byId("stop").hidden) enough();
}

async function hint() {
  if (awaited || view.over || editor.active) return;
  if (theirTurn()) return notice(whyNot());
  if (state.mode === "analyse") return best("hint");
  if (state.mode === "play") return work.once("hint", hintStep);
  await work.once("hint", async (signal) => {
    progress(say("page.seeking-hint"));
    board().hint(await puzzle.hint(view, signal));
    progress();
  });
}

/** Says in a game where to look, then the move, then why. */
async function hintStep(signal) {
  progress(say("page.seeking-hint"));
  const { text, squares: lit, moves: marked } = await hints.next(view, () => source().suggest(view, { ...source().limit(), weights: weights.text() }, signal, () => {}));
  if (signal.aborted) throw new Superseded();
  progress();
  if (!state.hints) advice.show(null, text); // which takes away what was lit up
  board().light(lit);
  board().hint(marked);
  announce(text);
}

/** Shows the best moves and what is expected after them, for a button; tells whether that was done. */
function best(button, limit) {
  return work.once(button, async (signal) => {
    const found = await analysis.think(signal, limit, (advised) => advised.rough || board().hint(advised.best));
    announce(say("page.hinted", { moves: hinted(found) }));
  });
}

/** Shows the position after some moves of the expected line. */
async function preview(count) {
  const { signal } = work;
  const ahead = line.moves.slice(0, count);
  await work.guard(
    (async () => {
      const found = count ? await source().position([...state.moves, ...ahead], signal) : view;
      if (signal.aborted || line.at !== count) return;
      shown = found;
      document.body.toggleAttribute("data-preview", count > 0);
      drawBoard(found, { last: ahead.at(-1) ?? state.moves.at(-1), numbered: can("size") ? numbersOf(ahead) : null });
      drawStatus(found, count ? say("page.after-moves", { count }) : view.status);
      if (!count) analysis.drawScores();
      if (!count) plan.draw();
      if (count) announce(`${say("page.move", { number: count, move: source().label(line.names[count - 1]) })} ${found.status}`);
    })(),
  );
}

/** The squares that columns lead to, with the numbers of their moves. */
function numbersOf(columns) {
  const heights = view.rows[0].split("").map((_, i) => view.rows.filter((row) => row[i] !== ".").length);
  return new Map(columns.map((column, i) => [`${++heights[column - 1]},${column}`, i + 1]));
}

// What is exported: the puzzle, the game with its review, or the game

function whatIsShown() {
  if (state.mode === "puzzle" && puzzle.posed) return "puzzle";
  return review.shown ? "review" : "game";
}

async function toExport() {
  const { signal } = work;
  const what = whatIsShown();
  if (what === "puzzle") return { signal, moves: [], ...(await puzzle.question(view)) };
  return { signal, weights: weights.text(), moves: wholeGame(), ply: state.moves.length, review: what === "review" };
}

// Puzzles

function openPuzzle(id) {
  Object.assign(state, { mode: "puzzle", puzzle: id });
  begin();
  scrollTo({ top: 0 });
  show({ step: true });
}

/** Shows the whole winning line, to step through. */
async function solution() {
  if (work.goesOn("solution")) return;
  begin(state.start);
  if ((await show({ step: true })) && (await best("solution", puzzle.limit))) line.go(1);
}

/** Makes puzzles of the errors of a review and poses the first. */
async function practise(errors) {
  const { moves } = review.game;
  await work.guard(
    (async () => {
      const { signal } = work;
      const before = errors.map(async (error) => ({ error, view: await source().position(moves.slice(0, error.ply - 1), signal) }));
      openPuzzle(keep(await Promise.all(before)));
    })(),
  );
}

/** A game against the plan, from the position on the board on. */
function challenge() {
  begin(view.text);
  Object.assign(state, { mode: "play", advisor: plan.waits ? 1 - view.mover : view.mover, plan: true, level: Math.max(1, state.level) });
  show({ step: true });
}

// Setting up by clicking

async function edit() {
  if (awaited) return;
  const signal = work.begin();
  lag("position");
  notice();
  analysis.clear(view, say("page.when-set-up"));
  plan.show(null);
  proof.show(null);
  document.body.dataset.editing = "";
  await work.guard(editor.begin(view, signal));
  if (signal.aborted) return;
  lag(null);
  if (editor.active) return;
  delete document.body.dataset.editing;
  work.guard(advising(follow(signal))); // it cannot be set up, as was told
}

function takeOver({ text, position }) {
  begin(position ?? text);
  remark = SILENT;
  show({ step: true });
}

// Set-up

const KEYS = {
  u: back,
  r: forth,
  h: hint,
  n: startAgain,
  f: flip,
  o: turnBoard,
  v: lookBack,
  x: toggleExact,
  s: stop,
  t: () => threatMap.toggle(),
  e: () => state.mode !== "puzzle" && edit(),
  "[": () => review.step(-1),
  "]": () => review.step(1),
  ",": () => line.step(-1),
  ".": () => line.step(1),
  Escape: () => line.go(0),
  Home: () => moves.go(0),
  End: () => moves.go(moves.line.length),
};
const STEPS = { ArrowLeft: back, ArrowRight: forth };
const SIDEWAYS = { ArrowLeft: () => board().step(-1), ArrowRight: () => board().step(1) };
const UPWARDS = { ArrowUp: () => board().step(0, 1), ArrowDown: () => board().step(0, -1) };

listen((key) => {
  // Arrows walk over the board where the keyboard has led there; elsewhere they step through the moves.
  const onBoard = editor.active || isReached(board().root);
  const walk = onBoard ? { ...SIDEWAYS, ...(can("size") ? {} : UPWARDS) } : STEPS;
  if (can("size") && /^[1-9]$/.test(key)) return () => choose(Number(key));
  return editor.active ? (editor.keyed(key) ?? walk[key]) : (KEYS[key] ?? walk[key]);
}, () => board().root);
keepFocus(() => board().root);

translate();
const BUTTONS = { stop, undo: back, redo: forth, restart: startAgain, hint, flip, review: lookBack, "turn-board": turnBoard };
for (const [id, action] of Object.entries(BUTTONS)) byId(id).addEventListener("click", () => action());
for (const button of modeButtons()) {
  button.addEventListener("click", async () => {
    if (state.mode === button.dataset.mode) return awaited && show();
    if (button.dataset.mode === "puzzle") {
      // A puzzle's position can be analysed; a puzzle begins at its own, once there is one.
      const signal = work.begin();
      lag("position");
      await puzzle.book.load();
      if (signal.aborted) return;
      state.moves = [];
    }
    Object.assign(state, { mode: button.dataset.mode, redo: [] });
    if (state.mode === "play" && state.level === 0) state.level = 1;
    show({ step: true });
  });
}
byId("game").replaceChildren(...games.map(({ game: name, title }) => h("option", { value: name }, title)));
byId("game").addEventListener("change", async ({ target }) => {
  chooseGame(target.value);
  remark = SILENT;
  await Promise.all([show({ step: true }), weights.load()]);
});
for (const fold of folds()) {
  // Of what is opened by a click, no more than has to be scrolled into sight; at once, since a next
  // click would miss what moves under it.
  fold.addEventListener("click", ({ target }) => target instanceof HTMLElement && target.tagName === "SUMMARY" && requestAnimationFrame(() => fold.open && fold.scrollIntoView({ block: "nearest" })));
}
// A plugin's card adds itself to the page. `squares` are the squares of a name, and light them up;
// `changed` is to be called when the rules of a game have changed.
for (const script of limits.scripts) {
  const { Card } = await import(`./${script}`);
  cards.push(new Card({ squares, changed: rulesChanged }));
}
window.addEventListener("popstate", open);

await open();
