// The levels that have names, and what a novice gets against them.

/** Levels of the server, from 1 to 20, with the keys of their names. */
/** @type {[number, string][]} */
export const LEVELS = [
  [1, "settings.beginner"],
  [3, "settings.easy"],
  [6, "settings.medium"],
  [11, "settings.hard"],
  [20, "settings.full"],
];

/**
 * Points of a novice, and games: he takes a win in one, blocks a loss in one and otherwise plays at
 * random, half of the games as the first player; a draw is half a point. Printed by
 * `benchmarks/measure/levels.py shares`, which plays on the boards that it names.
 */
export const SHARES = {
  breakthrough: { 1: [6, 8], 3: [2, 8], 6: [1, 8], 11: [0, 8], 20: [0, 8] },
  chess: { 1: [4, 6], 3: [0, 6], 6: [0, 6], 11: [0, 6], 20: [0, 6] },
  connect4: { 1: [4, 8], 3: [2, 8], 6: [0.5, 8], 11: [0, 8], 20: [0, 8] },
  gomoku: { 1: [2.5, 8], 3: [1.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  hex: { 1: [5, 8], 3: [3, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  morris: { 1: [2.5, 8], 3: [2.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  reversi: { 1: [5.5, 8], 3: [3.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  tictactoe: { 1: [3.5, 8], 3: [4, 8], 6: [3, 8], 11: [3, 8], 20: [2.5, 8] },
};
