// The expected line of play, to step through.

import { byId, h, icon } from "./dom.js";

export class Line {
  /** @param {Function} preview told how many moves of the line to show. */
  constructor(preview) {
    this.root = byId("line-card");
    this.preview = preview;
    this.columns = [];
    this.at = 0;
  }

  /** Offers a line that `turn` begins; an empty one hides the card. */
  show(columns, turn = "x") {
    this.columns = columns;
    this.at = 0;
    this.root.hidden = columns.length === 0;
    if (!columns.length) {
      this.root.replaceChildren();
      return;
    }
    const players = turn === "x" ? ["x", "o"] : ["o", "x"];
    this.chips = columns.map((column, i) =>
      h(
        "button",
        {
          type: "button",
          class: "step",
          "aria-label": `Move ${i + 1}: ${players[i % 2] === "x" ? "red" : "yellow"}, column ${column}`,
          on: { click: () => this.go(i + 1) },
        },
        icon(`disc-${players[i % 2]}`, "step-disc"),
        String(column),
      ),
    );
    this.back = this.button("Step back", "‹", () => this.step(-1));
    this.forth = this.button("Step forth", "›", () => this.step(1));
    this.count = h("span", { class: "quiet count" });
    this.root.replaceChildren(
      h("div", { class: "card-head" }, h("h2", { id: "line-title" }, "Expected line"), this.count, this.back, this.forth),
      h("div", { class: "steps" }, ...this.chips),
    );
    this.mark();
  }

  button(label, text, click) {
    return h("button", { type: "button", class: "round", "aria-label": label, on: { click } }, text);
  }

  step(by) {
    this.go(Math.min(this.columns.length, Math.max(0, this.at + by)));
  }

  go(at) {
    if (at === this.at || !this.columns.length) return;
    this.at = at;
    this.mark();
    this.preview(at);
  }

  mark() {
    this.chips.forEach((chip, i) => {
      chip.classList.toggle("done", i < this.at);
      if (i === this.at - 1) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === this.columns.length;
    this.count.textContent = this.at ? `move ${this.at} of ${this.columns.length}` : "";
  }
}
