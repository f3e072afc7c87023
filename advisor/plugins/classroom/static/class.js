// The page of a class: a strategy is handed in, a tournament is played, games are looked at.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { ERRORS } from "./grades.js";
import { either, say, translate } from "./languages.js";
import * as owner from "./owner.js";
import { h, render } from "./preact.js";
import { Question } from "./why.js";

const EXAMPLE = {
  weights: "extends: default\nencodings:\n  extra: [strategy.lp]\nmoves:\n  edge: 200\n",
  rules:
    "% A strategy of your own, with its sentence.\n" +
    "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n" +
    'sentence(fires(edge), "takes {square} at the edge").\n',
};
const LOOK_MS = 1500;
const RESULTS = { 1: "1–0", 0: "0–1", 0.5: "½–½" };

const fields = ["name", "weights", "rules"].map(byId);
const kept = (name) => localStorage.getItem(`class-${name}`);
const keep = (name, value) => localStorage.setItem(`class-${name}`, value);

/** The key of this browser's names. It is kept before it is used, so that no lost answer loses a name. */
function ownKey() {
  if (!kept("key")) keep("key", api.random(16));
  return kept("key");
}

for (const field of fields) {
  field.value = kept(field.id) ?? EXAMPLE[field.id] ?? "";
  field.addEventListener("input", () => keep(field.id, field.value));
}

/** Where the strategies of the rules fire in the example position, and why the others do not. */
function showExample({ example, fires }) {
  const item = ({ strategy, why }) => {
    const told = say(why.answer === "holds" ? "class.fires" : "class.silent");
    const said = [h("code", null, strategy), ` ${told} `, board(example, say("class.example")), ". "];
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
  const [name, weights, rules] = fields.map((field) => field.value);
  byId("send").disabled = true;
  render(null, byId("example"));
  tell(say("class.playing"), true);
  try {
    // One key for all names, so that no two spellings of one have to be known as the same.
    const taken = await api.post("class/hand-in", { name, weights, rules, key: ownKey() });
    tell(say("class.thanks", { name }), true);
    showExample(taken);
    await show();
  } catch (error) {
    tell(error.message);
  } finally {
    byId("send").disabled = false;
  }
});

/** Asks for what only the owner of the class may do. */
async function command(path, more = {}) {
  try {
    await api.post(`class/${path}`, { key: owner.key(), ...more });
    tell("");
  } catch (error) {
    tell(error.message);
  }
  await show();
}

let frozen = false; // whether the class takes no more strategies

byId("play").addEventListener("click", () => command("play"));
byId("stop").addEventListener("click", () => command("stop"));
byId("freeze").addEventListener("click", () => command("freeze", { frozen: !frozen }));

const board = (moves, text) => h("a", { href: `./#moves=${moves}` }, text);
const row = (cells, tag = "td") => h("tr", null, cells.map((cell) => h(cell === "" ? "td" : tag, null, cell)));
const table = (heads, rows) => h("table", null, h("thead", null, row(heads, "th")), h("tbody", null, rows.map((cells) => row(cells))));

function faultsOf([name, faults]) {
  const item = ({ ply, against, move, grade, better, moves }) => {
    const told = say("class.fault", { ply, against, move, grade: say(ERRORS[grade]), better: either(better.map(String)) });
    return h("li", null, `${told} (`, board(moves, say("class.see")), ")");
  };
  return h("div", null, h("h3", null, name), h("ul", null, faults.map(item)));
}

/** Shows the class as it is now. */
async function show() {
  try {
    const { members, playing, ...results } = await api.get("class");
    frozen = results.frozen;
    showState(members, playing);
    showResults(results);
  } catch (error) {
    tell(error.message);
  }
}

function showState(members, playing) {
  byId("members").textContent = members.length ? say("class.members", { names: members.join(", ") }) : say("class.nobody");
  byId("owner").hidden = !owner.key();
  byId("play").disabled = playing !== null || !members.length;
  byId("stop").disabled = playing === null;
  byId("freeze").setAttribute("aria-pressed", String(frozen));
  byId("send").hidden = frozen;
  byId("closed").hidden = !frozen;
  const [over, all] = playing ?? [];
  byId("playing").textContent = playing ? (over < all ? say("class.stage", { over, all }) : say("class.reviewing")) : "";
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function showResults({ table: standings = [], games = [], faults = {}, left_out: leftOut = {}, not_played: count = 0 }) {
  const heads = ["", say("class.player"), say("class.share"), say("class.points"), say("class.games"), say("class.won"), say("class.drawn"), say("class.lost")];
  const lines = standings.map((s) => [s.place, s.name, percent(s.share), s.points, s.games, s.wins, s.draws, s.losses]);
  render(lines.length ? table(heads, lines) : null, byId("table"));
  const notes = [
    ...new Set(games.flatMap(({ error }) => error ?? [])),
    ...Object.keys(leftOut).map((name) => say("class.left-out", { name })),
    ...(count ? [say("class.ended", { count })] : []),
  ];
  render(notes.map((note) => h("li", null, note)), byId("missing"));
  const faulty = Object.entries(faults).filter(([, each]) => each.length);
  byId("faults-title").hidden = !faulty.length;
  render(faulty.map(faultsOf), byId("faults"));
  const played = games.map(({ first, second, moves, points }) => [first, second, RESULTS[points], board(moves, say("class.replay"))]);
  byId("games-title").hidden = !games.length;
  render(games.length ? table([say("class.began"), say("class.answered"), "", ""], played) : null, byId("games"));
}

/** Looks again and again: others hand in, and play. */
async function watch() {
  await show();
  setTimeout(watch, LOOK_MS);
}

translate();
watch();
