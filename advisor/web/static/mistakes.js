// Puzzles from one's own mistakes: kept in the browser, a chapter of the book of their game.

import * as browser from "./kept.js";
import { state } from "./state.js";

const STORE = "advisor-mistakes";
const MOST = 200; // the oldest go first
export const CHAPTER = "mistakes";

/** Those of the game of the page, as the book lists puzzles. */
export const mistakes = () => kept().filter(({ game }) => game === state.game);

/**
 * Makes puzzles of errors.
 * @param {{error: Object, view: Object}[]} found each as the review has it, and the position before it
 * @returns {string} the id of the first one
 */
export function keep(found) {
  const all = kept();
  let number = Math.max(0, ...mistakes().map((puzzle) => puzzle.number));
  const ids = found.map(({ error, view }) => {
    const text = view.position ?? view.text;
    const known = all.find((puzzle) => puzzle.game === state.game && puzzle.text === text && sized(puzzle) === sized(view));
    const { name: played, grade, better, better_names: names, reasons } = error;
    const asked = { played, grade, better, names, why: reasons[0] ?? "" };
    if (known) return Object.assign(known, asked).id; // another error may have been made there
    number += 1;
    const { rows, turn, width, height, connect, constants } = view;
    const id = `${CHAPTER}/${number}`;
    all.push({ id, number, chapter: CHAPTER, game: state.game, text, rows, turn, width, height, connect, constants, ...asked });
    return id;
  });
  browser.keep(STORE, all.slice(-MOST));
  return ids[0];
}

const sized = ({ width, height, connect, constants }) => JSON.stringify([width, height, connect, constants]);

const kept = () => browser.kept(STORE, []).filter((puzzle) => puzzle instanceof Object);
