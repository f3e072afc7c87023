// Advice in which every column's exact score is proved, kept while one steps through a game.

const KEPT = 500; // positions

export class Kept {
  constructor() {
    this.known = new Map();
  }

  /** What was kept of a request, if anything. */
  recall(request) {
    return this.known.get(JSON.stringify(request));
  }

  /** Keeps advice to which nothing can be added. */
  keep(request, found) {
    if (!found.exact?.proved) return;
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(JSON.stringify(request), found);
  }
}
