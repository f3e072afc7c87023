// A puzzle that is being solved: its card, the other side's replies, hints one step at a time.

import { Superseded, attempt, puzzleHint, solutionOf } from "./api.js";
import { Book, chapterName } from "./book.js";
import { announce, byId } from "./dom.js";
import { source } from "./game.js";
import { ERRORS, GRADES } from "./grades.js";
import { either, say } from "./languages.js";
import { button } from "./parts.js";
import { h, render } from "./preact.js";
import { begin, state } from "./state.js";

const VERDICTS = { solved: "puzzle.solved", wrong: "puzzle.wrong", slipped: "puzzle.slipped", missed: "puzzle.missed" };
const GOOD = ["best", "good"]; // grades

export class Puzzle {
  posed = null; // none where a game has no puzzles yet
  hints = 0; // given for this position
  used = { wrong: 0, hints: 0 }; // in this puzzle
  said = null; // of the move that led to this position, or that was taken back here
  verdict = "open"; // how the try stands
  view = null; // the position that is shown

  /**
   * @param {Object} page what the page does with it: `open` shows another puzzle, `solve` the
   *   solution, `reply` plays a move for the other side, `takeBack` takes the last move back,
   *   `keep` takes the position into the address,
   *   `pause` waits that the eye can follow, `wait` says that the other side is thinking, or for null no longer.
   */
  constructor(page) {
    this.page = page;
    this.book = new Book((id) => page.open(id));
  }

  /** Takes up the puzzle of the address, or one not yet solved; returns what is wrong there. */
  async prepare(signal) {
    await this.book.load();
    if (signal.aborted) return ""; // the page shows something else by now
    const found = this.book.find(state.puzzle);
    const wrong = state.puzzle && !found ? say("puzzle.unknown", { puzzle: state.puzzle }) : "";
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
    return this.posed.better ? say("puzzle.find-better") : say("puzzle.win-in", { count: this.posed.win_in });
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
    if (mine && !view.over) this.page.wait(say(posed.better ? "puzzle.looking" : "puzzle.defending"));
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
      this.said = { verdict: "wrong", text: found.told ?? say("puzzle.slips", { move: this.last(view), why: found.refutation ?? say("puzzle.too-slow") }) };
      await this.page.takeBack();
    } else if (found.reply) {
      const left = posed.win_in - found.moves_used;
      const { move, name } = view.choices.find((choice) => choice.name === String(found.reply));
      const text = say("puzzle.right", { player: view.players[view.mover], move: source().label(name), count: left });
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
    if (better.includes(state.moves[0])) return { state: "solved", told: say("puzzle.best") };
    // The start may be a game too, whose moves are graded before this one.
    const { grade, name, reasons, refutation } = (await source().review(state.moves, state.weights.preset, signal)).moves.at(-1);
    if (GOOD.includes(grade)) return { state: "solved", told: say("puzzle.good") };
    const why = refutation ? say("puzzle.allows", { line: refutation.line.join(" ") }) : (reasons[0] ?? say("puzzle.other"));
    return { state: "slipped", told: say("puzzle.no-better", { move: source().title(source().label(name)), grade: say(GRADES[grade]), why }) };
  }

  /** One step towards the solution, each time another one; gives the moves to mark. */
  async hint(view, signal) {
    if (!this.posed) return [];
    const found = this.posed.better ? this.better() : await puzzleHint(this.posed.id, state.game, state.moves, this.hints, signal);
    if (signal.aborted) throw new Superseded();
    this.hints += 1;
    this.used.hints += 1;
    this.tell(found.text);
    byId("verdict").scrollIntoView({ block: "nearest" });
    announce(say("puzzle.hint", { text: found.text }));
    const named = new Set(found.columns.map(String));
    return found.kind === "not" ? [] : view.choices.filter(({ name }) => named.has(name)).map(({ move }) => move);
  }

  /** What was wrong with the mistake, then what is better. */
  better() {
    const { names, why } = this.posed;
    if (!this.hints && why) return { kind: "not", columns: [], text: why };
    return { kind: "is", columns: names, text: say("puzzle.move", { move: source().label(either(names.map(String))) }) };
  }

  /** How far to look for the solution: to the end that the puzzle promises. */
  get limit() {
    if (this.posed.better) return source().limit();
    return { depth: Math.max(1, 2 * (this.posed.win_in - Math.floor(state.moves.length / 2)) - 1) };
  }

  get title() {
    return say("puzzle.title", { chapter: chapterName(this.posed.chapter), number: this.posed.number });
  }

  /** What is to be done, in a sentence. */
  asked(view) {
    const { turn, win_in: count, better, played, grade } = this.posed;
    const player = view.players[view.roles.indexOf(turn)];
    return better
      ? say("puzzle.was-played", { player, move: source().title(source().label(played)), grade: say(ERRORS[grade]) })
      : say("puzzle.to-win", { player, count });
  }

  /** The puzzle as a page that needs no server asks it. */
  async question(view) {
    const { better, id } = this.posed;
    return { title: this.title, question: this.asked(view), answers: better ?? (await solutionOf(id, state.game)) };
  }

  draw(verdict, view, refutation = "") {
    const told = [refutation, verdict in VERDICTS ? say(VERDICTS[verdict]) : ""].filter(Boolean).join(" ");
    Object.assign(this, { verdict, view });
    this.tell(told);
    if (told) announce(told);
  }

  /** Draws the card, with a text on how the try stands. */
  tell(text) {
    const { verdict, view, book } = this;
    const { id } = this.posed;
    const solved = verdict === "solved";
    const go = (label, target) => button(label, () => this.page.open(target.id), { idle: !target });
    const parts = [
      h("h2", { id: "puzzle-title" }, this.title),
      h("p", null, this.asked(view)),
      h("p", { class: `verdict ${verdict}`, id: "verdict" }, text),
      h(
        "div",
        { class: "row" },
        button(say("puzzle.solution"), this.page.solve, { id: "solution", idle: view.over || solved }),
        go(say("puzzle.previous"), book.beside(id, -1)),
        solved ? go(say("puzzle.next-puzzle"), book.next(id)) : go(say("puzzle.next"), book.beside(id, 1)),
      ),
    ];
    render(parts, byId("puzzle-card"));
  }

  drawNone() {
    render([h("h2", { id: "puzzle-title" }, say("puzzle.none")), h("p", null, say("puzzle.none-yet"))], byId("puzzle-card"));
  }
}
