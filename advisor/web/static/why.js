// Why a strategy fires or a feature holds, or why not: a small button, and the answer as a tree to fold.

import { Refusal, Superseded } from "./api.js";
import { say } from "./languages.js";
import { Component, h } from "./preact.js";

const SHOWN = 12; // of a list; the others are shown on demand
const OPEN = 2; // levels that are open at first, where nothing else stands beside them

/** Answers by the names of their questions, forgotten once the position is another one. */
export class Answers {
  #about = "";
  #kept = new Map();

  /** The answer of this name: a plain object that a question fills. */
  kept(about, name) {
    if (about !== this.#about) this.#kept.clear();
    this.#about = about;
    if (!this.#kept.has(name)) this.#kept.set(name, {});
    return this.#kept.get(name);
  }
}

/** Asks, keeps what is found in `answer`, and draws each time that it changes. */
async function look(answer, ask, draw) {
  Object.assign(answer, { open: true, busy: true, refused: null, found: null });
  draw();
  try {
    answer.found = await ask();
  } catch (error) {
    if (error instanceof Refusal) answer.refused = error.message;
    else if (!(error instanceof Superseded)) throw error;
  }
  answer.busy = false;
  draw();
}

function Answer({ answer: { open, busy, refused, found }, shown }) {
  if (!open) return null;
  if (busy) return h("div", { class: "why" }, h("p", { class: "quiet", role: "status" }, say("why.looking")));
  if (refused) return h("div", { class: "why" }, h("p", { class: "notice", role: "alert" }, refused));
  return h("div", { class: "why" }, found && shown(found));
}

/**
 * A question: its button and, once somebody wants to know, its answer. `answer` keeps it; `children`
 * places both: a function of the button and the answer.
 */
export class Question extends Component {
  press() {
    const { answer, ask } = this.props;
    const draw = () => this.setState({});
    if (answer.found || answer.busy) {
      answer.open = !answer.open;
      draw();
    } else look(answer, ask, draw);
  }

  render({ label, text = say("why.why"), answer, shown = tree, children }) {
    const button = h("button", { type: "button", class: "ask-why", "aria-label": label, "aria-expanded": String(Boolean(answer.open)), onClick: () => this.press() }, text);
    return children(button, h(Answer, { answer, shown }));
  }
}

/** A question about a name that is chosen. */
export class Choice extends Component {
  render({ title, label, names, answer, ask }) {
    const chosen = this.state.chosen ?? names[0].name;
    const option = ({ name, title: about }) => h("option", { value: name, selected: name === chosen }, about ? `${name}: ${about}` : name);
    return h(
      "details",
      { class: "how" },
      h("summary", null, title),
      h(
        "div",
        { class: "row" },
        h("select", { "aria-label": label, onChange: ({ target }) => this.setState({ chosen: target.value }) }, names.map(option)),
        h("button", { type: "button", onClick: () => look(answer, () => ask(chosen), () => this.setState({})) }, say("why.why-not")),
      ),
      h(Answer, { answer, shown: tree }),
    );
  }
}

/** The answer as elements: what holds with what it rests on, or each rule with what it lacks. */
export function tree({ answer: told, atom, steps, lacks, hints }) {
  const known = new Map(steps.map((step) => [step.atom, step]));
  const [entries, Item] = steps.length ? [[steps[0]], Step] : [lacks, Lack];
  return [
    h("p", null, h("code", null, atom), ` ${told}${entries.length ? ":" : "."}`),
    entries.length ? h(List, { entries, depth: 0, Item, known }) : null,
    hints.map((hint) => h("p", null, hint)),
  ];
}

const at = ({ file, line }) => `${file}:${line}`;
const Quiet = ({ children }) => h("span", { class: "quiet" }, " ", children);

/** Why one atom holds. */
function Step({ entry: { atom, says, place, instance, notes, because }, known, depth, open }) {
  const head = [says || h("code", null, atom), h(Quiet, null, place ? at(place) : say("why.given"))];
  if (!because.length && !notes.length) return h("li", null, head);
  const parts = () => [
    h("code", { class: "rule" }, instance),
    notes.map((note) => h("p", { class: "quiet" }, note)),
    h(List, { entries: because.map((name) => known.get(name)), depth: depth + 1, Item: Step, known }),
  ];
  return h(Folded, { head, open, parts });
}

/** What one rule lacks, and below it why that fails. */
function Lack({ entry: { place, literal, reason, values, more, lacks }, depth, open }) {
  const head = [literal ? [`${say("why.lacks")} `, h("code", null, literal), `: ${reason}`] : reason, h(Quiet, null, at(place))];
  const pairs = Object.entries(values).map((pair) => pair.join("="));
  const others = more ? ` (${say("why.more-ways", { count: more })})` : "";
  const parts = () => [
    h("code", { class: "rule" }, place.rule),
    pairs.length ? h("p", { class: "quiet" }, say("why.with", { values: pairs.join(", ") }), others) : null,
    lacks.length ? h(List, { entries: lacks, depth: depth + 1, Item: Lack }) : null,
  ];
  return h(Folded, { head, open, parts });
}

/** An entry whose parts are made once it is open. */
class Folded extends Component {
  render({ head, open: first, parts }) {
    const { open = first } = this.state;
    const toggle = ({ target }) => target.open !== open && this.setState({ open: target.open });
    return h("li", null, h("details", { open, onToggle: toggle }, h("summary", null, head), open ? parts() : null));
  }
}

/** A list that ends with how many more there are where it is long. */
class List extends Component {
  render({ entries, depth, Item, known }) {
    const shown = this.state.all ? entries : entries.slice(0, SHOWN);
    const open = entries.length === 1 && depth < OPEN;
    const more = entries.length - shown.length;
    const button = () => h("button", { type: "button", class: "ask-why", onClick: () => this.setState({ all: true }) }, say("why.more", { count: more }));
    return h("ul", null, shown.map((entry) => h(Item, { entry, known, depth, open })), more ? h("li", null, button()) : null);
  }
}
