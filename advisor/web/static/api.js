// The server's JSON interface: every request of the page, each written once. `transport.js` sends them.

import * as transport from "./transport.js";
import { Refusal, Superseded, get, post } from "./transport.js";

/** Random hexadecimal digits, two a byte. */
export const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// One name a tab: the server drops the older requests of the same client.
const client = random(12);

/** @param {string} path @param {Object} request @param {?AbortSignal} signal @param {(reached: any) => void} [onProgress] */
const streamed = (path, request, signal, onProgress) => transport.streamed(path, { ...request, client }, signal, onProgress);

/** The position after some moves: how to draw it and what can be played. */
export const position = (setup, signal = null) => transport.streamed("position", setup, signal);

/** A position with other things on some squares, and what may stand on them. */
export const setUp = (request, signal = null) => post("setup", request, signal);

/** A game with its variations and comments, from its text. */
export const tree = (request, signal = null) => post("tree", request, signal);

/** Such a game as a file, and its moves' names. */
export const record = (request, signal = null) => post("record", request, signal);

/** How a try at a puzzle stands. */
export const attempt = (id, game, moves, signal) =>
  post(`puzzles/${id}/try`, { game, moves, client }, signal);

/** The first moves that solve a puzzle. */
export const solutionOf = async (id, game) => (await get(`puzzles/${id}?game=${encodeURIComponent(game)}`)).solution;

/** A step towards a puzzle's solution; each says more. */
export const puzzleHint = (id, game, moves, step, signal) =>
  post(`puzzles/${id}/hint`, { game, moves, step, client }, signal);

/**
 * Advice; `onProgress` is told of every depth that has been searched and, where seconds for exact
 * scores are given, of the advice each time that more is proved.
 */
export const suggest = (request, signal, onProgress) =>
  streamed("suggest", { ...request, explain: true }, signal, onProgress);

/** Advice on another position than the one on the board, whose own advice goes on beside it. */
export const lookAt = (request, signal) => post("suggest", { ...request, explain: true }, signal);

/** Why an atom, a strategy or a feature holds in a position, or why not. */
export const why = (request) => post("why", request);

/** What the opponent threatens. */
export const threats = (request) => post("threats", request);

/** A proof that a player holds or wins, by Allis' rules or by a plan; `proved` is null for none. */
export const prove = (request, signal) => streamed("prove", request, signal);

/** Ends what this page waits for with what is known by now. */
export const enough = () => post("enough", { client });

/** A game with a grade for every move; `onProgress` is told of each, the last one first. */
export const review = (request, signal, onProgress) => streamed("review", request, signal, onProgress);

/** A game, a review or a puzzle as one page. */
export const exported = (request, signal) => streamed("export", request, signal);

/** The game itself as one page, with its weights, which plays and advises without a server; what the board asks for goes on beside it. */
export const exportedGame = (request) => post("export/game", request);

/** An answer of any path; `onNote` is told why it takes long. */
export const followed = (path, request, onNote) => transport.streamed(path, request, null, undefined, onNote);

export { Refusal, Superseded, get, post };
