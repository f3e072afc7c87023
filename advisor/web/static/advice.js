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
    this.root.replaceChildren(
      title,
      h("p", { class: "headline" }, headline(advice)),
      h("ul", { class: "sentences" }, ...advice.explanation.map((text) => h("li", {}, text))),
      h("p", { class: "quiet" }, effort(advice)),
    );
  }

  drawMove(move) {
    const words = scoreWords(move.score, move.outcome);
    const label = { class: `chip ${move.score.kind}`, "aria-label": words };
    const fires = speaking(move);
    this.root.replaceChildren(
      h(
        "h2",
        { id: "advice-title" },
        `Column ${move.column} `,
        this.rough ? null : h("span", label, ...scoreParts(move.score)),
      ),
      this.rough ? null : h("p", {}, move.explanation),
      fires.length
        ? h("ul", { class: "fires" }, ...fires.map((firing) => this.firing(firing)))
        : h("p", { class: "quiet" }, "No strategy speaks for it or against it."),
      h("p", { class: "quiet" }, this.sum(move)),
      ...(move.trace && !this.rough ? this.features(move.trace) : []),
    );
  }

  /** How the score comes about. */
  sum({ score, total, trace }) {
    const strategies = `The strategies add up to ${signed(total)}`;
    if (score.kind !== "heuristic") return "The result is forced: no weight counts.";
    if (this.rough || !trace) return `${strategies}.`;
    return `${strategies}, what the look-ahead sees to ${signed(trace.value)}: together ${signed(score.value)}.`;
  }

  /** What the look-ahead sees at the end of the column's line, the weightiest first. */
  features({ line, features, drawn }) {
    const title = drawn ? "nobody can win any more" : "what counts most";
    const items = features.slice(0, FEATURES_SHOWN).map(({ text, player, weight, feature, where }) =>
      h(
        "li",
        { class: weight < 0 ? "against" : "" },
        h("span", { class: "weight" }, signed(weight)),
        h("span", {}, `${COLOURS[player]}: ${text} `, h("code", {}, `${feature} ${where}`)),
      ),
    );
    const more = features.length - items.length;
    return [
      h("h3", {}, `After ${line.join(" ")}: ${title}`),
      h("ul", { class: "fires trace" }, ...items),
      more > 0 ? h("p", { class: "quiet" }, `and ${more} more`) : null,
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

const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

function headline({ best, score }) {
  const columns = best.length > 1 ? `columns ${best.join(", ")} (equally good)` : `column ${best[0]}`;
  const words = score.in
    ? { win: ` and win in ${score.in}`, loss: ` and hold out for ${score.in}` }
    : { win: " and win", loss: ", though every column loses", draw: " and draw" };
  return `Play ${columns}${words[score.kind] ?? ""}.`;
}

function effort({ depth, leaves, seconds, weights }) {
  if (!depth) return "From this position alone, without looking ahead.";
  return `${depth} ${depth > 1 ? "plies" : "ply"} ahead, ${leaves.toLocaleString("en")} positions in ${seconds.toFixed(1)} s${weights ? `, by the weights of the preset ${weights}` : ""}.`;
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
