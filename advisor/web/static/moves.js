// The game so far as a list of moves; those taken back stay in it.

import { byId, h } from "./dom.js";

export class Moves {
  /** @param {Function} travel told how many of the moves to show. */
  constructor(travel) {
    this.root = byId("moves-card");
    this.travel = travel;
    this.count = 0;
    this.at = 0;
  }

  /**
   * Shows a game of which `at` moves are on the board.
   * @param {{text: string, label: string, mark: ?Node, error: ?{grade: string, sign: string}}[]} moves
   *   each with its words, a picture, and what was wrong with it.
   */
  show(moves, at) {
    Object.assign(this, { count: moves.length, at });
    this.root.hidden = !moves.length;
    if (!moves.length) return this.root.replaceChildren();
    const chips = moves.map((move, i) => this.chip(i + 1, move));
    const list = h("ol", { class: "steps played" }, ...chips.map((chip) => h("li", {}, chip)));
    this.root.replaceChildren(
      h(
        "div",
        { class: "card-head" },
        h("h2", { id: "moves-title" }, "Moves"),
        h("span", { class: "quiet count" }, `${at} of ${moves.length}`),
        this.button("First position (Home)", "«", 0),
        this.button("Last move (End)", "»", moves.length),
      ),
      list,
    );
    const here = chips[at - 1];
    list.scrollTop = here ? here.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  }

  chip(number, { text, label, mark, error }) {
    return h(
      "button",
      {
        type: "button",
        class: `step ${number > this.at ? "later" : ""}`,
        "data-ply": number,
        "aria-label": `Move ${number}: ${label}${error ? `, ${error.grade}` : ""}`,
        "aria-current": number === this.at ? "step" : null,
        on: { click: () => this.go(number) },
      },
      mark,
      text,
      error ? h("span", { class: `grade ${error.grade}`, "aria-hidden": "true" }, error.sign) : null,
    );
  }

  button(label, text, at) {
    const click = () => this.go(at);
    return h("button", { type: "button", class: "round", "aria-label": label, title: label, disabled: at === this.at, on: { click } }, text);
  }

  go(at) {
    if (at !== this.at && at <= this.count) this.travel(at);
  }
}
