// The plan by which a player wins or holds: its numbers on the empty squares, what it says now, a
// game against it.

import { suggest } from "./api.js";
import { byId, h } from "./dom.js";

const KEPT = 500; // positions

export class Plan {
  /**
   * @param {{number: Function, challenge: Function}} page shows numbers on the board, or none for
   *   null; begins a game against the plan.
   */
  constructor(page) {
    this.page = page;
    this.root = byId("plan-card");
    this.numbered = true; // whether they are wanted on the board
    this.known = new Map();
    this.show(null);
  }

  /**
   * What the solution of the board plays, by the weights that go with it; null where there is none
   * or it has nothing to say.
   */
  async ask(setup, signal) {
    const key = JSON.stringify(setup);
    if (!this.known.has(key)) {
      const { plan } = await suggest({ ...setup, depth: 1 }, signal);
      if (this.known.size >= KEPT) this.known.clear();
      this.known.set(key, plan);
    }
    return this.known.get(key);
  }

  /** Shows the plan at hand: of the next move or, if that was by one, of the last. */
  async look(setup, view, playable, signal) {
    if (view.over) return;
    const step = await this.ask(setup, signal);
    if (signal.aborted) return;
    if (step) this.show(step, false, playable);
    else await this.lookBack(setup, view, playable, signal);
  }

  /** Shows the plan of the last move, if that was by one. */
  async lookBack(setup, view, playable, signal) {
    const { moves } = setup;
    if (view.over || !moves.length) return;
    const step = await this.ask({ ...setup, moves: moves.slice(0, -1) }, signal);
    if (signal.aborted || step?.column !== moves.at(-1)) return;
    this.show({ ...step, text: step.text.slice(0, -1) }, true, playable);
  }

  /** Shows a step, null for none; `waits` is whether the other player is to move. */
  show(step, waits = false, challenge = false) {
    Object.assign(this, { step, waits, challenge });
    this.draw();
  }

  draw() {
    const { step } = this;
    this.root.hidden = !step || !step.text.length;
    this.page.number(step && this.numbered ? step.numbers : null, this.waits ? null : step?.column);
    if (this.root.hidden) return this.root.replaceChildren();
    const box = h("input", {
      type: "checkbox",
      checked: this.numbered,
      on: { change: () => ((this.numbered = box.checked), this.draw()) },
    });
    const challenge = h("button", { type: "button", id: "challenge", on: { click: () => this.page.challenge() } }, "Try to beat it");
    this.root.replaceChildren(
      h("h2", { id: "plan-title" }, title(step)),
      h("ul", { class: "sentences" }, ...step.text.map((text) => h("li", {}, text))),
      h(
        "div",
        { class: "row" },
        step.numbers ? h("label", { class: "check" }, box, " Numbers on the board") : null,
        this.challenge ? challenge : null,
      ),
    );
  }
}

function title({ number, numbers }) {
  if (!numbers) return "A move of the solution";
  return number === null ? "A plan" : `Plan ${number} of the solution`;
}
