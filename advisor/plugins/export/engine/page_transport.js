// In the place of transport.js where there is no server: a worker in this file answers the requests.

import { state } from "./state.js";

const { worker, name } = await globalThis.advisorGame; // by start.js, once the worker knows its game

state.game = name; // the only one that there is

/** What cannot be had, in words for people. */
export class Refusal extends Error {}

/** A newer request took the place of this one. */
export class Superseded extends Error {}

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
export function streamed(path, body = {}, signal = null, onProgress = () => {}) {
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

export const get = (path) => streamed(path);

export async function post(path, body, signal = null) {
  if (path !== "enough") return streamed(path, body, signal);
  // Ends what is waited for with what is known by now.
  for (const number of open.keys()) worker.postMessage({ enough: number });
}
