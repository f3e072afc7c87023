// The page of a class's teacher: who has handed in what, and the tournament.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { saveBytes } from "./files.js";
import { say, translate } from "./languages.js";
import * as owner from "./owner.js";
import { button } from "./parts.js";
import { h, render } from "./preact.js";
import { Results, table, when } from "./results.js";

const LOOK_MS = 1500;

const results = new Results();
let state = null; // of the class

const tell = (text) => (byId("notice").textContent = text);

/** Asks for what only the owner of the class may do; the answer, undefined if it is refused. */
async function command(path, more = {}) {
  try {
    const found = await api.post(`class/${path}`, { key: owner.key(), ...more });
    tell("");
    return found;
  } catch (error) {
    tell(error.message);
    return undefined;
  }
}

/** The same, and shows the class after it. */
async function change(path, more = {}) {
  await command(path, more);
  await show();
}

const number = (id) => Number(byId(id).value);

byId("tournament").addEventListener("submit", (event) => {
  event.preventDefault();
  change("play", { depth: number("depth"), openings: number("openings"), rounds: number("rounds") });
});
byId("stop").addEventListener("click", () => change("stop"));
byId("freeze").addEventListener("click", () => change("freeze", { frozen: !state.frozen }));
byId("deadline").addEventListener("submit", (event) => {
  event.preventDefault();
  change("freeze", { frozen: true, at: new Date(byId("at").value).toISOString() });
});
byId("reset").addEventListener("click", () => confirm(say("teacher.sure-all")) && change("reset"));
for (const kind of ["csv", "zip"]) {
  byId(kind).addEventListener("click", async () => {
    const file = await command("export", { kind });
    if (file) saveBytes(Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0)), file.name);
  });
}

/** What the teacher should know of a student. */
function remarks({ time, plays, error, same_text: sameText, same_moves: sameMoves }) {
  const names = (list) => list.join(", ");
  return [
    time === null && !plays && say("teacher.missing"),
    error && say("teacher.refused", { error }),
    sameText.length && say("teacher.same-text", { names: names(sameText) }),
    sameMoves.length && say("teacher.same-moves", { names: names(sameMoves) }),
  ]
    .filter(Boolean)
    .map((text) => h("p", { key: text }, text));
}

function showStudents({ students, checking }) {
  byId("checking").textContent = checking ? say("teacher.checking", { count: checking }) : "";
  const listed = students.some(({ code }) => code);
  const heads = [say("class.player"), ...(listed ? [say("teacher.code")] : []), say("teacher.remarks"), say("teacher.last"), say("teacher.versions"), ""];
  const rows = students.map((student) => {
    const { name, code, time, versions, tries } = student;
    const acts = h(
      "div",
      { class: "row" },
      button(say("teacher.show"), () => showTexts(name), { disabled: !tries, "aria-label": say("teacher.show-of", { name }) }),
      button(say("teacher.reset"), () => confirm(say("teacher.sure", { name })) && change("reset", { name }), { "aria-label": say("teacher.reset-of", { name }) }),
    );
    return [name, ...(listed ? [h("code", null, code)] : []), remarks(student), time ? when(time) : "", `${versions} / ${tries}`, acts];
  });
  render(rows.length ? table(heads, rows) : say("class.nobody"), byId("students"));
}

/** The texts that a student has sent, the newest first. */
async function showTexts(name) {
  const found = await command("versions", { name });
  if (!found) return;
  const version = ({ number: count, time, error, weights, rules }, i) =>
    h(
      "details",
      { key: count, open: i === 0 },
      h("summary", null, say("teacher.version", { number: count, time: when(time) })),
      error && h("p", null, say("teacher.refused", { error })),
      h("pre", { tabIndex: 0 }, weights),
      rules && h("pre", { tabIndex: 0 }, rules),
    );
  render([h("h2", null, name), ...found.versions.map(version)], byId("texts"));
  byId("texts").focus();
}

/** Shows the class as it is now. */
async function show() {
  if (!owner.key()) return tell(say("teacher.no-key"));
  try {
    state = await api.get("class");
    const { playing, frozen, until, members } = state;
    byId("play").disabled = playing !== null || !members.length;
    byId("stop").disabled = playing === null;
    byId("freeze").setAttribute("aria-pressed", String(frozen));
    byId("until").textContent = until ? say(frozen ? "teacher.was-until" : "class.until", { time: when(until) }) : "";
    const found = await api.post("class/overview", { key: owner.key() });
    showStudents(found);
    await results.update(state);
  } catch (error) {
    tell(error.message);
  }
}

/** Looks again and again: students hand in, and strategies play. */
async function watch() {
  await show();
  setTimeout(watch, LOOK_MS);
}

translate();
watch();
