// The page of a class: a strategy is handed in, a tournament is played, games are looked at.

import * as api from "./api.js";
import { byId, h, mounted } from "./dom.js";
import { h as drawn } from "./preact.js";
import * as owner from "./owner.js";
import { Question } from "./why.js";

const EXAMPLE = {
  weights: "extends: default\nencodings:\n  extra: [strategy.lp]\nmoves:\n  edge: 200\n",
  rules:
    "% A strategy of your own, with its sentence.\n" +
    "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n" +
    'sentence(fires(edge), "takes {square} at the edge").\n',
};
const LOOK_MS = 1500;

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
  const items = fires.map(({ strategy, why }) => {
    const fired = why.answer === "holds";
    const asked = drawn(Question, { label: `Why ${strategy}?`, answer: {}, ask: async () => why }, (button, answer) => [button, answer]);
    return h("li", {}, h("code", {}, strategy), ` ${fired ? "fires" : "does not fire"} in `, board(example, "the example position"), ". ", mounted(asked));
  });
  byId("example").replaceChildren(...items);
}

function say(text, good = false) {
  byId("notice").textContent = text;
  byId("notice").classList.toggle("good", good);
}

byId("hand-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, weights, rules] = fields.map((field) => field.value);
  byId("send").disabled = true;
  byId("example").replaceChildren();
  say("Your strategy is playing its first games …", true);
  try {
    // One key for all names, so that no two spellings of one have to be known as the same.
    const taken = await api.post("class/hand-in", { name, weights, rules, key: ownKey() });
    say(`Thank you, ${name}: it plays.`, true);
    showExample(taken);
    await show();
  } catch (error) {
    say(error.message);
  } finally {
    byId("send").disabled = false;
  }
});

/** Asks for what only the owner of the class may do. */
async function command(path, more = {}) {
  try {
    await api.post(`class/${path}`, { key: owner.key(), ...more });
    say("");
  } catch (error) {
    say(error.message);
  }
  await show();
}

byId("play").addEventListener("click", () => command("play"));
byId("stop").addEventListener("click", () => command("stop"));
byId("freeze").addEventListener("click", () => command("freeze", { frozen: !last.frozen }));

const board = (moves, text) => h("a", { href: `./#moves=${moves}` }, text);
const row = (cells, tag = "td") => h("tr", {}, ...cells.map((cell) => h(cell === "" ? "td" : tag, {}, cell)));
const table = (heads, rows) =>
  h("table", {}, h("thead", {}, row(heads, "th")), h("tbody", {}, ...rows.map((cells) => row(cells))));
const told = { 1: "1–0", 0: "0–1", 0.5: "½–½" };

function faultsOf(name, faults) {
  const items = faults.map((fault) =>
    h(
      "li",
      {},
      `Move ${fault.ply} against ${fault.against}: column ${fault.move} is ${fault.grade === "inaccuracy" ? "an" : "a"} ${fault.grade}; better ${fault.better.join(" or ")} (`,
      board(fault.moves, "see it"),
      ")",
    ),
  );
  return h("div", {}, h("h3", {}, name), h("ul", {}, ...items));
}

const stage = ([over, all]) =>
  over < all ? `Playing: ${over} of ${all} games are over.` : "All games played; reviewing lost games …";

const last = {};

/** Shows the class as it is now; only what has changed, or focus and clicks would be lost. */
async function show() {
  let found;
  try {
    found = await api.get("class");
  } catch (error) {
    return say(error.message);
  }
  const { members, playing, frozen, ...results } = found;
  last.frozen = frozen;
  for (const [draw, value] of [[showState, { members, playing, frozen }], [showResults, results]]) {
    const text = JSON.stringify(value);
    if (last[draw.name] !== text) draw(value);
    last[draw.name] = text;
  }
}

function showState({ members, playing, frozen }) {
  byId("members").textContent = members.length ? `Handed in: ${members.join(", ")}.` : "Nobody has handed in a strategy yet.";
  byId("owner").hidden = !owner.key();
  byId("play").disabled = playing !== null || !members.length;
  byId("stop").disabled = playing === null;
  byId("freeze").setAttribute("aria-pressed", String(frozen));
  byId("send").hidden = frozen;
  byId("closed").hidden = !frozen;
  byId("playing").textContent = playing ? stage(playing) : "";
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function showResults({ table: standings = [], games = [], faults = {}, left_out: leftOut = {}, not_played: missing = 0 }) {
  const heads = ["", "Player", "Share", "Points", "Games", "Won", "Drawn", "Lost"];
  const lines = standings.map((s) => [s.place, s.name, percent(s.share), s.points, s.games, s.wins, s.draws, s.losses].map(String));
  byId("table").replaceChildren(...(lines.length ? [table(heads, lines)] : []));
  const errors = games.flatMap(({ error }) => error ?? []);
  const notes = [
    ...new Set(errors),
    ...Object.keys(leftOut).map((name) => `${name} is left out after two failures and loses its other games.`),
    ...(missing ? [`The tournament ended before its last ${missing} games.`] : []),
  ];
  byId("missing").replaceChildren(...notes.map((each) => h("li", {}, each)));
  const faulty = Object.entries(faults).filter(([, each]) => each.length);
  byId("faults-title").hidden = !faulty.length;
  byId("faults").replaceChildren(...faulty.map(([name, each]) => faultsOf(name, each)));
  const played = games.map(({ first, second, moves, points }) => [first, second, told[points], board(moves, "replay")]);
  byId("games-title").hidden = !games.length;
  byId("games").replaceChildren(...(games.length ? [table(["Began", "Answered", "", ""], played)] : []));
}

/** Looks again and again: others hand in, and play. */
async function watch() {
  await show();
  setTimeout(watch, LOOK_MS);
}

watch();
