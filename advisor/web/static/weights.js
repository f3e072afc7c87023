// The weights, in groups of one kind. Changes become the text of a weights file, which the server reads.

import { Refusal, post } from "./api.js";
import { byId, h } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere } from "./game.js";
import { state } from "./state.js";

const PROGRAMS = {
  moves: ["Strategies", "What speaks for or against a move. It is added to the score of the look-ahead, at every level."],
  features: ["Features", "What a position is worth at the end of the look-ahead."],
};

/**
 * What a slider can be set to on one side of 0: every number where they are small, then steps of some
 * 6 %. It ends at ten times the usual weight, or at 1,000; the field beside it takes more.
 */
function notches(usual) {
  const top = 10 * Math.max(100, Math.abs(usual));
  const found = [0];
  while (found.at(-1) < top) {
    const last = found.at(-1);
    found.push(Math.min(top, Math.max(last + 1, Number((last * 1.06).toPrecision(2)))));
  }
  return found;
}

export class Weights {
  /** @param {Function} changed called after every change. */
  constructor(limits, changed) {
    this.limit = limits.weight_limit;
    this.usual = limits.default;
    this.changed = changed;
    this.root = byId("weights-card");
    this.preset = this.game = this.key = null; // whose weights are listed
    this.rows = [];
    this.root.addEventListener("toggle", () => this.root.open && this.load());
  }

  /** The preset's name, or the text of a weights file that extends it. */
  text() {
    const { preset, changed } = state.weights;
    if (!changed.size) return preset;
    const tree = {};
    for (const [path, value] of changed) {
      const steps = path.split(".");
      const last = steps.pop();
      let branch = tree;
      for (const step of steps) branch = branch[step] ??= {};
      branch[last] = value;
    }
    const flow = (node) =>
      typeof node === "number"
        ? String(node)
        : `{${Object.entries(node).map(([key, child]) => `${key}: ${flow(child)}`).join(", ")}}`;
    const lines = Object.entries(tree).map(([program, node]) => `${program}: ${flow(node)}`);
    return [`extends: ${preset}`, ...lines, ""].join("\n");
  }

  /** The strategies or features that have a weight, as far as they are known yet. */
  of(kind) {
    const program = { strategy: "moves", feature: "features" }[kind];
    return this.game === state.game ? this.weights.filter((weight) => weight.program === program && weight.value) : [];
  }

  /** The weights of a game have changed. */
  forget() {
    this.key = null;
  }

  async read(key, game, preset) {
    const { weights } = await post("weights", { game, weights: preset });
    if (key !== this.key) return;
    Object.assign(this, { game, preset });
    this.weights = weights.map((weight) => ({ ...weight, key: weight.path.join(".") }));
    this.draw();
  }

  /** Shows what the address says; weights there that do not exist are left out, which it returns. */
  async load() {
    if (!can("weights")) return "";
    const { preset, changed } = state.weights;
    const key = JSON.stringify([state.game, preset]);
    if (key !== this.key) Object.assign(this, { key, reading: this.read(key, state.game, preset) });
    await this.reading;
    if (key !== this.key) return ""; // others have been asked for meanwhile
    const known = new Set(this.weights.map(({ key }) => key));
    const strange = [...changed.keys()].filter((key) => !known.has(key));
    strange.forEach((key) => changed.delete(key));
    this.rows.forEach((row) => row.refresh());
    this.drawCount();
    return strange.length ? `Left out of the address: there is no weight ${strange.join(", ")} in ${preset}.` : "";
  }

  draw() {
    const preset = h(
      "select",
      { id: "preset", on: { change: (event) => this.choose(event.target.value) } },
      ...gameHere().presets.map((name) => h("option", { value: name, selected: name === this.preset }, name)),
    );
    this.error = h("p", { class: "notice", role: "alert" });
    this.search = h("input", { type: "search", id: "weight-search", placeholder: "a name or a word", on: { input: () => this.filter() } });
    this.only = h("input", { type: "checkbox", id: "weight-only", on: { change: () => this.filter() } });
    this.found = h("p", { class: "quiet", role: "status" });
    this.count = h("span", { class: "badge" });
    this.reset = h("button", { type: "button", on: { click: () => this.choose(this.preset) } }, "Reset all");
    this.rows = this.weights.map((weight) => this.row(weight));
    this.groups = Object.keys(PROGRAMS).flatMap((program) => this.groupsOf(program));
    this.sections = Object.entries(PROGRAMS).map(([program, [title, about]]) =>
      h(
        "section",
        { class: "stack", "aria-label": title },
        h("h3", {}, title),
        h("p", { class: "quiet" }, about),
        ...this.groups.filter((group) => group.program === program).map(({ element }) => element),
      ),
    );
    this.root.replaceChildren(
      h("summary", {}, h("span", {}, "Weights ", this.count)),
      h(
        "div",
        { class: "row" },
        h("label", { for: "preset" }, "Begin with"),
        preset,
        this.reset,
        h("button", { type: "button", id: "download", on: { click: () => this.download() } }, "Download YAML"),
      ),
      this.error,
      h(
        "div",
        { class: "row" },
        h("label", { for: "weight-search" }, "Search"),
        this.search,
        h("label", { class: "check" }, this.only, " changed only"),
      ),
      this.found,
      h("div", { class: "weights stack" }, ...this.sections),
    );
  }

  /** The weights of one predicate, folded where there are many. */
  groupsOf(program) {
    const rows = this.rows.filter((row) => row.program === program);
    return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, members]) => {
      const count = h("span", { class: "badge" });
      const about = members.length > 1 ? `${members.length}, such as: ${members[0].title}` : members[0].title;
      const element = h(
        "details",
        { class: "group" },
        h("summary", {}, h("code", {}, kind), h("span", { class: "quiet" }, about), count),
        ...members.map((row) => row.element),
      );
      return { program, element, members, count };
    });
  }

  row({ program, name, path, key, value, title }) {
    const id = `${program}-${name}`;
    const steps = notches(value);
    const range = h("input", { type: "range", id, min: 1 - steps.length, max: steps.length - 1 });
    const place = (weight) => {
      const next = steps.findIndex((step) => step >= Math.abs(weight));
      return Math.sign(weight) * (next < 0 ? steps.length - 1 : next);
    };
    const number = h("input", { type: "number", min: -this.limit, max: this.limit, step: 1, "aria-label": `${name}, exactly` });
    const back = h("button", { type: "button", class: "round", "aria-label": `Reset ${name} to ${value}`, title: `Reset to ${value}`, on: { click: () => set(value) } }, "↺");
    const element = h(
      "div",
      { class: "weight-row" },
      h("label", { for: id }, h("code", {}, name), h("span", { class: "quiet" }, title)),
      range,
      number,
      back,
    );
    const known = () => state.weights.changed.get(key) ?? value;
    let shown = null;
    const show = () => {
      shown = known();
      number.value = shown;
      range.value = place(shown);
      range.setAttribute("aria-valuetext", String(shown));
      element.classList.toggle("changed", shown !== value);
      back.disabled = shown === value;
    };
    // What is being typed stays as long as the weight does.
    const refresh = () => known() !== shown && show();
    const set = (next) => {
      if (next === value) state.weights.changed.delete(key);
      else state.weights.changed.set(key, next);
      show();
      this.keep();
    };
    range.addEventListener("input", () => {
      const chosen = Number(range.value);
      set(Math.sign(chosen) * steps[Math.abs(chosen)]);
    });
    number.addEventListener("change", () => {
      if (number.value !== "" && number.checkValidity()) return set(Number(number.value));
      this.error.textContent = `${name}: not a whole number from −${this.limit} to ${this.limit}; it stays ${known()}.`;
      show();
    });
    const text = `${program} ${name} ${title}`.toLowerCase();
    return { program, kind: path[1], key, title, element, refresh, text };
  }

  /** Shows the weights that hold all the words that are searched for. */
  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const narrow = words.length > 0 || this.only.checked;
    const wanted = ({ text, key }) =>
      words.every((word) => text.includes(word)) && (!this.only.checked || state.weights.changed.has(key));
    let found = 0;
    for (const { element, members } of this.groups) {
      const hits = members.filter((row) => (row.element.hidden = !wanted(row)) === false).length;
      element.hidden = !hits;
      element.open = narrow && hits > 0;
      found += hits;
    }
    for (const section of this.sections) section.hidden = !section.querySelector(".group:not([hidden])");
    this.found.textContent = narrow ? `${found} of ${this.rows.length} weights` : "";
  }

  async choose(preset) {
    state.weights = { preset, changed: new Map() };
    await this.load();
    this.keep();
  }

  keep() {
    this.error.textContent = "";
    this.drawCount();
    this.changed();
  }

  /** Says what is changed, also where the card or a group is folded. */
  drawCount() {
    const { changed } = state.weights;
    const told = (count) => (count ? `${count} changed` : "");
    const preset = this.preset === this.usual ? "" : this.preset;
    this.count.textContent = [preset, told(changed.size)].filter(Boolean).join(", ");
    for (const { members, count } of this.groups) {
      count.textContent = told(members.filter(({ key }) => changed.has(key)).length);
    }
    this.reset.disabled = !changed.size;
  }

  async download() {
    try {
      const { yaml } = await post("weights", { game: this.game, weights: this.text() });
      save(yaml, "weights.yaml");
    } catch (error) {
      if (error instanceof Refusal) this.error.textContent = error.message;
    }
  }
}
