// A board of squares, hexagons or points: a button for each, moves by one click or two, or by dragging.

import { byId, drawing, h, vector } from "./dom.js";
import { say } from "./languages.js";
import { inWords, scoreWords, shortScore } from "./score.js";
import { markOf } from "./threatmap.js";

const HEXAGON = 2 / 3; // the middle of a hexagon, counted in rows from its top

const SIGNS = { x: "✕", o: "◯" }; // what is written, not put

const SMALL = 24; // pixels of a field, below which a finger has to say it twice

const CROWDED = 100; // squares, beyond which the best moves alone have their worth on the board
const SHOWN = 12;

export class Grid {
  /** @param {{play: Function, point: Function, wrong: Function}} actions a move was made; is pointed at, null for none; a click made none. */
  constructor(actions) {
    this.root = byId("grid");
    this.actions = actions;
    this.view = null;
    this.found = null; // advice
    this.chosen = []; // squares of a move that is not yet known
    this.place = [1, 1]; // the square that Tab leads to
    this.turned = false;
    this.locked = false;
    this.put = null; // what a click does while a position is set up
    this.fields = new Map(); // the squares by their names such as "4,2"
    this.shone = []; // what is lit up
    this.aimed = null; // a small square that was tapped once
    this.dangers = new Map(); // the map of threats, by squares
  }

  /** Draws a position; one that can be played on unless it is `locked`. */
  show(view, { locked = false, put = null } = {}) {
    Object.assign(this, { view, locked, put, found: null, chosen: [], shone: [], aimed: null, dangers: new Map() });
    byId("board-text").replaceChildren(); // each square says what stands on it
    this.hinted = new Set();
    this.draw();
  }

  /** While a position is set up a click puts something on a square. */
  edit(view, brush, put) {
    this.show(view, { put });
  }

  /** What something on a square looks like and is called. */
  brush(symbol) {
    const shape = this.view.shapes[symbol];
    return { picture: shape ? drawing(shape) : this.piece(symbol), name: shape?.name ?? wordsOf(symbol).join(" ") };
  }

  /** Turns the board by half a turn, so that the second player's side is below. */
  turn(turned) {
    if (turned === this.turned) return;
    this.turned = turned;
    if (this.view) this.draw();
  }

  /** Shows what moves are worth, and rings or an arrow for the best; nothing for null. */
  showScores(found) {
    this.found = found;
    this.draw();
  }

  /** Draws a move before the server has answered; `show` draws what comes of it. */
  drop(move) {
    const { view } = this;
    const { squares } = view.choices.find((choice) => choice.move === move);
    const rows = view.rows.map((row) => [...row]);
    const put = ([x, y], symbol) => (rows[rows.length - y][x - 1] = symbol);
    const [from, to] = [squares[0], squares.at(-1)];
    const moved = squares.length > 1 ? rows[rows.length - from[1]][from[0] - 1] : view.roles[view.mover];
    if (squares.length > 1) put(from, "");
    if (to) put(to, moved);
    this.show({ ...view, rows, last: squares, choices: [] }, { locked: true });
  }

  /** Marks moves as the hint. */
  hint(moves) {
    const squares = this.view.choices.filter(({ move }) => moves.includes(move)).flatMap(shownOf);
    this.hinted = new Set(squares.map(String));
    this.draw();
  }

  /** Lights up squares: [{row, column, against}]. */
  light(squares) {
    this.shone = squares;
    if (!this.view) return;
    const names = (wanted) => new Set(squares.filter(({ against }) => Boolean(against) === wanted).map(({ column, row }) => `${column},${row}`));
    const [lit, against] = [names(false), names(true)];
    for (const [name, { field }] of this.fields) {
      field.classList.toggle("lit", lit.has(name));
      field.classList.toggle("lit-against", against.has(name));
    }
  }

  /** Marks what is threatened: [{row, column, kind, by, colour, words}]. */
  warn(marks) {
    this.dangers = Map.groupBy(marks, ({ column, row }) => `${column},${row}`);
    if (this.view) this.draw();
  }

  /** The legal moves that begin with the squares that have been pointed at. */
  possible(chosen = this.chosen) {
    return this.view.choices.filter(({ squares, clicks = [] }) =>
      clicks.length && chosen.length
        ? chosen.length === 1 && clicks.some((square) => String(square) === String(chosen[0]))
        : chosen.every((square, i) => String(squares[i]) === String(square)),
    );
  }

  /** The squares that come next where a move is pointed at: of some moves any of several will do. */
  next({ squares, clicks = [] }) {
    return this.chosen.length === 0 && clicks.length ? clicks : squares.slice(this.chosen.length, this.chosen.length + 1);
  }

  /** Brings the board up to date. */
  draw() {
    this.build();
    const open = new Set(this.locked ? [] : this.possible().flatMap((move) => this.next(move)).map(String));
    const marks = { open, chosen: new Set([...this.chosen, ...(this.aimed ? [this.aimed] : [])].map(String)), last: new Set(this.view.last.map(String)), decisive: new Set(this.view.decisive.map(String)), hinted: this.hinted, worth: this.worth() };
    const { rows } = this.view;
    for (const [name, { square, field }] of this.fields) this.fill(field, name, rows[rows.length - square[1]][square[0] - 1], square, marks);
    this.arrow();
    this.which();
    if (!this.element(this.place)) this.place = this.fields.values().next().value?.square ?? [1, 1];
    this.goTo(this.place, false);
    this.light(this.shone);
  }

  /** Makes the squares, unless they are those of the position before. */
  build() {
    const { root, view } = this;
    const { rows } = view;
    const holes = rows.map((row) => row.map((symbol) => Number(symbol === null)).join("")).join("/");
    const layout = JSON.stringify([holes, this.turned, view.slanted, view.lines, view.sides, view.columns, view.beside, Object.keys(view.shapes)]);
    if (layout === this.layout) return;
    this.layout = layout;
    const height = rows.length;
    const width = rows[0]?.length ?? 1;
    root.style.setProperty("--columns", width + (view.slanted ? (height - 1) / 2 : 0));
    root.style.setProperty("--rows", height);
    const kinds = { crowded: width * height > CROWDED, slanted: view.slanted, chequered: Object.keys(view.shapes).length, lined: view.lines.length, sided: view.sides.length };
    // Where lines cross on every square, stones stand on the crossings.
    kinds.crossing = kinds.lined && rows.every((row) => !row.includes(null));
    kinds.felt = !kinds.chequered && !kinds.lined && String([...view.roles].sort()) === "black,white";
    for (const [name, held] of Object.entries(kinds)) root.classList.toggle(name, Boolean(held));
    this.fields = new Map();
    const children = [this.ground(width, height)];
    rows.forEach((row, i) => {
      const y = height - i;
      const [line, first] = this.cell([this.turned ? width : 1, y]);
      children.push(edge(view.beside[i], "edge", `${line} / ${first - 1}`));
      row.forEach((symbol, j) => {
        if (symbol === null) return;
        /** @type {[number, number]} */
        const square = [j + 1, y];
        const [at, from] = this.cell(square);
        const field = this.field(square);
        field.style.gridArea = `${at} / ${from} / auto / span 2`;
        this.fields.set(String(square), { square, field });
        children.push(field);
      });
    });
    view.columns.forEach((name, j) => {
      const [, from] = this.cell([j + 1, this.turned ? height : 1]);
      children.push(edge(name, "edge below", `${height + 1} / ${from} / auto / span 2`));
    });
    this.over = this.layer("arrows", width, height);
    root.replaceChildren(...children, this.over);
  }

  /** Where a square is drawn: the line of the grid and its first column, counted in halves. */
  cell([x, y]) {
    const height = this.view.rows.length;
    const [column, row] = this.turned ? [this.view.columns.length + 1 - x, height + 1 - y] : [x, y];
    return [height - row + 1, 2 * column + (this.view.slanted ? row - 1 : 0)];
  }

  /** The middle of a square in the drawings under and over the squares. */
  middle([x, y]) {
    const { view } = this;
    const height = view.rows.length;
    const [column, row] = this.turned ? [view.columns.length + 1 - x, height + 1 - y] : [x, y];
    return [column - 0.5 + (view.slanted ? (row - 1) / 2 : 0), height - row + (view.slanted ? HEXAGON : 0.5)];
  }

  /** What is known of each square: of the moves to it, or from it as long as none is begun. */
  worth() {
    const found = new Map();
    const rank = new Map((this.found?.scores ?? []).map((move, i) => [move.move, i]));
    const told = new Map((this.found?.scores ?? []).map((move) => [move.move, move]));
    const best = told.get(this.found?.best[0]);
    // Where all is lost, it is so on every square.
    const crowded = this.fields.size > CROWDED ? (best?.score.kind === "loss" ? 1 : SHOWN) : Infinity;
    const known = ({ move }) => rank.get(move) < crowded && (this.found.best.includes(move) || !told.get(move).score.unsure);
    const possible = this.possible().filter(known);
    possible.sort((a, b) => rank.get(b.move) - rank.get(a.move));
    for (const move of possible) {
      const squares = shownOf(move);
      const square = squares[Math.min(this.chosen.length, squares.length - 1)];
      if (square) found.set(String(square), told.get(move.move));
    }
    return found;
  }

  field(square) {
    const points = (on) => () => this.actions.point(on ? (this.worth().get(String(square))?.move ?? null) : null);
    return h("button", {
      type: "button",
      "data-square": String(square),
      tabindex: "-1",
      on: {
        click: (event) => this.point(square, event.pointerType === "touch" && event.currentTarget.offsetWidth < SMALL),
        pointerdown: (event) => this.take(event, square),
        pointerenter: (event) => event.pointerType === "mouse" && points(true)(),
        pointerleave: (event) => event.pointerType === "mouse" && points(false)(),
        focus: (event) => event.target.matches(":focus-visible") && points(true)(),
        blur: points(false),
      },
    });
  }

  /** Shows what stands on a square and what is known of it. */
  fill(field, name, symbol, square, { open, chosen, last, decisive, hinted, worth }) {
    const known = this.put !== null || open.has(name);
    const shape = this.view.shapes[symbol];
    const found = worth.get(name);
    const best = found && this.found.best.includes(found.move);
    const classes = { open: known, chosen: chosen.has(name), dark: (square[0] + square[1]) % 2 === 0, last: last.has(name), decisive: decisive.has(name), hinted: hinted.has(name), best };
    const words = [this.nameOf(square), `, ${shape?.name ?? (wordsOf(symbol).join(" ") || say("roles.empty"))}`];
    if (chosen.has(name)) words.push(`, ${say("grid.chosen")}`);
    else if (chosen.size && known) words.push(`, ${say("grid.choosable")}`);
    if (last.has(name)) words.push(`, ${say("grid.last")}`);
    if (decisive.has(name)) words.push(`, ${say("grid.win")}`);
    if (hinted.has(name)) words.push(`, ${say("grid.hint")}`);
    if (found) words.push(`, ${found.name}: ${scoreWords(found.score, inWords(found.score))}${best ? `, ${say("board.best")}` : ""}`);
    const dangers = this.dangers.get(name) ?? [];
    for (const { words: told } of dangers) words.push(`, ${told}`);
    field.className = ["field", ...Object.keys(classes).filter((key) => classes[key])].join(" ");
    field.setAttribute("aria-label", words.join(""));
    field.setAttribute("aria-disabled", String(!known));
    if (field.dataset.symbol !== symbol) {
      field.dataset.symbol = symbol;
      field.replaceChildren(...(shape ? [drawing(shape)] : symbol ? [this.piece(symbol)] : []));
    }
    for (const mark of field.querySelectorAll(".worth, .danger")) mark.remove();
    field.append(...dangers.map(markOf));
    if (found && shortScore(found.score) !== "?") field.append(h("span", { class: `worth ${found.score.kind}`, "aria-hidden": "true" }, shortScore(found.score)));
  }

  piece(symbol) {
    // What stands there may be a player's piece of some kind, as "(white,king)".
    const words = wordsOf(symbol);
    const role = ["first", "second"][this.view.roles.findIndex((name) => words.includes(name))] ?? "";
    const [colour, ink] = this.view.colours[symbol] ?? ["", ""];
    if (symbol in SIGNS) {
      const sign = h("span", { class: `piece sign ${role}` }, SIGNS[symbol]);
      if (colour) sign.style.color = `color-mix(in oklab, ${colour} 75%, var(--ink))`; // to be seen on the board
      return sign;
    }
    const kind = words.length > 1 ? words.at(-1)[0].toUpperCase() : symbol[0];
    const disc = h("span", { class: ["piece", role, ...words, words.length > 1 ? "lettered" : ""].join(" ") }, kind);
    [disc.style.background, disc.style.color] = [colour, ink];
    return disc;
  }

  /** What lies under the squares: the sides of the board and the lines on it. */
  ground(width, height) {
    const svg = this.layer("ground", width, height);
    const at = (corners) => corners.map((corner) => this.middle(corner));
    for (const { colour, corners } of this.view.sides) svg.append(vector("polygon", { points: at(corners).join(" "), fill: colour }));
    for (const ends of this.view.lines) {
      const [[x1, y1], [x2, y2]] = at(ends);
      svg.append(vector("line", { x1, y1, x2, y2 }));
    }
    return svg;
  }

  /** Over the squares: an arrow for the best move from square to square, where several squares make it. */
  arrow() {
    this.over.replaceChildren();
    const best = this.view.choices.find(({ move }) => move === this.found?.best[0]);
    if (!best || best.squares.length < 2 || this.chosen.length) return;
    const [[x1, y1], [x2, y2]] = [best.squares[0], best.squares.at(-1)].map((square) => this.middle(square));
    const long = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
    const tip = [x2 - dx * 0.1, y2 - dy * 0.1];
    const neck = [x2 - dx * 0.5, y2 - dy * 0.5];
    const corner = (by) => [neck[0] - dy * by, neck[1] + dx * by];
    this.over.append(
      vector("line", { x1: x1 + dx * 0.3, y1: y1 + dy * 0.3, x2: neck[0], y2: neck[1] }),
      vector("polygon", { points: [tip, corner(0.26), corner(-0.26)].join(" ") }),
    );
  }

  layer(name, width, height) {
    const wide = width + (this.view.slanted ? (height - 1) / 2 : 0);
    const svg = vector("svg", { class: name, viewBox: `0 0 ${wide} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    svg.style.gridArea = `1 / 2 / ${height + 1} / ${2 * wide + 2}`;
    return svg;
  }

  /** A square as the game's moves have it, or by the numbers of its column and row. */
  nameOf([x, y]) {
    const [column, row] = [this.view.columns[x - 1], this.view.beside[this.view.rows.length - y]];
    return /\d$/.test(column) ? `${column},${row}` : `${column}${row}`;
  }

  /** The square of a name such as "d5", null if there is none. */
  named(name) {
    const found = /^([a-z]+)(\d+)$/.exec(name);
    const x = this.view.columns.indexOf(found?.[1]) + 1;
    const row = this.view.beside.indexOf(found?.[2]);
    return x && row >= 0 ? [x, this.view.rows.length - row] : null;
  }

  // Pointing

  element(square) {
    return this.fields.get(String(square))?.field;
  }

  /** Makes a square the one that Tab leads to. */
  goTo(square, focus = true) {
    const field = this.element(square);
    if (!field) return;
    this.element(this.place)?.setAttribute("tabindex", "-1");
    this.place = square;
    field.setAttribute("tabindex", "0");
    if (focus) field.focus({ preventScroll: true });
  }

  /** Moves the focus. */
  step(right, up = 0) {
    const by = this.turned ? -1 : 1;
    this.goTo([this.place[0] + by * right, this.place[1] + by * up]);
  }

  /** Takes a square for the next of a move, or as the first of another one; asks once more if it may be meant by mistake. */
  point(square, small = false) {
    this.goTo(square);
    if (this.put) return this.put(square);
    if (this.locked) return this.actions.wrong("");
    if (small && !this.chosen.length && String(this.aimed) !== String(square) && this.possible([square]).length) {
      this.aimed = square;
      this.actions.wrong(say("grid.again", { square: this.nameOf(square) }));
      return this.draw();
    }
    const before = this.chosen;
    this.chosen = [...before, square];
    if (!this.possible().length) this.chosen = String(before) === String(square) ? [] : [square];
    const found = this.chosen.length ? this.possible() : [];
    if (!found.length) {
      const again = !this.chosen.length;
      this.chosen = [];
      this.actions.wrong(again ? null : say(before.length ? "grid.leads" : "grid.begins", { square: this.nameOf(square) }));
    } else if (found.length === 1 && (found[0].clicks?.length || found[0].squares.length === this.chosen.length)) {
      return this.actions.play(found[0].move);
    } else {
      this.actions.wrong(null);
    }
    this.draw();
  }

  /** Moves of which the squares alone do not say which is meant, or that have none: each is a button. */
  which() {
    const found = this.chosen.length ? this.possible() : [];
    const alike = found.length > 1 && found.every(({ squares }) => squares.length === this.chosen.length);
    // Some moves name no square, as a pass.
    const placeless = this.chosen.length || this.locked || this.put ? [] : this.view.choices.filter((move) => !shownOf(move).length);
    const all = alike ? found : placeless;
    byId("which").hidden = !all.length;
    byId("which").replaceChildren(
      h("span", { class: "quiet" }, alike ? "Which move?" : "Without a square:"),
      ...all.map(({ move, name }) => h("button", { type: "button", on: { click: () => this.actions.play(move) } }, name)),
    );
  }

  /** A piece is dragged from a square where a move begins; where it is let go, the move ends. */
  take(event, square) {
    if (this.put || this.locked || event.button || this.chosen.length > 1) return;
    const moves = this.possible([square]).filter(({ squares }) => squares.length > 1);
    const piece = event.currentTarget.querySelector(".drawn, .piece");
    if (!moves.length || !piece) return;
    const { clientX, clientY } = event;
    const field = event.currentTarget;
    field.releasePointerCapture?.(event.pointerId);
    let far = false;
    const move = (now) => {
      const [x, y] = [now.clientX - clientX, now.clientY - clientY];
      far ||= Math.hypot(x, y) > 6;
      if (far) piece.style.transform = `translate(${x}px, ${y}px)`;
      piece.classList.toggle("dragged", far);
    };
    const end = (now) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      piece.style.transform = "";
      piece.classList.remove("dragged");
      if (!far || now.type === "pointercancel") return;
      piece.style.pointerEvents = "none";
      /** @type {HTMLElement} */
      const target = document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-square]");
      piece.style.pointerEvents = "";
      if (!target || target === field) return;
      this.chosen = [square];
      this.point(target.dataset.square.split(",").map(Number));
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

}

/** What stands on a square in words: "(white,king)" has two. */
const wordsOf = (symbol) => symbol.match(/\w+/g) ?? (symbol ? [symbol] : []);

/** The squares at which a move is shown. */
const shownOf = ({ squares, clicks = [] }) => (squares.length ? squares : clicks);

/** What stands at the edge of the board beside a row or below a column; squares say it themselves. */
function edge(text, side, area) {
  const mark = h("span", { class: side, "aria-hidden": "true" }, String(text));
  mark.style.gridArea = area;
  return mark;
}
