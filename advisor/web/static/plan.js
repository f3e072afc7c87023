// The plan by which a player wins or holds: its numbers on the empty squares, what it says now, a
// game against it.

import { suggest } from "./api.js";
import { byId } from "./dom.js";
import { say } from "./languages.js";
import { button, list } from "./parts.js";
import { h, render } from "./preact.js";

const KEPT = 500; // positions

export class Plan {
  step = null; // that is shown
  waits = false; // whether the other player is to move
  challenge = false; // whether a game against it can begin
  numbered = true; // whether its numbers are wanted on the board
  known = new Map();

  /**
   * @param {{number: Function, challenge: Function}} page shows numbers on the board, or none for
   *   null; begins a game against the plan.
   */
  constructor(page) {
    this.page = page;
    this.root = byId("plan-card");
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

  /** Shows a step, null for none. */
  show(step, waits = false, challenge = false) {
    Object.assign(this, { step, waits, challenge });
    this.draw();
  }

  draw() {
    const { step } = this;
    this.root.hidden = !step?.text.length;
    this.page.number(step && this.numbered ? step.numbers : null, this.waits ? null : step?.column);
    if (this.root.hidden) return render(null, this.root);
    const number = ({ target }) => ((this.numbered = target.checked), this.draw());
    const parts = [
      h("h2", { id: "plan-title" }, title(step)),
      list(step.text),
      h(
        "div",
        { class: "row" },
        step.numbers && h("label", { class: "check" }, h("input", { type: "checkbox", checked: this.numbered, onChange: number }), ` ${say("plan.numbers")}`),
        this.challenge && button(say("plan.challenge"), this.page.challenge, { id: "challenge" }),
      ),
    ];
    render(parts, this.root);
  }
}

function title({ number, numbers }) {
  if (!numbers) return say("plan.move");
  return number === null ? say("plan.plan") : say("plan.number", { number });
}
