// Games whose moves are columns: how they are asked for, and what the page calls things in them.

import * as api from "./api.js";
import { capital, icon } from "./dom.js";
import { either, language, say } from "./languages.js";
import { discName } from "./roles.js";
import { state } from "./state.js";

const DISCS = ["x", "o"];
const EXACT_SECONDS = 5; // to search to the end of the game, after the look-ahead

/** A position as a request names it. */
const setup = (moves = state.moves) => ({ board: state.start, moves, ...state.size });

/** A position with what every game's has; see squares.js. */
function common(view) {
  const called = DISCS.map(discName);
  const players = called.map(capital);
  const mover = DISCS.indexOf(view.turn);
  const won = view.winner ? DISCS.indexOf(view.winner) : null;
  return {
    ...view,
    // The squares of the line are marked on the board, which has no names of squares beside it.
    status: won !== null ? say("columns.has-won", { player: players[won] }) : view.over ? say("columns.drawn") : say("columns.to-move", { player: players[mover] }),
    roles: DISCS,
    players,
    called,
    mover,
    won,
    choices: view.moves.map(([column, row]) => ({ move: column, name: String(column), squares: [[column, row]] })),
    aim: say("columns.aim", { connect: view.connect }),
  };
}

/** How far a look-ahead has come, likewise. */
const reached = (found) => ({
  ...found,
  scores: found.scores.map((entry) => ({ ...entry, move: entry.column, name: columns.label(entry.column) })),
});

/** Advice with what every game's has. */
const told = (found) => ({
  ...found,
  moves: found.moves.map((move) => ({ ...move, move: move.column, name: columns.label(move.column), squares: [[move.column, move.row]] })),
  line: found.pv,
  line_names: found.pv.map(String),
});

export const columns = {
  setup,
  /** "column 4", to be used in a sentence. */
  label: (name) => say("columns.label", { name }),
  /** The same where nothing stands before it. */
  title: (name) => capital(name),
  /** Several moves as alternatives. */
  titles: (names, more) => say("columns.titles", { names: either(names.map((name) => name.replace(/\D/g, "")), more) }),
  colours: () => ["var(--red)", "var(--yellow)"],
  /** A player as the server names him, for people. */
  player: (role) => capital(discName(role)),
  mark: (player, className = "") => icon(`disc-${DISCS[player]}`, className),
  setUp: async (request, signal) => common(await api.setUp(request, signal)),
  position: async (moves, signal) => common(await api.position(setup(moves), signal)),
  heading: () => "",
  limit: () => (state.time ? { time: state.time } : { depth: state.level }),
  opponentsLimit: () => (state.time ? { time: state.time } : { level: state.level }),
  exact: { exact: EXACT_SECONDS },
  /** Requests that see more, where the first answer has not proved all. */
  longer: (seconds) => (state.exact && !state.time ? [{ depth: state.level, exact: seconds }] : []),
  /** What is known at once: the strategies. */
  first: async (view, weights, limit, signal) =>
    limit.depth === 0 ? null : { ...told(await api.suggest({ ...setup(), weights, depth: 0, language }, signal)), rough: true },
  suggest: async (view, request, signal, onProgress) =>
    told(await api.suggest({ ...setup(), ...request, language }, signal, (found) => onProgress(found.moves ? told(found) : reached(found)))),
  review: (moves, weights, signal, onMove) => api.review({ ...setup(moves), weights }, signal, onMove),
  names: (view, moves) => moves.map(String),
  count: () => "",
  movers: (view, moves) => moves.map((_, i) => (view.mover + state.moves.length + i) % 2),
};
