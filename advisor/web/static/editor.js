// A position set up by clicking: discs fall into columns or are taken off their tops.

import { Refusal, position } from "./api.js";
import { COLOURS, byId, h, icon, notice } from "./dom.js";

const BRUSHES = [["x", "Red"], ["o", "Yellow"], [".", "Take off"]];
const TURNS = [["", "the turn that the discs imply"], ["x", "red to move"], ["o", "yellow to move"]];

export class Editor {
  /**
   * @param {Object} page what the page does: `draw` shows a position that is worked on, `done` takes
   *   over what has been set up, `cancel` goes back to what was there before.
   */
  constructor(page) {
    this.page = page;
    this.root = byId("editor");
    this.view = null; // the position that is worked on; null while nothing is set up
  }

  get active() {
    return this.view !== null;
  }

  begin(view) {
    Object.assign(this, { brush: "x", turn: "" });
    this.show(view);
    this.root.hidden = false;
    this.draw();
    byId("board").focus();
  }

  close() {
    this.view = null;
    this.root.hidden = true;
  }

  draw() {
    const brush = ([disc, name]) =>
      h(
        "button",
        { type: "button", "data-brush": disc, "aria-pressed": String(disc === this.brush), on: { click: () => this.take(disc) } },
        disc === "." ? null : icon(`disc-${disc}`, "step-disc"),
        ` ${name}`,
      );
    const turn = h(
      "select",
      { id: "editor-turn", "aria-label": "Side to move", on: { change: () => this.change(this.view.rows, turn.value) } },
      ...TURNS.map(([value, text]) => h("option", { value, selected: value === this.turn }, text)),
    );
    const button = (id, text, click) => h("button", { type: "button", id, on: { click } }, text);
    this.root.replaceChildren(
      h("p", { class: "quiet" }, "Choose a disc and click into columns. Keys: X, O, Delete; 1 to 9; Escape."),
      h("div", { class: "row brushes", role: "group", "aria-label": "What a click does" }, ...BRUSHES.map(brush), turn),
      h(
        "div",
        { class: "row" },
        button("editor-clear", "Empty the board", () => this.change(this.view.rows.map((row) => ".".repeat(row.length)))),
        button("editor-done", "Use this position", () => this.page.done(this.view)),
        button("editor-cancel", "Cancel", () => this.page.cancel()),
      ),
    );
  }

  take(brush) {
    this.brush = brush;
    this.draw();
    this.show(this.view);
  }

  /** What a key does here, if anything. */
  keyed(key) {
    const brush = { x: "x", o: "o", Delete: ".", Backspace: "." }[key];
    if (brush) return () => this.take(brush);
    return { Escape: () => this.page.cancel() }[key];
  }

  /** A click into a column. */
  put(column) {
    const rows = this.view.rows;
    if (column > this.view.width) return;
    const discs = rows.filter((row) => row[column - 1] !== ".").length;
    const taking = this.brush === ".";
    if (taking ? !discs : discs === rows.length) {
      return notice(`Column ${column} is ${taking ? "empty" : "full"}.`);
    }
    const at = rows.length - discs - (taking ? 0 : 1);
    const write = (row) => row.slice(0, column - 1) + this.brush + row.slice(column);
    this.change(rows.map((row, i) => (i === at ? write(row) : row)));
  }

  /** Shows other discs, if the server takes them for a position. */
  async change(rows, turn = this.turn) {
    const text = source({ ...this.view, rows }, turn);
    try {
      const { width, height, connect } = this.view;
      const view = await position({ board: text, moves: [], width, height, connect });
      if (!this.active) return;
      notice();
      this.turn = turn;
      this.show(view);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      notice(error.message);
      this.draw();
    }
  }

  /** A disc can be put wherever there is room, by whomever. */
  show(view) {
    this.view = view;
    const heights = Array.from(view.rows[0], (_, i) => view.rows.filter((row) => row[i] !== ".").length);
    const open = heights.map((discs, i) => [i + 1, discs + 1]).filter(([, row]) => row <= view.height);
    this.page.draw({ ...view, turn: this.brush === "." ? view.turn : this.brush, moves: open });
    byId("status").textContent = `Setting up: ${COLOURS[view.turn].toLowerCase()} to move`;
  }
}

/** A board file; composed where the discs do not say whose turn it is, or another's is wanted. */
function source({ width, height, connect, rows }, turn) {
  const count = (disc) => rows.join("").split(disc).length - 1;
  const counted = ["x", "o"][count("x") - count("o")];
  const mover = turn || counted || "x";
  const size = [`width: ${width}`, `height: ${height}`, `connect: ${connect}`];
  const composed = mover === counted ? [] : [`turn: ${mover}`, "free: true"];
  return [...size, "board: |", ...rows.map((row) => `  ${row}`), ...composed, ""].join("\n");
}
