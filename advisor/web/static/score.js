// Scores as a narrow place, a screen reader and a bar show them.

import { h } from "./dom.js";

const SIGNS = { win: "▲", loss: "▼", draw: "=" };

export const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

const percent = (part) => `${Math.round(100 * part)} %`;

/** What a move is worth that is not certain: units of the weights, or the part of random games. */
const guessed = (score) => (score.value !== undefined ? signed(score.value) : score.unsure ? "?" : percent((1 + score.mean) / 2));

/** A score for a narrow place as texts: its sign, which may be left out, and its words. */
export function scoreLabel(score) {
  if (!score) return [];
  if (score.kind === "heuristic") return ["", guessed(score)];
  return [`${SIGNS[score.kind]} `, score.in ? `${score.kind} ${score.in}` : score.kind];
}

/** The same as elements. */
export function scoreParts(score) {
  const [sign, text] = scoreLabel(score);
  return [sign ? h("span", { class: "sign" }, sign) : "", text ?? ""];
}

/** The same for a square. */
export function shortScore(score) {
  return score.kind === "heuristic" ? guessed(score).replace(" %", "") : `${SIGNS[score.kind]}${score.in ?? ""}`;
}

/** A score in a list. */
export function inWords(score) {
  if (score.kind === "heuristic") return score.unsure ? (score.playouts ? "too few games" : "not tried") : guessed(score);
  const result = { win: "wins", draw: "a draw", loss: "loses" }[score.kind];
  const length = score.in ? ` ${score.within ? "within" : "in"} ${score.in}` : "";
  return `${result}${length}${score.proved ? " (proved)" : ""}`;
}

/** What a guess rests on, where that differs from move to move: random games. */
export const restsOn = ({ playouts }) => (playouts ? `${playouts.toLocaleString("en")} ${playouts === 1 ? "game" : "games"}` : "");

/** A score for a screen reader. */
export function scoreWords(score, outcome) {
  if (!score) return "";
  return score.kind === "heuristic" ? (score.value === undefined ? guessed(score) : `score ${score.value}`) : outcome;
}
