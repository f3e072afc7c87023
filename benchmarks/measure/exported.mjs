// Measures the engine of an exported game in node; exported.py asks.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , folder, seconds] = process.argv;
const load = (name) => import(pathToFileURL(`${folder}/${name}`));
const { Ahead } = await load("ahead.js");
const { Rows } = await load("rows.js");
const { Node } = await load("search.js");
const { Tree } = await load("tree.js");

const { game, states } = JSON.parse(readFileSync(0, "utf8"));
const rows = await Rows.of(game);
const all = Int32Array.from(states.flat());
const going = states.map((state) => Int32Array.from(state)).filter((row) => !rows.look(row).over[0]);

/** How much work is done in a second of the processor, after as long a time to warm up. */
function rate(work) {
  let [done, begun] = [0, process.cpuUsage()];
  for (const warm of [true, false]) {
    [done, begun] = [0, process.cpuUsage()];
    while (process.cpuUsage(begun).user < seconds * 1e6) done += work();
  }
  return (done / process.cpuUsage(begun).user) * 1e6;
}

const tree = new Tree(Node.of(rows, rows.start, 0));
const looks = rate(() => (rows.look(all), states.length));
const leaves = rate(() => {
  const ahead = new Ahead(rows);
  for (let i = 0; i < 4; i++) ahead.look(going[i % going.length], 2);
  return ahead.leaves;
});
const games = rate(() => {
  const before = tree.finished;
  for (let i = 0; i < 64; i++) tree.tick();
  return tree.finished - before;
});
console.log(JSON.stringify({ looks, leaves, games }));
