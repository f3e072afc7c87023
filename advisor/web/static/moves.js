// The game so far as a list of moves; those taken back stay in it.

import { COLOURS, byId, h, icon } from "./dom.js";

export class Moves {
  /** @param {Function} travel told how many of the moves to show. */
  constructor(travel) {
    this.root = byId("moves-card");
    this.travel = travel;
    this.columns = [];
    this.at = 0;
  }

  /** Shows a game that `first` begins, of which `at` moves are on the board. */
  show(columns, at, first) {
    Object.assign(this, { columns, at });
    this.root.hidden = !columns.length;
    if (!columns.length) return this.root.replaceChildren();
    const players = first === "x" ? ["x", "o"] : ["o", "x"];
    const chips = columns.map((column, i) => this.chip(i + 1, players[i % 2], column));
    const list = h("ol", { class: "steps played" }, ...chips.map((chip) => h("li", {}, chip)));
    this.root.replaceChildren(
      h(
        "div",
        { class: "card-head" },
        h("h2", { id: "moves-title" }, "Moves"),
        h("span", { class: "quiet count" }, `${at} of ${columns.length}`),
        this.button("First position (Home)", "«", 0),
        this.button("Last move (End)", "»", columns.length),
      ),
      list,
    );
    const here = chips[at - 1];
    list.scrollTop = here ? here.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  }

  chip(number, player, column) {
    return h(
      "button",
      {
        type: "button",
        class: `step ${number > this.at ? "later" : ""}`,
        "aria-label": `Move ${number}: ${COLOURS[player].toLowerCase()}, column ${column}`,
        "aria-current": number === this.at ? "step" : null,
        on: { click: () => this.go(number) },
      },
      icon(`disc-${player}`, "step-disc"),
      String(column),
    );
  }

  button(label, text, at) {
    const click = () => this.go(at);
    return h("button", { type: "button", class: "round", "aria-label": label, title: label, disabled: at === this.at, on: { click } }, text);
  }

  go(at) {
    if (at !== this.at && at <= this.columns.length) this.travel(at);
  }
}
