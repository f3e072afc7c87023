// The worker of a page without a server: one request after the other, each ended by a newer wish.
//
// Messages to it: {game} first; {number, path, body}; {cancel: number}; {enough: number}.
// From it: {ready}, {number, progress}, {number, result}, {number, refused}, {number, failed}.

import { answer, makeEngine } from "./answers.js";
import { Refusal } from "./position.js";
import { Stopped } from "./search.js";

const cancelled = new Set();
const enough = new Set();
let engine = null;
let last = Promise.resolve();

const { port1, port2 } = new MessageChannel();
const waiting = [];
port1.onmessage = () => waiting.shift()();

/** Lets the messages that have come be heard. */
const breathe = () => new Promise((resolve) => (waiting.push(resolve), port2.postMessage(null)));

async function respond({ number, path, body }) {
  const how = {
    tell: (progress) => postMessage({ number, progress }),
    stopped: () => cancelled.has(number) || enough.has(number),
    breathe,
  };
  await breathe();
  if (cancelled.has(number)) return;
  try {
    postMessage({ number, result: await answer(await engine, path, body, how) });
  } catch (error) {
    const why = error instanceof Stopped ? "ended before there was a result" : error instanceof Refusal && error.message;
    postMessage(why ? { number, refused: why } : { number, failed: String(error?.stack ?? error) });
  }
}

onmessage = ({ data }) => {
  if ("game" in data) {
    engine = makeEngine(data.game);
    engine.then(
      () => postMessage({ ready: true }),
      (error) => postMessage({ broken: String(error?.message ?? error) }),
    );
  } else if ("cancel" in data) cancelled.add(data.cancel);
  else if ("enough" in data) enough.add(data.enough);
  else last = last.then(() => respond(data));
};

postMessage({ started: true });
