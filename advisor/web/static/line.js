// The expected line of play, to step through; where asked for also those of the next best moves.

import { Refusal, Superseded, lookAt } from "./api.js";
import { byId } from "./dom.js";
import { source } from "./game.js";
import { say } from "./languages.js";
import { h, render } from "./preact.js";
import { inWords } from "./score.js";
import { state } from "./state.js";

const HOVER_MS = 250; // so that a mouse that passes by shows nothing
const MANY = 3; // lines that are shown beside each other

export class Line {
  /** @param {Function} preview told how many moves of the line to show. */
  constructor(preview) {
    this.root = byId("line-card");
    this.preview = preview;
    this.from = null; // what was shown before the mouse came
    this.moves = [];
    this.names = [];
    this.by = []; // who makes each move
    this.view = null; // the position from which the line goes on
    this.at = 0;
    this.weights = "";
    this.choices = []; // the best moves
    this.many = false; // whether the line of each of them is shown
    this.others = []; // these lines, as far as they are known
    this.looking = new AbortController();
  }

  /** Offers a line from a position on, `by` being who makes each move; an empty one hides the card. */
  show(moves, names = [], view = null, by = []) {
    Object.assign(this, { moves, names, view, by, at: 0 });
    if (!moves.length) {
      this.choices = [];
      this.forget();
    }
    this.draw();
  }

  /** Takes over what is known of each move, and by which weights. */
  compare({ best, moves }, weights) {
    const ranked = [...moves].sort((a, b) => best.includes(b.move) - best.includes(a.move) || worth(b.score) - worth(a.score));
    const choices = ranked.slice(0, MANY);
    const same = (a, b) => a.length === b.length && a.every(({ move }, i) => move === b[i].move);
    const known = same(choices, this.choices);
    Object.assign(this, { choices, weights });
    if (!known) this.forget();
    if (!known && this.many) this.look();
  }

  forget() {
    this.looking.abort();
    this.others = [];
  }

  /** Asks what is expected after each of the best moves. */
  async look() {
    this.forget();
    const { signal } = (this.looking = new AbortController());
    for (const { move, name } of this.choices) {
      const setup = source().setup([...state.moves, move]);
      try {
        const found = await lookAt({ ...setup, ...source().limit(), weights: this.weights }, signal);
        const { line = [], line_names: names = [], line_players: players = [] } = found;
        const by = [this.view.mover, ...players.map((role) => this.view.roles.indexOf(role))];
        this.others.push({ line: [move, ...line], names: [shortName(name), ...names], by });
      } catch (error) {
        if (error instanceof Superseded) return;
        if (!(error instanceof Refusal)) throw error;
      }
      if (signal.aborted) return;
      this.draw();
    }
  }

  draw() {
    this.root.hidden = !this.moves.length;
    render(h("div", { class: "stack" }, ...(this.root.hidden ? [] : this.parts())), this.root);
  }

  parts() {
    const button = (label, text, disabled, by) => h("button", { type: "button", class: "round", "aria-label": label, disabled, onClick: () => this.step(by) }, text);
    const count = this.at ? say("line.at", { at: this.at, all: this.moves.length }) : "";
    return [
      h(
        "div",
        { class: "card-head" },
        h("h2", { id: "line-title" }, say("line.title")),
        h("span", { class: "quiet count" }, count),
        button(say("line.back"), "‹", this.at === 0, -1),
        button(say("line.forth"), "›", this.at === this.moves.length, 1),
      ),
      h("div", { class: "steps", onPointerLeave: () => this.leave() }, ...this.moves.map((_, i) => this.chip(i))),
      this.choices.length > 1 ? this.beside() : null,
    ];
  }

  chip(i) {
    const mark = source().mark(this.by[i], "step-disc");
    const what = `${this.view.called[this.by[i]]}, ${source().label(this.names[i])}`;
    return h(
      "button",
      {
        type: "button",
        class: i < this.at ? "step done" : "step",
        "aria-label": say("line.move", { number: i + 1, what }),
        "aria-current": i === this.at - 1 ? "step" : undefined,
        onClick: () => this.go(i + 1),
        onPointerEnter: (event) => event.pointerType === "mouse" && this.hover(i + 1),
      },
      h("span", { class: "step-mark", ref: (element) => element?.replaceChildren(mark) }),
      this.names[i],
    );
  }

  /** The lines of the best moves, one below the other; a click steps through one of them. */
  beside() {
    const toggle = () => {
      this.many = !this.many;
      if (this.many) this.look();
      this.draw();
    };
    const row = ({ line, names, by }) => {
      const { score } = this.choices.find(({ move }) => move === line[0]);
      const choose = () => {
        Object.assign(this, { moves: line, names, by, at: 0 });
        this.go(1);
      };
      const shown = String(line) === String(this.moves);
      return h("li", {}, h("button", { type: "button", class: "other-line", "aria-pressed": String(shown), onClick: choose }, h("span", { class: "quiet" }, inWords(score)), names.join(" ")));
    };
    return [
      this.many ? h("ol", { class: "other-lines" }, ...this.others.map(row)) : null,
      h("button", { type: "button", id: "many-lines", "aria-pressed": String(this.many), onClick: toggle }, say("line.many", { count: this.choices.length })),
    ];
  }

  step(by) {
    this.go(Math.min(this.moves.length, Math.max(0, this.at + by)));
  }

  /** Pointing at a move shows the board after it, until the mouse leaves the line. */
  hover(at) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.from ??= this.at;
      this.move(at);
    }, HOVER_MS);
  }

  leave() {
    clearTimeout(this.timer);
    const { from } = this;
    this.from = null;
    if (from !== null) this.move(from);
  }

  go(at) {
    clearTimeout(this.timer);
    this.from = null;
    this.move(at);
  }

  move(at) {
    if (at === this.at || !this.moves.length) return;
    this.at = at;
    this.draw();
    this.preview(at);
  }
}

/** "4" of "column 4", as lines have it. */
const shortName = (name) => String(name).split(" ").at(-1);

/** By what moves are ranked: wins, the sooner the better, then what is not decided, then losses. */
function worth({ kind, points, in: length = 0, value, mean = 0 }) {
  if (kind === "win") return 1e6 + (points ?? -length);
  if (kind === "loss") return (points ?? length) - 1e6;
  return kind === "draw" ? 0 : (value ?? 1000 * mean);
}
