// Advice as it comes: on the board, in its card, as a line to step through, as a bar.

import { Superseded } from "./api.js";
import { announce } from "./dom.js";
import { Kept } from "./exact.js";
import { can, limits, source } from "./game.js";
import { say } from "./languages.js";
import { state } from "./state.js";

const SETTLED_MS = 1000; // until then a look-ahead may soon say the opposite

/** Lets the last draft of the first second be drawn at its end, what is certain and later ones at once. */
class Drafts {
  constructor(signal) {
    this.waiting = null;
    this.settled = false;
    this.timer = setTimeout(() => this.settle(), SETTLED_MS);
    signal.addEventListener("abort", () => this.end());
  }

  settle() {
    this.settled = true;
    this.waiting?.();
  }

  add(score, draw) {
    this.waiting = null;
    if (this.settled || score.kind !== "heuristic") draw();
    else this.waiting = draw;
  }

  /** No draft is wanted any more. */
  end() {
    clearTimeout(this.timer);
    this.waiting = null;
  }
}

/** Waits until the page is seen, or gives up. */
async function seen(signal) {
  while (document.hidden) {
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
      signal.addEventListener("abort", resolve, { once: true });
    });
    if (signal.aborted) throw new Superseded();
  }
}

export class Analysis {
  /**
   * @param {{advice: Object, line: Object, bar: Object, board: Function, weights: Function, progress: Function}} page
   *   where advice is shown, and what it rests on.
   */
  constructor(page) {
    this.page = page;
    this.kept = new Kept();
    this.view = null;
    this.found = null;
  }

  /** Another position, of which nothing is said yet but a text in place of advice, with its reasons. */
  clear(view, text = "", reasons = []) {
    Object.assign(this, { view, found: null });
    this.page.line.show([]);
    this.page.advice.show(null, text, reasons);
    const certain = view.over ? { kind: view.won === null ? "draw" : view.won === view.mover ? "win" : "loss" } : null;
    this.page.bar.show(certain, view);
  }

  /** Other rules decide: what was kept is true no more. */
  forget() {
    this.kept = new Kept();
  }

  get exact() {
    return state.mode === "analyse" && state.exact && can("exact");
  }

  /**
   * Shows the strategies at once, the scores as the look-ahead goes deeper, then what is certain as it
   * is proved.
   * @param {AbortSignal} signal
   * @param {Object} limit how far to look
   * @param {function(Object): void} onAdvice gets all advice that comes
   */
  async think(signal, limit = source().limit(), onAdvice = () => {}) {
    const { page, view } = this;
    const seconds = can("exact") && (this.exact || state.mode === "play") ? source().exact : {};
    const request = { weights: page.weights(), ...limit, ...seconds };
    this.key = { ...source().setup(), ...request };
    const show = (advised) => {
      if (signal.aborted) return;
      this.draw(advised);
      onAdvice(advised);
    };
    let found = this.kept.recall(this.key);
    if (!found) {
      page.progress(say("analysis.looking"));
      const drafts = new Drafts(signal);
      try {
        const first = await source().first(view, request.weights, limit, signal);
        if (first) show(first);
        found = await source().suggest(view, request, signal, (reached) => {
          const { score } = bestOf(reached, reached.moves ?? reached.scores);
          page.progress(reached.moves ? say("analysis.to-the-end") : reached);
          // What sees less far changes its mind each time; and whoever moves last at the end of the
          // line looks better, so that depths are alike by twos.
          const alike = reached.moves || (reached.chance !== undefined && (reached.depth - (limit.depth ?? 0)) % 2 === 0);
          if (alike || score.kind !== "heuristic") drafts.add(score, () => (reached.moves ? show(reached) : this.drawReached(reached)));
        });
      } finally {
        drafts.end();
      }
      if (signal.aborted) throw new Superseded();
      this.kept.keep(this.key, found);
    }
    page.progress();
    show(found);
    const best = bestOf(found, found.moves);
    announce(best.score.unsure ? found.headline : `${say("analysis.best", { move: best.name })}${best.outcome ? `, ${best.outcome}` : ""}.`);
    return found;
  }

  /**
   * Thinks on while the page is seen, until all that can be proved is proved or a request may take
   * no longer. The server gives it the time that no other request needs.
   */
  async thinkOn(signal) {
    const { page, view } = this;
    if (state.mode !== "analyse") return;
    for (const longer of source().longer(limits.max_seconds)) {
      if (this.settled()) return;
      await seen(signal);
      page.progress(say("analysis.on"), { calm: true });
      const request = { weights: page.weights(), ...longer, background: true };
      const found = await source().suggest(view, request, signal, (reached) => reached.moves && !signal.aborted && this.draw(reached));
      if (signal.aborted) throw new Superseded();
      this.kept.keep(this.key, found);
      page.progress();
      this.draw(found);
      if (found.interrupted) return;
    }
  }

  /** Whether no further search can add anything. */
  settled() {
    const { found } = this;
    return found?.exact ? found.exact.proved : bestOf(found, found.moves)?.score.kind !== "heuristic";
  }

  /** Shows advice everywhere: in its card, on the board unless that shows a preview, as a line. */
  draw(found) {
    const { page, view } = this;
    this.found = found;
    page.advice.show(found);
    if (found.rough) return;
    page.bar.show(bestOf(found, found.moves).score, view, found.chance);
    if (page.line.at) return;
    this.drawScores();
    page.line.compare(found, page.weights());
    if (String(found.line) !== String(page.line.moves)) page.line.show(found.line, found.line_names, view, found.line_players.map((name) => view.roles.indexOf(name)));
  }

  /** Shows how far a look-ahead has come. */
  drawReached(reached) {
    const { page, view } = this;
    page.advice.drawHead(reached);
    page.bar.show(bestOf(reached, reached.scores).score, view, reached.chance);
    if (!page.line.at) page.board().showScores(reached);
  }

  /** A player is proved to win by other means than the advice's. */
  know(player) {
    this.page.bar.show({ kind: player === this.view.mover ? "win" : "loss" }, this.view);
  }

  drawScores() {
    const { found, page } = this;
    if (!found || found.rough) return;
    page.board().showScores({ scores: found.moves, best: bestOf(found, found.moves)?.score.unsure ? [] : found.best });
  }
}

/** The best of some moves, as advice has it. */
const bestOf = ({ best }, moves) => moves.find(({ move }) => move === best[0]);

/** What is said of a hint. */
export const hinted = (found) => {
  const names = found.moves.filter(({ move }) => found.best.includes(move)).map(({ name }) => name);
  return names.slice(0, 3).join(" or ");
};
