// What scripts of the page need of a browser, for their tests: an address, its history, a language.

export const address = { hash: "" };

Object.assign(globalThis, {
  location: address,
  history: {
    state: null,
    pushState: (state, _, hash) => Object.assign(globalThis.history, { state }) && (address.hash = hash),
    replaceState: (state, _, hash) => Object.assign(globalThis.history, { state }) && (address.hash = hash),
  },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["xx-YY", "de-AT", "en"] }, configurable: true });
