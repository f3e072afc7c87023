// Puzzles of the game: the list, attempts and hints, with the answers of advisor/web/puzzles.py.

import { Teller } from "./advice.js";
import { Refusal } from "./position.js";
import { search } from "./search.js";
import { ForcedWins } from "./wins.js";

const SHOWN = ["game", "constants", "width", "height", "connect", "rows", "turn"];
const LINE_SHOWN = 4; // plies of a refutation
const LOOK_MS = 3000; // to find the words for a refutation; what is right or wrong does not depend on it

/** Answers a request below "puzzles". */
export async function puzzles(engine, path, body, drawn, how) {
  const [name, query = ""] = path.split("?");
  const [, ...words] = name.split("/");
  const what = ["try", "hint"].includes(words.at(-1)) ? words.pop() : "";
  const listed = engine.game.puzzles;
  if (!words.length) return { puzzles: listed.map((posed) => view(engine, posed, drawn)) };
  const posed = listed.find(({ id }) => id === words.join("/"));
  if (!posed) throw new Refusal(`no puzzle '${words.join("/")}'${query && ` of ${engine.game.name}`}`);
  if (!what) return { ...view(engine, posed, drawn), solution: solution(engine, posed), source: posed.source };
  await engine.facts.prepare();
  return (what === "try" ? attempt : hint)(engine, posed, body, how);
}

/** A puzzle as an entry of a list. */
function view(engine, posed, drawn) {
  const { id, text, win_in, extra } = posed;
  const at = id.lastIndexOf("/");
  const name = id.slice(0, at).replace(/^chapter/, "").replace(/^second\//, "");
  const shown = drawn(engine.position(text));
  return {
    id,
    chapter: /^\d+$/.test(name) ? Number(name) : name,
    number: Number(id.slice(at + 1)),
    ...Object.fromEntries(SHOWN.filter((key) => key in shown).map((key) => [key, shown[key]])),
    text: shown.position ?? shown.text,
    win_in,
    extra,
  };
}

/** The first moves that solve a puzzle, as people write them. */
function solution(engine, { text, solution }) {
  const position = engine.position(text);
  return solution.map((move) => position.names.get(engine.notation.find(position, move)));
}

/** The puzzle's position, the one after the moves of a request, and whether the solver is to move there. */
function reachedIn(engine, { text }, { moves = [] }) {
  const begun = engine.position(text);
  const reached = engine.position(text, moves);
  return { begun, reached, used: moves.length, mine: !reached.over && reached.side === begun.side };
}

async function attempt(engine, posed, body, how) {
  const { begun, reached, used: plies, mine } = reachedIn(engine, posed, body);
  const used = Math.ceil(plies / 2);
  const found = { moves_used: used, win_in: posed.win_in, reply: null, refutation: null };
  if (reached.winner === begun.side && used <= posed.win_in) return { ...found, state: "solved" };
  if (reached.over || used >= posed.win_in) return { ...found, state: "missed" };
  if (mine) return { ...found, state: "open" };
  const answer = await reply(reached, posed.win_in - used, how);
  if (answer.left !== null) return { ...found, reply: answer.name, state: "open" };
  return { ...found, reply: answer.name, state: "slipped", refutation: `${answer.told[0].toUpperCase()}${answer.told.slice(1)}.` };
}

async function hint(engine, posed, body, how) {
  const { reached, used, mine } = reachedIn(engine, posed, body);
  const left = posed.win_in - Math.floor(used / 2);
  if (!mine || left < 1) throw new Refusal("moves: it is not the solver's turn, or the puzzle is over");
  const known = used ? null : posed.solution.map((move) => engine.notation.find(reached, move));
  const right = known ?? (await new ForcedWins(engine.rows, how).firstMoves(reached.row, left));
  if (!right.length) throw new Refusal(`no move of ${reached.turn} wins in ${left}`);
  const told = new Teller(reached);
  // A wrong move that looks good comes first.
  const wrong = reached.legal.filter((move) => !right.includes(move)).sort((a, b) => told.total(b) - told.total(a));
  const steps = [["is", right.slice(0, 1)]];
  if (wrong.length > 1) steps.unshift(["among", [right[0], wrong[1]].sort((a, b) => a - b)]);
  if (wrong.length) steps.unshift(["not", wrong.slice(0, 1)]);
  const [kind, meant] = steps[Math.min(body.step ?? 0, steps.length - 1)];
  const label = (move) => told.label(reached, move);
  const why = kind === "not" ? `: ${await refutation(reached.after(meant[0]), left, how)}` : "";
  return { kind, columns: meant.map((move) => reached.names.get(move)), text: `The move is ${kind === "not" ? "not " : ""}${meant.map(label).join(" or ")}${why}.` };
}

const refutation = async (after, left, how) => (after.over ? "the game is over without a win" : (await reply(after, left, how)).told);

/**
 * The reply of the side to move, which the other side may beat within some moves: its `name`, that
 * it was made in words, and the solver's moves `left` until the win; null if the win is gone.
 */
async function reply(position, moves, how) {
  const { rows } = position.engine;
  const wins = new ForcedWins(rows, how);
  let open = position.legal;
  let left = 0;
  // The replies that hold out longest, those that escape if there are any.
  for (let within = 1; within <= moves; within++) {
    const lasting = [];
    for (const move of open) {
      const after = position.after(move);
      if (after.over || !(await wins.within(after.row, within))[0]) lasting.push(move);
    }
    left = within;
    if (!lasting.length) break;
    open = lasting;
    if (within === moves) left = null;
  }
  const begun = performance.now();
  const found = await search(position.root, { depth: 2 * moves, stopped: () => performance.now() - begun > LOOK_MS || how.stopped(), breathe: how.breathe });
  const best = open.reduce((a, b) => (found.scores.get(b) > found.scores.get(a) ? b : a));
  const told = new Teller(position);
  const line = found.lines.get(best);
  const { winner } = line.reduce((at, move) => at.after(move), position);
  const shown = [told.label(position, best), ...position.told(line).slice(1, LINE_SHOWN)].join(", ");
  const end = left !== null ? `the win takes ${left + 1} moves` : winner === position.side ? "wins" : "no win is in sight";
  return { name: position.names.get(best), left, told: `${told.called(position.side)} answers ${shown}, and ${end}` };
}
