// The weights as sliders. Changes become the text of a weights file, which the server reads.

import { Refusal, post } from "./api.js";
import { byId, h } from "./dom.js";

const STORE = "weights";
const STEPS = 300;
const GROUPS = {
  moves: ["Strategies", "What speaks for a move by itself. They decide at level 0, and between moves that look equal."],
  features: ["Features", "What a position is worth at the end of the look-ahead."],
};

export class Weights {
  /** @param {Function} changed called after every change. */
  constructor(limits, changed) {
    this.limit = limits.weight_limit;
    this.presets = limits.presets;
    this.changed = changed;
    this.root = byId("weights-card");
    // Of this tab: another one may try other weights.
    const kept = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    this.preset = this.presets.includes(kept?.preset) ? kept.preset : limits.default;
    this.values = new Map(kept?.values ?? []);
  }

  /** The preset's name, or the text of a weights file that extends it. */
  text() {
    if (!this.values.size) return this.preset;
    const tree = {};
    for (const [path, value] of this.values) {
      const steps = JSON.parse(path);
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
    return [`extends: ${this.preset}`, ...lines, ""].join("\n");
  }

  async draw() {
    const { weights } = await post("weights", { weights: this.preset });
    const preset = h(
      "select",
      { id: "preset", on: { change: (event) => this.choose(event.target.value) } },
      ...this.presets.map((name) => h("option", { value: name, selected: name === this.preset }, name)),
    );
    this.error = h("p", { class: "notice", role: "alert" });
    this.root.replaceChildren(
      h("summary", {}, "Weights"),
      h(
        "div",
        { class: "row" },
        h("label", { for: "preset" }, "Begin with"),
        preset,
        h("button", { type: "button", on: { click: () => this.choose(this.preset) } }, "Reset"),
        h("button", { type: "button", id: "download", on: { click: () => this.download() } }, "Download YAML"),
      ),
      this.error,
      ...Object.entries(GROUPS).map(([program, [title, about]]) =>
        h(
          "fieldset",
          {},
          h("legend", {}, title),
          h("p", { class: "quiet" }, about),
          ...weights.filter((weight) => weight.program === program).map((weight) => this.slider(weight)),
        ),
      ),
    );
  }

  slider({ program, name, path, value, title }) {
    const key = JSON.stringify(path);
    const known = this.values.get(key) ?? value;
    const id = `${program}-${name}`;
    const range = h("input", {
      type: "range",
      id,
      min: -STEPS,
      max: STEPS,
      value: this.toSlider(known),
      "aria-valuetext": String(known),
    });
    const number = h("input", {
      type: "number",
      min: -this.limit,
      max: this.limit,
      step: 1,
      value: known,
      "aria-label": `${name}, exactly`,
    });
    const set = (next) => {
      range.setAttribute("aria-valuetext", String(next));
      if (next === value) this.values.delete(key);
      else this.values.set(key, next);
      this.keep();
    };
    range.addEventListener("input", () => {
      number.value = this.fromSlider(Number(range.value));
      set(Number(number.value));
    });
    number.addEventListener("change", () => {
      const next = Math.max(-this.limit, Math.min(this.limit, Math.round(Number(number.value)) || 0));
      number.value = next;
      range.value = this.toSlider(next);
      set(next);
    });
    return h(
      "div",
      { class: "weight-row" },
      h("label", { for: id, title }, h("code", {}, name), h("span", { class: "quiet" }, title)),
      range,
      number,
    );
  }

  // Weights range from 1 to 100,000, so the slider is logarithmic to both sides of 0.
  toSlider(value) {
    return Math.round((Math.sign(value) * STEPS * Math.log1p(Math.abs(value))) / Math.log1p(this.limit));
  }

  fromSlider(place) {
    const size = Math.expm1((Math.abs(place) / STEPS) * Math.log1p(this.limit));
    return Math.sign(place) * Number(size.toPrecision(2 + (size >= 1e5))) | 0;
  }

  choose(preset) {
    this.preset = preset;
    this.values.clear();
    this.keep();
    this.draw();
  }

  keep() {
    sessionStorage.setItem(STORE, JSON.stringify({ preset: this.preset, values: [...this.values] }));
    this.error.textContent = "";
    this.changed();
  }

  async download() {
    try {
      const { yaml } = await post("weights", { weights: this.text() });
      save(yaml, "weights.yaml");
    } catch (error) {
      if (error instanceof Refusal) this.error.textContent = error.message;
    }
  }
}

/** Hands the user a file. */
export function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
