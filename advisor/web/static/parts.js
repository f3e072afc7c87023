// Parts that several cards have, described for Preact.

import { h } from "./preact.js";

/**
 * A button. One that is idle does nothing, but keeps the focus, which a disabled one would lose.
 * @param {any} content
 * @param {Function} act
 * @param {Object} more attributes, and whether it is `idle`
 */
export const button = (content, act, { idle = false, ...more } = {}) =>
  h("button", { type: "button", "aria-disabled": idle || null, onClick: idle ? null : () => act(), ...more }, content);

/** Sentences, one below the other; each is a text or was made of one. */
export const list = (sentences) => h("ul", { class: "sentences" }, sentences.map((sentence) => h("li", null, sentence)));

/** A picture in signs, which can be scrolled. */
export const picture = (text) => h("pre", { class: "picture", tabindex: "0" }, text);

/** Parts behind a line that opens them. */
export const folded = (title, attributes, ...parts) => h("details", { class: "how", ...attributes }, h("summary", null, title), ...parts);

/** A quiet line. */
export const quiet = (text, attributes) => h("p", { class: "quiet", ...attributes }, text);

/** A piece, drawn by the two paths that the server has for it. */
export const drawing = ({ outline, lines, side }, place = {}) =>
  h(
    "svg",
    { viewBox: "0 0 48 48", class: `drawn ${side ? "second" : "first"}`, "aria-hidden": "true", ...place },
    h("path", { class: "outline", d: outline }),
    h("path", { class: "lines", d: lines }),
  );
