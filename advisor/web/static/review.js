// A game looked back on: a graph of the outcome, the grade of the move at hand, the errors.

import { announce, byId } from "./dom.js";
import { can, source } from "./game.js";
import { GRADES } from "./grades.js";
import { either, say } from "./languages.js";
import { button, list, quiet } from "./parts.js";
import { h, render } from "./preact.js";
import { sentence } from "./speaking.js";

const WIDTH = 344;
const HEIGHT = 112;
const EDGE = 8;
const ERRORS = ["inaccuracy", "mistake", "blunder"];
const MANY = { inaccuracy: "review.inaccuracies", mistake: "review.mistakes", blunder: "review.blunders" };
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" }; // as chess writes them

/** How losses are told, by their units: an average in a table, and the number of one move. */
const UNITS = {
  points: { lost: "review.lost-points", average: (loss) => loss.toFixed(2), less: "review.less-points", count: (loss) => loss },
  weights: { less: "review.less", count: Math.round },
  "mean result": { lost: "review.lost-result", average: (loss) => (50 * loss).toFixed(1), less: "review.less-result", count: (loss) => Math.round(50 * loss) },
  engine: { lost: "review.lost-centipawns", average: (loss) => loss.toFixed(0), less: "review.less", count: Math.round },
};

export class Review {
  game = null; // what was asked for
  moves = new Map(); // by their numbers
  sides = null;
  at = 0;
  view = null; // where the game began to be graded
  own = null; // the player whose errors count, null for both

  /**
   * @param {{travel: Function, graded: Function, practise: Function}} actions told how many of the
   *   game's moves to show, and the game's moves; called when moves have got their grades; told
   *   the errors of which puzzles are to be made.
   * @param {{named: Function, light: Function}} page the squares that sentences speak of.
   */
  constructor(actions, page) {
    this.root = byId("review-card");
    this.page = page;
    this.actions = actions;
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
      this.actions.graded();
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
    this.actions.graded();
    announce(say("review.done", { count: this.errors().length }));
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
    this.actions.travel(ply, this.game.moves);
  }

  draw({ ended = false } = {}) {
    this.root.hidden = false;
    const count = this.game.moves.length;
    const left = count - this.moves.size;
    const going = left && !this.sides && !ended;
    const step = (label, sign, by) => button(sign, () => this.step(by), { class: "round", "aria-label": label });
    const parts = [
      h(
        "div",
        { class: "card-head" },
        h("h2", { id: "review-title" }, say("page.review")),
        h("span", { class: "quiet count" }, going ? say("review.left", { count: left }) : say("review.at", { at: this.at, all: count })),
        step(say("review.before"), "‹", -1),
        step(say("review.next"), "›", 1),
      ),
      left && !going ? quiet(say("review.so-far", { graded: this.moves.size, all: count }), { role: "status" }) : null,
      this.graph(),
      this.verdict(),
      this.sides && [this.exercises(), this.summary()],
    ];
    render(parts, this.root);
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
    if (!errors.length) return null;
    const text = say(this.own === null ? "review.practise" : "review.practise-own", { count: errors.length });
    return h("div", { class: "row" }, button(text, () => this.actions.practise(errors), { id: "practise" }));
  }

  /** What the first player could expect after each move; a click goes to the nearest one. */
  graph() {
    const count = this.game.moves.length;
    const place = ({ ply, expected }) => [
      EDGE + ((WIDTH - 2 * EDGE) * (ply - 1)) / Math.max(1, count - 1),
      EDGE + (HEIGHT - 2 * EDGE) * (1 - expected),
    ];
    const [here] = place({ ply: Math.max(1, this.at), expected: 0 });
    const known = [...this.moves.values()].sort((a, b) => a.ply - b.ply);
    const piece = (move, i) => {
      const [[x1, y1], [x2, y2]] = [known[i], move].map(place);
      return h("line", { class: move.proved ? "part" : "part guess", x1, y1, x2, y2 });
    };
    const dot = (move) => {
      const [cx, cy] = place(move);
      const attributes = { cx, cy, r: SIGNS[move.grade] ? 5 : 2.5, class: `dot ${move.grade} ${move.proved ? "proved" : "guess"}` };
      return h("circle", attributes, h("title", null, `${move.ply}. ${move.name}: ${say(GRADES[move.grade])}`));
    };
    const go = ({ clientX, currentTarget }) => {
      const { left, width } = currentTarget.getBoundingClientRect();
      const x = ((clientX - left) / width) * WIDTH;
      const ply = 1 + Math.round(((x - EDGE) / (WIDTH - 2 * EDGE)) * (count - 1));
      this.go(Math.min(count, Math.max(1, ply)));
    };
    const [first, second] = this.view.players;
    return h(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "outcome", role: "img", "aria-label": say("review.graph", { first, second }), onClick: go },
      h("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      this.at > 0 && h("line", { class: "here", x1: here, x2: here, y1: 0, y2: HEIGHT }),
      known.slice(1).map(piece),
      known.map(dot),
    );
  }

  /** The grade of the move that led to the position on the board. */
  verdict() {
    const move = this.moves.get(this.at);
    if (!move) return quiet(say("review.choose"));
    const grade = say(GRADES[move.grade]);
    const told = [...move.reasons];
    if (move.missed.length) told.push(say("review.missed", { missed: move.missed.join(", ") }));
    if (move.refutation) told.push(say("review.allows", { line: move.refutation.line.join(" ") }));
    return [
      h(
        "p",
        { class: "headline" },
        say("review.plays", { ply: move.ply, player: source().player(move.side), move: move.name }),
        " ",
        h("span", { class: `grade ${move.grade}` }, move.only ? say("review.only", { grade }) : grade),
      ),
      quiet(comparedWords(move)),
      list(told.map((text) => sentence(text, this.page))),
    ];
  }

  /** What each side's moves come to. */
  summary() {
    const sides = Object.values(this.sides);
    const row = (name, of) => h("tr", null, h("th", { scope: "row" }, name), sides.map((side) => h("td", null, of(side) ?? "-")));
    const units = Object.entries(UNITS).filter(([unit, { lost }]) => lost && sides.some((side) => side.average_loss[unit]));
    return h(
      "table",
      { class: "sides" },
      h("thead", null, h("tr", null, h("td"), this.view.players.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        null,
        row(say("review.accuracy"), (side) => side.accuracy?.toFixed(1)),
        units.map(([unit, { lost, average }]) => row(say(lost), ({ average_loss: losses }) => (unit in losses ? average(losses[unit]) : null))),
        ERRORS.map((grade) => row(say(MANY[grade]), (side) => side.grades[grade])),
        row(say("review.run"), (side) => side.longest_run),
        row(say("review.turning"), (side) => side.turning_point),
      ),
    );
  }
}

/** How the grade is known, and what the move is worth beside the best. */
function comparedWords({ grade, exact, proved, engine, unit, loss, better_names: names }) {
  if (grade === "unclear") return say("review.unclear");
  const known = engine
    ? say("review.by-engine", { engine })
    : say(exact && can("exact") ? "review.by-exact" : proved ? "review.by-proof" : unit === "mean result" ? "review.by-games" : "review.by-look");
  if (!names.length) return `${known}.`;
  const better = source().label(either(names.map(String)));
  // Results that are proved have no amount, but for points that moves count.
  const amount = loss && (can("exact") ? exact || !proved : !proved);
  const { less, count } = UNITS[unit] ?? {};
  return amount ? say("review.worse", { known, better, less: say(less, { count: count(loss) }) }) : say("review.better", { known, better });
}
