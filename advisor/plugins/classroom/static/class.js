// The page of a class: a strategy is handed in, a tournament is followed, games are looked at.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { say, translate } from "./languages.js";
import { h, render } from "./preact.js";
import { Results, board, when } from "./results.js";
import { Question } from "./why.js";

const EXAMPLE = {
  weights: "extends: default\nencodings:\n  extra: [strategy.lp]\nmoves:\n  edge: 200\n",
  rules:
    "% A strategy of your own, with its sentence.\n" +
    "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n" +
    'sentence(fires(edge), "takes {square} at the edge").\n',
};
const OTHER_EXAMPLE = { weights: "extends: default\n", rules: "" };
const LOOK_MS = 1500;
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"; // of codes: no two look alike

const fields = ["name", "code", "weights", "rules"].map(byId);
const kept = (name) => localStorage.getItem(`class-${name}`);
const keep = (name, value) => localStorage.setItem(`class-${name}`, value);
const results = new Results();
let state = null; // of the class; null before the first answer

for (const field of fields) field.addEventListener("input", () => keep(field.id, field.value));

/** A code of this browser. It is kept before it is used, so that no lost answer loses a name. */
function makeCode() {
  const letters = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
  return letters.match(/.{4}/g).join("-");
}

/** Fills the fields as they were left; what there is to start with depends on the class. */
function fill() {
  const example = state.game === "connect4" ? EXAMPLE : OTHER_EXAMPLE;
  // Browsers that have handed in before codes were shown have a key.
  if (!state.listed && !kept("code")) keep("code", kept("key") ?? makeCode());
  for (const field of fields) field.value = kept(field.id) ?? example[field.id] ?? "";
  byId("code-note").textContent = say(state.listed ? "class.code-listed" : "class.code-note");
}

/** Where the strategies of the rules fire in the example position, and why the others do not. */
function showExample({ example, fires }) {
  const item = ({ strategy, why }) => {
    const told = say(why.answer === "holds" ? "class.fires" : "class.silent");
    const said = [h("code", null, strategy), ` ${told} `, board(state.game, example, say("class.example")), ". "];
    const question = { label: say("class.why", { strategy }), answer: {}, ask: async () => why };
    return h("li", null, said, h(Question, question, (button, answer) => [button, answer]));
  };
  render(fires.map(item), byId("example"));
}

function tell(text, good = false) {
  byId("notice").textContent = text;
  byId("notice").classList.toggle("good", good);
}

byId("hand-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, key, weights, rules] = fields.map((field) => field.value);
  byId("send").disabled = true;
  render(null, byId("example"));
  tell(say("class.playing"), true);
  try {
    // One code for all names, so that no two spellings of one have to be known as the same.
    const taken = await api.followed("class/hand-in", { name, weights, rules, key }, (note) => tell(note, true));
    tell(say("class.thanks", { name }), true);
    showExample(taken);
    await show();
  } catch (error) {
    tell(error.message);
  } finally {
    byId("send").disabled = false;
    await showMine();
  }
});

/** What was handed in with the code in the field. */
const mine = () => api.post("class/mine", { key: byId("code").value });

/** Says what was handed in last, also after this page was closed amid the check. */
async function showMine() {
  if (byId("code").value.length < 8) return render(null, byId("mine"));
  try {
    const { strategies, checking, ahead } = await mine();
    const told = strategies.map(({ name, time, error, versions }) => (error ? say("class.refused", { name, time: when(time), error }) : say("class.mine", { name, time: when(time), versions })));
    if (checking) told.push(ahead ? say("class.waiting", { count: ahead }) : say("class.checking"));
    render(told.map((text) => h("li", null, text)), byId("mine"));
    if (checking) setTimeout(showMine, LOOK_MS);
  } catch (error) {
    tell(error.message);
  }
}

byId("fetch").addEventListener("click", async () => {
  try {
    const { strategies } = await mine();
    const last = strategies.sort((a, b) => a.time.localeCompare(b.time)).at(-1);
    if (!last) return tell(say("class.nothing"));
    for (const field of fields) if (field.id in last) keep(field.id, (field.value = last[field.id]));
    tell(say("class.fetched", { name: last.name }), true);
  } catch (error) {
    tell(error.message);
  }
});

byId("code").addEventListener("change", showMine);

/** Shows the class as it is now. */
async function show() {
  try {
    const first = state === null;
    state = await api.get("class");
    if (first) {
      fill();
      showMine();
    }
    showState(state);
    await results.update(state);
  } catch (error) {
    tell(error.message);
  }
}

function showState({ members, frozen, until }) {
  byId("members").textContent = members.length ? say("class.members", { names: members.join(", ") }) : say("class.nobody");
  byId("send").hidden = frozen;
  byId("closed").hidden = !frozen;
  byId("until").textContent = until && !frozen ? say("class.until", { time: when(until) }) : "";
}

/** Looks again and again: others hand in, and play. */
async function watch() {
  await show();
  setTimeout(watch, LOOK_MS);
}

translate();
watch();
