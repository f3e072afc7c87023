// Games whose moves name squares: how they are asked for, and what the page calls things in them.

import * as api from "./api.js";
import { capital, h } from "./dom.js";
import { state } from "./state.js";

const FIRST_SECONDS = 0.3; // until the first advice
const SECONDS = 1; // unless another time is chosen
const REVIEW_SECONDS = 20; // at most; otherwise one for each move
const FULL_STRENGTH = 8;

const NAMED = { white: "#f7f3ea", black: "#1c2330", red: "var(--red)", blue: "var(--board)" }; // players who are called by a colour

const setup = (moves = state.moves) => ({ game: state.game, board: state.start, moves, constants: state.constants });

const written = new Map(); // moves as people write them, by the game as far as each
const shown = {}; // the last position, for the players' colours

/**
 * A position with what every game's has: `roles` and `players` are who plays, as the server names
 * them and for people; `mover` and `won` their numbers; `choices` the legal moves.
 */
function common(view) {
  const at = view.roles.indexOf(view.turn);
  shown.view = view;
  return {
    ...view,
    players: view.roles.map(capital),
    mover: at < 0 ? view.made.length % 2 : at,
    won: view.winner === null ? null : view.roles.indexOf(view.winner),
    choices: view.moves,
  };
}

/** What stands for a player: a disc in his colour. */
function mark(player, className = "") {
  const { colours, roles } = shown.view;
  const role = roles[player] ?? "";
  const disc = h("span", { class: `piece ${["first", "second"][player] ?? ""} ${role} ${className}`, "aria-hidden": "true" });
  [disc.style.background] = colours[role] ?? [""];
  return disc;
}

/** The moves as people write them; how those are written that were taken back is known from before. */
function names(view, moves) {
  const until = (i) => JSON.stringify([setup(moves.slice(0, i + 1))]);
  const own = view.played.slice(view.played.length - state.moves.length);
  own.forEach((name, i) => written.set(until(i), name));
  return moves.map((move, i) => written.get(until(i)) ?? move);
}

const seconds = () => state.time ?? SECONDS;

/** Advice with the squares of its moves. */
const told = (found, view) => ({
  ...found,
  moves: found.moves.map((move) => ({ ...view.moves.find((legal) => legal.move === move.move), ...move })),
});

const suggest = async (view, request, signal) =>
  told(await api.suggest({ ...setup(), ...request }, signal), view);

export const squares = {
  setup,
  label: (name) => name,
  title: (name) => name,
  colours: ({ roles, colours }) => roles.map((role, i) => colours[role]?.[0] ?? NAMED[role] ?? ["var(--red)", "var(--yellow)"][i]),
  player: (role) => capital(role),
  mark,
  names,
  setUp: async (request, signal) => common(await api.setUp(request, signal)),
  position: async (moves, signal) => common(await api.position(setup(moves), signal)),
  limit: () => ({ time: seconds() }),
  opponentsLimit: () => ({ time: seconds(), ...(state.level < FULL_STRENGTH ? { level: state.level } : {}) }),
  exact: { exact: SECONDS },
  /** What a short look sees. */
  first: async (view, weights, limit, signal) => (limit.time > FIRST_SECONDS ? suggest(view, { weights, time: FIRST_SECONDS }, signal) : null),
  suggest,
  review: (moves, weights, signal, onMove) => api.review({ ...setup(moves), weights, time: Math.min(REVIEW_SECONDS, moves.length) }, signal, onMove),
};
