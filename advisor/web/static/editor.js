// A position set up by clicking: pieces are put on squares or taken off; discs fall into columns.

import { Refusal } from "./api.js";
import { castlingBoxes } from "./castling.js";
import { byId, notice } from "./dom.js";
import { can, source } from "./game.js";
import { say } from "./languages.js";
import { button, quiet } from "./parts.js";
import { h, render } from "./preact.js";

export class Editor {
  root = byId("editor");
  view = null; // the position that is worked on; null while nothing is set up
  setup = null; // where it began
  symbols = []; // what may stand on squares
  brush = ""; // which of them a click puts there, empty to take off
  squares = new Map(); // what has been put where
  turn = null; // who is to move, where that was chosen
  found = null; // the position as the server has it, null for none

  /**
   * @param {Object} page what the page does: `draw` shows a position that is worked on, `brush`
   *   draws what may stand on squares and says its name, `done` takes over what has been set up,
   *   `cancel` goes back to what was there before.
   */
  constructor(page) {
    this.page = page;
  }

  get active() {
    return this.view !== null;
  }

  async begin(view, signal) {
    const setup = source().setup();
    const { symbols, ...found } = await source().setUp({ ...setup, squares: [], turn: null }, signal);
    if (signal.aborted) return;
    if (!symbols.length) return notice(say("editor.impossible"));
    // Pieces in the order in which they are drawn, otherwise as the server lists them.
    const order = Object.keys(found.shapes ?? {});
    symbols.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    Object.assign(this, { setup, symbols, found, squares: new Map(), turn: null, brush: symbols.includes(view.turn) ? view.turn : symbols[0] });
    this.root.hidden = false;
    byId("aim").hidden = true; // so that what is needed is in sight
    this.show(found);
    this.draw();
    byId(can("size") ? "board" : "grid").focus({ preventScroll: true });
  }

  close() {
    this.view = null;
    this.root.hidden = true;
    byId("aim").hidden = false;
  }

  draw() {
    const discs = can("size");
    const brush = (symbol) => {
      const { picture, name } = symbol ? this.page.brush(symbol) : { picture: null, name: say("editor.take-off") };
      const attributes = { "data-brush": symbol, "aria-label": name, title: name, "aria-pressed": String(symbol === this.brush) };
      return button(picture ? null : name, () => this.take(symbol), { key: symbol, ...attributes, ref: (place) => picture && place?.replaceChildren(picture) });
    };
    const { players, roles } = this.view;
    const turns = [...(discs ? [["", say("editor.by-count")]] : []), ...roles.map((role, i) => [role, say("editor.to-move", { player: players[i] })])];
    const parts = [
      quiet(say(discs ? "editor.discs" : "editor.pieces")),
      h(
        "div",
        { class: "row brushes", role: "group", "aria-label": say("editor.brushes") },
        [...this.symbols, ""].map(brush),
        h(
          "select",
          {
            id: "editor-turn",
            "aria-label": say("editor.turn"),
            value: this.turn ?? (discs ? "" : this.view.turn),
            onChange: ({ target }) => this.change(this.squares, target.value || null),
          },
          turns.map(([value, text]) => h("option", { value }, text)),
        ),
      ),
      castlingBoxes(this.found?.position, (position) => ((this.found = { ...this.found, position }), this.draw())),
      h(
        "div",
        { class: "row" },
        button(say("editor.clear"), () => this.change(new Map(this.all().map((square) => [String(square), ""]))), { id: "editor-clear" }),
        button(say("editor.done"), () => this.page.done(this.found), { id: "editor-done", idle: !this.found }),
        button(say("editor.cancel"), () => this.page.cancel(), { id: "editor-cancel" }),
      ),
    ];
    render(parts, this.root);
  }

  take(brush) {
    this.brush = brush;
    this.draw();
    this.show(this.view);
  }

  /** What a key does here, if anything. */
  keyed(key) {
    if (key === "Escape") return () => this.page.cancel();
    const brush = key === "Delete" || key === "Backspace" ? "" : (this.symbols.find((symbol) => symbol === key) ?? this.symbols.find(([letter]) => letter === key));
    return brush === undefined ? undefined : () => this.take(brush);
  }

  /** The squares of the board. */
  all() {
    return this.view.rows.flatMap((row, i) => [...row].flatMap((symbol, j) => (symbol === null ? [] : [[j + 1, this.view.rows.length - i]])));
  }

  /** A click into a column. */
  drop(column) {
    const { rows } = this.view;
    if (column > this.view.width) return;
    const discs = rows.filter((row) => row[column - 1] !== ".").length;
    if (this.brush ? discs === rows.length : !discs) return notice(say(this.brush ? "editor.full" : "editor.empty", { column }));
    this.put([column, discs + (this.brush ? 1 : 0)]);
  }

  /** A click on a square. */
  put([x, y]) {
    const there = this.view.rows[this.view.rows.length - y][x - 1];
    this.change(new Map(this.squares).set(`${x},${y}`, there === this.brush ? "" : this.brush));
  }

  /** Shows other squares; whether they make a position the server says. */
  async change(squares, turn = this.turn) {
    const listed = [...squares].map(([square, symbol]) => [...square.split(",").map(Number), symbol]);
    Object.assign(this, { squares, turn, found: null });
    this.show({ ...this.view, rows: changed(this.view.rows, listed) });
    this.draw();
    notice();
    const found = await source().setUp({ ...this.setup, squares: listed, turn }).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      return error;
    });
    if (!this.active || squares !== this.squares || turn !== this.turn) return;
    if (found instanceof Refusal) return notice(found.message);
    this.found = found;
    this.show(found);
    this.draw();
  }

  show(view) {
    this.view = view;
    this.page.draw(view, this.brush, (square) => this.put(square));
    byId("status").textContent = say("editor.setting-up", { status: view.over ? view.status : say("editor.to-move", { player: view.called[view.mover] }) });
  }
}

/** Rows with other things on some squares: of columns a text each, a dot for nothing. */
function changed(rows, squares) {
  const found = rows.map((row) => [...row]);
  const text = typeof rows[0] === "string";
  for (const [x, y, symbol] of squares) found[rows.length - y][x - 1] = text ? symbol || "." : symbol;
  return text ? found.map((row) => row.join("")) : found;
}
