// The reasons: of the whole position, or of the move that is pointed at or was chosen in the list.

import { byId, h } from "./dom.js";
import { source } from "./game.js";
import { inWords, restsOn, scoreParts, scoreWords, signed } from "./score.js";
import { sentence, squaresIn } from "./speaking.js";
import { Questions, choice, question } from "./why.js";

const FEATURES_SHOWN = 6;
const PARAGRAPHS_SHOWN = 2;
const MOVES_SHOWN = 40;

export class Advice {
  /**
   * @param {{named: Function, light: Function, play: Function, longer: Function, anew: Function, here: Function, why: Function, threats: Function, weighed: Function}} page
   * the squares of a name; lights some up; makes a move; searches longer; asks once more for what was
   * refused; what names the position; asks why there, or some moves later; asks what threatens
   * there; the strategies or the features that have a weight.
   */
  constructor(page) {
    this.root = byId("advice-card");
    this.list = byId("choices-card");
    this.best = byId("best");
    this.page = { ...page, rest: () => this.light() };
    this.advice = null;
    this.hidden = "";
    this.reasons = []; // of what stands in place of advice
    this.refused = false;
    this.move = null; // that is pointed at
    this.asked = null; // that was chosen in the list
    this.questions = new Questions();
  }

  /** Shows advice, or for null the text that stands in its place, whose reasons are shown to who asks. */
  show(advice, hidden = "", reasons = []) {
    if (!advice) this.asked = null;
    Object.assign(this, { advice, hidden, reasons, rough: advice?.rough ?? false, refused: false });
    this.draw();
    this.drawList();
    this.drawBest();
  }

  /** Says why there is no advice, and offers to ask once more. */
  refuse(why) {
    this.show(null, `No advice: ${why}.`);
    this.refused = true;
    this.draw();
  }

  /** Shows the reasons of one move, of all for null. */
  point(move) {
    if (move === this.move) return;
    this.move = move;
    this.draw();
  }

  /** Answers why a move is not the best one, or why it is. */
  ask(move) {
    this.asked = this.asked === move ? null : move;
    this.move = null;
    this.draw();
    this.drawList();
    if (this.asked !== null) this.root.scrollIntoView({ block: "nearest" });
  }

  draw() {
    this.root.hidden = !this.advice && !this.hidden;
    const move = this.wanted();
    if (move) this.drawMove(move);
    else this.drawAll();
    this.light();
  }

  /** The move that is spoken of, if one is. */
  wanted() {
    const wanted = this.move ?? this.asked;
    return this.advice?.moves.find(({ move }) => move === wanted);
  }

  /** Lights up what a move rests on, by default of the one that is spoken of. */
  light(move = this.wanted()) {
    this.page.light(move ? this.squaresOf(move) : []);
  }

  /** What to play, large beside the board, also by a look-ahead that still goes on. */
  drawBest(advice = this.advice) {
    const first = advice?.rough ? null : (advice?.moves ?? advice?.scores)?.find(({ move }) => move === advice.best[0]);
    this.best.hidden = !first || Boolean(first.score.unsure);
    if (this.best.hidden) return this.best.replaceChildren();
    const more = advice.best.length - 1;
    this.best.replaceChildren(
      h("span", { class: "quiet" }, "Best"),
      h("strong", {}, source().title(first.name)),
      more ? h("span", { class: "quiet" }, `or ${more} more`) : "",
      h("span", { class: `chip ${first.score.kind}` }, ...scoreParts(first.score)),
    );
  }

  drawAll() {
    const { advice } = this;
    const title = h("h2", { id: "advice-title" }, "Advice");
    if (!advice || this.rough) {
      const text = this.hidden || "Looking ahead. Point at a move to see what speaks for it.";
      const again = this.refused ? h("button", { type: "button", on: { click: () => this.page.anew() } }, "Try again") : null;
      this.fill(title, h("p", { class: "quiet" }, text), again, this.why());
      return;
    }
    this.fill(
      title,
      h("p", { class: "headline" }, advice.headline),
      this.left(),
      ...this.explanation(advice),
      this.numbers(advice.moves.find(({ move }) => move === advice.best[0])),
      ...(advice.best.length ? this.threats() : []),
      h("p", { class: "quiet" }, effort(advice)),
    );
  }

  /** The reasons of what stands in place of advice: they name the replies that are expected. */
  why() {
    const told = this.advice ? null : this.paragraph(this.reasons);
    return told && h("details", { class: "how" }, h("summary", {}, "Why? (may tell your best reply)"), told);
  }

  /** What is said of the best moves, and behind it of the others. */
  explanation({ explanation }) {
    const told = explanation.map((sentences) => this.paragraph(sentences));
    const others = told.splice(PARAGRAPHS_SHOWN);
    return others.length ? [...told, h("details", { class: "how" }, h("summary", {}, "Other moves"), ...others)] : told;
  }

  /** A button that asks what the opponent threatens, and the answer, whose squares light up. */
  threats() {
    const shown = ({ sentences }) => {
      const squares = squaresIn(sentences.join(" "), this.page.named);
      this.page.light(squares.map(([column, row]) => ({ row, column, against: true })));
      const items = sentences.map((text) => h("li", {}, sentence(text, this.page)));
      return [h("div", { role: "status" }, h("ul", {}, ...items))];
    };
    const text = "What threatens?";
    const make = () => question(text, this.page.threats, { text, shown });
    const { button, place } = this.questions.kept(this.page.here(), "threats", make);
    return [h("div", { class: "row" }, button), place];
  }

  /** Where the score of a move comes from, folded away. */
  numbers(move) {
    const told = move?.numbers?.length ? this.paragraph(move.numbers) : null;
    return told && h("details", { class: "how" }, h("summary", {}, "In numbers"), told);
  }

  drawMove(move) {
    const words = scoreWords(move.score, move.outcome);
    const label = { class: `chip ${move.score.kind}`, "aria-label": words, role: "img" };
    const asked = move.move === this.asked && this.move === null;
    this.fill(
      h(
        "h2",
        { id: "advice-title" },
        `${source().title(move.name)} `,
        this.rough ? null : h("span", label, ...scoreParts(move.score)),
      ),
      ...(this.rough ? [] : [this.paragraph(move.explanation), this.numbers(move)]),
      asked ? this.asking(move) : null,
      this.sum(move),
      ...this.strategies(move),
      ...(move.trace && !this.rough ? this.features(move, move.trace) : []),
    );
  }

  /** What one can do with the move that one asked about. */
  asking({ move, name }) {
    const button = (text, click) => h("button", { type: "button", on: { click } }, text);
    return h("div", { class: "row" }, button(`Play ${name}`, () => this.page.play(move)), button("Back to the advice", () => this.ask(move)));
  }

  fill(...children) {
    this.root.replaceChildren(...children.filter((child) => child !== null));
  }

  /** Every move with its worth; a click asks why it is not the best. */
  drawList() {
    const { advice, rough } = this;
    this.list.hidden = !advice || rough;
    if (this.list.hidden) return this.list.replaceChildren();
    const best = new Set(advice.best);
    const order = (move) => (best.has(move.move) ? 0 : 1);
    // The server has the best first; of columns it has the leftmost first.
    const moves = [...advice.moves].sort((a, b) => order(a) - order(b) || worth(b) - worth(a)).slice(0, MOVES_SHOWN);
    const left = advice.moves.length - moves.length;
    this.list.replaceChildren(
      h("h2", { id: "choices-title" }, "Every move"),
      h("p", { class: "quiet" }, "Choose a move to see why."),
      h("ul", { class: "move-list", id: "move-list" }, ...moves.map((move) => h("li", {}, this.choice(move, best.has(move.move))))),
      left > 0 ? h("p", { class: "quiet" }, `and ${left} more`) : "",
    );
  }

  choice(move, best) {
    return h(
      "button",
      {
        type: "button",
        class: best ? "best" : "",
        "data-move": move.move,
        "aria-pressed": String(this.asked === move.move),
        on: { click: () => this.ask(move.move), mouseenter: () => this.light(move), mouseleave: () => this.light() },
      },
      h("code", {}, source().title(move.name)),
      h("span", { class: "quiet" }, restsOn(move.score)),
      h("span", { class: `worth-text ${move.score.kind}` }, inWords(move.score)),
    );
  }

  /** How many of the exact scores are still missing, if any. */
  left() {
    const { moves, proved } = this.advice.exact ?? { proved: true };
    if (proved) return null;
    const done = moves.filter(({ points }) => points !== null).length;
    const longer = h("button", { type: "button", id: "longer", on: { click: () => this.page.longer() } }, "Search longer");
    return h("div", { class: "row" }, h("p", { class: "quiet" }, `Exact scores so far: ${done} of ${moves.length} columns.`), longer);
  }

  strategies(move) {
    const fires = speaking(move);
    const title = h("h3", {}, "Strategies");
    const why = (strategy) => this.page.why({ strategy, move: move.move });
    const others = this.others(`${move.move} moves`, "strategy", move.fires.map(({ strategy }) => strategy), why);
    if (fires.length) return [title, h("ul", { class: "fires" }, ...fires.map((firing) => this.firing(firing, move, why))), others];
    if (move.score.kind !== "heuristic" || move.score.value === undefined) return [];
    return [title, h("p", { class: "quiet" }, "No strategy speaks for or against it."), others];
  }

  /** A way to ask why other strategies or features than these are not there; null if there are none. */
  others(name, kind, there, why) {
    const names = this.page.weighed(kind).filter(({ name: other }) => !there.includes(other));
    return names.length ? this.questions.kept(this.page.here(), name, () => choice(kind, names, why)) : null;
  }

  /** The button and the answer of a question about what is there. */
  question(name, about, why) {
    return this.questions.kept(this.page.here(), name, () => question(`Why ${about}?`, () => why(about)));
  }

  /** How the score comes about. */
  sum({ score, total, trace }) {
    const told = (text) => h("p", { class: "quiet" }, text);
    if (score.kind !== "heuristic") {
      const why = score.proved
        ? this.advice.book
          ? "The opening book knows it from exact play"
          : "It is proved by a search to the end of the game"
        : "The result is certain";
      const points = score.points === undefined ? "" : ` (exact score ${signed(score.points)})`;
      return told(`${why}${points}: no weight counts.`);
    }
    if (score.value === undefined && !this.rough) {
      return told(score.playouts ? `A guess from ${score.playouts.toLocaleString("en")} random games.` : "There was no time to try it.");
    }
    const strategies = `The strategies add up to ${signed(total)}`;
    if (this.rough || !trace) return told(`${strategies}.`);
    return told(`The look-ahead sees ${signed(trace.value)}. ${strategies}, which only helps to choose: together ${signed(trace.value + total)}.`);
  }

  /** What the look-ahead sees at the end of the move's line, the weightiest first. */
  features({ move }, { line, line_names: names, features, drawn }) {
    const title = h("h3", {}, `After ${names.join(" ")}`);
    if (drawn) return [title, h("p", { class: "quiet" }, "This counts as a draw, so that no feature does.")];
    const groups = grouped(features);
    const telling = groups.filter(({ weight }) => weight);
    const why = (feature) => this.page.why({ feature }, line);
    const items = telling.slice(0, FEATURES_SHOWN).map(({ text, weight, feature, counts }) => {
      const { button, place } = this.question(`${move} feature ${feature}`, feature, why);
      return h(
        "li",
        { class: weight < 0 ? "against" : "" },
        h("span", { class: "weight" }, signed(weight)),
        h("span", {}, `${held(counts, text)} `, h("code", {}, feature), " ", button),
        place,
      );
    });
    const more = telling.length - items.length;
    const even = groups.length - telling.length;
    const left = [more > 0 && `${more} more that weigh less`, even && `${even} that both sides have alike`].filter(Boolean);
    return [
      title,
      h("ul", { class: "fires" }, ...items),
      h("p", { class: "quiet" }, left.length ? `and ${left.join(", ")}` : ""),
      this.others(`${move} features`, "feature", groups.map(({ feature }) => feature), why),
    ];
  }

  firing({ strategy, weight, sentence: told }, { move }, why) {
    const { button, place } = this.question(`${move} strategy ${strategy}`, strategy, why);
    return h(
      "li",
      { class: weight < 0 ? "against" : "" },
      h("span", { class: "weight" }, signed(weight)),
      h("span", {}, sentence(told, this.page), " ", h("code", {}, strategy), " ", button),
      place,
    );
  }

  /** A paragraph: its first sentence, the others as a list under it. */
  paragraph([first, ...others]) {
    if (!first) return null;
    const item = (text) => h("li", { class: text.startsWith("On the other hand") ? "although" : "" }, sentence(text, this.page));
    const list = others.length ? h("ul", {}, ...others.map(item)) : null;
    return h("div", { class: "sentences" }, h("p", {}, sentence(first, this.page)), list);
  }

  /** The squares that speak for a move and against it, and its own. */
  squaresOf(move) {
    const squares = speaking(move).flatMap((firing) => {
      const places = firing.squares?.map(([row, column]) => [column, row]) ?? squaresIn(firing.reasons.join(" "), this.page.named);
      return places.map(([column, row]) => ({ row, column, against: firing.weight < 0 }));
    });
    // A square that speaks for the move and against it counts as for it.
    squares.sort((a, b) => b.against - a.against);
    return [...squares, ...(move.squares ?? []).map(([column, row]) => ({ row, column, against: false }))];
  }
}

/** For the order of the list: sooner wins first, later losses before sooner ones; random games order nothing. */
function worth({ score }) {
  const length = score.plies ?? score.in ?? 0;
  if (score.kind === "win") return 1e9 - length;
  if (score.kind === "loss") return length - 1e9;
  return score.value ?? 0;
}

/** The features of one name as one, with how many each player has; what weighs most first. */
function grouped(features) {
  const groups = new Map();
  for (const held of features) {
    const known = groups.get(held.feature) ?? { ...held, weight: 0, counts: new Map() };
    known.weight += held.weight;
    known.counts.set(held.player, (known.counts.get(held.player) ?? 0) + 1);
    groups.set(held.feature, known);
  }
  return [...groups.values()].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** Who has how many of a feature: "White: 2 × a rook", or of both "a rook: White 2, Black 1". */
function held(counts, text) {
  const each = [...counts].map(([player, count]) => [source().player(player), count]);
  if (each.length > 1) return `${text}: ${each.map((pair) => pair.join(" ")).join(", ")}`;
  const [[player, count]] = each;
  return `${player}: ${count > 1 ? `${count} × ` : ""}${text}`;
}

function effort({ engine, depth, leaves, seconds, score, book, weights, interrupted, untried, slowed_by: slowed }) {
  if (engine) return `${engine} decides, ${depth} plies ahead in ${seconds.toFixed(1)} s${interrupted ? ", then stopped" : ""}; reasons are found by the rules.`;
  if (!depth) return "From this position alone, without looking ahead.";
  const how = book
    ? "Known by exact play (opening book). "
    : score.proved
      ? "Proved by a search to the end of the game. "
      : "";
  const by = weights ? `, by the weights of the preset ${weights}` : "";
  const left = untried ? ` There was no time for random games after ${untried} moves.` : "";
  return `${how}${depth} ${depth > 1 ? "plies" : "ply"} ahead, ${leaves.toLocaleString("en")} positions in ${seconds.toFixed(1)} s${interrupted ? ", then stopped" : ""}${by}.${left}${slowed ? ` By NumPy: ${slowed}.` : ""}`;
}

/** The strategies that have something to say: of a forced loss those that speak against it. */
function speaking({ score, fires }) {
  return fires.filter(({ weight }) => (score.kind === "loss" ? weight < 0 : weight));
}
