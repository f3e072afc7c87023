// The reasons: of the whole position, or of the column that is pointed at.

import { scoreParts, scoreWords } from "./board.js";
import { COLOURS, byId, h } from "./dom.js";

const FEATURES_SHOWN = 6;

export class Advice {
  /** @param {Function} light told which squares to light up: [{row, column, against}]. */
  constructor(light) {
    this.root = byId("advice-card");
    this.light = light;
    this.advice = null;
    this.hidden = "";
    this.column = null;
  }

  /** Shows advice, or for null the text that stands in its place. */
  show(advice, hidden = "") {
    Object.assign(this, { advice, hidden, rough: false });
    this.draw();
  }

  /** Shows the strategies alone, as long as the look-ahead goes on. */
  showRough(advice) {
    Object.assign(this, { advice, hidden: "", rough: true });
    this.draw();
  }

  /** Shows the reasons of one column, of all for null. */
  point(column) {
    this.column = column;
    this.draw();
  }

  draw() {
    this.root.hidden = !this.advice && !this.hidden;
    const move = this.advice?.moves.find(({ column }) => column === this.column);
    if (move) this.drawMove(move);
    else this.drawAll();
    this.light(move ? squaresOf(speaking(move), move) : []);
  }

  drawAll() {
    const { advice } = this;
    const title = h("h2", { id: "advice-title" }, "Advice");
    if (!advice || this.rough) {
      const text = this.hidden || "Looking ahead. Point at a column to see what speaks for it.";
      this.root.replaceChildren(title, h("p", { class: "quiet" }, text));
      return;
    }
    this.fill(
      title,
      h("p", { class: "headline" }, advice.headline),
      this.left(),
      ...advice.explanation.map(paragraph),
      h("p", { class: "quiet" }, effort(advice)),
    );
  }

  drawMove(move) {
    const words = scoreWords(move.score, move.outcome);
    const label = { class: `chip ${move.score.kind}`, "aria-label": words };
    this.fill(
      h(
        "h2",
        { id: "advice-title" },
        `Column ${move.column} `,
        this.rough ? null : h("span", label, ...scoreParts(move.score)),
      ),
      ...(this.rough ? [] : [paragraph(move.explanation)]),
      h("p", { class: "quiet" }, this.sum(move)),
      ...this.strategies(move),
      ...(move.trace && !this.rough ? this.features(move.trace) : []),
    );
  }

  fill(...children) {
    this.root.replaceChildren(...children.filter((child) => child !== null));
  }

  /** How many of the exact scores are still missing, if any. */
  left() {
    const { moves, proved } = this.advice.exact ?? { proved: true };
    if (proved) return null;
    const done = moves.filter(({ points }) => points !== null).length;
    return h("p", { class: "quiet" }, `Exact scores so far: ${done} of ${moves.length} columns.`);
  }

  strategies(move) {
    const fires = speaking(move);
    const title = h("h3", {}, "Strategies");
    if (fires.length) return [title, h("ul", { class: "fires" }, ...fires.map((firing) => this.firing(firing)))];
    if (move.score.kind !== "heuristic") return [];
    return [title, h("p", { class: "quiet" }, "No strategy speaks for or against it.")];
  }

  /** How the score comes about. */
  sum({ score, total, trace }) {
    if (score.kind !== "heuristic") {
      const why = score.proved
        ? this.advice.book
          ? "The opening book knows it from exact play"
          : "It is proved by a search to the end of the game"
        : "The result is certain";
      const points = score.points === undefined ? "" : ` (exact score ${signed(score.points)})`;
      return `${why}${points}: no weight counts.`;
    }
    const strategies = `The strategies add up to ${signed(total)}`;
    if (this.rough || !trace) return `${strategies}.`;
    return `${strategies}, what the look-ahead sees to ${signed(trace.value)}: together ${signed(score.value)}.`;
  }

  /** What the look-ahead sees at the end of the column's line, the weightiest first. */
  features({ line, features, drawn }) {
    const title = h("h3", {}, `After ${line.join(" ")}`);
    if (drawn) return [title, h("p", { class: "quiet" }, "Neither player can win any more.")];
    const groups = grouped(features);
    const items = groups.slice(0, FEATURES_SHOWN).map(({ text, player, weight, feature, count }) =>
      h(
        "li",
        { class: weight < 0 ? "against" : "" },
        h("span", { class: "weight" }, signed(weight)),
        h("span", {}, `${COLOURS[player]}: ${count > 1 ? `${count} × ` : ""}${text} `, h("code", {}, feature)),
      ),
    );
    const more = groups.length - items.length;
    return [
      title,
      h("ul", { class: "fires" }, ...items),
      h("p", { class: "quiet" }, more > 0 ? `and ${more} more that weigh less` : ""),
    ];
  }

  firing({ strategy, weight, sentence }) {
    return h(
      "li",
      { class: weight < 0 ? "against" : "" },
      h("span", { class: "weight" }, signed(weight)),
      h("span", {}, sentence, " ", h("code", {}, strategy)),
    );
  }
}

/** A paragraph: its first sentence, the others as a list under it. */
function paragraph([first, ...others]) {
  const item = (text) => h("li", { class: text.startsWith("Although ") ? "although" : "" }, text);
  const list = others.length ? h("ul", {}, ...others.map(item)) : null;
  return h("div", { class: "sentences" }, h("p", {}, first), list);
}

/** The features of one name and player as one, with their number; the weightiest first. */
function grouped(features) {
  const groups = new Map();
  for (const held of features) {
    const key = `${held.player} ${held.feature}`;
    const known = groups.get(key) ?? { ...held, weight: 0, count: 0 };
    known.weight += held.weight;
    known.count += 1;
    groups.set(key, known);
  }
  return [...groups.values()].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

function effort({ depth, leaves, seconds, score, book, weights, interrupted }) {
  if (!depth) return "From this position alone, without looking ahead.";
  const how = book
    ? "Known by exact play (opening book). "
    : score.proved
      ? "Proved by a search to the end of the game. "
      : "";
  const by = weights ? `, by the weights of the preset ${weights}` : "";
  return `${how}${depth} ${depth > 1 ? "plies" : "ply"} ahead, ${leaves.toLocaleString("en")} positions in ${seconds.toFixed(1)} s${interrupted ? ", then stopped" : ""}${by}.`;
}

/** The strategies that have something to say: of a forced loss those that speak against it. */
function speaking({ score, fires }) {
  return fires.filter(({ weight }) => (score.kind === "loss" ? weight < 0 : weight));
}

function squaresOf(fires, move) {
  const squares = fires
    .flatMap(({ weight, squares }) =>
      squares.map(([row, column]) => ({ row, column, against: weight < 0 })),
    );
  // A square that speaks for the move and against it counts as for it.
  squares.sort((a, b) => b.against - a.against);
  return [...squares, { row: move.row, column: move.column, against: false }];
}
