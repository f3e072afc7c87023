// Advice in words: the best move and one reason above the board, all reasons in the card beside it.

import { byId } from "./dom.js";
import { source } from "./game.js";
import { say } from "./languages.js";
import { h, render } from "./preact.js";
import { inWords, restsOn, scoreLabel, scoreWords, signed } from "./score.js";
import { sentence, squaresIn } from "./speaking.js";
import { Answers, Choice, Question } from "./why.js";

const FEATURES_SHOWN = 6;
const MOVES_SHOWN = 40;
const NAMES_SHOWN = 3;

export class Advice {
  /**
   * @param {{named: Function, light: Function, play: Function, anew: Function, here: Function, why: Function, weighed: Function}} page
   * the squares of a name; lights some up; makes a move; asks once more for what was refused; what
   * names the position; asks why there, or some moves later; the
   * strategies or the features that have a weight.
   */
  constructor(page) {
    this.card = byId("advice-card");
    this.page = { ...page, rest: () => this.light() };
    this.advice = null;
    this.remark = { text: "", reasons: [] };
    this.rough = false; // whether only the strategies are known
    this.refused = false;
    this.pointed = null; // the move that is pointed at
    this.asked = null; // the move that was chosen in the list
    this.answers = new Answers();
  }

  /** Shows advice, or for null a remark in its place, whose reasons are shown to who asks. */
  show(advice, text = "", reasons = []) {
    if (!advice) this.asked = null;
    Object.assign(this, { advice, remark: { text, reasons }, rough: advice?.rough ?? false, refused: false });
    this.draw();
  }

  /** Says why there is no advice, and offers to ask once more. */
  refuse(why) {
    this.show(null, say("advice.refused", { why }));
    this.refused = true;
    this.draw();
  }

  /** Shows the reasons of one move, of all for null. */
  point(move) {
    if (move === this.pointed) return;
    this.pointed = move;
    this.drawCard();
  }

  /** Answers why a move is not the best one, or why it is. */
  ask(move) {
    this.asked = this.asked === move ? null : move;
    this.pointed = null;
    this.drawCard();
    if (this.asked !== null) this.card.scrollIntoView({ block: "nearest" });
  }

  draw() {
    this.drawHead();
    this.drawCard();
  }

  /** The move that is spoken of, if one is. */
  spokenOf() {
    const wanted = this.pointed ?? this.asked;
    return this.advice?.moves.find(({ move }) => move === wanted);
  }

  /** Lights up what a move rests on, by default of the one that is spoken of. */
  light(move = this.spokenOf()) {
    this.page.light(move ? this.squaresOf(move) : []);
  }

  // Above the board

  /** What to play and one reason, also by a look-ahead that still goes on. */
  drawHead(advice = this.advice) {
    const best = advice && !advice.rough ? this.best(advice) : null;
    render(best, byId("best"));
    byId("best").hidden = !best;
    render(this.sentence(), byId("sentence"));
    byId("sentence").hidden = false;
  }

  best({ best, moves, scores }) {
    const known = moves ?? scores;
    const first = known.find(({ move }) => move === best[0]);
    if (!first || first.score.unsure) return null;
    const names = best.slice(0, NAMES_SHOWN).map((move) => known.find((each) => each.move === move).name);
    const more = best.length - names.length;
    return [
      h("strong", null, source().titles(names, more > 0)),
      more > 0 ? h("span", { class: "quiet" }, say("advice.or-more", { count: more })) : null,
      h("span", { class: `chip ${first.score.kind}` }, ...scoreLabel(first.score)),
    ];
  }

  /** The reason in one sentence, or what stands in place of advice. */
  sentence() {
    const { advice, remark } = this;
    if (!advice || this.rough) return remark.text || (advice ? say("advice.looking") : "");
    const first = advice.moves.find(({ move }) => move === advice.best[0]);
    if (!first || first.score.unsure) return advice.headline;
    return sentence(advice.explanation[0]?.[0] ?? advice.headline, this.page);
  }

  // The card

  drawCard() {
    const move = this.spokenOf();
    const content = move ? this.move(move) : this.advice && !this.rough ? this.all(this.advice) : this.instead();
    render(content, byId("advice"));
    render(this.list(), byId("choices"));
    byId("choices-card").hidden = !this.advice || this.rough;
    this.card.classList.toggle("empty", !content);
    this.light();
  }

  /** What stands in place of advice: a way to ask again, the reasons of the move that was made. */
  instead() {
    if (this.refused) return h("button", { type: "button", onClick: () => this.page.anew() }, say("advice.again"));
    if (this.advice || !this.remark.reasons.length) return null;
    // They name the replies that are expected.
    return h("details", { class: "how", key: "remark" }, h("summary", null, say("advice.why-tells")), this.paragraph(this.remark.reasons));
  }

  all(advice) {
    const first = advice.moves.find(({ move }) => move === advice.best[0]);
    return [
      h("h2", { id: "advice-title" }, say("advice.why")),
      ...this.explanation(advice, first),
      this.numbers(first, effort(advice)),
    ];
  }

  /** What is said of the best moves beyond the first sentence, and folded of the others. */
  explanation({ best, explanation }, first) {
    const [[, ...more] = [], ...others] = first && !first.score.unsure ? explanation : [[], ...explanation];
    const alike = first && best.length > 1 ? 1 : 0; // of an equally good move
    const [shown, folded] = [[more, ...others.slice(0, alike)], others.slice(alike)].map((some) => some.map((sentences) => this.paragraph(sentences)));
    return [
      ...shown,
      folded.length ? h("details", { class: "how" }, h("summary", null, say("advice.other-moves")), folded) : null,
    ];
  }

  /** Where the score of a move comes from, and what it took, folded away. */
  numbers(move, effort = null) {
    const told = move?.numbers?.length ? this.paragraph(move.numbers) : null;
    if (!told && !effort) return null;
    return h("details", { class: "how", key: "numbers" }, h("summary", null, say("advice.numbers")), told, effort && h("p", { class: "quiet" }, effort));
  }

  move(move) {
    const words = scoreWords(move.score, move.outcome);
    const label = { class: `chip ${move.score.kind}`, "aria-label": words, role: "img" };
    const asked = move.move === this.asked && this.pointed === null;
    const sure = !this.rough;
    return [
      h("h2", { id: "advice-title" }, `${source().title(move.name)} `, sure ? h("span", label, ...scoreLabel(move.score)) : null),
      sure ? this.paragraph(move.explanation) : null,
      sure ? this.numbers(move) : null,
      asked ? this.asking(move) : null,
      this.sum(move),
      ...this.strategies(move),
      ...(move.trace && sure ? this.features(move, move.trace) : []),
    ];
  }

  /** What one can do with the move that one asked about. */
  asking({ move, name }) {
    const button = (text, onClick) => h("button", { type: "button", onClick }, text);
    return h("div", { class: "row" }, button(say("advice.play", { move: name }), () => this.page.play(move)), button(say("advice.back"), () => this.ask(move)));
  }

  /** Every move with its worth; a click asks why it is not the best. */
  list() {
    const { advice } = this;
    if (!advice || this.rough) return null;
    const best = new Set(advice.best);
    const order = (move) => (best.has(move.move) ? 0 : 1);
    // The server has the best first; of columns it has the leftmost first.
    const moves = [...advice.moves].sort((a, b) => order(a) - order(b) || worth(b) - worth(a)).slice(0, MOVES_SHOWN);
    const left = advice.moves.length - moves.length;
    return [
      h("p", { class: "quiet" }, say("advice.tap")),
      h("ul", { class: "move-list", id: "move-list" }, moves.map((move) => h("li", { key: move.move }, this.choice(move, best.has(move.move))))),
      left > 0 ? h("p", { class: "quiet" }, say("advice.more-moves", { count: left })) : null,
    ];
  }

  choice(move, best) {
    return h(
      "button",
      {
        type: "button",
        class: best ? "best" : "",
        "data-move": move.move,
        "aria-pressed": String(this.asked === move.move),
        onClick: () => this.ask(move.move),
        onMouseEnter: () => this.light(move),
        onMouseLeave: () => this.light(),
      },
      h("code", null, source().title(move.name)),
      h("span", { class: "quiet" }, restsOn(move.score)),
      h("span", { class: `worth-text ${move.score.kind}` }, inWords(move.score)),
    );
  }

  strategies(move) {
    const fires = speaking(move);
    const title = h("h3", null, say("advice.strategies"));
    const ask = (strategy) => this.page.why({ strategy, move: move.move });
    const there = move.fires.map(({ strategy }) => strategy);
    const others = this.others(`${move.move} moves`, "strategy", there, ask, say("advice.no-other-strategy"), say("advice.another-strategy"));
    if (fires.length) return [title, h("ul", { class: "fires" }, fires.map((firing) => this.firing(firing, move, ask))), others];
    if (move.score.kind !== "heuristic" || move.score.value === undefined) return [];
    return [title, h("p", { class: "quiet" }, say("advice.no-strategy")), others];
  }

  /** A way to ask why other strategies or features than these are not there; null if there are none. */
  others(name, kind, there, ask, title, label) {
    const names = this.page.weighed(kind).filter(({ name: other }) => !there.includes(other));
    if (!names.length) return null;
    return h(Choice, { key: name, title, label, names, answer: this.answers.kept(this.page.here(), name), ask });
  }

  /** A question that keeps its answer while the position stays; `place` places its button and answer. */
  question(name, properties, place) {
    return h(Question, { key: name, ...properties, answer: this.answers.kept(this.page.here(), name) }, place);
  }

  /** How the score comes about. */
  sum({ score, total, trace }) {
    const quiet = (text) => h("p", { class: "quiet" }, text);
    if (score.kind !== "heuristic") {
      const points = score.points === undefined ? "" : ` ${say("advice.exact-score", { points: signed(score.points) })}`;
      if (!score.proved) return quiet(`${say("advice.certain")}${points}`);
      return quiet(`${this.advice.book ? say("advice.by-book") : say("advice.by-search")}${points}`);
    }
    if (score.value === undefined && !this.rough) {
      return quiet(score.playouts ? say("advice.guess", { count: score.playouts, games: score.playouts.toLocaleString() }) : say("advice.no-time"));
    }
    if (this.rough || !trace) return quiet(say("advice.strategies-sum", { total: signed(total) }));
    return quiet(say("advice.whole-sum", { value: signed(trace.value), total: signed(total), sum: signed(trace.value + total) }));
  }

  /** What the look-ahead sees at the end of the move's line, the weightiest first. */
  features({ move }, { line, line_names: names, features, drawn }) {
    const title = h("h3", null, say("advice.after", { moves: names.join(" ") }));
    if (drawn) return [title, h("p", { class: "quiet" }, say("advice.drawn"))];
    const groups = grouped(features);
    const telling = groups.filter(({ weight }) => weight);
    const ask = (feature) => this.page.why({ feature }, line);
    const items = telling.slice(0, FEATURES_SHOWN).map(({ text, weight, feature, counts }) =>
      this.weighed(`${move} feature ${feature}`, feature, weight, held(counts, text), () => ask(feature)),
    );
    const more = telling.length - items.length;
    const even = groups.length - telling.length;
    const left = [more ? say("advice.weigh-less", { count: more }) : null, even ? say("advice.alike", { count: even }) : null].filter(Boolean);
    const there = groups.map(({ feature }) => feature);
    return [
      title,
      h("ul", { class: "fires" }, items),
      left.length ? h("p", { class: "quiet" }, left.join(", ")) : null,
      this.others(`${move} features`, "feature", there, ask, say("advice.no-other-feature"), say("advice.another-feature")),
    ];
  }

  firing({ strategy, weight, sentence: text }, { move }, ask) {
    return this.weighed(`${move} strategy ${strategy}`, strategy, weight, sentence(text, this.page), () => ask(strategy));
  }

  /** An entry with its weight, and a button that asks why it is there. */
  weighed(name, atom, weight, text, ask) {
    return this.question(name, { label: say("advice.why-atom", { atom }), ask }, (button, answer) =>
      h(
        "li",
        { class: weight < 0 ? "against" : "" },
        h("span", { class: "weight" }, signed(weight)),
        h("span", null, text, " ", h("code", null, atom), " ", button),
        answer,
      ),
    );
  }

  /** A paragraph: its first sentence, the others as a list under it. */
  paragraph(sentences) {
    const [first, ...others] = sentences;
    if (!first) return null;
    const item = (text) => h("li", { class: text.startsWith("On the other hand") ? "although" : "" }, sentence(text, this.page));
    return h("div", { class: "sentences" }, h("p", null, sentence(first, this.page)), others.length ? h("ul", null, others.map(item)) : null);
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

/** What the advice took: how deep, how many positions, how long. */
function effort({ engine, depth, leaves, seconds, score, book, weights, interrupted, untried, slowed_by: slowed }) {
  const stopped = interrupted ? ` ${say("advice.stopped")}` : "";
  if (engine) return `${say("advice.engine", { engine, depth, seconds: seconds.toFixed(1) })}${stopped}`;
  if (!depth) return say("advice.no-look");
  const how = book ? say("advice.by-book") : score.proved ? say("advice.by-search") : null;
  const ahead = say("advice.ahead", { count: depth, leaves: leaves.toLocaleString(), seconds: seconds.toFixed(1) }) + stopped;
  const rest = [
    weights ? say("advice.preset", { weights }) : null,
    untried ? say("advice.untried", { count: untried }) : null,
    slowed ? say("advice.slowed") : null,
  ];
  return [how, ahead, ...rest].filter(Boolean).join(" ");
}

/** The strategies that have something to say: of a forced loss those that speak against it. */
function speaking({ score, fires }) {
  return fires.filter(({ weight }) => (score.kind === "loss" ? weight < 0 : weight));
}
