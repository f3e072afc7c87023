// Every column's exact score, filled in as it is proved and kept while one steps through a game.

import { exact } from "./api.js";

const KEPT = 500; // positions

export class Exact {
  /** @param {Function} show told what is proved of the position on the board. */
  constructor(show) {
    this.show = show;
    this.known = new Map();
  }

  /** Shows what is known of a position from before; whether it is all. */
  recall(setup) {
    const found = this.known.get(JSON.stringify(setup));
    if (found) this.show(found);
    return found?.proved ?? false;
  }

  /** Looks for what is not proved yet, and shows it as it comes. */
  async look(setup, signal) {
    if (this.recall(setup)) return;
    const keep = (found) => {
      if (signal.aborted) return;
      if (this.known.size >= KEPT) this.known.clear();
      this.known.set(JSON.stringify(setup), found);
      this.show(found);
    };
    keep(await exact(setup, signal, keep));
  }
}
