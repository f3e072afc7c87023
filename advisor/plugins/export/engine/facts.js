// What holds in single states: what stands on the board, and which strategies and features there are.

import { compile } from "./wasm.js";
import { enter } from "./rows.js";

const AT_ONCE = ["board", "moot", "deeper", "states"]; // the others are large, and compiled when they are asked for

export class Facts {
  static async of(game, words) {
    const facts = new Facts();
    const { state } = game.functions;
    const of = (name) => (AT_ONCE.includes(name) ? "small" : "large");
    const known = Object.keys(state.functions).filter((name) => !["look", "leaf", "noisy"].includes(name));
    const groups = { small: [], large: [] };
    for (const name of known) groups[of(name)].push(name);
    const make = (names) => (names.length ? compile(state, names, 32 * words) : null);
    Object.assign(facts, { state, words, small: await make(groups.small), later: () => make(groups.large), large: null });
    return facts;
  }

  /** Compiles what is large. */
  async prepare() {
    this.large ??= this.later();
    this.known ??= await this.large;
  }

  /** The outputs of a function in one state, 0 or 1 each; none if the game has no such function. */
  held(name, row) {
    const made = AT_ONCE.includes(name) ? this.small : this.known;
    const count = this.state.functions[name]?.length ?? 0;
    const found = new Uint8Array(count);
    if (!count) return found;
    enter(made.planes, 0, row, this.words, this.words, 0, 1);
    made.run[name]();
    const first = 4 * made.at[name];
    for (let i = 0; i < count; i++) found[i] = made.planes[first + 4 * i] & 1;
    return found;
  }
}
