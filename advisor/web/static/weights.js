// The weights, in groups of one kind. Changes become the text of a weights file, which the server reads.

import { Refusal, post } from "./api.js";
import { byId } from "./dom.js";
import { save } from "./files.js";
import { can, current as gameHere } from "./game.js";
import { language, say } from "./languages.js";
import { button, quiet } from "./parts.js";
import { Component, h, render } from "./preact.js";
import { state } from "./state.js";

const PROGRAMS = {
  moves: ["weights.strategies", "weights.of-moves"],
  features: ["weights.features", "weights.of-positions"],
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

/** A weight: its name, a slider and a field. What is typed into the field stays until the weight changes. */
class Weight extends Component {
  steps = notches(this.props.weight.value);

  shouldComponentUpdate({ now, hidden }) {
    return now !== this.props.now || hidden !== this.props.hidden;
  }

  render({ weight, now, hidden, limit, set, refuse }) {
    const { program, name, value, title } = weight;
    const { steps } = this;
    const id = `${program}-${name}`;
    const next = steps.findIndex((step) => step >= Math.abs(now));
    const place = Math.sign(now) * (next < 0 ? steps.length - 1 : next);
    const slide = ({ target }) => set(Math.sign(target.valueAsNumber) * steps[Math.abs(target.valueAsNumber)]);
    const enter = ({ target }) => {
      if (target.value !== "" && target.checkValidity()) return set(Number(target.value));
      refuse(name, now);
      target.value = now;
    };
    const back = () => {
      set(value);
      byId(id).focus(); // the button is out of sight now
    };
    return h(
      "div",
      { class: now === value ? "weight-row" : "weight-row changed", hidden },
      h("label", { for: id }, h("code", null, name), h("span", { class: "quiet" }, title)),
      h("input", { type: "range", id, min: 1 - steps.length, max: steps.length - 1, value: place, "aria-valuetext": now, onInput: slide }),
      h("input", { type: "number", min: -limit, max: limit, step: 1, value: now, "aria-label": say("weights.exactly", { name }), onChange: enter }),
      button("↺", back, {
        class: "round",
        disabled: now === value,
        "aria-label": say("weights.reset", { name, value }),
        title: say("weights.reset-to", { value }),
      }),
    );
  }
}

export class Weights {
  preset = null; // whose weights are listed
  game = null;
  key = null;
  reading = null; // a promise of them
  weights = [];
  error = "";
  words = ""; // that are searched for
  only = false; // whether no others than those that are changed are listed

  /** @param {Function} changed called after every change. */
  constructor(limits, changed) {
    this.limit = limits.weight_limit;
    this.usual = limits.default;
    this.changed = changed;
    this.root = byId("weights-card");
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
    const { weights } = await post("weights", { game, weights: preset, language });
    if (key !== this.key) return;
    const named = (weight) => ({ ...weight, key: weight.path.join("."), text: `${weight.program} ${weight.name} ${weight.title}`.toLowerCase() });
    Object.assign(this, { game, preset, weights: weights.map(named), error: "", words: "", only: false });
  }

  /** Shows what the address says; weights there that do not exist are left out, which it returns. */
  async load() {
    if (!can("weights")) return "";
    const { preset, changed } = state.weights;
    const key = JSON.stringify([state.game, preset]);
    if (key !== this.key) Object.assign(this, { key, reading: this.read(key, state.game, preset) });
    await this.reading;
    if (key !== this.key) return ""; // others have been asked for meanwhile
    const known = new Set(this.weights.map((weight) => weight.key));
    const strange = [...changed.keys()].filter((path) => !known.has(path));
    strange.forEach((path) => changed.delete(path));
    this.draw();
    return strange.length ? say("weights.strange", { names: strange.join(", "), preset }) : "";
  }

  draw() {
    const { changed } = state.weights;
    const told = (count) => (count ? say("weights.changed", { count }) : "");
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const narrow = words.length > 0 || this.only;
    const wanted = ({ text, key }) => words.every((word) => text.includes(word)) && (!this.only || changed.has(key));
    const found = this.weights.filter(wanted).length;
    const row = (weight) =>
      h(Weight, {
        key: `${this.key} ${weight.key}`,
        weight,
        now: changed.get(weight.key) ?? weight.value,
        hidden: !wanted(weight),
        limit: this.limit,
        set: (value) => this.set(weight, value),
        refuse: (name, now) => this.refuse(say("weights.not-whole", { name, limit: this.limit, now })),
      });
    const group = ([kind, members]) => {
      const about = members.length > 1 ? say("weights.such-as", { count: members.length, title: members[0].title }) : members[0].title;
      const hidden = !members.some(wanted);
      return h(
        "details",
        { class: "group", key: `${this.key} ${kind}`, hidden, open: narrow && !hidden },
        h("summary", null, h("code", null, kind), h("span", { class: "quiet" }, about), h("span", { class: "badge" }, told(members.filter(({ key }) => changed.has(key)).length))),
        members.map(row),
      );
    };
    const section = ([program, [title, about]]) => {
      const own = this.weights.filter((weight) => weight.program === program);
      const attributes = { class: "stack", "aria-label": say(title), hidden: !own.some(wanted) };
      return h("section", attributes, h("h3", null, say(title)), quiet(say(about)), [...Map.groupBy(own, ({ path }) => path[1])].map(group));
    };
    const count = [this.preset === this.usual ? "" : this.preset, told(changed.size)].filter(Boolean).join(", ");
    const parts = [
      h("summary", null, h("span", null, `${say("page.weights")} `, h("span", { class: "badge" }, count))),
      h(
        "div",
        { class: "row" },
        h("label", { for: "preset" }, say("weights.begin")),
        h(
          "select",
          { id: "preset", value: this.preset, onChange: ({ target }) => this.choose(target.value) },
          gameHere().presets.map((name) => h("option", { value: name }, name)),
        ),
        button(say("weights.reset-all"), () => this.choose(this.preset), { idle: !changed.size }),
        button(say("weights.download"), () => this.download(), { id: "download" }),
      ),
      h("p", { class: "notice", role: "alert" }, this.error),
      h(
        "div",
        { class: "row" },
        h("label", { for: "weight-search" }, say("weights.search")),
        h("input", { type: "search", id: "weight-search", placeholder: say("weights.words"), value: this.words, onInput: ({ target }) => this.narrow({ words: target.value }) }),
        h("label", { class: "check" }, h("input", { type: "checkbox", id: "weight-only", checked: this.only, onChange: ({ target }) => this.narrow({ only: target.checked }) }), ` ${say("weights.only")}`),
      ),
      quiet(narrow ? say("weights.found", { found, count: this.weights.length }) : "", { role: "status" }),
      h("div", { class: "weights stack" }, Object.entries(PROGRAMS).map(section)),
    ];
    render(parts, this.root);
  }

  /** Shows the weights that hold all the words that are searched for, or only what is changed. */
  narrow(by) {
    Object.assign(this, by);
    this.draw();
  }

  async choose(preset) {
    state.weights = { preset, changed: new Map() };
    await this.load();
    this.keep();
  }

  set({ key, value: usual }, value) {
    if (value === usual) state.weights.changed.delete(key);
    else state.weights.changed.set(key, value);
    this.keep();
  }

  keep() {
    this.refuse("");
    this.changed();
  }

  /** Shows what is wrong, an empty text for nothing. */
  refuse(error) {
    this.error = error;
    this.draw();
  }

  async download() {
    try {
      const { yaml } = await post("weights", { game: this.game, weights: this.text() });
      save(yaml, "weights.yaml");
    } catch (error) {
      if (error instanceof Refusal) this.refuse(error.message);
    }
  }
}
