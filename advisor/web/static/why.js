// Why a strategy fires or a feature holds, or why not: a small button, and the answer as a tree to fold.

import { Refusal, Superseded } from "./api.js";
import { h } from "./dom.js";

const SHOWN = 12; // of a list; the others are shown on demand
const OPEN = 2; // levels that are open at first, where nothing else stands beside them

/** Questions about a position, by their names: a card that is drawn anew shows them as they were. */
export class Questions {
  #about = "";
  #kept = new Map();

  /** What was made for a question of this name; nothing is left of those about another position. */
  kept(about, name, make) {
    if (about !== this.#about) this.#kept.clear();
    this.#about = about;
    if (!this.#kept.has(name)) this.#kept.set(name, make());
    return this.#kept.get(name);
  }
}

/**
 * The button of a question, and the place of its answer; `ask` sends it once somebody wants to know.
 * `text` stands on the button, and `shown` makes elements of the answer.
 */
export function question(label, ask, { text = "why?", shown = tree } = {}) {
  const place = h("div", { class: "why", hidden: true });
  const button = h("button", { type: "button", class: "ask-why", "aria-label": label, "aria-expanded": "false" }, text);
  let begun = false;
  button.addEventListener("click", () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    if (begun) return;
    begun = true;
    answer(place, ask, shown).then((found) => (begun = found));
  });
  return { button, place };
}

/** A question about a name that is chosen. */
export function choice(kind, names, ask) {
  const place = h("div", { class: "why", hidden: true });
  const option = ({ name, title }) => h("option", { value: name }, title ? `${name}: ${title}` : name);
  const chosen = h("select", { "aria-label": `Another ${kind}` }, ...names.map(option));
  const look = () => {
    place.hidden = false;
    answer(place, () => ask(chosen.value));
  };
  const button = h("button", { type: "button", on: { click: look } }, "Why not?");
  return h("details", { class: "how" }, h("summary", {}, `Why no other ${kind}?`), h("div", { class: "row" }, chosen, button), place);
}

/** Asks, and shows what is found in a place; tells whether there is an answer. */
export async function answer(place, ask, shown = tree) {
  place.replaceChildren(h("p", { class: "quiet", role: "status" }, "Looking …"));
  try {
    place.replaceChildren(...shown(await ask()));
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    if (!(error instanceof Refusal)) throw error;
    place.replaceChildren(h("p", { class: "notice", role: "alert" }, error.message));
    return false;
  }
}

/** The answer as elements: what holds with what it rests on, or each rule with what it lacks. */
export function tree({ answer: told, atom, steps, lacks, hints }) {
  const title = h("p", {}, h("code", {}, atom), ` ${told}${steps.length || lacks.length ? ":" : "."}`);
  const known = new Map(steps.map((step) => [step.atom, step]));
  const parts = steps.length ? [list([steps[0]], 0, stepItem(known))] : lacks.length ? [list(lacks, 0, lackItem)] : [];
  return [title, ...parts, ...hints.map((hint) => h("p", {}, hint))];
}

/** Why one atom holds. */
const stepItem = (known) => (step, depth, open) => {
  const head = [step.says ? step.says : h("code", {}, step.atom), placed(step.place ? at(step.place) : "given")];
  if (!step.because.length && !step.notes.length) return h("li", {}, ...head);
  return folded(head, open, () => [
    h("code", { class: "rule" }, step.instance),
    ...step.notes.map((note) => h("p", { class: "quiet" }, note)),
    list(step.because.map((name) => known.get(name)), depth + 1, stepItem(known)),
  ]);
};

/** What one rule lacks, and below it why that fails. */
function lackItem({ place, literal, reason, values, more, lacks }, depth, open) {
  const head = literal ? ["lacks ", h("code", {}, literal), `: ${reason}`] : [reason];
  const known = Object.entries(values).map((pair) => pair.join("=")).join(", ");
  const others = more ? ` (and ${more} other ${more > 1 ? "ways" : "way"})` : "";
  return folded([...head, placed(at(place))], open, () => [
    h("code", { class: "rule" }, place.rule),
    known ? h("p", { class: "quiet" }, `with ${known}${others}`) : null,
    lacks.length ? list(lacks, depth + 1, lackItem) : null,
  ]);
}

const at = ({ file, line }) => `${file}:${line}`;
const placed = (text) => h("span", { class: "quiet" }, ` ${text}`);

/** An entry whose parts are made once it is open. */
function folded(head, open, parts) {
  const details = h("details", {}, h("summary", {}, ...head));
  const fill = () => details.childElementCount > 1 || details.append(...parts().filter(Boolean));
  details.addEventListener("toggle", () => details.open && fill());
  details.open = open;
  if (open) fill();
  return h("li", {}, details);
}

/** A list; `make` learns whether an entry is open. A long list ends with how many more there are. */
function list(entries, depth, make) {
  const items = (some) => some.map((each) => make(each, depth, entries.length === 1 && depth < OPEN));
  const all = h("ul", {}, ...items(entries.slice(0, SHOWN)));
  const others = entries.slice(SHOWN);
  if (!others.length) return all;
  const more = h("li", {}, h("button", { type: "button", class: "ask-why", on: { click: () => more.replaceWith(...items(others)) } }, `and ${others.length} more`));
  all.append(more);
  return all;
}
