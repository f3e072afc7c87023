// How far to look ahead, whom to play, and which position.

import { Refusal, position } from "./api.js";
import { COLOURS, byId, h } from "./dom.js";
import { begin, columnsOf, setup, state } from "./state.js";
import { save } from "./files.js";

const TIMES = [1, 3, 10, 30];

/** The card with the look-ahead and, in a game, the sides. */
export class Game {
  /** @param {Function} changed called after every change; `sides` if the advisor's side did. */
  constructor(limits, changed) {
    this.limits = limits;
    this.changed = changed;
    this.root = byId("game-card");
  }

  draw() {
    this.root.hidden = state.mode === "puzzle";
    const game = state.mode === "play";
    this.root.replaceChildren(
      h("h2", { id: "game-title" }, game ? "Your game" : "Look-ahead"),
      ...(game ? [this.sides()] : []),
      this.thinking(),
      h("p", { class: "quiet" }, `The level is how many plies the advisor looks ahead, for at most ${this.limits.max_seconds} s.`),
      ...(game ? [this.box("hints", "Show scores while I play")] : []),
      ...(game ? [this.box("plan", `${COLOURS[state.advisor]} plays by the plan of the solution, where it has one`)] : []),
    );
  }

  sides() {
    const side = (advisor, text) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio",
          name: "side",
          checked: state.advisor === advisor,
          on: { change: () => this.set({ advisor }) },
        }),
        h("span", {}, text),
      );
    return h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, "You play"),
      side("o", "Red, first"),
      side("x", "Yellow, second"),
    );
  }

  thinking() {
    const level = h("input", {
      type: "range",
      id: "level",
      min: state.mode === "play" ? 1 : 0,
      max: this.limits.max_level,
      value: state.level,
      disabled: state.time !== null,
      on: {
        input: () => (shown.textContent = level.value),
        change: () => this.set({ level: Number(level.value) }),
      },
    });
    const shown = h("output", { for: "level" }, state.time ? "–" : String(state.level));
    const times = h(
      "select",
      { id: "time", on: { change: (e) => this.set({ time: Number(e.target.value) || null }) } },
      h("option", { value: "" }, "as the level says"),
      ...TIMES.filter((time) => time <= this.limits.max_seconds).map((time) =>
        h("option", { value: time, selected: state.time === time }, `for ${time} s`),
      ),
    );
    return h(
      "div",
      { class: "thinking" },
      h("label", { for: "level" }, "Level"),
      level,
      shown,
      h("label", { for: "time" }, "Think"),
      times,
    );
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
    if ("time" in change) this.draw();
    this.changed();
  }
}

/** The card with the board's size and a position as text. */
export class Setup {
  /** @param {{changed: Function, edit: Function}} page told of another position; begins to set one up. */
  constructor(limits, page) {
    this.limits = limits;
    this.page = page;
    this.root = byId("position-card");
    this.view = null;
    this.build();
  }

  /** Takes over the position that is shown. */
  show(view) {
    this.view = view;
    for (const key of ["width", "height", "connect"]) this.sides[key].value = view[key];
    // Not over what is being written.
    if (document.activeElement === this.text) return;
    this.error.textContent = "";
    this.text.value = state.start ? view.text : state.moves.join(view.width > 9 ? "," : "");
  }

  build() {
    this.text = h("textarea", {
      id: "board-source",
      rows: 4,
      spellcheck: "false",
      placeholder: "4453, or rows of . x o, or a YAML file's text",
    });
    this.error = h("p", { class: "notice", role: "alert", id: "board-error" });
    const side = (key) =>
      h("input", { type: "number", id: key, min: 1, max: this.limits.max_side, required: true });
    this.sides = { width: side("width"), height: side("height"), connect: side("connect") };
    this.copied = h("span", { class: "quiet", role: "status" });
    this.root.append(
      h(
        "form",
        { class: "stack", on: { submit: (event) => this.load(event) } },
        h("label", { for: "board-source" }, "A move string, a picture or YAML"),
        this.text,
        this.error,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", id: "load" }, "Show it"),
          h("button", { type: "button", id: "edit", on: { click: () => this.page.edit() } }, "Set up by clicking"),
        ),
      ),
      h(
        "form",
        { class: "row", on: { submit: (event) => this.resize(event) } },
        ...Object.entries(this.sides).map(([key, input]) =>
          h("label", { class: "small-field", for: key }, key, input),
        ),
        h("button", { type: "submit", id: "resize" }, "New board"),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", on: { click: () => this.copy(location.href, "Copied: position, game and changed weights.") } }, "Copy link"),
        h("button", { type: "button", on: { click: () => this.view && save(this.view.yaml, "board.yaml") } }, "Download board"),
        this.copied,
      ),
    );
  }

  async load(event) {
    event.preventDefault();
    const text = this.text.value;
    const moves = columnsOf(text);
    const source = moves ? { board: "", moves } : { board: text, moves: [] };
    try {
      // A move string is read as one, so that its errors are those of the command line.
      const view = await position({ ...setup([]), board: moves ? text.trim() : text });
      state.size = { width: view.width, height: view.height, connect: view.connect };
      begin(moves ? "" : view.text, source.moves);
      this.error.textContent = "";
      this.page.changed();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.error.textContent = error.message;
    }
  }

  resize(event) {
    event.preventDefault();
    state.size = Object.fromEntries(
      Object.entries(this.sides).map(([key, input]) => [key, Number(input.value)]),
    );
    begin();
    this.page.changed();
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.copied.textContent = done;
    } catch {
      this.copied.textContent = "Copy it from the address bar.";
    }
  }
}
