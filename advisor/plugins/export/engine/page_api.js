// What api.js is to a page with a server: the same functions, answered by a worker in this file.

import { state } from "./state.js";

const { worker, name } = await globalThis.advisorGame; // by start.js, once the worker knows its game

state.game = name; // the only one that there is

/** What cannot be had, in words for people. */
export class Refusal extends Error {}

/** A newer request took the place of this one. */
export class Superseded extends Error {}

/** Random hexadecimal digits, two a byte. */
export const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

let count = 0;
const open = new Map(); // requests by their numbers

worker.addEventListener("message", ({ data }) => {
  const asked = open.get(data.number);
  if (!asked) return;
  if ("progress" in data) return asked.onProgress(data.progress);
  open.delete(data.number);
  if ("result" in data) asked.resolve(data.result);
  else asked.reject("refused" in data ? new Refusal(data.refused) : new Error(data.failed));
});

/** Asks the worker. */
function transport(path, body = {}, signal = null, onProgress = () => {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Superseded());
    const number = ++count;
    open.set(number, { resolve, reject, onProgress });
    signal?.addEventListener("abort", () => {
      if (!open.delete(number)) return;
      worker.postMessage({ cancel: number });
      reject(new Superseded());
    });
    worker.postMessage({ number, path, body });
  });
}

export const get = (path) => transport(path);
export const post = transport;
export const position = (setup, signal) => transport("position", setup, signal);
export const setUp = (request, signal) => transport("setup", request, signal);
export const tree = (request, signal) => transport("tree", request, signal);
export const record = (request, signal) => transport("record", request, signal);
export const attempt = (id, game, moves, signal) => transport(`puzzles/${id}/try`, { game, moves }, signal);
export const solutionOf = async (id) => (await transport(`puzzles/${id}`)).solution;
export const puzzleHint = (id, game, moves, step, signal) => transport(`puzzles/${id}/hint`, { game, moves, step }, signal);
export const suggest = (request, signal, onProgress) => transport("suggest", { ...request, explain: true }, signal, onProgress);
export const lookAt = (request, signal) => transport("suggest", { ...request, explain: true }, signal);
export const why = (request) => transport("why", request);
export const threats = (request) => transport("threats", request);
export const prove = (request, signal) => transport("prove", request, signal);
export const review = (request, signal, onProgress) => transport("review", request, signal, onProgress);
export const exported = (request, signal) => transport("export", request, signal);

/** Ends what is waited for with what is known by now. */
export async function enough() {
  for (const number of open.keys()) worker.postMessage({ enough: number });
}
