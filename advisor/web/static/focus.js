// Where what has the focus is disabled, hidden or gone, the focus goes to its card or to the board, so
// that whoever uses the keyboard goes on from there.

const CONTROLS = "button, input, select, textarea, summary, a";

const isUsable = (element) => element.isConnected && !element.disabled && !element.closest("[hidden]");

/** @param {() => HTMLElement} board gives the board that is shown, to which the focus goes when its card is gone. */
export function keepFocus(board) {
  /** @type {{target?: any, card?: any}} */
  let last = {}; // what had the focus, and where it stands
  document.addEventListener("focusin", ({ target }) => (last = { target, card: /** @type {Element} */ (target).closest(".card") }));
  new MutationObserver(() => {
    const { target, card } = last;
    if (!target || isUsable(target) || ![document.body, target].includes(document.activeElement)) return;
    const near = card && isUsable(card) ? [card, ...card.querySelectorAll(CONTROLS)] : [];
    (near.find((element) => element.tabIndex === 0 && isUsable(element)) ?? board()).focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] });
}
