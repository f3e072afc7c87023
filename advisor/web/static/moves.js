// The game so far as a list of moves in pairs; those taken back stay in it, and variations and
// comments stand where they belong.

import { byId } from "./dom.js";
import { source } from "./game.js";
import { say } from "./languages.js";
import { h, render } from "./preact.js";
import { nameMoves } from "./record.js";
import { commentMove, deleteLine, lineThrough, lines, nameLine, promoteLine, state } from "./state.js";
import { commentsOf, headOf, inOrder, pathTo, restOf, signsOf, variationsOf } from "./tree.js";

const FIELDS = { name: "line-name", comment: "move-comment" };
const NAME_MOST = 80;
const COMMENT_MOST = 500;

export class Moves {
  /**
   * @param {{travel: Function, back: Function, forth: Function, changed: Function, errorAt: Function}} page told
   *   of how many of which moves to show, of a step, and that the lines have changed; gives what was wrong with a move of the line
   *   on the board, by its number: {grade, sign}, or null.
   */
  constructor(page) {
    this.root = byId("moves-card");
    this.page = page;
    this.view = null; // the position on the board
    this.top = null; // the beginning of the game
    this.here = null; // the last move on the board
    this.line = []; // the moves on the board, and those that follow on their line
    this.later = new Set(); // the latter
    this.at = 0; // how many are on the board
    this.ahead = 0; // moves before the first one: a number of pairs, and perhaps one move more
    this.writing = null; // "name" or "comment" while the name of the line or a comment is written
    this.asked = null; // the moves whose names the server was asked for
  }

  /** Shows the game with all its lines; `view` is the position on the board. */
  show(view) {
    const { root, here } = lines();
    if (here !== this.here) this.writing = null;
    const path = pathTo(here);
    const [names, movers] = [source().names(view, state.moves), source().movers(view, state.moves)];
    path.forEach((node, i) => Object.assign(node, { name: String(names[i]), by: movers[i] }));
    const later = [];
    for (const move of [...state.redo].reverse()) later.push((later.at(-1) ?? here).next.find((each) => each.move === move));
    // A text of chess tells the number of the next pair of moves.
    const [, number] = /^[\w/]+ [wb] \S+ \S+ \d+ (\d+)$/.exec(view.position ?? "") ?? [];
    const ahead = number ? 2 * (Number(number) - 1) + view.mover - path.length : (view.mover + path.length) % 2;
    Object.assign(this, { view, top: root, here, at: path.length, line: [...path, ...later], later: new Set(later), ahead });
    this.draw();
    this.nameOthers();
  }

  /** Asks for the names of moves that came with the address. */
  async nameOthers() {
    const missing = [...inOrder(this.top)].filter(({ name }) => name === null);
    const asked = missing.map(({ move }) => move).join(" ");
    if (!asked || asked === this.asked) return;
    this.asked = asked;
    await nameMoves();
    this.show(this.view);
  }

  draw() {
    this.root.hidden = !this.top.next.length;
    const parts = this.root.hidden ? [] : [this.heading(), this.list(), state.mode === "analyse" ? this.tools(headOf(this.here)) : null];
    render(h("div", { class: "stack" }, ...parts), this.root);
    const [list, step] = [".pairs", "[aria-current]"].map((name) => this.root.querySelector(name));
    if (list) list.scrollTop = step ? step.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  }

  heading() {
    const [first, last] = [this.at === 0, this.at === this.line.length];
    const button = (label, text, disabled, onClick) => h("button", { type: "button", class: "round", "aria-label": label, title: label, disabled, onClick }, text);
    return h(
      "div",
      { class: "card-head" },
      h("h2", { id: "moves-title" }, say("moves.title")),
      h("span", { class: "quiet count" }, say("moves.at", { at: this.at, all: this.line.length })),
      button(say("moves.first"), "«", first, () => this.go(0)),
      button(say("moves.back"), "‹", first, this.page.back),
      button(say("moves.forth"), "›", last, this.page.forth),
      button(say("moves.last"), "»", last, () => this.go(this.line.length)),
    );
  }

  /** The main line, two moves a row; a comment or a variation ends a row. */
  list() {
    const rows = [];
    let row = null;
    const comment = (text) => text && rows.push(h("li", { class: "comment" }, text)) && (row = null);
    comment(commentsOf(this.top.after));
    restOf(this.top).forEach((node, i) => {
      const index = this.ahead + i;
      if (index % 2 === 0 || !row) {
        row = [h("span", { class: "quiet" }, `${Math.floor(index / 2) + 1}.`), index % 2 ? h("span", { class: "quiet" }, "…") : null];
        rows.push(row);
      }
      row[1 + (index % 2)] = this.step(node, i + 1);
      comment(commentsOf(node.after));
      for (const head of variationsOf(node)) {
        rows.push(h("li", { class: "variation" }, ...this.variation(head, i + 1)));
        row = null;
        comment(commentsOf(head.behind));
      }
    });
    return h("ol", { class: "pairs" }, ...rows.map((each) => (Array.isArray(each) ? h("li", {}, ...each) : each)));
  }

  /** The moves of a variation, with what is said of them, in one paragraph. */
  variation(head, ply) {
    const name = commentsOf(head.before);
    const found = name ? [h("strong", { class: "line-name" }, name), " "] : [];
    let numbered = false;
    const comment = (text) => text && found.push(h("span", { class: "comment" }, text), " ") && (numbered = false);
    [head, ...restOf(head)].forEach((node, i) => {
      const index = this.ahead + ply + i - 1;
      const number = index % 2 && numbered ? "" : `${Math.floor(index / 2) + 1}${index % 2 ? "…" : "."}`;
      found.push(h("span", { class: "numbered" }, number && h("span", { class: "quiet" }, number), this.step(node, ply + i)), " ");
      numbered = true;
      comment(commentsOf(node.after));
      for (const other of variationsOf(node)) {
        found.push("(", ...this.variation(other, ply + i).slice(0, -1), ") ");
        numbered = false;
        comment(commentsOf(other.behind));
      }
    });
    return found;
  }

  step(node, ply) {
    const error = this.line[ply - 1] === node ? this.page.errorAt(ply) : null;
    const name = node.name ?? String(node.move);
    const by = node.by ?? (this.view.mover + ply - 1 + this.at) % 2;
    const what = [`${this.view.called[by]}, ${source().label(name)}`, ...(error ? [error.grade] : [])].join(", ");
    const sign = signsOf(node.after);
    return h(
      "button",
      {
        type: "button",
        class: this.later.has(node) ? "step later" : this.line.includes(node) ? "step" : "step aside",
        "data-ply": ply,
        "aria-label": say("moves.move", { number: ply, what }),
        "aria-current": node === this.here ? "step" : undefined,
        onClick: () => this.goTo(node),
      },
      name,
      sign && h("span", { class: "glyph" }, sign),
      error && h("span", { class: `grade ${error.grade}`, "aria-hidden": "true" }, error.sign),
    );
  }

  /** What can be done with the move on the board and, by its first move, with its variation. */
  tools(head) {
    const button = (id, text, onClick) => h("button", { type: "button", id, onClick }, text);
    const change = (work) => () => (work(), this.page.changed());
    const open = (what) => () => ((this.writing = what), this.draw(), byId(FIELDS[what]).focus());
    if (this.writing === "comment") return this.field("comment", say("moves.comment"), commentsOf(this.here.after), COMMENT_MOST, commentMove);
    if (this.writing === "name") return this.field("name", say("moves.called"), commentsOf(head.before), NAME_MOST, nameLine);
    return h(
      "div",
      { class: "row" },
      button("comment-move", say("moves.comment"), open("comment")),
      ...(head
        ? [
            button("name-line", say("moves.name"), open("name")),
            button("promote-line", say("moves.promote"), change(promoteLine)),
            button("delete-line", say("moves.delete"), change(deleteLine)),
          ]
        : []),
    );
  }

  /** A field for a text of so many letters at most, which `keep` is given. */
  field(what, label, text, most, keep) {
    const id = FIELDS[what];
    const leave = () => ((this.writing = null), this.draw());
    const save = (event) => {
      event.preventDefault();
      this.writing = null;
      keep(byId(id).value);
      this.page.changed();
    };
    const onKeyDown = (event) => event.key === "Escape" && (event.stopPropagation(), leave());
    return h(
      "form",
      { class: "row", onSubmit: save, onKeyDown },
      h("label", { for: id }, label),
      h("input", { id, key: id, maxlength: most, defaultValue: text, autocomplete: "off" }),
      h("button", { type: "submit" }, say("moves.keep")),
    );
  }

  /** Goes to the position after so many moves of the line on the board. */
  go(at) {
    if (at !== state.moves.length && at >= 0 && at <= this.line.length) this.page.travel(at, this.line.map(({ move }) => move));
  }

  goTo(node) {
    const at = this.line.indexOf(node);
    if (at >= 0) return this.go(at + 1);
    const through = lineThrough(node);
    this.page.travel(through.at, through.moves);
  }
}
