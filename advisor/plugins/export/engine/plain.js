// The notation of games that have only rules: a position is the moves that led to it.

import { Refusal, checked } from "./position.js";

const STATE = /^true\((.*)\)$/; // words that say where a game begins

export const plain = {
  /** The beginning that a text tells, and the moves after it. */
  read(engine, text) {
    const words = text.split(/\s+/).filter(Boolean);
    const moves = words.findIndex((word) => !STATE.test(word));
    const atoms = (moves < 0 ? words : words.slice(0, moves)).map((word) => STATE.exec(word)[1]);
    const said = moves < 0 ? [] : words.slice(moves);
    if (!atoms.length) return { begun: { row: engine.rows.start, exchanged: false, text: "" }, said };
    const bits = atoms.map((atom) => {
      const bit = engine.game.atoms.indexOf(atom);
      if (bit < 0) throw new Refusal(`'true(${atom})': the rules have no such base/1`);
      return bit;
    });
    const row = checked(engine, engine.rows.row(bits));
    return { begun: { row, exchanged: false, text: this.rearranged(engine, bits) }, said };
  },

  /** A state as the beginning of a text. */
  rearranged: ({ game }, bits) => bits.map((bit) => `true(${game.atoms[bit]})`).sort().join(" "),

  code: (position, number) => position.move(number).code,

  /** Each move's name, where no other legal move has it. */
  names(position) {
    const { legal } = position;
    const count = new Map();
    for (const number of legal) {
      const { name } = position.move(number);
      count.set(name, (count.get(name) ?? 0) + 1);
    }
    return new Map(legal.map((number) => {
      const { name, code } = position.move(number);
      return [number, name && count.get(name) === 1 ? name : code];
    }));
  },

  /** The legal move that a text means. */
  find(position, said) {
    const wanted = String(said);
    const { legal, names } = position;
    const same = (change) => {
      const found = legal.filter((number) => change(names.get(number)) === change(wanted));
      return found.length === 1 ? found[0] : undefined;
    };
    return legal.find((number) => position.move(number).code === wanted) ?? same((text) => text) ?? same((text) => text.toLowerCase());
  },

  texts({ begun, path }) {
    const text = [begun.text, ...path.map(({ name }) => name)].filter(Boolean).join(" ");
    return { position: text, begun: begun.text, text: `${text}\n`, short: `${text}\n` };
  },

  /** A win or loss in some plies, in words. */
  outcome: ({ kind, plies, within }) => (plies === null ? `a ${kind}` : `a ${kind} ${within ? "within" : "in"} ${plies} ${plies === 1 ? "ply" : "plies"}`),

  /** The words for the placeholders of a sentence about a move. */
  words: (position, number, places) => ({ where: few(places.map((place) => placeName(position, place)).sort()), move: position.names.get(number) }),
};

export const placeName = (position, { name, seen }) => (position.exchanged ? (seen ?? name) : name);

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A number in words up to ten, else in digits. */
export const inWords = (count) => NUMBERS[count] ?? String(count);

const PLACES = 3; // that are named; further ones are counted

/** The first few texts, and how many more there are. */
export function few(texts, last = "and") {
  const some = texts.length > PLACES + 1 ? [...texts.slice(0, PLACES), `${texts.length - PLACES} more`] : texts;
  if (some.length < 2) return some[0] ?? "";
  const comma = some.some((text) => text.includes(",")) ? "," : "";
  return `${some.slice(0, -1).join(", ")}${comma} ${last} ${some.at(-1)}`;
}
