// Hints of a game, step by step: first where to look, then the move, then why.

import { can, source } from "./game.js";
import { say } from "./languages.js";

/** The part of a board that a square is in: its columns' third, in squares' games its half too. */
function partOf([x, y], view) {
  const width = view.rows[0].length;
  const height = view.rows.length;
  const third = Math.min(2, Math.floor((3 * (x - 1)) / width));
  const upper = can("size") || height < 5 ? null : 2 * y > height;
  const within = (column, row) => Math.min(2, Math.floor((3 * (column - 1)) / width)) === third && (upper === null || 2 * row > height === upper);
  const squares = [];
  for (let row = 1; row <= height; row++) for (let column = 1; column <= width; column++) if (view.rows[height - row][column - 1] !== null && within(column, row)) squares.push({ column, row });
  return squares;
}

export class Hints {
  constructor() {
    this.about = "";
    this.found = null;
    this.step = 0;
  }

  /**
   * The next hint about a position.
   * @param {Object} view the position
   * @param {Function} advise asks for advice, once a position
   * @returns {Promise<{text: string, squares: Object[], moves: Array}>} what is said, lit up, and marked as moves
   */
  async next(view, advise) {
    const about = JSON.stringify([source().setup()]);
    if (about !== this.about) {
      const found = await advise();
      Object.assign(this, { about, found, step: 0 });
    }
    this.step = Math.min(3, this.step + 1);
    const { best, moves } = this.found;
    const move = moves.find((each) => each.move === best[0]);
    const target = move.squares.at(-1);
    if (this.step === 1 && target) return { text: say("hints.look"), squares: partOf(target, view), moves: [] };
    this.step = Math.max(2, this.step);
    const names = moves.filter((each) => best.includes(each.move)).slice(0, 3).map(({ name }) => source().label(name));
    const why = this.step === 3 ? move.explanation.slice(0, 2) : [];
    return { text: [say("hints.move", { move: names.join(", ") }), ...why].join(" "), squares: [], moves: best };
  }
}
