// The puzzle book of a game: chapters, a small board for each problem, and what has been solved.

import { get } from "./api.js";
import { byId, capital, drawing, h, notice, symbolOf, vector } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere, source } from "./game.js";
import { keep, kept } from "./kept.js";
import { CHAPTER, mistakes } from "./mistakes.js";
import { OWN, state } from "./state.js";

const STORE = "advisor-solved"; // by games and ids
const OLD_STORE = "connect-four-solved"; // ids of Connect Four's

/** Of the second book the chapters have the names of their boards, of other games a word and a number. */
export const chapterName = (chapter) => {
  if (chapter === CHAPTER) return "My mistakes";
  return typeof chapter === "number" ? `Chapter ${chapter}` : capital(chapter).replace(/^([A-Za-z]+)(\d+)$/, "$1 $2").replace(/^(\d+)x(\d+)/, "$1 × $2").replace("-connect-", ", connect ");
};

export class Book {
  /** @param {Function} chosen told the id of the puzzle that was chosen. */
  constructor(chosen) {
    this.root = byId("book-card");
    this.chosen = chosen;
    this.given = new Map(); // that come with a game, by its name
    this.puzzles = []; // of the game of the page
    this.view = null;
    this.chapter = 1;
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

  /** Draws the book; pieces look as they do in a position of the game. */
  draw(current, view = this.view) {
    this.view = view;
    this.chapter = this.find(current)?.chapter ?? this.chapter;
    this.current = current;
    this.root.hidden = !this.puzzles.length;
    const solved = this.solved();
    const chapters = [...new Set(this.puzzles.map(({ chapter }) => chapter))];
    const count = (chapter) => {
      const all = this.puzzles.filter((puzzle) => puzzle.chapter === chapter);
      const done = all.map(({ id }) => solved.get(id)).filter(Boolean);
      const clean = done.filter(({ wrong, hints }) => !wrong && !hints).length;
      return `${done.length} of ${all.length} solved${done.length ? `, ${clean} at first try` : ""}`;
    };
    const pages = h("div", { class: "pages" });
    const tabs = chapters.map((chapter) =>
      h(
        "button",
        {
          type: "button",
          class: "tab",
          "aria-pressed": String(chapter === this.chapter),
          "aria-label": chapterName(chapter),
          title: count(chapter),
          on: {
            click: () => {
              this.chapter = chapter;
              tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(chapters[i] === chapter)));
              fill();
            },
          },
        },
        typeof chapter === "number" ? String(chapter) : chapterName(chapter),
      ),
    );
    const progress = h("p", { class: "quiet" });
    const fill = () => {
      progress.textContent = count(this.chapter);
      const own = this.puzzles.filter(({ chapter }) => chapter === this.chapter);
      pages.replaceChildren(...own.map((puzzle) => this.page(puzzle, solved.has(puzzle.id))));
    };
    fill();
    this.root.replaceChildren(
      h("h2", { id: "book-title" }, `Puzzles of ${gameHere().title}`),
      h("div", { class: "tabs", role: "group", "aria-label": "Chapters" }, ...tabs),
      progress,
      pages,
      this.keeping(),
    );
  }

  /** What is solved as a file, the same that `advisor quiz --progress` keeps. */
  keeping() {
    const file = h("input", { type: "file", id: "progress-file", hidden: true, on: { change: () => this.read(file) } });
    return h(
      "div",
      { class: "row" },
      h("button", { type: "button", id: "save-progress", on: { click: () => this.write() } }, "Save progress"),
      h("button", { type: "button", on: { click: () => file.click() } }, "Load progress"),
      file,
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
    if (!found.length || found.includes(null)) return notice("That file holds no progress in puzzles.");
    const own = found.filter(({ puzzle }) => this.find(puzzle));
    for (const { puzzle, wrong, hints } of own) this.remember(puzzle, { wrong, hints });
    this.draw(this.current);
    notice(`${own.length} of ${found.length} solved puzzles are of this game, and read.`);
  }

  page(puzzle, solved) {
    const { id, number, win_in: moves, extra } = puzzle;
    const label = `${chapterName(puzzle.chapter)}, problem ${number}${moves ? `, win in ${moves}` : ""}${solved ? ", solved" : ""}`;
    return h(
      "button",
      {
        type: "button",
        class: ["page", solved && "solved", id === this.current && "current"].filter(Boolean).join(" "),
        "data-puzzle": id,
        "aria-label": label,
        "aria-current": id === this.current ? "true" : null,
        on: { click: () => this.chosen(id) },
      },
      miniature(puzzle.rows, this.view),
      h("span", { class: "page-name" }, `${number}${extra ? "+" : ""}`, solved ? h("span", { class: "tick" }, "✓") : null),
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
  const svg = vector("svg", { viewBox: `0 0 ${width * 10} ${rows.length * 10}`, class: `miniature ${Object.keys(shapes).length ? "chequered" : String([...roles].sort()) === "black,white" ? "felt" : ""}`, "aria-hidden": "true" });
  rows.forEach((row, y) =>
    [...row].forEach((symbol, i) => {
      const x = i + (slanted ? (rows.length - 1 - y) / 2 : 0);
      const at = { x: x * 10, y: y * 10, width: 10, height: 10 };
      if (typeof row === "string") return svg.append(vector("use", { ...at, href: `#${symbolOf(symbol)}` }));
      if (symbol === null) return;
      svg.append(vector("rect", { ...at, class: (i + rows.length - y) % 2 ? "mini dark" : "mini" }));
      if (!symbol) return;
      const piece = shapes[symbol] ? drawing(shapes[symbol]) : vector("circle", { cx: x * 10 + 5, cy: y * 10 + 5, r: 3.6, fill: colours[symbol]?.[0] ?? own[roles.indexOf(symbol)] ?? "var(--quiet)" });
      if (shapes[symbol]) for (const [name, value] of Object.entries(at)) piece.setAttribute(name, value);
      svg.append(piece);
    }),
  );
  return svg;
}
