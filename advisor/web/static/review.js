// A game looked back on: a graph of the outcome, the grade of the move at hand, the errors.

import { announce, byId, either, h, mounted } from "./dom.js";
import { can, source } from "./game.js";
import { sentence } from "./speaking.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 344;
const HEIGHT = 112;
const EDGE = 8;
const ERRORS = ["inaccuracy", "mistake", "blunder"];
const MANY = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };
const LOSSES = { points: "exact score lost a move", weights: "score lost a move", "mean result": "result lost a move, of 2", engine: "centipawns lost a move" };
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" }; // as chess writes them

const LESS = {
  points: (loss) => `${loss} ${loss === 1 ? "point" : "points"} less`,
  weights: (loss) => `${Math.round(loss)} less`,
  "mean result": (loss) => `${Math.round(50 * loss)} % less`,
  engine: (loss) => `${Math.round(loss)} less`,
};

export class Review {
  /**
   * @param {{travel: Function, graded: Function, practise: Function}} actions told how many of the
   *   game's moves to show, and the game's moves; called when moves have got their grades; told
   *   the errors of which puzzles are to be made.
   * @param {{named: Function, light: Function}} page the squares that sentences speak of.
   */
  constructor(actions, page) {
    this.root = byId("review-card");
    this.page = page;
    Object.assign(this, actions);
    this.game = null; // what was asked for
    this.moves = new Map(); // by their numbers
    this.sides = null;
    this.at = 0;
  }

  /**
   * Grades a game from its moves on; `at` is the number of the move that the board shows, and
   * `view` its position. Of a game against the advisor `own` is the player whose errors count.
   */
  async begin(game, weights, at, view, own, signal) {
    Object.assign(this, { game, moves: new Map(), sides: null, at, view, own });
    this.draw();
    this.root.scrollIntoView({ block: "nearest" });
    const add = (move) => {
      if (signal.aborted || this.game !== game) return;
      this.moves.set(move.ply, move);
      this.draw();
      this.graded();
    };
    let found;
    try {
      found = await source().review(game.moves, weights, signal, add);
    } catch (error) {
      if (this.game === game && !signal.aborted) this.draw({ ended: true });
      throw error;
    }
    this.sides = found.sides;
    found.moves.forEach((move) => this.moves.set(move.ply, move));
    this.draw();
    this.graded();
    announce(`The game is reviewed: ${this.errors().length} errors.`);
  }

  /** Follows the board; another game, or null for none, hides the card. */
  follow(setup) {
    if (!this.game) return;
    const { moves } = this.game;
    const same =
      setup &&
      JSON.stringify({ ...setup, moves }) === JSON.stringify(this.game) &&
      setup.moves.every((move, i) => move === moves[i]);
    this.root.hidden = !same;
    if (!same) return;
    this.at = setup.moves.length;
    this.draw();
  }

  /** Whether the game on the board has been graded. */
  get shown() {
    return Boolean(this.game && this.sides) && !this.root.hidden;
  }

  /** The grade of an error of the game that the board shows, and its sign; null for no error. */
  errorAt(ply) {
    const grade = this.game && !this.root.hidden ? this.moves.get(ply)?.grade : null;
    return SIGNS[grade] ? { grade, sign: SIGNS[grade] } : null;
  }

  errors() {
    return [...this.moves.values()]
      .filter(({ grade }) => ERRORS.includes(grade))
      .sort((a, b) => a.ply - b.ply);
  }

  /** Goes to the error before this move, or to the next one. */
  step(by) {
    if (!this.game || this.root.hidden) return;
    const found = by > 0
      ? this.errors().find(({ ply }) => ply > this.at)
      : this.errors().findLast(({ ply }) => ply < this.at);
    if (found) this.go(found.ply);
  }

  go(ply) {
    this.travel(ply, this.game.moves);
  }

  draw({ ended = false } = {}) {
    this.root.hidden = false;
    const count = this.game.moves.length;
    const left = count - this.moves.size;
    const button = (label, text, by) =>
      h("button", { type: "button", class: "round", "aria-label": label, on: { click: () => this.step(by) } }, text);
    const going = left && !this.sides && !ended;
    const progress = going ? `${left} ${left === 1 ? "move" : "moves"} to go` : `move ${this.at} of ${count}`;
    this.root.replaceChildren(
      h(
        "div",
        { class: "card-head" },
        h("h2", { id: "review-title" }, "Review"),
        h("span", { class: "quiet count" }, progress),
        button("Error before", "‹", -1),
        button("Next error", "›", 1),
      ),
      left && !going ? h("p", { class: "quiet", role: "status" }, `Graded so far: ${this.moves.size} of ${count}.`) : "",
      this.graph(),
      ...this.verdict(),
      ...(this.sides ? [this.exercises(), this.summary()] : []),
    );
  }

  /** Who is proved to win at the position on the board, by number; null where that is not known. */
  get winner() {
    const move = this.shown ? this.moves.get(this.at) : null;
    if (!move?.proved || ![0, 1].includes(move.expected)) return null;
    return move.expected ? 0 : 1;
  }

  /** A button that makes puzzles of the errors. */
  exercises() {
    const errors = this.errors().filter(({ side }) => this.own === null || side === this.view.roles[this.own]);
    if (!errors.length) return "";
    const whose = this.own === null ? "the" : "your";
    const text = errors.length === 1 ? `Practise ${whose} error` : `Practise ${whose} ${errors.length} errors`;
    return h("div", { class: "row" }, h("button", { type: "button", id: "practise", on: { click: () => this.practise(errors) } }, text));
  }

  /** What the first player could expect after each move; a click goes to the nearest one. */
  graph() {
    const count = this.game.moves.length;
    const place = (ply, expected) => [
      EDGE + ((WIDTH - 2 * EDGE) * (ply - 1)) / Math.max(1, count - 1),
      EDGE + (HEIGHT - 2 * EDGE) * (1 - expected),
    ];
    const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "outcome", role: "img" });
    svg.setAttribute("aria-label", `The outcome over the game: ${this.view.players[0]} wins at the top, ${this.view.players[1]} at the bottom`);
    svg.append(make("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    const [here] = place(Math.max(1, this.at), 0);
    if (this.at) svg.append(make("line", { class: "here", x1: here, x2: here, y1: 0, y2: HEIGHT }));
    const known = [...this.moves.values()].sort((a, b) => a.ply - b.ply);
    known.forEach((move, i) => {
      const [x2, y2] = place(move.ply, move.expected);
      if (i) {
        const [x1, y1] = place(known[i - 1].ply, known[i - 1].expected);
        svg.append(make("line", { class: move.proved ? "part" : "part guess", x1, y1, x2, y2 }));
      }
    });
    known.forEach((move) => {
      const [cx, cy] = place(move.ply, move.expected);
      const error = ERRORS.includes(move.grade);
      const dot = make("circle", { cx, cy, r: error ? 5 : 2.5, class: `dot ${move.grade} ${move.proved ? "proved" : "guess"}` });
      const title = make("title", {});
      title.textContent = `${move.ply}. ${move.name}: ${move.grade}`;
      dot.append(title);
      svg.append(dot);
    });
    svg.addEventListener("click", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * WIDTH;
      const ply = 1 + Math.round(((x - EDGE) / (WIDTH - 2 * EDGE)) * (count - 1));
      this.go(Math.min(count, Math.max(1, ply)));
    });
    return svg;
  }

  /** The grade of the move that led to the position on the board. */
  verdict() {
    const move = this.moves.get(this.at);
    if (!move) return [h("p", { class: "quiet" }, "Step through the game, or choose a move in the graph.")];
    const mark = move.only ? `${move.grade}, only move` : move.grade;
    const told = [...move.reasons];
    if (move.missed.length) told.push(`Missed: ${move.missed.join(" and ")}.`);
    if (move.refutation) told.push(`It allows ${move.refutation.line.join(" ")}.`);
    return [
      h(
        "p",
        { class: "headline" },
        `${move.ply}. ${source().player(move.side)} plays ${move.name}: `,
        h("span", { class: `grade ${move.grade}` }, mark),
      ),
      h("p", { class: "quiet" }, comparedWords(move)),
      h("ul", { class: "sentences" }, ...told.map((text) => h("li", {}, mounted(sentence(text, this.page))))),
    ];
  }

  /** What each side's moves come to. */
  summary() {
    const cell = (value) => (value === null || value === undefined ? "-" : String(value));
    const [x, o] = Object.values(this.sides);
    const row = (name, of) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, cell(of(x))), h("td", {}, cell(of(o))));
    const loss = (unit, digits) => (side) => side.average_loss[unit]?.toFixed(digits);
    const units = [["points", 2], ["weights", 0], ["mean result", 2], ["engine", 0]].filter(([unit]) => x.average_loss[unit] || o.average_loss[unit]);
    return h(
      "table",
      { class: "sides" },
      h("thead", {}, h("tr", {}, h("td"), ...this.view.players.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        row("accuracy", (side) => side.accuracy?.toFixed(1)),
        ...units.map(([unit, digits]) => row(LOSSES[unit], loss(unit, digits))),
        ...ERRORS.map((grade) => row(MANY[grade], (side) => side.grades[grade])),
        row("longest run without an error", (side) => side.longest_run),
        row("turning point, move", (side) => side.turning_point),
      ),
    );
  }
}

/** How the grade is known, and what the move is worth beside the best. */
function comparedWords({ grade, exact, proved, engine, unit, loss, better_names: names }) {
  if (grade === "unclear") return "Not graded: it looks like an error, but not by every look at it.";
  const known = engine ? `By ${engine}` : exact && can("exact") ? "By exact scores" : proved ? "Proved" : unit === "mean result" ? "By random games" : "By the look-ahead";
  if (!names.length) return `${known}.`;
  const better = source().label(either(names.map(String)));
  // Results that are proved have no amount, but for points that moves count.
  return loss && (can("exact") ? exact || !proved : !proved) ? `${known} it is worth ${LESS[unit](loss)} than ${better}.` : `${known}; better: ${better}.`;
}

function make(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
