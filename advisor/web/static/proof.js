// A proof that a player holds or wins: what is proved in a line, and behind it how.

import { Refusal, prove } from "./api.js";
import { byId, h } from "./dom.js";

const KEPT = 500; // positions

export class Proof {
  constructor() {
    this.root = byId("proof-card");
    this.known = new Map();
  }

  /** Looks for a proof of the position on the board. */
  async look(setup, signal) {
    const key = JSON.stringify(setup);
    if (!this.known.has(key)) {
      this.draw(h("p", { class: "quiet" }, "Looking for a proof, by Allis’ rules or by a plan."));
      const found = await this.ask(setup, signal);
      if (signal.aborted) return;
      if (this.known.size >= KEPT) this.known.clear();
      this.known.set(key, found);
    }
    this.show(this.known.get(key));
  }

  /** The lines of a proof, null where there is none. */
  async ask(setup, signal) {
    try {
      const { proved, text } = await prove(setup, signal);
      return proved ? text : null;
    } catch (error) {
      if (error instanceof Refusal) return null; // neither rules nor plans are for this board
      throw error;
    }
  }

  /** Shows the lines of a proof, null for none. */
  show(text) {
    if (!text) return this.draw();
    const [[verdict], ...parts] = paragraphs(text);
    this.draw(
      h("p", { class: "proved" }, `${verdict}.`),
      parts.length ? h("details", { class: "how" }, h("summary", {}, "How"), ...parts.map(part)) : null,
    );
  }

  draw(...children) {
    this.root.hidden = !children.length;
    this.root.replaceChildren(h("h2", { id: "proof-title" }, "Proof"), ...children.filter((child) => child !== null));
  }
}

/** The lines between empty ones. */
function paragraphs(lines) {
  const found = [[]];
  for (const line of lines) {
    if (line) found.at(-1).push(line);
    else if (found.at(-1).length) found.push([]);
  }
  return found;
}

/** A picture, whose lines are indented, or sentences. */
function part(lines) {
  if (lines.some((line) => line.startsWith(" "))) return h("pre", { class: "picture", tabindex: "0" }, lines.join("\n"));
  return h("ul", { class: "sentences" }, ...lines.map((line) => h("li", {}, line)));
}
