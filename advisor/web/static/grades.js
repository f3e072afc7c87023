// What the server's grades of moves are called on the page.

export const GRADES = {
  best: "grades.best",
  good: "grades.good",
  unclear: "grades.unclear",
  inaccuracy: "grades.inaccuracy",
  mistake: "grades.mistake",
  blunder: "grades.blunder",
};

/** The same of errors, within a sentence. */
export const ERRORS = { inaccuracy: "grades.an-inaccuracy", mistake: "grades.a-mistake", blunder: "grades.a-blunder" };
