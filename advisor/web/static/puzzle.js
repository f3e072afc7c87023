// A puzzle that is being solved: its card, the other side's replies, hints one step at a time.

import { Superseded, attempt, puzzleHint, solutionOf } from "./api.js";
import { Book, chapterName } from "./book.js";
import { announce, byId, either, h } from "./dom.js";
import { source } from "./game.js";
import { begin, state } from "./state.js";

const VERDICTS = {
  open: "",
  solved: "Solved.",
  right: "",
  wrong: "The move is taken back. Try another one.",
  slipped: "That gives the win away or delays it. Undo and try another move.",
  missed: "That took too many moves. Undo, or start again.",
};
const GOOD = ["best", "good"]; // grades

export class Puzzle {
  /**
   * @param {Object} page what the page does with it: `open` shows another puzzle, `solve` the
   *   solution, `reply` plays a move for the other side, `takeBack` takes the last move back,
   *   `keep` takes the position into the address,
   *   `pause` waits that the eye can follow, `wait` says that the other side is thinking, or for null no longer.
   */
  constructor(page) {
    this.page = page;
    this.book = new Book((id) => page.open(id));
    this.posed = null; // none where a game has no puzzles yet
    this.hints = 0; // given for this position
    this.used = { wrong: 0, hints: 0 }; // in this puzzle
    this.said = null; // of the move that led to this position, or that was taken back here
  }

  /** Takes up the puzzle of the address, or one not yet solved; returns what is wrong there. */
  async prepare(signal) {
    await this.book.load();
    if (signal.aborted) return ""; // the page shows something else by now
    const found = this.book.find(state.puzzle);
    const wrong = state.puzzle && !found ? `There is no puzzle ${state.puzzle} here; this is another one.` : "";
    if (wrong) begin();
    const posed = found ?? this.book.next() ?? null;
    if (posed?.id !== this.posed?.id || posed?.text !== this.posed?.text) this.used = { wrong: 0, hints: 0 };
    Object.assign(this, { posed, hints: 0 });
    Object.assign(state, { puzzle: posed?.id ?? null, start: posed?.text ?? "" });
    if (posed?.width) state.size = { width: posed.width, height: posed.height, connect: posed.connect };
    else if (posed) state.constants = posed.constants ?? {};
    return wrong;
  }

  /** The player who does not solve, by number; null where there is no puzzle. */
  opponent({ roles }) {
    return this.posed && 1 - roles.indexOf(this.posed.turn);
  }

  /** What is to be done, in few words. */
  get task() {
    if (!this.posed) return "";
    return this.posed.better ? "Find a better move" : `Win in ${this.posed.win_in}`;
  }

  /** Asks how the try stands; a right move is answered by the best defence, a wrong one taken back. */
  async judge(view, signal) {
    const { posed, said } = this;
    this.said = null;
    this.book.draw(posed?.id, view);
    if (!posed) return this.drawNone();
    this.draw(said?.verdict ?? "open", view, said?.text);
    if (!state.moves.length) return;
    const mine = view.mover === this.opponent(view) || view.over; // the move that led here
    if (mine && !view.over) this.page.wait(posed.better ? "Looking at your move." : "Looking for the best defence.");
    const asked = posed.better ? this.compare(signal) : attempt(posed.id, state.game, state.moves, signal);
    const [found] = await Promise.all([asked, mine ? this.page.pause(signal) : null]);
    if (signal.aborted) throw new Superseded();
    this.page.wait(null);
    if (found.state === "solved") {
      this.book.remember(posed.id, this.used);
      this.book.draw(posed.id, view);
    }
    if (mine && ["slipped", "missed"].includes(found.state)) {
      this.used.wrong += 1;
      await this.page.pause(signal);
      if (signal.aborted) throw new Superseded();
      this.said = { verdict: "wrong", text: found.told ?? `${this.last(view)} lets the win slip: ${found.refutation ?? "it does not win in time."}` };
      await this.page.takeBack();
    } else if (found.reply) {
      const left = posed.win_in - found.moves_used;
      const { move, name } = view.choices.find((choice) => choice.name === String(found.reply));
      const text = `Right. ${view.players[view.mover]} answers ${source().label(name)}; ${left} ${left === 1 ? "move" : "moves"} to go.`;
      this.said = { verdict: "right", text };
      await this.page.reply(move);
    } else if (found.state !== "open") {
      if (mine) this.page.keep();
      this.draw(found.state, view, found.told);
    }
  }

  /** The last move, at the beginning of a sentence. */
  last(view) {
    return source().title(source().label(source().names(view, state.moves).at(-1)));
  }

  /** Whether a move is better than the mistake of which the puzzle is made: the best, or as good. */
  async compare(signal) {
    const { better } = this.posed;
    if (better.includes(state.moves[0])) return { state: "solved", told: "That is best." };
    // The start may be a game too, whose moves are graded before this one.
    const { grade, name, reasons, refutation } = (await source().review(state.moves, state.weights.preset, signal)).moves.at(-1);
    if (GOOD.includes(grade)) return { state: "solved", told: "That is good, too." };
    const why = refutation ? `it allows ${refutation.line.join(" ")}.` : (reasons[0] ?? "another move is better.");
    return { state: "slipped", told: `${source().title(source().label(name))} is no better (${grade}): ${why}` };
  }

  /** One step towards the solution, each time another one; gives the moves to mark. */
  async hint(view, signal) {
    if (!this.posed) return [];
    const found = this.posed.better ? this.better() : await puzzleHint(this.posed.id, state.game, state.moves, this.hints, signal);
    if (signal.aborted) throw new Superseded();
    this.hints += 1;
    this.used.hints += 1;
    byId("verdict").textContent = found.text;
    byId("verdict").scrollIntoView({ block: "nearest" });
    announce(`Hint: ${found.text}`);
    const named = new Set(found.columns.map(String));
    return found.kind === "not" ? [] : view.choices.filter(({ name }) => named.has(name)).map(({ move }) => move);
  }

  /** What was wrong with the mistake, then what is better. */
  better() {
    const { names, why } = this.posed;
    if (!this.hints && why) return { kind: "not", columns: [], text: why };
    return { kind: "is", columns: names, text: `The move is ${source().label(either(names.map(String)))}.` };
  }

  /** How far to look for the solution: to the end that the puzzle promises. */
  get limit() {
    if (this.posed.better) return source().limit();
    return { depth: Math.max(1, 2 * (this.posed.win_in - Math.floor(state.moves.length / 2)) - 1) };
  }

  get title() {
    return `${chapterName(this.posed.chapter)}, problem ${this.posed.number}`;
  }

  /** What is to be done, in a sentence. */
  asked(view) {
    const { turn, win_in: wanted, better, played, grade } = this.posed;
    const who = view.players[view.roles.indexOf(turn)];
    return better
      ? `${who} to move. ${source().title(source().label(played))} was played, ${grade === "inaccuracy" ? "an" : "a"} ${grade}: find a better move.`
      : `${who} to move and win in ${wanted}${wanted > 1 ? ", against the best defence" : ""}.`;
  }

  /** The puzzle as a page that needs no server asks it. */
  async question(view) {
    const { better, id } = this.posed;
    return { title: this.title, question: this.asked(view), answers: better ?? (await solutionOf(id, state.game)) };
  }

  draw(verdict, view, refutation = "") {
    const { id } = this.posed;
    const told = [refutation, VERDICTS[verdict]].filter(Boolean).join(" ");
    const go = (label, target) =>
      h("button", { type: "button", disabled: !target, on: { click: () => this.page.open(target.id) } }, label);
    byId("puzzle-card").replaceChildren(
      h("h2", { id: "puzzle-title" }, this.title),
      h("p", {}, this.asked(view)),
      h("p", { class: `verdict ${verdict}`, id: "verdict" }, told),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", id: "solution", disabled: view.over || verdict === "solved", on: { click: () => this.page.solve() } }, "Solution"),
        go("Previous", this.book.beside(id, -1)),
        verdict === "solved" ? go("Next puzzle", this.book.next(id)) : go("Next", this.book.beside(id, 1)),
      ),
    );
    if (told) announce(told);
  }

  drawNone() {
    byId("puzzle-card").replaceChildren(
      h("h2", { id: "puzzle-title" }, "No puzzles yet"),
      h("p", {}, "No puzzles come with this game, but your own games make some: play one, review it, then choose “Practise your errors”."),
    );
  }
}
