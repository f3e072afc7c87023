// Keys that stand for buttons, wherever nothing is being typed.

/** @param {Function} actionOf told a key, gives what it does or undefined. */
export function listen(actionOf) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, textarea, select")) return;
    const action = actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
