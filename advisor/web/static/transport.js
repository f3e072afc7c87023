// Sends requests to the server. While the server does not answer, they wait and try again.

import { byId } from "./dom.js";

/** What the server refused, in its own words. */
export class Refusal extends Error {}

/** A newer request took the place of this one. */
export class Superseded extends Error {}

const RETRY_MS = 1000;

const LINES = "application/x-ndjson";

export const get = (path) => persistently(null, async () => answer(await fetch(`api/${path}`)));

export const post = (path, body, signal = null) =>
  persistently(signal, async () => answer(await send(path, body, signal)));

/**
 * An answer that comes after messages on its progress.
 * @param {string} path @param {Object} request @param {?AbortSignal} signal @param {(reached: any) => void} onProgress
 * @param {(text: string) => void} onNote is told why the answer takes long
 */
export const streamed = (path, request, signal, onProgress = () => {}, onNote = showNote) =>
  persistently(signal, async () => {
    const response = await send(path, request, signal, LINES);
    // What is known at once comes alone.
    if (!response.headers.get("Content-Type")?.startsWith(LINES)) return answer(response);
    for await (const message of lines(response.body)) {
      if (message.progress) onProgress(message.progress);
      if (message.note) onNote(message.note);
      if (message.result) return message.result;
      if (message.superseded) throw new Superseded();
      if ("error" in message) throw refusal(message.status, message.error);
    }
    throw new TypeError("the answer broke off");
  });

const showNote = (text) => (byId("progress").textContent = text);

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
