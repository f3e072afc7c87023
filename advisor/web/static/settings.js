// How far to look ahead, whom to play, and which position.

import { Refusal, position } from "./api.js";
import { byId, h as element } from "./dom.js";
import { can, source } from "./game.js";
import { say } from "./languages.js";
import { LEVELS, SHARES } from "./levels.js";
import { h, render } from "./preact.js";
import { hasAsides, readGame, writeGame } from "./record.js";
import { begin, columnsOf, state } from "./state.js";

const TIMES = [1, 3, 10, 30];
const DEPTHS = [0, 2, 4, 8, 12, 20]; // moves of both sides, beside the usual ones
const USUAL = 6;

/** The name of a level, or its number. */
export const levelName = (level) => say(LEVELS.find(([known]) => known === level)?.[1] ?? "settings.number", { level });

/** The card with what a look-ahead costs or, in a game, the sides and how well the advisor plays. */
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
    render(
      [
        h("h2", { id: "game-title" }, say(game ? "settings.game" : "settings.look-ahead")),
        game && this.sides(view),
        this.strength(game),
        game && this.share(),
        game && this.box("hints", say("settings.hints")),
        game && can("plan") && this.box("plan", say("settings.plan", { player: view.players[state.advisor] })),
      ],
      this.root,
    );
  }

  sides({ players }) {
    const side = (advisor) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name: "side", checked: state.advisor === advisor, onChange: () => this.set({ advisor }) }),
        h("span", {}, say(advisor ? "settings.first" : "settings.second", { player: players[1 - advisor] })),
      );
    return h("fieldset", { class: "choices" }, h("legend", {}, say("settings.you-play")), side(1), side(0));
  }

  /** One control for how hard it is, or for how long it thinks: a level, a depth or a time. */
  strength(game) {
    const now = state.time === null ? `level:${state.level}` : `time:${state.time}`;
    const offered = game ? this.levels() : can("plies") ? this.depths() : [[`level:${state.level}`, say("settings.automatic")]];
    const all = [...new Set([...TIMES, ...(state.time ? [state.time] : [])])].sort((first, second) => first - second);
    const timed = all.filter((seconds) => seconds <= this.limits.max_seconds && (game || can("plies") || seconds > 1 || seconds === state.time));
    const times = timed.map((seconds) => [`time:${seconds}`, say(game ? "settings.full-for" : "settings.for", { seconds })]);
    const options = [...offered, ...times].map(([value, text]) => h("option", { value, selected: value === now }, text));
    const choose = ({ target }) => {
      const [kind, number] = target.value.split(":");
      const full = game ? { level: this.limits.max_level } : {};
      this.set(kind === "time" ? { time: Number(number), ...full } : { level: Number(number), time: null });
    };
    return h("label", { class: "field-row" }, h("span", {}, say(game ? "settings.level" : "settings.think")), h("select", { id: "level", value: now, onChange: choose }, options));
  }

  /** The levels by their names; another one of an address has its number. */
  levels() {
    const named = LEVELS.map(([level, name]) => [`level:${level}`, say(name)]);
    const other = LEVELS.every(([level]) => level !== state.level) ? [[`level:${state.level}`, levelName(state.level)]] : [];
    return [...named, ...other];
  }

  depths() {
    const all = [...new Set([...DEPTHS, state.level])].filter((depth) => depth !== USUAL).sort((a, b) => a - b);
    return [[`level:${USUAL}`, say("settings.automatic")], ...all.map((depth) => [`level:${depth}`, depth ? say("settings.moves", { count: depth }) : say("settings.no-moves")])];
  }

  /** What a novice got against the level, as far as it was measured. */
  share() {
    const [points, games] = (state.time === null && SHARES[state.game]?.[state.level]) || [];
    return games ? h("p", { class: "quiet", id: "share" }, say("settings.share", { points, games })) : null;
  }

  box(key, text) {
    return h("label", { class: "check" }, h("input", { type: "checkbox", checked: state[key], onChange: ({ target }) => this.set({ [key]: target.checked }) }), ` ${text}`);
  }

  set(change) {
    Object.assign(state, change);
    this.draw(this.view);
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
    byId("text-label").textContent = can("size") ? say("settings.text-columns") : say("settings.text", { accepts: view.accepts });
    this.text.placeholder = can("size") ? say("settings.placeholder") : "";
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
      const field = (name) => element("input", { type: "number", id: name, min: can("size") ? 1 : 0, max: most, required: true });
      this.inputs = Object.fromEntries(names.map((name) => [name, field(name)]));
      this.sizes.replaceChildren(
        ...names.map((name) => element("label", { class: "small-field", for: name }, name, this.inputs[name])),
        element("button", { type: "submit", id: "resize" }, say("settings.new-board")),
      );
    }
    for (const name of names) this.fill(this.inputs[name], values[name]);
  }

  build() {
    this.text = element("textarea", { id: "board-source", rows: 3, spellcheck: "false" });
    this.error = element("p", { class: "notice", role: "alert", id: "board-error" });
    this.sizes = element("form", { class: "row", on: { submit: (event) => this.resize(event) } });
    this.root.append(
      element(
        "form",
        { class: "stack", on: { submit: (event) => this.load(event) } },
        element("label", { for: "board-source", id: "text-label" }),
        this.text,
        this.error,
        element(
          "div",
          { class: "row" },
          element("button", { type: "submit", id: "load" }, say("settings.show")),
          element("button", { type: "button", id: "edit", on: { click: () => this.page.edit() } }, say("settings.edit")),
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
    return () => (show(), leftOut.map((each) => say("settings.left-out", { what: each })));
  }

  resize(event) {
    event.preventDefault();
    const chosen = Object.fromEntries(Object.entries(this.inputs).map(([key, input]) => [key, Number(input.value)]));
    if (can("size")) Object.assign(state, { size: chosen });
    else state.constants = chosen;
    begin();
    this.page.changed();
  }
}
