// Answers questions about states of a game by the engine; engine_truth.py asks.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const { Rows } = await load("rows.js");
const { Facts } = await load("facts.js");
const { Node, search } = await load("search.js");
const { Recurrences } = await load("ahead.js");
const { answer, makeEngine } = await load("answers.js");

const { game, asked } = JSON.parse(readFileSync(0, "utf8"));
const rows = await Rows.of(game);
const facts = await Facts.of(game, rows.words);
await facts.prepare();

/** The numbers of the outputs that hold. */
const holding = (name, row) => [...facts.held(name, row)].flatMap((held, i) => (held ? [i] : []));

const answers = {
  /** What the rules and the weights say of states, and their children. */
  states({ states }) {
    const all = Int32Array.from(states.flat());
    const look = rows.look(all);
    const leaf = rows.leaf(all);
    const children = rows.expand(all, look);
    const noisy = rows.noisyPlies ? rows.noisy(all) : null;
    return {
      over: [...look.over],
      result: [...look.result],
      turn: [...look.turn],
      late: [...look.late],
      moves: states.map((_, i) => [...look.moves.slice(look.first[i], look.first[i + 1])]),
      noisy: noisy && states.map((_, i) => [...noisy.moves.slice(noisy.first[i], noisy.first[i + 1])]),
      values: [...leaf.values],
      certain: [...leaf.certain],
      children: [...children.rows],
    };
  },
  /** What holds in each of some states. */
  facts: ({ states, names }) => states.map((state) => Object.fromEntries(names.map((name) => [name, holding(name, Int32Array.from(state))]))),
  /** A search from each of some states. */
  search: ({ states, depth, before }) =>
    Promise.all(states.map(async (state, i) => {
      const row = Int32Array.from(state);
      const again = game.repetition ? Recurrences.of(rows, [], row, game.repetition) : null;
      const root = Node.of(rows, row, before[i], again);
      const found = await search(root, { depth });
      return { depth: found.depth, value: found.value, exhaustive: found.exhaustive, scores: [...found.scores], lines: [...found.lines], drawn: [...found.drawn] };
    })),
  /** What a page gets for requests; a refusal is a text. */
  async answers({ requests }) {
    const engine = await makeEngine(game);
    const how = { tell: () => {}, stopped: () => false, breathe: () => {} };
    const found = [];
    for (const [path, body] of requests) found.push(await answer(engine, path, body, how).catch((error) => String(error.message)));
    return found;
  },
  perft({ depth }) {
    const counted = (states, plies) => (plies === 1 ? rows.look(states).moves.length : counted(rows.expand(states).rows, plies - 1));
    return counted(rows.start, depth);
  },
};

console.log(JSON.stringify(await Promise.all(asked.map(({ what, ...rest }) => answers[what](rest)))));
