// What scripts of the page need of a browser, for their tests: an address and its history, what the
// browser keeps, a language.

export const address = { hash: "" };
export const stored = new Map();

function step(state, _, hash) {
  globalThis.history.state = state;
  address.hash = hash;
}

Object.assign(globalThis, {
  location: address,
  history: { state: null, pushState: step, replaceState: step },
  localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["xx-YY", "de-AT", "en"] }, configurable: true });
