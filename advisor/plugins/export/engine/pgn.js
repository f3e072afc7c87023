// Games of chess as text (PGN) with variations, comments and signs; as advisor/games/chess/pgn.py
// and pgn_writing.py read and write them.

import { Refusal } from "./position.js";

const WIDTH = 79;
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const WORDS = ["N", "TN", "D", "RR", "ep", "e.p."]; // of annotators
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "?" };
const MOVE = String.raw`[KQRBN]?[a-h]?[1-8]?[-x:]?[a-h][1-8](?:=?[QRBNqrbn]|=?\([QRBN]\))?(?:e\.?p\.?)?|[O0o]-[O0o](?:-[O0o])?|--(?!\+)|Z0|0000`;
const KINDS = {
  space: String.raw`\s+|(?<![^\n])%[^\n]*`,
  tag: String.raw`\[[^\S\n]*[\w+#=:-]+[^\S\n]*"(?:\\.|[^"\\\n])*"[^\S\n]*\]`,
  comment: String.raw`\{[^}]*\}|;[^\n]*|\[%[^\]\n]*\]`,
  nag: String.raw`\$[0-9]*`,
  result: String.raw`(?:1[-:]0|0[-:]1|(?:1\/2|½)(?:[-:](?:1\/2|½))?|\*)(?![\w\/:-])`,
  move: String.raw`(?:${MOVE})(?![\w-])[+#!?]*`,
  number: String.raw`[0-9]+(?![0-9\/:-])(?:\s*\.+)*`,
  open: String.raw`\(`,
  close: String.raw`\)`,
  word: String.raw`[\w@][^\s(){}\[\];$*]*`,
  sign: String.raw`[^\w@\s(){}\[\];$*]+`,
  stray: String.raw`.`,
};
const TOKEN = new RegExp(Object.entries(KINDS).map(([kind, pattern]) => `(?<${kind}>${pattern})`).join("|"), "gu");
const TAG = /^\[\s*([^\s"]+)\s*"(.*)"\s*\]$/s;

/** The significant parts of a text: what each is, its text and its line. */
function* tokens(text) {
  let line = 1;
  for (const { 0: found, groups } of text.matchAll(TOKEN)) {
    const kind = Object.keys(groups).find((each) => groups[each] !== undefined);
    if (kind !== "space") yield { kind, text: found, line };
    line += found.split("\n").length - 1;
  }
}

const isNothing = (sign) => /^[-,.:|]*$/.test(sign);

/**
 * The game of a text: its `tags`, the `remarks` ahead of its first move, its `moves`, each with the
 * numbers of the moves that it `follows` and `instead` of which it begins a variation, its `result`.
 */
export function readGame(text) {
  const game = { tags: {}, remarks: [], moves: [], result: "*" };
  const opened = []; // variations
  let at = 0; // the number of the move that the next one follows
  let { remarks } = game; // that take the next remark
  let over = false;
  const add = {
    tag(told) {
      if (game.moves.length || over) throw new Refusal("a second game begins (give one game)");
      const [, name, value] = TAG.exec(told);
      game.tags[name] = value.replace(/\\(.)/g, "$1");
    },
    open(_, line) {
      if (!game.moves.length) throw new Refusal(`line ${line}: a variation before any move (begin with one)`);
      const around = opened.at(-1);
      const instead = around && !around.head ? around.instead : at;
      opened.push({ line, instead, back: at, outside: remarks, before: [], head: 0 });
      if (instead) at = game.moves[instead - 1].follows;
      remarks = opened.at(-1).before;
    },
    close() {
      const variation = opened.pop();
      if (!variation) return;
      at = variation.back;
      remarks = variation.head ? game.moves[variation.head - 1].behind : variation.outside;
      if (!variation.head) remarks.push(...variation.before);
    },
    sign(told) {
      if (/^(?:[!?+#=\-/\\~^<>|.,:]|[^\0-\x7f])*$/u.test(told) && !isNothing(told)) remarks.push(told);
    },
    result(told) {
      if (opened.length) return;
      const said = told.replace(":", "-").replaceAll("½", "1/2");
      if (!over) game.result = said === "1/2" ? RESULTS[2] : said;
      over = true;
    },
    move(told, line) {
      const bare = told.replace(/[!?]+$/, "") || told;
      const variation = opened.at(-1);
      const begins = variation && !variation.head;
      if (begins) variation.head = game.moves.length + 1;
      remarks = told.length > bare.length ? [told.slice(bare.length)] : [];
      game.moves.push({ text: bare, line, follows: at, instead: begins ? variation.instead : 0, before: begins ? variation.before : [], after: remarks, behind: [] });
      at = game.moves.length;
    },
    number() {},
    stray() {},
  };
  const remark = (told) => remarks.push(told);
  for (const { kind, text: told, line } of tokens(text)) {
    const isRemark = kind === "comment" || kind === "nag" || WORDS.includes(told);
    (isRemark ? remark : add[kind === "word" ? "move" : kind])(told, line);
  }
  if (opened.length) throw new Refusal(`line ${opened.at(-1).line}: a variation breaks off (end it with ')')`);
  const { Result } = game.tags;
  if (RESULTS.includes(Result) && Result !== "*") game.result = Result;
  return game;
}

/** Whether a text is one comment or one sign, as a game may contain it. */
export function isRemark(text) {
  const [{ kind, text: first } = {}, ...more] = tokens(text);
  return !more.length && first === text && (kind === "comment" || kind === "nag" || WORDS.includes(text) || (kind === "sign" && !isNothing(text)));
}

/** The numbers of the moves of the main line. */
export function* mainLine(moves) {
  let last = 0;
  for (const [i, { follows, instead }] of moves.entries()) if (follows === last && !instead) yield (last = i + 1);
}

/**
 * A game in PGN.
 * @param {Object[]} moves as `readGame` gives them, in algebraic notation
 * @param {number} firstPly twice the number of the first move, plus 1 for Black's
 */
export function writeGame(moves, result, tags, firstPly, remarks = []) {
  const told = Object.entries({ ...ROSTER, ...tags, Result: result });
  const heading = told.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`);
  const body = new Body();
  body.addRemarks(remarks);
  const plies = [firstPly - 1];
  const next = [];
  const variations = moves.map(() => []);
  moves.forEach(({ follows, instead }, i) => {
    plies.push(plies[follows] + 1);
    if (instead) variations[instead - 1].push(i + 1);
    else next[follows] = i + 1;
  });
  const waiting = [[next[0], false]];
  while (waiting.length) {
    const [number, closing] = waiting.pop();
    if (!number) continue;
    const move = moves[number - 1];
    if (closing) {
      body.close();
      body.addRemarks(move.behind);
      continue;
    }
    if (move.instead) body.open();
    body.addRemarks(move.before);
    body.addMove(move.text, plies[number]);
    body.addRemarks(move.after);
    waiting.push([next[number], false]);
    for (const other of variations[number - 1].toReversed()) waiting.push([other, true], [other, false]);
  }
  return [...heading, "", ...body.end(result), "", ""].join("\n");
}

/** The moves of a text, word by word. */
class Body {
  lines = [];
  words = [];
  bracket = ""; // ahead of the next word
  numbered = true; // the next move has its number, whoever makes it
  isMove = false; // whether the last word is a move, with its signs

  add(word) {
    this.words.push(this.bracket + word);
    Object.assign(this, { bracket: "", isMove: false });
  }

  open() {
    this.bracket += "(";
    this.numbered = true;
  }

  close() {
    this.words.push(`${this.words.pop() ?? ""})`);
    Object.assign(this, { numbered: true, isMove: false });
  }

  addMove(name, ply) {
    if (ply % 2 === 0 || this.numbered) this.add(`${Math.floor(ply / 2)}.${ply % 2 ? ".." : ""}`);
    this.add(name);
    Object.assign(this, { numbered: false, isMove: true });
  }

  addRemarks(remarks) {
    for (const remark of remarks) {
      if (remark.startsWith(";")) {
        this.wrap(); // the remark goes to the end of its line
        this.lines.push(this.bracket + remark);
        Object.assign(this, { bracket: "", isMove: false });
      } else if (/^[!?]+$/.test(remark) && this.words.length && this.isMove) this.words.push(this.words.pop() + remark);
      else this.add(remark);
      this.numbered ||= ";{[".includes(remark[0]);
    }
  }

  wrap() {
    const parts = this.words.join(" ").replace(/[\t\n\v\f\r]/g, " ").match(/ +|[^ ]+/g) ?? [];
    let line = "";
    for (const part of parts) {
      if (line && line.length + part.length > WIDTH) {
        this.lines.push(line.trimEnd());
        line = "";
      }
      if (line || part.trim()) line += part;
    }
    if (line.trim()) this.lines.push(line.trimEnd());
    this.words = [];
  }

  end(result) {
    this.add(result);
    this.wrap();
    return this.lines;
  }
}
