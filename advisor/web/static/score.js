// Scores as a narrow place, a screen reader and a bar show them.

import { h } from "./dom.js";
import { language, say } from "./languages.js";

const SIGNS = { win: "▲", loss: "▼", draw: "=" };
const RESULTS = { win: "score.win", loss: "score.loss", draw: "score.draw" };
const VERBS = { win: "score.wins", loss: "score.loses", draw: "score.draws" };

export const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));

const percent = (part) => `${Math.round(100 * part)} %`;

/** What a move is worth that is not certain: units of the weights, or the part of random games. */
const guessed = (score) => (score.value !== undefined ? signed(score.value) : score.unsure ? "?" : percent((1 + score.mean) / 2));

/** A score for a narrow place as texts: its sign, which may be left out, and its words. */
export function scoreLabel(score) {
  if (!score) return [];
  if (score.kind === "heuristic") return ["", guessed(score)];
  return [`${SIGNS[score.kind]} `, [say(RESULTS[score.kind]), score.in].filter(Boolean).join(" ")];
}

/** The same as elements. */
export function scoreParts(score) {
  const [sign, text = ""] = scoreLabel(score);
  if (!sign) return [text];
  const [word, ...number] = text.split(" ");
  return [h("span", { class: "sign" }, sign), h("span", { class: "word" }, word), number.length ? ` ${number}` : ""];
}

/** The same for a square. */
export function shortScore(score) {
  return score.kind === "heuristic" ? guessed(score).replace(" %", "") : `${SIGNS[score.kind]}${score.in ?? ""}`;
}

/** A score in a list. */
export function inWords(score) {
  if (score.kind === "heuristic") return score.unsure ? say(score.playouts ? "score.few" : "score.untried") : guessed(score);
  const kind = say(VERBS[score.kind]);
  const result = score.in ? say(score.within ? "score.within" : "score.in", { result: kind, count: score.in }) : kind;
  return score.proved ? say("score.proved", { result }) : result;
}

/** What a guess rests on, where that differs from move to move: random games. */
export const restsOn = ({ playouts }) => (playouts ? say("score.games", { count: playouts === 1 ? 1 : playouts.toLocaleString(language) }) : "");

/** A score for a screen reader. */
export function scoreWords(score, outcome) {
  if (!score) return "";
  return score.kind === "heuristic" ? (score.value === undefined ? guessed(score) : say("score.value", { value: score.value })) : outcome;
}
