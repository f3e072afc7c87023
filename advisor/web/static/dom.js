// Elements without markup in strings, so that no text is ever taken for HTML.

/**
 * An element. `on` holds listeners; true and false set and leave out an attribute.
 * @param {string} tag
 * @param {Object} attributes
 * @param {...(Node|string|null)} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A drawing of one symbol of index.html, as "disc-x". */
export function icon(symbol, className = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** An element of a drawing. */
export function vector(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A piece, drawn by the two paths that the server has for it. */
export function drawing({ outline, lines, side }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("class", `drawn ${side ? "second" : "first"}`);
  svg.setAttribute("aria-hidden", "true");
  for (const [name, path] of Object.entries({ outline, lines })) {
    const element = document.createElementNS(SVG, "path");
    element.setAttribute("class", name);
    element.setAttribute("d", path);
    svg.append(element);
  }
  return svg;
}

/** Shows another symbol in such a drawing. */
export function setIcon(svg, symbol) {
  const use = svg.firstElementChild;
  if (use.getAttribute("href") !== `#${symbol}`) use.setAttribute("href", `#${symbol}`);
}

/**
 * The element of an id.
 * @returns {any} of a kind that the caller knows
 */
export const byId = (id) => document.getElementById(id);

/** The symbol of a square's content: "x", "o" or ".". */
export const symbolOf = (disc) => (disc === "." ? "disc-empty" : `disc-${disc}`);

/** A text that begins with a capital. */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Says something to a screen reader. */
export function announce(text) {
  const live = byId("live");
  live.append(h("p", {}, text));
  while (live.childElementCount > 5) live.firstElementChild.remove();
}

/** Shows a message beside the board, an empty one to clear it. */
export function notice(text = "") {
  const element = byId("notice");
  if (element.textContent !== text) element.textContent = text;
}
