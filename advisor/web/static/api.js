// The server's JSON interface. While the server does not answer, requests wait and try again.

import { byId } from "./dom.js";

/** What the server refused, in its own words. */
export class Refusal extends Error {}

/** A newer request took the place of this one. */
export class Superseded extends Error {}

/** Random hexadecimal digits, two a byte. */
export const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// One name a tab: the server drops the older requests of the same client.
const client = random(12);

const RETRY_MS = 1000;

export const get = (path) => persistently(null, async () => answer(await fetch(`api/${path}`)));

export const post = (path, body, signal = null) =>
  persistently(signal, async () => answer(await send(path, body, signal)));

/** The position after some moves: how to draw it and what can be played. */
export const position = (setup, signal = null) => post("position", setup, signal);

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

/** @param {function(Object): void} onProgress */
const streamed = (path, request, signal, onProgress = () => {}) =>
  persistently(signal, async () => {
    const body = { ...request, client };
    const response = await send(path, body, signal, "application/x-ndjson");
    if (!response.ok) return answer(response);
    for await (const message of lines(response.body)) {
      if (message.progress) onProgress(message.progress);
      if (message.result) return message.result;
      if (message.superseded) throw new Superseded();
      if ("error" in message) throw refusal(message.status, message.error);
    }
    throw new TypeError("the answer broke off");
  });

function send(path, body, signal, accept = "application/json") {
  return fetch(`api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept },
    body: JSON.stringify(body),
    signal,
  });
}

async function answer(response) {
  const body = await response.json();
  if (response.ok) return body;
  if (response.status === 409) throw new Superseded();
  throw refusal(response.status, body.error);
}

/** What an error is: where the server is busy, or stops, it is asked again. */
const refusal = (status, message) => (status === 503 ? new TypeError("busy") : new Refusal(message));

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const found = (rest + value).split("\n");
    rest = found.pop();
    for (const line of found) yield JSON.parse(line);
  }
}

/** Asks until there is an answer, be it a refusal; `signal` gives up. */
async function persistently(signal, ask) {
  for (;;) {
    try {
      const found = await ask();
      byId("offline").hidden = true;
      return found;
    } catch (error) {
      if (signal?.aborted) throw new Superseded();
      if (error instanceof Refusal) throw error;
      // Superseded but still wanted: an older request overtook this one on the way.
      const overtaken = error instanceof Superseded;
      byId("offline").hidden = overtaken;
      await new Promise((resolve) => setTimeout(resolve, overtaken ? 0 : RETRY_MS));
      if (signal?.aborted) throw new Superseded();
    }
  }
}
