// How far to look ahead, whom to play, and which position.

import { Refusal, position } from "./api.js";
import { byId, h } from "./dom.js";
import { can, source } from "./game.js";
import { hasAsides, readGame, writeGame } from "./record.js";
import { begin, columnsOf, state } from "./state.js";

const TIMES = [1, 3, 10, 30];

/** The card with the look-ahead and, in a game, the sides. */
export class Game {
  /** @param {Function} changed called after every change; `sides` if the advisor's side did. */
  constructor(limits, changed) {
    this.limits = limits;
    this.changed = changed;
    this.root = byId("game-card");
  }

  draw(view) {
    this.view = view;
    this.root.hidden = state.mode === "puzzle";
    const game = state.mode === "play";
    const deep = can("plies");
    const most = this.limits.max_level;
    const told = game ? `From 1, easy, to ${most}, its full strength.` : deep ? `How many moves of both sides it looks ahead, for at most ${this.limits.max_seconds} s.` : "";
    this.root.replaceChildren(
      h("h2", { id: "game-title" }, game ? "Your game" : "Look-ahead"),
      ...(game ? [this.sides(view)] : []),
      this.thinking(game || deep, deep),
      ...(told ? [h("p", { class: "quiet" }, told)] : []),
      ...(game ? [this.box("hints", "Show scores while I play")] : []),
      ...(game && can("plan") ? [this.box("plan", `${view.players[state.advisor]} plays by the plan of the solution, where it has one`)] : []),
    );
  }

  sides({ players }) {
    const side = (advisor) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "side",
          checked: state.advisor === advisor,
          on: { change: () => this.set({ advisor }) },
        }),
        h("span", {}, `${players[1 - advisor]}, ${advisor ? "first" : "second"}`),
      );
    return h("fieldset", { class: "choices" }, h("legend", {}, "You play"), side(1), side(0));
  }

  thinking(levels, deep) {
    const level = h("input", {
      type: "range",
      id: "level",
      min: state.mode === "play" ? 1 : 0,
      max: this.limits.max_level,
      value: state.level,
      disabled: deep && state.time !== null,
      on: {
        input: () => (shown.textContent = level.value),
        change: () => this.set({ level: Number(level.value) }),
      },
    });
    const shown = h("output", { for: "level" }, deep && state.time ? "–" : level.value);
    const times = h(
      "select",
      { id: "time", on: { change: (e) => this.set({ time: Number(e.target.value) || null }) } },
      h("option", { value: "" }, deep ? "automatic" : "for a second"),
      ...TIMES.filter((time) => time <= this.limits.max_seconds && (deep || time > 1)).map((time) =>
        h("option", { value: time, selected: state.time === time }, `for ${time} s`),
      ),
    );
    const chosen = levels ? [h("label", { for: "level" }, "Level"), level, shown] : [];
    return h("div", { class: "thinking" }, ...chosen, h("label", { for: "time" }, "Think"), times);
  }

  box(key, text) {
    const box = h("input", {
      type: "checkbox",
      checked: state[key],
      on: { change: () => this.set({ [key]: box.checked }) },
    });
    return h("label", { class: "check" }, box, ` ${text}`);
  }

  set(change) {
    Object.assign(state, change);
    if ("time" in change) this.draw(this.view);
    this.changed(change);
  }
}

/** The card with the board's size and a position as text. */
export class Setup {
  /** @param {{changed: Function, edit: Function}} page told of another position; begins to set one up. */
  constructor(limits, page) {
    this.limits = limits;
    this.page = page;
    this.root = byId("position-card");
    this.filled = new Map(); // what each field was given
    this.build();
  }

  /** Takes over the position that is shown. */
  show(view) {
    if (this.game !== state.game) this.filled.clear();
    this.game = state.game;
    byId("text-label").textContent = can("size") ? "Game or position: moves as 4453, a picture or YAML" : `Game or position: ${view.accepts}`;
    this.text.placeholder = can("size") ? "4453, or rows of . x o, or a YAML file's text" : "";
    this.numbers(can("size") ? state.size : view.constants);
    const columns = () => (state.start ? view.text : state.moves.join(view.width > 9 ? "," : ""));
    if (this.fill(this.text, can("size") ? columns() : view.short.trim())) this.error.textContent = "";
    if (this.root.open && view.text.startsWith("[") && hasAsides()) this.fillWhole();
  }

  /** Gives the text its variations and comments, too. */
  async fillWhole() {
    try {
      this.fill(this.text, (await writeGame()).trim());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // the main line is enough
    }
  }

  /** Gives a field its value, unless something has been written there; whether it has the value. */
  fill(field, value) {
    const written = this.root.open && this.filled.has(field) && field.value !== this.filled.get(field);
    if (written && field.value !== String(value)) return false;
    field.value = value;
    this.filled.set(field, field.value);
    return true;
  }

  /** The numbers that make another board of the same game. */
  numbers(values) {
    this.sizes.hidden = !Object.keys(values).length;
    const names = Object.keys(values);
    if (String(names) !== this.named) {
      this.named = String(names);
      const most = can("size") ? this.limits.max_side : this.limits.max_constant;
      const field = (name) => h("input", { type: "number", id: name, min: can("size") ? 1 : 0, max: most, required: true });
      this.inputs = Object.fromEntries(names.map((name) => [name, field(name)]));
      this.sizes.replaceChildren(
        ...names.map((name) => h("label", { class: "small-field", for: name }, name, this.inputs[name])),
        h("button", { type: "submit", id: "resize" }, "New board"),
      );
    }
    for (const name of names) this.fill(this.inputs[name], values[name]);
  }

  build() {
    this.text = h("textarea", { id: "board-source", rows: 3, spellcheck: "false" });
    this.error = h("p", { class: "notice", role: "alert", id: "board-error" });
    this.sizes = h("form", { class: "row", on: { submit: (event) => this.resize(event) } });
    this.root.append(
      h(
        "form",
        { class: "stack", on: { submit: (event) => this.load(event) } },
        h("label", { for: "board-source", id: "text-label" }),
        this.text,
        this.error,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", id: "load" }, "Show it"),
          h("button", { type: "button", id: "edit", on: { click: () => this.page.edit() } }, "Set up by clicking"),
        ),
      ),
      this.sizes,
    );
  }

  async load(event) {
    event.preventDefault();
    const here = () => JSON.stringify([state.game, state.mode, state.start, state.moves, state.size, state.constants]);
    const asked = here();
    try {
      const take = await (can("size") ? this.columns(this.text.value) : this.position(this.text.value));
      if (here() !== asked) return; // something else has been done meanwhile
      const leftOut = take();
      this.filled.delete(this.text);
      this.page.changed(leftOut);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.error.textContent = error.message;
    }
  }

  /** What takes over a text, once the server has read it. */
  async columns(text) {
    const moves = columnsOf(text);
    // A move string is read as one, so that its errors are those of the command line.
    const view = await position({ ...source().setup([]), board: moves ? text.trim() : text });
    return () => {
      state.size = { width: view.width, height: view.height, connect: view.connect };
      begin(view.made.length ? "" : view.text, view.made);
    };
  }

  /** The same of a game that is not played in columns. */
  async position(text) {
    const { show, leftOut } = await readGame(text.trim());
    return () => (show(), leftOut.map((each) => `Left out: ${each}.`));
  }

  resize(event) {
    event.preventDefault();
    const chosen = Object.fromEntries(Object.entries(this.inputs).map(([key, input]) => [key, Number(input.value)]));
    if (can("size")) state.size = chosen;
    else state.constants = chosen;
    begin();
    this.page.changed();
  }
}
