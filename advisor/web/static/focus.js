// The focus where things are drawn anew, hidden or disabled: it goes to what has taken their place,
// so that whoever uses the keyboard goes on from there.

import { byId } from "./dom.js";

const CONTROLS = "button, input, select, textarea, summary, a";

/** By what a control is known again when it was drawn anew. */
function nameOf(element) {
  const told = Object.keys(element.dataset).length ? JSON.stringify(element.dataset) : element.getAttribute("aria-label");
  return element.id || (told ?? (element.labels?.[0] ?? element).textContent);
}

const usable = (element) => element.isConnected && !element.disabled && !element.closest("[hidden]");

/** @param {Function} board gives the board that is shown, to which the focus goes when all else is gone. */
export function keepFocus(board) {
  let last = null; // what had the focus, and where it stands
  document.addEventListener("focusin", ({ target }) => {
    last = { target, home: target.parentElement?.closest("[id]")?.id, name: nameOf(target) };
  });
  new MutationObserver(() => {
    if (!last || usable(last.target) || ![document.body, last.target].includes(document.activeElement)) return;
    const { target, home, name } = last;
    const card = home && byId(home); // which may have been drawn anew itself
    const there = card && usable(card) ? [...card.querySelectorAll(CONTROLS)].filter(usable) : [];
    const same = there.find((element) => nameOf(element) === name);
    const near = there.length && card.tabIndex === 0 ? card : there.find(({ className }) => className === target.className);
    (same ?? near ?? board()).focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] });
}
