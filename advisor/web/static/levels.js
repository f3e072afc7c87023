// The levels that have names, and what a novice gets against them.

/**
 * Levels of the server, from 1 to 20, with the keys of their names.
 * @type {[number, string][]}
 */
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
};
