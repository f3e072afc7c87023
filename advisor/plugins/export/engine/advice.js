// Advice on a position: every move's worth, the best ones, and why, in the rules' own words.
//
// The keys are those of the server's answer; advisor/advice says the same in Python, and composes
// paragraphs, in place of which `why` lists what speaks for and against each move.

import { inWords } from "./plain.js";
import { Refusal } from "./position.js";
import { FORCED, WIN } from "./rows.js";
import { search } from "./search.js";
import { Tree } from "./tree.js";

const USUAL_SECONDS = 1;
const MOST_SECONDS = 60;
const [LOOKING, LOOKING_MOST] = [0.1, 2]; // before random games: a share of the time, and the most seconds
const [TO_DEPTH, ROUNDS, MORE] = [0.5, 32, 32]; // the share of the time to reach a depth; rounds of games after it, and games of a round beside one for each move
const [LEVEL_ROUNDS, LEVEL_GROWTH, LEVELS, STRICT] = [6, 1.3, 20, 1.25];
const FEW_GAMES = 200; // with fewer, a mean may be off by several percent
const BESIDE = 2; // plies, for moves beside those that are known to win
const TICKS = 16; // of a tree before it looks at the clock
const CHANGES = 4; // of a line that are named
const SAID = 2; // of these in a sentence
const REPLIES = 2; // reasons that are named of the best reply
const [LOST, OPEN, WON] = [0, 1, 2];
const SIDES = ["the first player", "the second player"];

/**
 * Advises on a position.
 * @param {Object} asked `depth`, `level` and `time` as a request has them
 * @param {Object} how `tell` is told how far the look-ahead has come, `stopped` says whether nobody
 * waits any more, `breathe` lets others work
 * @param {Object} known the winning `lines` of some moves, and their `plies`, where these are certain
 */
export async function advise(position, asked, how, known = null) {
  const begun = performance.now();
  await position.engine.facts.prepare();
  const told = new Teller(position);
  const about = { game: position.engine.game.name, turn: told.role(position.side) };
  if (position.over) return { ...about, ...told.ended() };
  if (asked.depth === 0 && !told.strategic) throw new Refusal("`depth`: 0 asks the strategies, and this game has none (use 1 or more)");
  const found = asked.depth === 0 ? told.byStrategies() : await told.lookAhead(asked, how, begun, known);
  const seconds = (performance.now() - begun) / 1000;
  return { ...about, ...told.advice(found, asked), seconds: Math.round(1e4 * seconds) / 1e4, machine_code: true, plan: null };
}

export class Teller {
  constructor(position) {
    const { engine } = position;
    Object.assign(this, { position, engine, game: engine.game, notation: engine.notation });
    this.columns = this.game.notation === "columns";
    this.strategic = this.game.strategies.some(({ weight }) => weight);
    this.fires = this.firings(position);
  }

  /** A player as programs read it. */
  role(side) {
    return this.engine.roles[side];
  }

  called(side) {
    return this.columns ? ["red", "yellow"][side] : this.role(side);
  }

  /** A legal move inside a sentence. */
  label(position, number) {
    return `${this.columns ? "column " : ""}${position.names.get(number)}`;
  }

  ended() {
    const { winner, side } = this.position;
    const kind = winner === null ? "draw" : winner === side ? "win" : "loss";
    const text = winner === null ? "a draw" : `${this.called(winner)} has won`;
    const score = kind === "draw" ? { kind } : { kind, in: 0 };
    return { best: [], best_names: [], score, winner: winner === null ? null : this.role(winner), depth: 0, nodes: 0, leaves: 0, seconds: 0, machine_code: true, pv: [], plan: null, moves: [], headline: `The game is over: ${text}.`, explanation: [] };
  }

  // Strategies

  /** The strategies that speak for each legal move of a position, the weightiest first. */
  firings(position) {
    const { game } = this;
    const found = new Map(position.legal.map((number) => [number, new Map()]));
    if (!position.over && this.strategic) {
      const held = this.engine.facts.held("says", position.row);
      for (const [strategy, number, place, output] of this.engine.fires) {
        if (!held[output] || !found.has(number)) continue;
        const firings = found.get(number);
        if (!firings.has(strategy)) firings.set(strategy, { ...game.strategies[strategy], places: [] });
        if (place >= 0) firings.get(strategy).places.push(game.places[place]);
      }
    }
    const order = (a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.name < b.name ? -1 : 1);
    return new Map([...found].map(([number, firings]) => [number, [...firings.values()].filter(({ weight }) => weight).sort(order)]));
  }

  total(number) {
    return this.fires.get(number).reduce((sum, { weight }) => sum + weight, 0);
  }

  /** What a strategy says of a move, after the move's name. */
  predicate(position, number, { name, sentence, places }) {
    if (!sentence) return `has the strategy ${name}`;
    const words = { me: this.called(position.side), you: this.called(1 - position.side), ...this.notation.words(position, number, places) };
    return sentence.replace(/\{([^{}]*)\}/g, (whole, key) => words[key] ?? whole);
  }

  /** The same as a sentence. */
  sentence(number, firing) {
    if (firing.sentence) return `It ${this.predicate(this.position, number, firing)}.`;
    const { where } = this.notation.words(this.position, number, firing.places);
    return `The strategy ${firing.name} speaks ${firing.weight > 0 ? "for" : "against"} ${this.label(this.position, number)}${where ? ` (${where})` : ""}.`;
  }

  // The look-ahead

  byStrategies() {
    const moves = this.position.legal.map((number) => ({ number, score: { kind: "heuristic", value: this.total(number) }, ahead: null }));
    return { moves, depth: 0, nodes: 0, leaves: 0, line: [] };
  }

  async lookAhead({ depth = null, level = null, time = null }, how, begun, known) {
    const { position, game } = this;
    const chance = game.by_chance;
    const seconds = time ?? (depth === null && level === null ? (game.depth === null ? USUAL_SECONDS : MOST_SECONDS) : MOST_SECONDS);
    let plies = depth ?? (level === null ? (time === null ? game.depth : null) : chance ? 2 : 2 + Math.floor(level / 2));
    if (plies !== null) plies += this.deeper();
    let looking = seconds;
    if (chance && level === null) looking = plies === null ? Math.min(LOOKING * seconds, LOOKING_MOST) : TO_DEPTH * seconds;
    const late = (least) => performance.now() - begun > 1000 * least || how.stopped();
    const found = await search(position.root, {
      depth: known ? BESIDE : (plies ?? Infinity),
      stopped: () => late(looking),
      bonus: new Map(position.legal.map((number) => [number, this.total(number)])),
      onIteration: (result) => how.tell(this.progress(result)),
      breathe: how.breathe,
    });
    const moves = this.seen(found);
    if (known) return { ...found, moves: moves.map((move) => this.solving(move, known)), line: [] };
    const line = found.lines.get(found.best[0]) ?? [];
    const open = moves.filter(({ score }) => score.kind === "heuristic");
    if (chance && open.length > 1 && !moves.some(({ score }) => score.kind === "win")) {
      const rounds = level === null ? ROUNDS : LEVEL_ROUNDS * LEVEL_GROWTH ** (level - 1);
      const games = plies === null ? Infinity : Math.round(rounds * (MORE + moves.length));
      await this.grow(moves, games, () => late(seconds), how.breathe, found.depth);
    }
    return { moves, depth: found.depth, nodes: found.nodes, leaves: found.leaves, line };
  }

  /** A move with its result where that is known. */
  solving(move, { plies, lines }) {
    const line = lines.get(move.number);
    return line ? { ...move, score: this.won(true, plies, line), line, ahead: null } : move;
  }

  /** How many plies the game adds to a look-ahead from here. */
  deeper() {
    const held = this.engine.facts.held("deeper", this.position.row);
    return Math.max(0, ...this.game.deeper.filter(([, output]) => held[output]).map(([plies]) => plies));
  }

  /** The moves as a look-ahead sees them. */
  seen(found) {
    return [...found.scores].map(([number, value]) => {
      const line = found.lines.get(number) ?? [number];
      if (found.drawn.has(number)) return { number, score: { kind: "draw" }, line, ahead: null };
      if (Math.abs(value) >= FORCED) return { number, score: this.won(value > 0, WIN - Math.abs(value), line), line, ahead: null };
      if (found.exhaustive) return { number, score: { kind: "draw" }, line, ahead: null };
      if (!this.game.weighed && !this.strategic) return { number, score: { kind: "heuristic" }, line, ahead: null };
      const ahead = value - this.total(number); // strategies only help to choose
      return { number, score: { kind: "heuristic", value: ahead }, line, ahead };
    });
  }

  /** A win or a loss in some plies. */
  won(won, plies, line, within = false) {
    let moves = won ? Math.ceil(plies / 2) : Math.floor(plies / 2);
    if (!this.game.alternates) {
      const { side } = this.position;
      let at = this.position;
      moves = 0;
      for (const number of line) {
        if (at.side === (won ? side : 1 - side)) moves++;
        at = at.after(number);
      }
    }
    return { kind: won ? "win" : "loss", in: moves, ...(this.columns ? {} : { plies }), ...(within ? { within } : {}) };
  }

  /** Lets a tree of random games judge the moves that the look-ahead leaves open. */
  async grow(moves, games, late, breathe, depth) {
    const { root } = this.position;
    const tree = new Tree(root, root.again?.harmless ?? true, 1 + Math.floor(2 ** 31 * Math.random()));
    for (const { number, score } of moves) if (score.kind !== "heuristic") tree.know(number, score.kind, score.plies ?? 2 * score.in - (score.kind === "win"));
    while (tree.finished < games && !tree.certain && !(late() && tree.finished > FEW_GAMES)) {
      for (let i = 0; i < TICKS; i++) tree.tick();
      await breathe();
    }
    const order = [];
    for (const branch of tree.branches()) {
      const move = moves.find(({ number }) => number === branch.move);
      order.push(move);
      if (move.score.kind === "heuristic" && branch.kind !== "heuristic") {
        move.score = branch.plies === null ? { kind: branch.kind } : this.won(branch.kind === "win", branch.plies, branch.line, branch.plies > depth + 1);
        move.ahead = null;
      }
      if (branch.games) Object.assign(move, { playouts: branch.games, mean: branch.mean, expected: { line: branch.line, share: branch.share } });
    }
    moves.splice(0, moves.length, ...order);
  }

  /** How far a look-ahead has come. */
  progress(result) {
    const moves = this.seen(result);
    const scored = moves.map(({ number, score }) => ({ [this.columns ? "column" : "move"]: this.code(number), score: this.scoreJson({ score }), outcome: this.outcome(score) }));
    return { depth: result.depth, best: this.best(moves).map(({ number }) => this.code(number)), pv: this.position.told(result.lines.get(result.best[0]) ?? [], true), scores: scored };
  }

  // What is best

  rank(score, ahead = null, total = 0) {
    const length = score.plies ?? score.in ?? 0;
    if (score.kind === "win") return [WON, -length];
    if (score.kind === "loss") return [LOST, length];
    return [OPEN, ahead === null ? (score.value ?? 0) : ahead + total];
  }

  /** The best moves, the first choice first. */
  best(moves) {
    const book = moves.every(({ score }) => score.points !== undefined);
    const key = (move) => (book ? [OPEN, move.score.points] : this.rank(move.score, move.ahead, this.total(move.number)));
    const compare = (a, b) => key(b)[0] - key(a)[0] || key(b)[1] - key(a)[1];
    const sorted = [...moves].sort((a, b) => compare(a, b) || this.total(b.number) - this.total(a.number));
    const [first] = sorted;
    // By random games, which never show that two moves are equally good, only one is named.
    if (first.score.kind === "heuristic" && first.score.value === undefined) return [first];
    return sorted.filter((move) => compare(first, move) === 0 && move.score.kind === first.score.kind);
  }

  /** The moves that the opening book knows get its results. */
  fromBook(moves) {
    const points = this.columns && this.engine.book?.(this.position);
    if (!points) return false;
    const left = this.game.squares.length - this.position.shown.length;
    for (const move of moves) {
      const score = points[this.code(move.number) - 1];
      const kind = score > 0 ? "win" : score < 0 ? "loss" : "draw";
      const moves = score > 0 ? Math.ceil(left / 2) - score + 1 : Math.floor(left / 2) + score + 1;
      move.score = { kind, ...(kind === "draw" ? {} : { in: moves }), proved: true, points: score };
    }
    return true;
  }

  /** The moves among which a player of a level chooses at random; advisor/advice/choice.py has the reasons. */
  choices(moves, level) {
    if (level >= LEVELS) return this.best(moves);
    const within = level + 1;
    const length = ({ plies, in: moves = 0, kind }) => plies ?? (moves ? 2 * moves - (kind === "win") : 0);
    const seen = new Map(moves.map((move) => [move, length(move.score) <= within ? this.rank(move.score, move.ahead, this.total(move.number)) : [OPEN, 0]]));
    const top = Math.max(...[...seen.values()].map(([rank]) => rank));
    const left = moves.filter((move) => seen.get(move)[0] === top);
    if (top !== OPEN) {
      const best = Math.max(...left.map((move) => seen.get(move)[1]));
      return left.filter((move) => seen.get(move)[1] === best);
    }
    const forced = { win: 1, loss: 0 };
    const guesses = left.filter(({ score, ahead }) => !(score.kind in forced) || ahead !== null);
    const promises = new Map(left.map((move) => [move, forced[move.score.kind] ?? 0]));
    const most = Math.max(0, ...guesses.map(({ playouts = 0 }) => playouts));
    const value = ({ ahead, score, number }) => (ahead === null ? (score.value ?? 0) : ahead + this.total(number));
    const best = Math.max(0, ...guesses.map(value));
    for (const move of guesses) {
      const share = most ? (move.playouts ?? 0) / most : Math.exp((this.game.chances.values.slope * (value(move) - best)) / this.game.scale);
      promises.set(move, share);
    }
    const least = ((level - 1) / (LEVELS - 1)) ** STRICT * Math.max(...promises.values());
    return left.filter((move) => promises.get(move) >= least);
  }

  // The answer

  code(number) {
    return this.notation.code(this.position, number);
  }

  outcome({ kind, plies = null, in: moves = null, within = false, proved = false }) {
    return kind === "heuristic" ? "" : kind === "draw" && !this.columns ? "a draw" : this.notation.outcome({ kind, plies, moves, within, proved });
  }

  scoreJson({ score, playouts, mean }) {
    return mean === undefined ? score : { ...score, playouts, mean: Math.round(1e4 * mean) / 1e4 };
  }

  advice({ moves, depth, nodes, leaves, line }, { level }) {
    const { position } = this;
    const options = level ? { choices: this.choices(moves, level).map(({ number }) => this.code(number)) } : {};
    const book = !(level && level < LEVELS) && this.fromBook(moves);
    const best = this.best(moves);
    const [first] = best;
    const ordered = this.columns ? [...moves].sort((a, b) => this.code(a.number) - this.code(b.number)) : [...moves].sort((a, b) => this.before(a, b));
    const foreseen = first.expected?.line ?? first.line ?? [first.number];
    const played = line[0] === first.number ? line : foreseen;
    this.follow(ordered);
    const json = ordered.map((move) => this.moveJson(move, first));
    const chosen = json[ordered.indexOf(first)];
    const chance = this.chance(first, depth);
    return {
      best: best.map(({ number }) => this.code(number)),
      best_names: best.map(({ number }) => String(position.names.get(number))),
      score: this.scoreJson(first),
      ...(chance === null ? {} : { chance: Math.round(1e3 * chance) / 1e3 }),
      depth,
      nodes,
      leaves,
      pv: position.told(played, true),
      ...(book ? { book } : {}),
      moves: json,
      ...options,
      headline: this.headline(best),
      explanation: [chosen.explanation],
      line: position.told(foreseen, true),
      line_names: position.told(foreseen).map(String),
      line_players: this.players(foreseen),
    };
  }

  players(line) {
    let at = this.position;
    return line.map((number) => {
      const { side } = at;
      at = at.after(number);
      return this.role(side);
    });
  }

  before(a, b) {
    const [x, y] = [a, b].map(({ number, score, ahead }) => [...this.rank(score, ahead, this.total(number)), this.total(number)]);
    return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
  }

  /** Whether a move is a guess from random games too few to compare it with the best. */
  unsure(move, best) {
    if (move.score.kind !== "heuristic" || move.score.value !== undefined) return false;
    const { playouts = 0, mean } = move;
    if (mean === undefined || playouts < FEW_GAMES || move === best) return playouts < FEW_GAMES;
    return (best.mean !== undefined && mean > best.mean) || 3 * playouts < (best.playouts ?? 0);
  }

  /** The share of the points that the side to move can expect; null if it is not known. */
  chance({ score, mean, playouts, ahead }, depth) {
    if (score.kind !== "heuristic") return { win: 1, draw: 0.5, loss: 0 }[score.kind];
    const { values, games } = this.game.chances;
    const share = (logit) => 1 / (1 + Math.exp(-Math.max(-50, Math.min(50, logit))));
    if (mean !== undefined) {
      const won = Math.min(Math.max((1 + mean) / 2, 0.001), 0.999);
      return playouts < games.least ? null : share(games.slope * Math.log(won / (1 - won)));
    }
    return ahead === null || score.value === undefined || depth < values.least ? null : share((values.slope * ahead) / this.game.scale);
  }

  headline(best) {
    const { names } = this.position;
    const named = best.map(({ number }) => names.get(number));
    const list = named.length > 1 ? `${named.slice(0, -1).join(", ")} or ${named.at(-1)}` : String(named[0]);
    const known = this.outcome(best[0].score);
    return `Play ${this.columns ? "column " : ""}${list}${best.length > 1 ? " (equally good)" : ""}${known ? `: ${known}` : ""}.`;
  }

  moveJson(move, best) {
    const { position } = this;
    const { number, score, ahead } = move;
    const code = this.code(number);
    const fires = this.fires.get(number);
    const { trace = null } = move;
    const why = this.why(move);
    const unsure = this.unsure(move, best);
    return {
      ...(this.columns ? { column: code, row: position.move(number).squares[0][1] } : { move: code, name: position.names.get(number) }),
      score: { ...this.scoreJson(move), ...(unsure ? { unsure } : {}) },
      ...(ahead === null ? {} : { ahead }),
      fires: fires.map((firing) => ({ strategy: firing.name, weight: firing.weight, ...this.because(firing), sentence: this.sentence(number, firing) })),
      ...(move.expected ? { expected: { line: position.told(move.expected.line, true), share: Math.round(1e4 * move.expected.share) / 1e4 } } : {}),
      ...(trace ? { trace } : {}),
      outcome: this.outcome(score),
      total: this.total(number),
      why,
      explanation: this.sentences(move, why),
      numbers: [],
    };
  }

  because({ places }) {
    if (!this.columns) return { reasons: places.map((place) => (this.position.exchanged ? place.seen : place.name)).sort() };
    const squares = new Map(places.flatMap(({ squares }) => squares).map((square) => [String(square), square]));
    return { squares: [...squares.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]) };
  }

  /** The features that hold in a state, for the player who moves here; none if its value is certain. */
  held(row, exchanged) {
    const { rows, facts } = this.engine;
    if (rows.leaf(row).certain[0]) return [];
    const outputs = facts.held("features", row);
    return this.engine.held.filter(([, , , output]) => outputs[output]).map(([feature, role, place]) => {
      const owner = exchanged ? 1 - role : role;
      const { name, weight, text } = this.game.features[feature];
      const where = this.game.places[place];
      return { feature: name, owner, text, where: exchanged ? (where.seen ?? where.name) : where.name, squares: where.squares, weight: owner === this.position.side ? weight : -weight };
    });
  }

  /** Where the value of a move comes from: the features at the end of its line. */
  trace({ line }) {
    let end = this.position;
    let node = this.position.root;
    for (const move of line) [end, node] = [end.after(move), node.children.get(move)];
    const added = node.result === null ? node.settling() : [];
    for (const move of added) end = end.after(move);
    const whole = [...line, ...added];
    const drawn = node.result !== null;
    const features = drawn ? [] : this.held(end.row, end.exchanged);
    features.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.feature < b.feature ? -1 : a.feature > b.feature ? 1 : a.owner - b.owner));
    return {
      line: this.position.told(whole, true),
      ...(added.length ? { added: added.length } : {}),
      value: features.reduce((sum, { weight }) => sum + weight, 0),
      drawn,
      features: features.map(({ feature, owner, where, squares, weight, text }) => ({ feature, player: this.role(owner), where, ...(squares ? { squares } : {}), weight, text: this.featureText(text, feature, owner, 1) })),
      line_names: this.position.told(whole).map(String),
    };
  }

  /** What a player has once or several times. */
  featureText(text, name, owner, count) {
    let told = text || `the feature ${name}`;
    for (const side of SIDES) told = told.replaceAll(` of ${side}`, "").replaceAll(` ${side} the game`, " the game");
    told = told.replaceAll("oneself", this.called(owner)).replaceAll("the opponent", this.called(1 - owner));
    const chosen = told.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, one, more) => (count === 1 ? one : more));
    if (count === 1) return chosen;
    return chosen === told ? `${count === 2 ? "twice" : `${inWords(count)} times`} ${told}` : `${inWords(count)} ${chosen}`;
  }

  // Why

  /** What speaks for and against a move: what fires for it, what changes by the end of its line, what the best reply does. */
  why(move) {
    const { position } = this;
    const found = this.fires.get(move.number).map((firing) => ({ kind: "fires", weight: firing.weight, text: this.predicate(position, move.number, firing) }));
    found.push(...(move.changes ?? []).slice(0, CHANGES));
    const line = move.expected?.line ?? move.line ?? [];
    if (line.length > 1) {
      const after = position.after(line[0]);
      if (!after.over) {
        const name = after.names.get(line[1]);
        const fires = (this.firings(after).get(line[1]) ?? []).slice(0, REPLIES);
        const told = fires.map((firing) => ({ kind: "reply", move: String(name), weight: after.side === position.side ? firing.weight : -firing.weight, text: this.predicate(after, line[1], firing) }));
        found.push(...(told.length ? told : [{ kind: "reply", move: String(name), weight: 0, text: "" }]));
      }
    }
    return found;
  }

  /** Follows the lines of moves: where their values come from, and what tells them apart. */
  follow(moves) {
    const valued = moves.filter(({ ahead }) => ahead !== null);
    for (const move of valued) {
      move.trace = this.trace(move);
      move.changes = move.trace.drawn ? [] : this.changes(move.trace);
    }
    // What comes with every move is no reason for one of them.
    const count = new Map();
    for (const { text } of valued.flatMap(({ changes }) => changes)) count.set(text, (count.get(text) ?? 0) + 1);
    if (valued.length > 1) for (const move of valued) move.changes = move.changes.filter(({ text }) => count.get(text) < valued.length);
  }

  /** What each player has more or less of at the end of a line than now, the weightiest first. */
  changes({ features }) {
    this.now ??= this.held(this.position.row, this.position.exchanged);
    const count = new Map();
    const add = (list, times) => {
      for (const { feature, owner, player, weight } of list) {
        const side = owner ?? this.engine.roles.indexOf(player);
        const key = `${feature} ${side}`;
        const entry = count.get(key) ?? { feature, side, weight, count: 0 };
        entry.count += times;
        count.set(key, entry);
      }
    };
    add(features, 1);
    add(this.now, -1);
    const texts = new Map(this.game.features.map(({ name, text }) => [name, text]));
    return [...count.values()]
      .filter(({ count }) => count)
      .map(({ feature, side, weight, count }) => {
        const many = Math.abs(count);
        const text = this.featureText(texts.get(feature), feature, side, many);
        return { kind: count > 0 ? "gains" : "loses", player: this.role(side), feature, count: many, weight: weight * count, text: `${this.called(side)} ${count > 0 ? "gets" : "loses"} ${text}` };
      })
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.text < b.text ? -1 : 1));
  }

  /** The same as sentences: a loss first, then what speaks for the move and the weightiest changes; nothing counts against a win. */
  sentences(move, why) {
    const title = `${this.columns ? "Column " : ""}${this.position.names.get(move.number)}`;
    const fires = why.filter(({ kind, weight }) => kind === "fires" && (weight >= 0 || move.score.kind !== "win"));
    const known = move.score.kind === "loss" || !fires.length ? this.outcome(move.score) : "";
    const told = known ? [`${title}: ${known}.`] : [];
    told.push(...fires.map(({ text, weight }) => `${title} ${text}${weight < 0 ? ", which counts against it" : ""}.`));
    const changes = why.filter(({ kind }) => kind === "gains" || kind === "loses").map(({ text }) => text);
    if (changes.length) told.push(`By the end of its line ${changes.slice(0, SAID).join("; ")}.`);
    for (const { move: reply, text } of why.filter(({ kind }) => kind === "reply")) told.push(text ? `The best reply ${reply} ${text}.` : `The best reply is ${reply}.`);
    return told;
  }
}
