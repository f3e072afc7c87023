// The puzzle book: chapters, a small board for each problem, and what has been solved.

import { get } from "./api.js";
import { byId, h, notice, symbolOf } from "./dom.js";
import { save } from "./files.js";

const STORE = "connect-four-solved";
const SVG = "http://www.w3.org/2000/svg";

/** Of the second book the chapters have the names of their boards. */
export const chapterName = (chapter) => (typeof chapter === "number" ? `Chapter ${chapter}` : chapter);

export class Book {
  /** @param {Function} chosen told the id of the puzzle that was chosen. */
  constructor(chosen) {
    this.root = byId("book-card");
    this.chosen = chosen;
    this.puzzles = null;
    this.chapter = 1;
  }

  /** Loads the book once. */
  async load() {
    this.puzzles ??= (await get("puzzles")).puzzles;
  }

  find(id) {
    return this.puzzles.find((puzzle) => puzzle.id === id);
  }

  /** The first that is not solved yet, or the first of all. */
  next() {
    const solved = this.solved();
    return this.puzzles.find(({ id }) => !solved.has(id)) ?? this.puzzles[0];
  }

  /** The neighbour of a puzzle in the book's order, undefined beyond its ends. */
  beside(id, by) {
    return this.puzzles[this.puzzles.findIndex((puzzle) => puzzle.id === id) + by];
  }

  solved() {
    try {
      return new Set(JSON.parse(localStorage.getItem(STORE) ?? "[]"));
    } catch {
      return new Set();
    }
  }

  remember(id) {
    // Read again: another tab may have solved one meanwhile.
    localStorage.setItem(STORE, JSON.stringify([...this.solved().add(id)]));
  }

  draw(current) {
    this.chapter = this.find(current)?.chapter ?? this.chapter;
    this.current = current;
    const solved = this.solved();
    const chapters = [...new Set(this.puzzles.map(({ chapter }) => chapter))];
    const count = (chapter) => {
      const all = this.puzzles.filter((puzzle) => puzzle.chapter === chapter);
      return `${all.filter(({ id }) => solved.has(id)).length} of ${all.length} solved`;
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
        String(chapter),
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
      h("h2", { id: "book-title" }, "Puzzle book"),
      h("div", { class: "tabs", role: "group", "aria-label": "Chapters" }, h("span", { class: "quiet" }, "Chapter"), ...tabs),
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
    const lines = [...this.solved()].map((puzzle) => `${JSON.stringify({ puzzle, wrong: 0, hints: 0 })}\n`);
    save(lines.join(""), "progress.jsonl");
  }

  async read(file) {
    const text = await file.files[0].text();
    try {
      const found = text.split("\n").filter(Boolean).map((line) => JSON.parse(line).puzzle);
      found.filter((id) => this.find(id)).forEach((id) => this.remember(id));
      this.draw(this.current);
    } catch {
      notice("That file holds no progress in puzzles.");
    }
  }

  page(puzzle, solved) {
    const { id, number, win_in: moves, extra } = puzzle;
    const label = `${chapterName(puzzle.chapter)}, problem ${number}, win in ${moves}${solved ? ", solved" : ""}`;
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
      miniature(puzzle.rows),
      h("span", { class: "page-name" }, `${number}${extra ? "+" : ""}`, solved ? h("span", { class: "tick" }, "✓") : null),
    );
  }
}

function miniature(rows) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows[0].length * 10} ${rows.length * 10}`);
  svg.setAttribute("class", "miniature");
  svg.setAttribute("aria-hidden", "true");
  rows.forEach((row, y) =>
    [...row].forEach((disc, x) => {
      const use = document.createElementNS(SVG, "use");
      for (const [name, value] of Object.entries({ x: x * 10, y: y * 10, width: 10, height: 10 })) {
        use.setAttribute(name, value);
      }
      use.setAttribute("href", `#${symbolOf(disc)}`);
      svg.append(use);
    }),
  );
  return svg;
}
