// Who may still castle, where a position of chess is set up: a box for each right that its pieces allow.

import { say } from "./languages.js";
import { h } from "./preact.js";

const RIGHTS = "KQkq";
const FEN = /^((?:[pnbrqk1-8]+\/){7}[pnbrqk1-8]+) ([wb]) (-|K?Q?k?q?) (.+)$/i;
const HOMES = { K: [7, 4, 7, "K", "R"], Q: [7, 4, 0, "K", "R"], k: [0, 4, 7, "k", "r"], q: [0, 4, 0, "k", "r"] }; // the rank from the top, files of king and rook

/** The rights that the pieces of a position allow, each with whether it is held; none of another game. */
function rightsOf(fen) {
  const [, pieces, , held] = FEN.exec(fen ?? "") ?? [];
  if (!pieces) return [];
  const rows = pieces.split("/").map((row) => row.replace(/\d/g, (count) => ".".repeat(Number(count))));
  const allowed = [...RIGHTS].filter((right) => {
    const [rank, king, rook, own, tower] = HOMES[right];
    return rows[rank][king] === own && rows[rank][rook] === tower;
  });
  return allowed.map((right) => ({ right, held: held.includes(right) }));
}

/** The position with a right given or taken. */
function withRight(fen, right, given) {
  const [, pieces, turn, held, rest] = FEN.exec(fen);
  const left = [...RIGHTS].filter((each) => (each === right ? given : held.includes(each))).join("");
  return [pieces, turn, left || "-", rest].join(" ");
}

/** A row of boxes for the rights in a position, null where there are none; `change` is told of another position. */
export function castlingBoxes(fen, change) {
  const rights = rightsOf(fen);
  if (!rights.length) return null;
  const names = { K: say("castling.white-short"), Q: say("castling.white-long"), k: say("castling.black-short"), q: say("castling.black-long") };
  const box = ({ right, held }) => h("label", { class: "check", key: right }, h("input", { type: "checkbox", "data-right": right, checked: held, onChange: ({ target }) => change(withRight(fen, right, target.checked)) }), ` ${names[right]}`);
  return h("div", { class: "row", role: "group", "aria-label": say("castling.title") }, h("span", { class: "quiet" }, say("castling.title")), rights.map(box));
}
