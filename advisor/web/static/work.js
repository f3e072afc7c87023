// What the page waits for: one thing at a time, ended by what is begun next.

import { Refusal, Superseded } from "./api.js";

const PAUSE_MS = 350; // before an answering move, so that the eye can follow

export class Work {
  #current = new AbortController();
  #named = { name: "", signal: this.#current.signal };

  /** @param {{begun: Function, refused: Function}} page something new has begun; the server refused it, with its reason. */
  constructor(page) {
    this.page = page;
  }

  /** The signal that ends what goes on. */
  get signal() {
    return this.#current.signal;
  }

  /** Ends what goes on, and returns the signal of what is begun instead. */
  begin() {
    this.#current.abort();
    this.#current = new AbortController();
    this.page.begun();
    return this.signal;
  }

  /** Whether what was begun by this name still goes on. */
  goesOn(name) {
    return this.#named.name === name && !this.#named.signal.aborted;
  }

  /** Does what a button asks for, unless it goes on already; returns whether it was done. */
  async once(name, work) {
    if (this.goesOn(name)) return false;
    const signal = this.begin();
    this.#named = { name, signal };
    const done = await this.guard(work(signal));
    if (this.#named.signal === signal) this.#named = { name: "", signal };
    return done;
  }

  /** Waits for what has been begun; returns whether it was done, neither superseded nor refused. */
  async guard(promise) {
    try {
      await promise;
      return true;
    } catch (error) {
      if (error instanceof Superseded) return false;
      if (!(error instanceof Refusal)) throw error;
      this.page.refused(error.message);
      return false;
    }
  }
}

/** Waits before an answering move. */
export const pause = (signal) =>
  /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    })
  );
