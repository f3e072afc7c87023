// Games whose moves name squares: how they are asked for, and what the page calls things in them.

import * as api from "./api.js";
import { capital, h } from "./dom.js";
import { either, language, say } from "./languages.js";
import { roleName } from "./roles.js";
import { atEnd, state } from "./state.js";

const FIRST_SECONDS = 1; // until the first advice; a shorter look changes its mind too soon
const SECONDS = 1; // unless another time is chosen
const LONGER = [4, 15]; // seconds to think on

const NAMED = { white: "color-mix(in oklab, #fff 88%, var(--quiet))", black: "color-mix(in oklab, #10151f 82%, var(--quiet))", red: "var(--red)", blue: "var(--blue)" }; // players who are called by a colour

const setup = (moves = state.moves) => ({ game: state.game, board: state.start, moves, constants: state.constants });

const written = new Map(); // moves as people write them and who made them, by the game as far as each
const shown = {}; // the last position, for the players' colours

/**
 * A position with what every game's has: `roles` and `players` are who plays, as the server names
 * them and for people, who are `called` so within a sentence; `mover` and `won` their numbers;
 * `choices` the legal moves.
 */
function common(view) {
  const at = view.roles.indexOf(view.turn);
  shown.view = view;
  const called = view.roles.map(roleName);
  const players = called.map(capital);
  return {
    ...view,
    status: statusOf(view, players),
    players,
    called,
    mover: at < 0 ? view.made.length % 2 : at,
    won: view.winner === null ? null : view.roles.indexOf(view.winner),
    choices: view.moves,
  };
}

/** Whose turn it is, or how the game ended; as the server says it where it says more than that. */
function statusOf({ status, turn, roles, winner }, players) {
  if (status === `${capital(turn ?? " ")} to move.`) return say("squares.to-move", { player: players[roles.indexOf(turn)] });
  if (status === `The game is over: ${winner} has won.`) return say("columns.has-won", { player: players[roles.indexOf(winner)] });
  return status === "The game is over: a draw." ? say("columns.drawn") : status;
}

/** A position whose texts have the result that was read with the game, where it is at its end. */
function finished(view, moves) {
  if (!state.result || !atEnd() || view.over || moves !== state.moves) return view;
  const told = (text) => text.replace('[Result "*"]', `[Result "${state.result}"]`).replace(/\*(\s*)$/, `${state.result}$1`);
  return { ...view, text: told(view.text), short: told(view.short) };
}

/** What stands for a player: a disc in his colour. */
function mark(player, className = "") {
  const { colours, roles } = shown.view;
  const role = roles[player] ?? "";
  const disc = h("span", { class: `piece ${["first", "second"][player] ?? ""} ${role} ${className}`, "aria-hidden": "true" });
  [disc.style.background] = colours[role] ?? [""];
  return disc;
}

/** The moves as people write them, and who makes each; of those that were taken back it is known from before. */
function told(view, moves) {
  const until = (i) => JSON.stringify([setup(moves.slice(0, i + 1))]);
  const begun = view.played.length - state.moves.length;
  state.moves.forEach((_, i) => written.set(until(i), { name: view.played[begun + i], by: view.roles.indexOf(view.movers[begun + i]) }));
  return moves.map((move, i) => written.get(until(i)) ?? { name: move, by: (view.mover + state.moves.length + i) % 2 });
}

const seconds = () => state.time ?? SECONDS;

/** Advice with the squares of its moves. */
const placed = (found, view) => ({
  ...found,
  moves: found.moves.map((move) => ({ ...view.moves.find((legal) => legal.move === move.move), ...move })),
});

const suggest = async (view, request, signal) =>
  placed(await api.suggest({ ...setup(), ...request, language }, signal), view);

export const squares = {
  setup,
  label: (name) => name,
  title: (name) => name,
  titles: either,
  colours: ({ roles, colours }) => roles.map((role, i) => colours[role]?.[0] ?? NAMED[role] ?? ["var(--red)", "var(--yellow)"][i]),
  player: (role) => capital(roleName(role)),
  mark,
  names: (view, moves) => told(view, moves).map(({ name }) => name),
  /** How many pieces each has, where they are not just those that he has put there move by move. */
  count: (view) => {
    if (!view.movers) return ""; // the board of another game, which stays until this one's is there
    const each = view.roles.map((role) => view.rows.flat().filter((symbol) => symbol === role).length);
    const put = view.roles.map((role) => view.movers.filter((mover) => mover === role).length);
    return each[0] + each[1] && String(each) !== String(put) ? say("squares.count", { first: view.players[0], one: each[0], second: view.called[1], other: each[1] }) : "";
  },
  movers: (view, moves) => told(view, moves).map(({ by }) => by),
  setUp: async (request, signal) => common(await api.setUp(request, signal)),
  position: async (moves, signal) => common(finished(await api.position(setup(moves), signal), moves)),
  /** Who has played the game, and how it ended, where its text said so; and the opening's name. */
  heading: ({ opening, tags: { White = "?", Black = "?" } = {} }) => {
    const players = White === "?" && Black === "?" ? "" : `${White} – ${Black}${state.result ? `, ${state.result}` : ""}`;
    return [players, opening].filter(Boolean).join(". ");
  },
  limit: () => ({ time: seconds() }),
  /** A time is chosen for full strength. */
  opponentsLimit: () => (state.time ? { time: state.time } : { time: seconds(), level: state.level }),
  exact: {},
  longer: (seconds) => (state.time ? [] : LONGER.filter((time) => time < seconds).map((time) => ({ time }))),
  /** What a short look sees. */
  first: async (view, weights, limit, signal) => (limit.time > FIRST_SECONDS ? suggest(view, { weights, time: FIRST_SECONDS }, signal) : null),
  suggest,
  review: (moves, weights, signal, onMove) => api.review({ ...setup(moves), weights }, signal, onMove),
};
