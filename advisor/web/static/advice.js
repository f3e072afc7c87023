// The reasons: of the whole position, or of the column that is pointed at.

import { scoreParts, scoreWords } from "./board.js";
import { COLOURS, byId, either, h } from "./dom.js";

const FEATURES_SHOWN = 6;

export class Advice {
  /** @param {Function} light told which squares to light up: [{row, column, against}]. */
  constructor(light) {
    this.root = byId("advice-card");
    this.light = light;
    this.advice = null;
    this.proved = null;
    this.hidden = "";
    this.column = null;
  }

  /** Adds what exact play proves of the moves, null for nothing. */
  prove(proved) {
    this.proved = proved;
    this.draw();
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
      h("p", { class: "headline" }, headline(advice)),
      this.provedOfAll(),
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
      this.provedOf(move.column),
      ...(this.rough ? [] : [paragraph(move.explanation)]),
      h("p", { class: "quiet" }, this.sum(move)),
      ...this.strategies(move),
      ...(move.trace && !this.rough ? this.features(move.trace) : []),
    );
  }

  fill(...children) {
    this.root.replaceChildren(...children.filter((child) => child !== null));
  }

  /** What exact play says of the position, beside the look-ahead. */
  provedOfAll() {
    const { proved, advice } = this;
    if (!proved || advice.score.proved) return null;
    const { best, moves } = proved;
    if (!best.length) {
      const done = moves.filter(({ points }) => points !== null).length;
      return done ? h("p", { class: "quiet" }, `Proved so far: ${done} of ${moves.length} columns.`) : null;
    }
    const { outcome } = moves.find(({ column }) => column === best[0]);
    const missed = !best.includes(advice.best[0]);
    const text = `Exact play: column ${either(best)}${outcome ? `, ${outcome}` : ""}.`;
    return h("p", { class: missed ? "proved missed" : "proved" }, missed ? `${text} The look-ahead did not see as far.` : text);
  }

  /** What exact play says of a column. */
  provedOf(column) {
    const move = this.proved?.moves.find((each) => each.column === column);
    if (!move?.outcome) return null;
    const { best } = this.proved;
    const points = move.points === null ? "Exact play" : `Exact score ${signed(move.points)}`;
    const better = best.length && !best.includes(column) ? ` Column ${either(best)} does better.` : "";
    return h("p", { class: better ? "proved missed" : "proved" }, `${points}: ${move.outcome}.${better}`);
  }

  strategies(move) {
    const fires = speaking(move);
    const title = h("h3", {}, "Strategies");
    if (fires.length) return [title, h("ul", { class: "fires" }, ...fires.map((firing) => this.firing(firing)))];
    if (move.score.kind !== "heuristic") return [];
    return [title, h("p", { class: "quiet" }, "None speaks for it or against it.")];
  }

  /** How the score comes about. */
  sum({ score, total, trace }) {
    if (score.kind !== "heuristic") {
      const why = score.proved
        ? this.advice.book
          ? "The opening book knows it from exact play"
          : "It is proved by a search to the end of the game"
        : "The result is certain";
      return `${why}: no weight counts.`;
    }
    const strategies = `The strategies add up to ${signed(total)}`;
    if (this.rough || !trace) return `${strategies}.`;
    return `${strategies}, what the look-ahead sees to ${signed(trace.value)}: together ${signed(score.value)}.`;
  }

  /** What the look-ahead sees at the end of the column's line, the weightiest first. */
  features({ line, features, drawn }) {
    const title = h("h3", {}, `After ${line.join(" ")}`);
    if (drawn) return [title, h("p", { class: "quiet" }, "Nobody can win any more.")];
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

function headline({ best, score }) {
  const columns = best.length > 1 ? `columns ${best.join(", ")} (equally good)` : `column ${best[0]}`;
  const words = score.in
    ? { win: ` and win in ${score.in}`, loss: ` and hold out for ${score.in}` }
    : { win: " and win", loss: ", though every column loses", draw: " and draw" };
  return `Play ${columns}${words[score.kind] ?? ""}.`;
}

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
