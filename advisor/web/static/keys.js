// The keyboard: keys that stand for buttons, wherever nothing is being typed, and the skip link.

let pressed = false; // a button of the mouse
let clicked = false; // what has the focus

for (const [type, down] of Object.entries({ pointerdown: true, pointerup: false, pointercancel: false })) {
  document.addEventListener(type, () => (pressed = down), true);
}
document.addEventListener("focusin", () => (clicked = pressed));

/** Whether the keyboard has led to an element, or into it; a click does not count. */
export const isReached = (element) => !clicked && element.contains(document.activeElement);

/**
 * @param {Function} actionOf told a key, gives what it does or undefined.
 * @param {Function} board gives the board that is shown, to which the skip link leads.
 */
export function listen(actionOf, board) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement.matches("input, textarea, select")) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
  // The address holds the game, so that the link moves the focus and leaves the address alone.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    (board().querySelector("[tabindex='0']") ?? board()).focus();
  });
}
