// The expected line of play, to step through.

import { byId, h } from "./dom.js";
import { source } from "./game.js";

const HOVER_MS = 250; // so that a mouse that passes by shows nothing

export class Line {
  /** @param {Function} preview told how many moves of the line to show. */
  constructor(preview) {
    this.root = byId("line-card");
    this.preview = preview;
    this.from = null; // what was shown before the mouse came
    this.moves = [];
    this.at = 0;
  }

  /** Offers a line from a position on, `by` being who makes each move; an empty one hides the card. */
  show(moves, names = [], view = null, by = []) {
    this.moves = moves;
    this.names = names;
    this.at = 0;
    this.root.hidden = moves.length === 0;
    if (!moves.length) {
      this.root.replaceChildren();
      return;
    }
    this.chips = moves.map((_, i) =>
      h(
        "button",
        {
          type: "button",
          class: "step",
          "aria-label": `Move ${i + 1}: ${view.called[by[i]]}, ${source().label(names[i])}`,
          on: { click: () => this.go(i + 1), pointerenter: (event) => event.pointerType === "mouse" && this.hover(i + 1) },
        },
        source().mark(by[i], "step-disc"),
        names[i],
      ),
    );
    this.back = this.button("Step back", "‹", () => this.step(-1));
    this.forth = this.button("Step forth", "›", () => this.step(1));
    this.count = h("span", { class: "quiet count" });
    this.root.replaceChildren(
      h("div", { class: "card-head" }, h("h2", { id: "line-title" }, "Expected line"), this.count, this.back, this.forth),
      h("div", { class: "steps", on: { pointerleave: () => this.leave() } }, ...this.chips),
    );
    this.mark();
  }

  button(label, text, click) {
    return h("button", { type: "button", class: "round", "aria-label": label, on: { click } }, text);
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
    this.forth.disabled = this.at === this.moves.length;
    this.count.textContent = this.at ? `move ${this.at} of ${this.moves.length}` : "";
  }
}
