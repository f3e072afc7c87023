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
  breakthrough: { 1: [7, 10], 3: [2, 10], 6: [2, 10], 11: [0, 10], 20: [0, 10] },
  chess: { 1: [4, 6], 3: [0, 6], 6: [0, 6], 11: [0, 6], 20: [0, 6] },
  connect4: { 1: [5, 10], 3: [2, 10], 6: [0.5, 10], 11: [0, 10], 20: [0, 10] },
  gomoku: { 1: [2.5, 8], 3: [1.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  hex: { 1: [5, 10], 3: [4, 10], 6: [0, 10], 11: [0, 10], 20: [0, 10] },
  morris: { 1: [2.5, 8], 3: [2.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  reversi: { 1: [5.5, 8], 3: [3.5, 8], 6: [0, 8], 11: [0, 8], 20: [0, 8] },
  tictactoe: { 1: [4, 10], 3: [4.5, 10], 6: [3.5, 10], 11: [3.5, 10], 20: [3, 10] },
};
