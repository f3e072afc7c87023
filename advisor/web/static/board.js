// The board: a button for each column, its score above, its squares below.

import { byId, capital, h, icon, setIcon, symbolOf } from "./dom.js";
import { say } from "./languages.js";
import { discName } from "./roles.js";
import { scoreParts, scoreWords } from "./score.js";
import { markOf } from "./threatmap.js";

export class Board {
  /** @param {{play: Function, point: Function}} actions a column was chosen; is pointed at. */
  constructor(actions) {
    this.root = byId("board");
    this.actions = actions;
    this.size = "";
    this.columns = [];
    this.view = null;
  }

  /**
   * Draws a position; `last` is the column that was played last, if any, and `numbered` are squares
   * "row,column" with the number of their move.
   */
  show(view, { last = null, numbered = new Map() } = {}) {
    this.build(view);
    const shown = this.view;
    this.view = view;
    const line = new Set(view.lines.flat().map(String));
    const playable = new Map(view.moves);
    for (let column = 1; column <= view.width; column++) {
      const { button, squares } = this.columns[column - 1];
      const top = view.rows.filter((row) => row[column - 1] !== ".").length;
      for (let row = 1; row <= view.height; row++) {
        const square = squares[row - 1];
        const disc = view.rows[view.height - row][column - 1];
        const before = shown?.rows[shown.height - row]?.[column - 1];
        setIcon(square.drawing, symbolOf(disc));
        // What was drawn before the server answered goes on falling.
        const falls = before === disc && column === last && row === top && square.element.classList.contains("dropped");
        square.element.classList.toggle("dropped", disc !== "." && (before === "." || falls));
        square.element.classList.toggle("line", line.has(`${row},${column}`));
        square.element.classList.toggle("last", column === last && row === top);
        square.element.classList.toggle("preview", numbered.has(`${row},${column}`));
        square.element.classList.remove("planned", "now");
        square.label.textContent = numbered.get(`${row},${column}`) ?? "";
        square.ghost.classList.toggle("here", playable.get(column) === row);
      }
      button.setAttribute("aria-disabled", String(!playable.has(column)));
      button.dataset.turn = view.turn;
    }
    this.describe(view, last);
    this.plan = null;
    this.showScores(null);
    this.light([]);
  }

  /** Draws a move before the server has answered; `show` draws what comes of it. */
  drop(column) {
    const { turn, rows, height } = this.view;
    const top = height - 1 - rows.filter((cells) => cells[column - 1] !== ".").length;
    const dropped = rows.map((cells, i) => (i === top ? cells.slice(0, column - 1) + turn + cells.slice(column) : cells));
    this.show({ ...this.view, rows: dropped, moves: [] }, { last: column });
  }

  build(view) {
    const size = `${view.width}x${view.height}`;
    if (size === this.size) return;
    this.size = size;
    this.view = null;
    this.root.style.setProperty("--width", view.width);
    this.root.style.setProperty("--height", view.height);
    this.root.classList.toggle("small", view.width > 9);
    this.columns = Array.from({ length: view.width }, (_, i) => this.column(i + 1, view.height));
    this.root.replaceChildren(...this.columns.map(({ button }) => button));
  }

  column(number, height) {
    const squares = Array.from({ length: height }, () => {
      const drawing = icon("disc-empty", "disc");
      const ghost = h("span", { class: "ghost" });
      const label = h("span", { class: "number" });
      return { element: h("span", { class: "square" }, drawing, ghost, label), drawing, ghost, label };
    });
    const score = h("span", { class: "score" });
    const button = h(
      "button",
      {
        type: "button",
        class: "column",
        "data-column": number,
        on: {
          click: () => this.actions.play(number),
          pointerenter: (event) => event.pointerType === "mouse" && this.actions.point(number),
          pointerleave: (event) => event.pointerType === "mouse" && this.actions.point(null),
          focus: () => button.matches(":focus-visible") && this.actions.point(number),
          blur: () => this.actions.point(null),
        },
      },
      score,
      h("span", { class: "cells" }, ...squares.map(({ element }) => element).reverse()),
      h("span", { class: "column-number" }, String(number)),
    );
    return { button, score, squares };
  }

  /**
   * Shows each column's score, or nothing for null.
   * @param {{scores: Object[], best: number[]}|null} found
   */
  showScores(found) {
    this.found = found;
    const sizes = (found?.scores ?? []).map(({ score }) => Math.abs(score.value ?? 0));
    const most = Math.max(1, ...sizes);
    const known = new Map((found?.scores ?? []).map((entry) => [entry.column, entry]));
    this.columns.forEach(({ button, score }, index) => {
      const column = index + 1;
      const entry = known.get(column);
      const words = scoreWords(entry?.score, entry?.outcome);
      const best = found?.best.includes(column) ?? false;
      button.classList.toggle("advised", best);
      score.replaceChildren(...scoreParts(entry?.score));
      const value = entry?.score.value ?? 0;
      score.className = `score ${entry?.score.kind ?? ""} ${value < 0 ? "below" : ""} ${best ? "best" : ""}`;
      score.style.setProperty("--share", (Math.abs(value) / most).toFixed(3));
      const row = this.view && new Map(this.view.moves).get(column);
      const place = row ? say("board.row", { row }) : say(this.view?.over ? "board.over" : "board.full");
      const number = row && this.plan?.[this.view.height - row][column - 1];
      const parts = [say("board.column", { column }), place, number ? say("board.number", { number }) : "", words, best ? say("board.best") : ""];
      button.setAttribute("aria-label", parts.filter(Boolean).join(", "));
    });
  }

  /**
   * Puts a plan's numbers on the empty squares, or takes them away for null.
   * @param {(number|null)[][]|null} numbers top row first.
   * @param {number|null} now the column that the plan plays.
   */
  number(numbers, now = null) {
    if (!this.view) return;
    this.plan = numbers;
    const { height, rows, moves } = this.view;
    const playable = new Map(moves);
    this.columns.forEach(({ squares }, c) =>
      squares.forEach(({ element, label }, r) => {
        if (element.classList.contains("preview")) return;
        const number = rows[height - 1 - r][c] === "." ? (numbers?.[height - 1 - r][c] ?? null) : null;
        const here = playable.get(c + 1) === r + 1;
        label.textContent = number ?? "";
        element.classList.toggle("planned", number !== null);
        element.classList.toggle("now", number !== null && here && now === c + 1);
        element.classList.toggle("playable", number !== null && here);
      }),
    );
    this.showScores(this.found);
  }

  /** Marks columns as the hint. */
  hint(columns) {
    this.columns.forEach(({ button }, i) => button.classList.toggle("hinted", columns.includes(i + 1)));
  }

  /** Lights up squares: [{row, column, against}]. */
  light(squares) {
    const lit = new Map(squares.map(({ row, column, against }) => [`${row},${column}`, against]));
    this.columns.forEach((column, c) =>
      column.squares.forEach(({ element }, r) => {
        const against = lit.get(`${r + 1},${c + 1}`);
        element.classList.toggle("lit", against === false);
        element.classList.toggle("lit-against", against === true);
      }),
    );
  }

  /** Marks what is threatened: [{row, column, kind, by, colour}]. */
  warn(marks) {
    for (const mark of this.root.querySelectorAll(".danger")) mark.remove();
    for (const mark of marks) this.columns[mark.column - 1].squares[mark.row - 1].element.append(markOf(mark));
  }

  /** The square of a name such as "d5", null if there is none. */
  named(name) {
    const found = /^([a-z])(\d+)$/.exec(name);
    const [column, row] = found ? [found[1].charCodeAt(0) - 96, Number(found[2])] : [0, 0];
    return column >= 1 && column <= this.columns.length && row >= 1 && row <= this.view.height ? [column, row] : null;
  }

  /** What a disc looks like and is called where a position is set up. */
  brush(symbol) {
    return { picture: icon(`disc-${symbol}`, "step-disc"), name: capital(discName(symbol)) };
  }

  /** The columns into which discs can be dropped, whoever's, while a position is set up. */
  edit(view, brush) {
    const heights = Array.from(view.rows[0], (_, i) => view.rows.filter((row) => row[i] !== ".").length);
    const open = heights.map((discs, i) => [i + 1, discs + 1]).filter(([, row]) => row <= view.height);
    this.show({ ...view, turn: brush || view.turn, moves: open });
  }

  /** Columns lie as they lie. */
  turn() {}

  /** Moves the focus by some columns, to the middle one first. */
  step(by) {
    const at = this.columns.findIndex(({ button }) => button === document.activeElement);
    const count = this.columns.length;
    const next = at < 0 ? Math.floor((count - 1) / 2) : (at + by + count) % count;
    this.columns[next].button.focus({ focusVisible: true });
  }

  /** The board as a table, for those who do not see it. */
  describe(view, last) {
    const head = h("tr", {}, h("td"), ...this.columns.map((_, i) => h("th", { scope: "col" }, `${i + 1}`)));
    const rows = view.rows.map((row, i) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, say("board.row", { row: view.height - i })),
        ...[...row].map((disc) => h("td", {}, discName(disc))),
      ),
    );
    byId("board-text").replaceChildren(h("table", {}, h("caption", {}, last ? say("board.last", { column: last }) : say("board.caption")), head, ...rows));
  }
}
