// The page of a class: a strategy is handed in, a tournament is played, games are looked at.

import * as api from "./api.js";
import { byId, h } from "./dom.js";

const EXAMPLE = {
  weights: "extends: default\nencodings:\n  extra: [strategy.lp]\nmoves:\n  edge: 200\n",
  rules:
    "% A strategy of your own, with its sentence.\n" +
    "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n" +
    'sentence(fires(edge), "takes {square} at the edge").\n',
};
const LOOK_MS = 1500;

const fields = ["name", "weights", "rules"].map(byId);
const kept = (name) => localStorage.getItem(`class-${name}`) ?? "";
const keep = (name, value) => localStorage.setItem(`class-${name}`, value);

for (const field of fields) {
  field.value = kept(field.id) || (EXAMPLE[field.id] ?? "");
  field.addEventListener("input", () => keep(field.id, field.value));
}

byId("hand-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, weights, rules] = fields.map((field) => field.value);
  const owner = `key-${name.trim().toLowerCase()}`;
  byId("send").disabled = true;
  byId("notice").textContent = "Your strategy is playing its first game …";
  try {
    const { key } = await api.post("class/hand-in", { name, weights, rules, key: kept(owner) });
    keep(owner, key);
    byId("notice").textContent = `Thank you, ${name}: it plays.`;
    await show();
  } catch (error) {
    byId("notice").textContent = error.message;
  } finally {
    byId("send").disabled = false;
  }
});

byId("play").addEventListener("click", async () => {
  try {
    await api.post("class/play", {});
  } catch (error) {
    byId("notice").textContent = error.message;
  }
  await show();
});

const board = (moves, text) => h("a", { href: `./#moves=${moves}` }, text);
const row = (cells, tag = "td") => h("tr", {}, ...cells.map((cell) => h(tag, {}, cell)));
const table = (heads, rows) =>
  h("table", {}, h("thead", {}, row(heads, "th")), h("tbody", {}, ...rows.map((cells) => row(cells))));
const told = { 1: "1–0", 0: "0–1", 0.5: "½–½" };

function faultsOf(name, faults) {
  const items = faults.map((fault) =>
    h(
      "li",
      {},
      `Move ${fault.ply} against ${fault.against}: column ${fault.move} is a ${fault.grade}; better ${fault.better.join(" or ")} (`,
      board(fault.moves, "see it"),
      ")",
    ),
  );
  return h("div", {}, h("h3", {}, name), h("ul", {}, ...items));
}

/** Shows what the class has; whether a tournament is being played. */
async function show() {
  let found;
  try {
    found = await api.get("class");
  } catch (error) {
    byId("notice").textContent = error.message;
    return false;
  }
  const { members, playing, table: standings = [], games = [], faults = {}, not_played: missing = [] } = found;
  byId("members").textContent = members.length ? `Handed in: ${members.join(", ")}.` : "Nobody has handed in a strategy yet.";
  byId("play").disabled = playing !== null || !members.length;
  byId("playing").textContent = playing ? `Playing: ${playing[0]} of ${playing[1]} pairs.` : missing.join(" ");
  const lines = standings.map((s) => [s.place, s.name, s.points, s.games, s.wins, s.draws, s.losses].map(String));
  byId("table").replaceChildren(...(lines.length ? [table(["", "Player", "Points", "Games", "Won", "Drawn", "Lost"], lines)] : []));
  const faulty = Object.entries(faults).filter(([, each]) => each.length);
  byId("faults-title").hidden = !faulty.length;
  byId("faults").replaceChildren(...faulty.map(([name, each]) => faultsOf(name, each)));
  const played = games.map(({ first, second, moves, points }) => [first, second, told[points], board(moves, "replay")]);
  byId("games-title").hidden = !games.length;
  byId("games").replaceChildren(...(games.length ? [table(["Began", "Answered", "", ""], played)] : []));
  return playing !== null;
}

/** Looks again and again while a tournament is being played. */
async function watch() {
  await show();
  setTimeout(watch, LOOK_MS);
}

watch();
