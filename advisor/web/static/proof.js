// A proof that a player holds or wins: what is proved in a line, and behind it how.

import { Refusal, prove } from "./api.js";
import { byId, capital } from "./dom.js";
import { say } from "./languages.js";
import { folded, list, picture, quiet } from "./parts.js";
import { h, render } from "./preact.js";

const KEPT = 500; // positions

export class Proof {
  root = byId("proof-card");
  known = new Map();

  /** Looks for a proof of the position on the board; returns the player who is proved to win, if any. */
  async look(setup, signal) {
    const key = JSON.stringify(setup);
    if (!this.known.has(key)) {
      this.draw(quiet(say("proof.looking")));
      const found = await this.ask(setup, signal);
      if (signal.aborted) return null;
      if (this.known.size >= KEPT) this.known.clear();
      this.known.set(key, found);
    }
    const { text, winner } = this.known.get(key);
    this.show(text);
    return winner;
  }

  /** The lines of a proof, null where there is none, and who wins by it. */
  async ask(setup, signal) {
    try {
      const { proved, text } = await prove(setup, signal);
      const winner = proved?.outcome === "wins" ? proved.player : null;
      return { text: proved ? text.map(coloured) : null, winner };
    } catch (error) {
      if (error instanceof Refusal) return { text: null, winner: null }; // neither rules nor plans are for this board
      throw error;
    }
  }

  /** Shows the lines of a proof, null for none. */
  show(text) {
    if (!text) return this.draw();
    const [[verdict], ...parts] = paragraphs(text);
    this.draw(h("p", { class: "proved" }, `${capital(verdict)}.`), parts.length > 0 && folded(say("proof.how"), {}, parts.map(part)));
  }

  draw(...parts) {
    this.root.hidden = !parts.length;
    render([h("h2", { id: "proof-title" }, say("proof.proof")), ...parts], this.root);
  }
}

/** Players as the page calls them: the discs need no letters here. */
const coloured = (line) => line.replace(/\b[xo] \((\w+)\)/g, "$1");

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
const part = (lines) => (lines.some((line) => line.startsWith(" ")) ? picture(lines.join("\n")) : list(lines));
