// A puzzle that is being solved: its card, the other side's replies, hints one step at a time.

import { Superseded, attempt, puzzleHint } from "./api.js";
import { Book, chapterName } from "./book.js";
import { COLOURS, announce, byId, h } from "./dom.js";
import { begin, state } from "./state.js";

const VERDICTS = {
  open: "",
  solved: "Solved.",
  right: "",
  wrong: "The move is taken back. Try another one.",
  slipped: "That gives the win away or delays it. Undo and try another move.",
  missed: "That took too many moves. Undo, or start again.",
};

export class Puzzle {
  /**
   * @param {Object} page what the page does with it: `open` shows another puzzle, `solve` the
   *   solution, `reply` plays a column for the other side, `takeBack` takes the last move back,
   *   `pause` waits that the eye can follow, `wait` says that the other side is thinking, or for null no longer.
   */
  constructor(page) {
    this.page = page;
    this.book = new Book((id) => page.open(id));
    this.posed = null;
    this.hints = 0; // given for this position
    this.said = null; // of the move that led to this position, or that was taken back here
  }

  /** Takes up the puzzle of the address, or one not yet solved; returns what is wrong there. */
  async prepare() {
    await this.book.load();
    const found = this.book.find(state.puzzle);
    const wrong = state.puzzle && !found ? `There is no puzzle ${state.puzzle}; this is another one.` : "";
    if (wrong) begin();
    this.posed = found ?? this.book.next();
    this.hints = 0;
    const { id, text, width, height, connect } = this.posed;
    Object.assign(state, { puzzle: id, start: text, size: { width, height, connect } });
    this.book.draw(id);
    return wrong;
  }

  /** Asks how the try stands; a right move is answered by the best defence, a wrong one taken back. */
  async judge(view, signal) {
    const { posed, said } = this;
    this.said = null;
    this.draw(said?.verdict ?? "open", view, said?.text);
    if (!state.moves.length) return;
    const mine = view.turn !== posed.turn;
    if (mine && !view.over) this.page.wait("Looking for the best defence.");
    const [found] = await Promise.all([attempt(posed.id, state.moves, signal), mine ? this.page.pause(signal) : null]);
    if (signal.aborted) throw new Superseded();
    this.page.wait(null);
    if (found.state === "solved") {
      this.book.remember(posed.id);
      this.book.draw(posed.id);
    }
    const column = state.moves.at(-1);
    if (mine && ["slipped", "missed"].includes(found.state)) {
      const why = found.refutation ?? "it does not win in time.";
      await this.page.pause(signal);
      if (signal.aborted) throw new Superseded();
      this.said = { verdict: "wrong", text: `Column ${column} lets the win slip: ${why}` };
      await this.page.takeBack();
    } else if (found.reply) {
      const left = posed.win_in - found.moves_used;
      const text = `Right. ${COLOURS[view.turn]} answers column ${found.reply}; ${left} ${left === 1 ? "move" : "moves"} to go.`;
      this.said = { verdict: "right", text };
      await this.page.reply(found.reply);
    } else if (found.state !== "open") {
      this.draw(found.state, view);
    }
  }

  /** One step towards the solution, each time another one; gives the columns to mark. */
  async hint(signal) {
    const found = await puzzleHint(this.posed.id, state.moves, this.hints, signal);
    if (signal.aborted) throw new Superseded();
    this.hints += 1;
    byId("verdict").textContent = found.text;
    announce(`Hint: ${found.text}`);
    return found.kind === "not" ? [] : found.columns;
  }

  /** Plies to the end that the puzzle promises. */
  get depth() {
    return Math.max(1, 2 * (this.posed.win_in - Math.floor(state.moves.length / 2)) - 1);
  }

  draw(verdict, view, refutation = "") {
    const { chapter, number, turn, win_in: wanted, id } = this.posed;
    const told = [refutation, VERDICTS[verdict]].filter(Boolean).join(" ");
    const go = (label, target) =>
      h("button", { type: "button", disabled: !target, on: { click: () => this.page.open(target.id) } }, label);
    byId("puzzle-card").replaceChildren(
      h("h2", { id: "puzzle-title" }, `${chapterName(chapter)}, problem ${number}`),
      h("p", {}, `${COLOURS[turn]} to move and win in ${wanted}${wanted > 1 ? ", against the best defence" : ""}.`),
      h("p", { class: `verdict ${verdict}`, id: "verdict" }, told),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", id: "solution", disabled: view.over, on: { click: () => this.page.solve() } }, "Solution"),
        go("Previous", this.book.beside(id, -1)),
        go(verdict === "solved" ? "Next puzzle" : "Next", this.book.beside(id, 1)),
      ),
    );
    if (told) announce(told);
  }
}
