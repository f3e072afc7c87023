// The puzzle book of a game: chapters, a small board for each problem, and what has been solved.

import { get } from "./api.js";
import { byId, capital, notice, symbolOf } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere, source } from "./game.js";
import { keep, kept } from "./kept.js";
import { say } from "./languages.js";
import { CHAPTER, mistakes } from "./mistakes.js";
import { button, drawing, quiet } from "./parts.js";
import { h, render } from "./preact.js";
import { OWN, state } from "./state.js";

const STORE = "advisor-solved"; // by games and ids
const OLD_STORE = "connect-four-solved"; // ids of Connect Four's

/** Of the second book the chapters have the names of their boards, of other games a word and a number. */
export function chapterName(chapter) {
  if (chapter === CHAPTER) return say("book.mine");
  if (typeof chapter === "number") return say("book.chapter", { number: chapter });
  const spaced = capital(chapter).replace(/^([A-Za-z]+)(\d+)$/, "$1 $2").replace(/^(\d+)x(\d+)/, "$1 × $2");
  return spaced.replace("-connect-", `, ${say("book.connect")} `);
}

export class Book {
  root = byId("book-card");
  given = new Map(); // puzzles that come with a game, by its name
  puzzles = []; // of the game of the page
  view = null;
  current = null; // the id of the puzzle that is posed
  chapter = 1; // that is open

  /** @param {Function} chosen told the id of the puzzle that was chosen. */
  constructor(chosen) {
    this.chosen = chosen;
  }

  /** Loads what comes with the game once, and looks for what was made here. */
  async load() {
    const { game } = state;
    const path = game === OWN ? "puzzles" : `puzzles?game=${encodeURIComponent(game)}`;
    if (!this.given.has(game)) this.given.set(game, can("puzzles") ? (await get(path)).puzzles : []);
    this.puzzles = [...this.given.get(game), ...mistakes()];
  }

  find(id) {
    return this.puzzles.find((puzzle) => puzzle.id === id);
  }

  /** The next one that is not solved yet, from one of them on; or the first of all. */
  next(id = null) {
    const solved = this.solved();
    const at = this.puzzles.findIndex((puzzle) => puzzle.id === id) + 1;
    const order = [...this.puzzles.slice(at), ...this.puzzles.slice(0, at)];
    return order.find((puzzle) => !solved.has(puzzle.id)) ?? order[0];
  }

  /** The neighbour of a puzzle in the book's order, undefined beyond its ends. */
  beside(id, by) {
    return this.puzzles[this.puzzles.findIndex((puzzle) => puzzle.id === id) + by];
  }

  /** What was needed for each puzzle of the game that is solved: wrong moves and hints, by ids. */
  solved() {
    const old = state.game === OWN ? kept(OLD_STORE, []).map((id) => [id, { wrong: 0, hints: 0 }]) : [];
    return new Map([...old, ...Object.entries(kept(STORE, {})[state.game] ?? {})]);
  }

  remember(id, used) {
    // Read again: another tab may have solved one meanwhile.
    const known = this.solved();
    if (!known.has(id)) known.set(id, used);
    keep(STORE, { ...kept(STORE, {}), [state.game]: Object.fromEntries(known) });
  }

  /** Shows the chapter of the puzzle that is posed; pieces look as they do in a position of the game. */
  draw(current, view = this.view) {
    Object.assign(this, { current, view });
    this.open(this.find(current)?.chapter ?? this.chapter);
  }

  open(chapter) {
    this.chapter = chapter;
    this.root.hidden = !this.puzzles.length;
    const solved = this.solved();
    const pages = Map.groupBy(this.puzzles, (puzzle) => puzzle.chapter);
    const count = (other) => {
      const all = pages.get(other) ?? [];
      const done = all.map(({ id }) => solved.get(id)).filter(Boolean);
      const clean = done.filter(({ wrong, hints }) => !wrong && !hints).length;
      const told = say("book.solved", { done: done.length, all: all.length });
      return done.length ? say("book.clean", { told, clean }) : told;
    };
    const tab = (other) => {
      const marks = { class: "tab", "aria-pressed": String(other === chapter), "aria-label": chapterName(other), title: count(other) };
      return button(typeof other === "number" ? other : chapterName(other), () => this.open(other), { key: other, ...marks });
    };
    const parts = [
      h("h2", { id: "book-title" }, say("book.of", { game: gameHere().title })),
      h("div", { class: "tabs", role: "group", "aria-label": say("book.chapters") }, [...pages.keys()].map(tab)),
      quiet(count(chapter)),
      h("div", { class: "pages" }, pages.get(chapter)?.map((puzzle) => this.page(puzzle, solved.has(puzzle.id)))),
      this.keeping(),
    ];
    render(parts, this.root);
  }

  /** What is solved as a file, the same that `advisor quiz --progress` keeps. */
  keeping() {
    return h(
      "div",
      { class: "row" },
      button(say("book.save"), () => this.write(), { id: "save-progress" }),
      button(say("book.load"), () => byId("progress-file").click()),
      h("input", { type: "file", id: "progress-file", hidden: true, onChange: ({ target }) => this.read(target) }),
    );
  }

  write() {
    const lines = [...this.solved()].map(([puzzle, used]) => `${JSON.stringify({ puzzle, ...used })}\n`);
    save(lines.join(""), "progress.jsonl");
  }

  async read(file) {
    const lines = (await file.files[0].text()).split("\n").filter((line) => line.trim());
    file.value = ""; // so that the same file can be read again
    const found = lines.map(progress);
    if (!found.length || found.includes(null)) return notice(say("book.no-progress"));
    const own = found.filter(({ puzzle }) => this.find(puzzle));
    for (const { puzzle, wrong, hints } of own) this.remember(puzzle, { wrong, hints });
    this.draw(this.current);
    notice(say("book.read", { own: own.length, all: found.length }));
  }

  page(puzzle, solved) {
    const { id, number, win_in: moves, extra } = puzzle;
    const here = id === this.current;
    const told = [
      say("puzzle.title", { chapter: chapterName(puzzle.chapter), number }),
      moves && say("book.win-in", { moves }),
      solved && say("book.is-solved"),
    ];
    return button(
      [
        miniature(puzzle.rows, this.view),
        h("span", { class: "page-name" }, `${number}${extra ? "+" : ""}`, solved && h("span", { class: "tick" }, "✓")),
      ],
      () => this.chosen(id),
      {
        key: id,
        class: ["page", solved && "solved", here && "current"].filter(Boolean).join(" "),
        "data-puzzle": id,
        "aria-label": told.filter(Boolean).join(", "),
        "aria-current": here ? "true" : null,
      },
    );
  }
}

/** What a line of a progress file tells, null if it is none. */
function progress(line) {
  try {
    const { puzzle, wrong = 0, hints = 0 } = JSON.parse(line);
    const counts = [wrong, hints].every((count) => Number.isInteger(count) && count >= 0);
    return typeof puzzle === "string" && counts ? { puzzle, wrong, hints } : null;
  } catch {
    return null;
  }
}

/** A small board: discs in columns, or what stands on squares. */
function miniature(rows, { shapes = {}, colours = {}, roles, slanted = false }) {
  const own = source().colours({ roles, colours });
  const width = rows[0].length + (slanted ? (rows.length - 1) / 2 : 0);
  const piece = (symbol, at) => {
    if (!symbol) return null;
    if (shapes[symbol]) return drawing(shapes[symbol], at);
    const fill = colours[symbol]?.[0] ?? own[roles.indexOf(symbol)] ?? "var(--quiet)";
    return h("circle", { cx: at.x + 5, cy: at.y + 5, r: 3.6, fill });
  };
  const square = (symbol, i, y) => {
    const x = i + (slanted ? (rows.length - 1 - y) / 2 : 0);
    const at = { x: x * 10, y: y * 10, width: 10, height: 10 };
    if (typeof rows[y] === "string") return h("use", { ...at, href: `#${symbolOf(symbol)}` });
    if (symbol === null) return null;
    return [h("rect", { ...at, class: (i + rows.length - y) % 2 ? "mini dark" : "mini" }), piece(symbol, at)];
  };
  const ground = Object.keys(shapes).length ? "chequered" : String([...roles].sort()) === "black,white" ? "felt" : "";
  const attributes = { viewBox: `0 0 ${width * 10} ${rows.length * 10}`, class: `miniature ${ground}`, "aria-hidden": "true" };
  return h("svg", attributes, rows.map((row, y) => [...row].map((symbol, i) => square(symbol, i, y))));
}
