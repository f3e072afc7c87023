// A map of threats on the board: where either player could win, now or later, and what is attacked.

import { Refusal, Superseded } from "./api.js";
import { announce, byId, capital, h, notice } from "./dom.js";
import { can, source } from "./game.js";
import { say } from "./languages.js";

export class ThreatMap {
  /** @param {{ask: Function, board: Function}} page asks for the threats of the position; the board that is shown. */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.asked = 0;
    const toggle = { click: () => this.toggle() };
    this.button = h("button", { type: "button", id: "threats", title: say("threatmap.title"), "aria-pressed": "false", "data-needs": "threats", on: toggle }, h("span", { "aria-hidden": "true" }, "⚑ "), say("threatmap.threats"));
    document.querySelector(".toolbar").append(this.button);
    this.text = h("p", { class: "legend quiet", id: "threat-text", hidden: true });
    byId("aim").before(this.text);
  }

  toggle() {
    if (!can("threats")) return;
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.look(true);
  }

  /** Takes over the position that is shown. */
  show(view) {
    this.view = view;
    this.button.disabled = view.over;
    this.look(false);
  }

  /** Shows what the position threatens, or nothing while the map is off; said aloud if `aloud`. */
  async look(aloud) {
    const asked = ++this.asked;
    this.draw([]);
    if (!this.on || this.view.over) return;
    try {
      const { dangers, sentences, known } = await this.page.ask();
      if (asked !== this.asked) return;
      this.draw(dangers);
      const told = dangers.map(({ player, text }) => `${this.nameOf(player)} ${text}.`);
      this.text.textContent = told.join(" ") || (known ? say("threatmap.none") : sentences[0]);
      this.text.hidden = false;
      if (aloud) announce(this.text.textContent);
    } catch (error) {
      if (error instanceof Superseded) return;
      if (!(error instanceof Refusal)) throw error;
      notice(error.message);
    }
  }

  draw(dangers) {
    this.text.hidden = true;
    const colours = source().colours(this.view);
    const marks = dangers.flatMap(({ player, kind, squares }) => {
      const by = this.view.roles.indexOf(player);
      return squares.map(([column, row]) => ({ column, row, kind, by, colour: colours[by], words: `${this.nameOf(player)}: ${kind}` }));
    });
    this.page.board().warn(marks);
  }

  nameOf(role) {
    const at = this.view.roles.indexOf(role);
    return capital(this.view.called[at]);
  }
}

const SIGNS = { now: "!", wins: "!", hanging: "!", check: "+", attacked: "", threat: "·" };

/** What marks a square on a board: a ring in the colour of who threatens, with a word or a sign. */
export function markOf({ kind, by, colour }) {
  const mark = h("span", { class: `danger ${kind.replace(/\W.*/, "")} ${["first", "second"][by] ?? ""}`, "aria-hidden": "true" }, SIGNS[kind] ?? kind);
  mark.style.setProperty("--by", colour);
  return mark;
}
