// Answers questions by the engine of an exported game, one line of JSON for each; exported_engine.py asks.
//
// The first line is the game, as advisor/plugins/export/description.py describes it.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const { Recurrences } = await load("ahead.js");
const { answer, makeEngine } = await load("answers.js");
const { Node, search } = await load("search.js");

const HOW = { tell: () => {}, stopped: () => false, breathe: () => {} };

/** The numbers of the outputs of a function that hold. */
const holding = ({ facts }, name, row) => [...facts.held(name, row)].flatMap((held, i) => (held ? [i] : []));

/** The moves of each of some states. */
const listed = ({ n, first, moves }) => Array.from({ length: n }, (_, i) => [...moves.slice(first[i], first[i + 1])]);

const answers = {
  /** What the rules and the weights say of states, and their children. */
  states({ rows }, { states }) {
    const all = Int32Array.from(states.flat());
    const look = rows.look(all);
    const leaf = rows.leaf(all);
    return {
      ...Object.fromEntries(["over", "result", "turn", "late"].map((key) => [key, [...look[key]]])),
      moves: listed(look),
      noisy: rows.noisyPlies ? listed(rows.noisy(all)) : null,
      values: [...leaf.values],
      certain: [...leaf.certain],
      children: [...rows.expand(all, look).rows],
    };
  },

  /** The outputs of some functions that hold in each of some states. */
  async facts(engine, { states, names }) {
    await engine.facts.prepare();
    const held = (row) => Object.fromEntries(names.map((name) => [name, holding(engine, name, row)]));
    return states.map((state) => held(Int32Array.from(state)));
  },

  /** A search from a state, with the states before it. */
  async search({ rows, game }, { state, before, depth }) {
    const row = Int32Array.from(state);
    const seen = before.map((each) => rows.identity(Int32Array.from(each)));
    const again = game.repetition ? Recurrences.of(rows, seen, row, game.repetition) : null;
    const found = await search(Node.of(rows, row, 0, again), { depth });
    return {
      ...Object.fromEntries(["depth", "value", "exhaustive"].map((key) => [key, found[key]])),
      ...Object.fromEntries(["scores", "lines", "drawn"].map((key) => [key, [...found[key]]])),
    };
  },

  /** The number of positions after some plies. */
  perft({ rows }, { depth }) {
    const count = (states, plies) => (plies === 1 ? rows.look(states).moves.length : count(rows.expand(states).rows, plies - 1));
    return count(rows.start, depth);
  },

  /** What a page gets for a request. */
  page: (engine, { path, body }) => answer(engine, path, body, HOW),
};

let engine = null;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let found = null;
  try {
    if (engine) found = await answers[asked.what](engine, asked);
    else engine = await makeEngine(asked);
  } catch (error) {
    found = { refused: error.message };
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
