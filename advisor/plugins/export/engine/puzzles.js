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
  const left = posed.win_in - used;
  const answer = await reply(reached, left, how);
  const name = (move) => reached.names.get(move);
  if (answer.left !== null) return { ...found, reply: name(answer.moves[0]), state: "open" };
  const { move, told } = await refuted(reached, left, answer, how);
  return { ...found, reply: name(move), state: "slipped", refutation: `${told[0].toUpperCase()}${told.slice(1)}.` };
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

async function refutation(after, left, how) {
  if (after.over) return "the game is over without a win";
  const within = Math.max(1, left - 1);
  return (await refuted(after, within, await reply(after, within, how), how)).told;
}

/**
 * The longest defence of the side to move where the other side may win within some moves: the
 * `moves` to choose among, and the other side's moves `left` until the win; null if the win is gone.
 */
async function reply(position, within, how) {
  const wins = new ForcedWins(position.engine.rows, how);
  let moves = position.legal;
  for (let left = 1; left <= within; left++) {
    const lasting = [];
    for (const move of moves) {
      const after = position.after(move);
      if (after.over || !(await wins.within(after.row, left))[0]) lasting.push(move);
    }
    if (!lasting.length) return { moves, left };
    moves = lasting;
  }
  return { moves, left: null };
}

/** The best of such moves as the look-ahead sees it, in words with what follows. */
async function refuted(position, within, { moves, left }, how) {
  const begun = performance.now();
  const found = await search(position.root, { depth: 2 * within, stopped: () => performance.now() - begun > LOOK_MS || how.stopped(), breathe: how.breathe });
  const move = moves.reduce((a, b) => (found.scores.get(b) > found.scores.get(a) ? b : a));
  const told = new Teller(position);
  const line = found.lines.get(move);
  const { winner } = line.reduce((at, next) => at.after(next), position);
  const later = position.told(line).slice(1, LINE_SHOWN).join(", ");
  const shown = `${told.label(position, move)}${later && ` (then ${later})`}`;
  const end = left !== null ? `the win takes ${left + 1} moves` : winner === position.side ? "wins" : "no win is in sight";
  return { move, told: `${told.called(position.side)} answers ${shown}, and ${end}` };
}

/**
 * The puzzle that a request asks the whole solution of, by its depth: the moves that solve it, each
 * with the play to the end, and the plies that it takes; null if it is none.
 */
export async function solved(position, { depth }, how) {
  const { engine, path } = position;
  if (path.length) return null;
  const { identity } = position;
  const posed = engine.game.puzzles.find(({ win_in, text }) => depth === 2 * win_in - 1 && engine.position(text).identity === identity);
  if (!posed) return null;
  const wins = new ForcedWins(engine.rows, how);
  const lines = new Map();
  for (const first of posed.solution.map((move) => engine.notation.find(position, move))) {
    const line = [first];
    let at = position.after(first);
    for (let left = posed.win_in - 1; !at.over; left--) {
      const [answer] = (await reply(at, left, how)).moves;
      at = at.after(answer);
      const [next] = await wins.firstMoves(at.row, left);
      at = at.after(next);
      line.push(answer, next);
    }
    lines.set(first, line);
  }
  return { plies: depth, lines };
}
