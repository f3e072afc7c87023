// The page's own words, in the language that the browser asks for. Each language is one file; all
// have the same keys. Sentences of rules and answers of the server come in the language they have.

const OFFERED = ["en", "de", "fr", "es"];

/** The language of the page: the first one of the browser's that is offered. */
export const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => OFFERED.includes(tag)) ?? OFFERED[0];

const { default: words } = await import(`./languages/${language}.js`);

/**
 * The text of a key, with "{name}" replaced by `values.name`. Of a text in two forms, as
 * "{count} move|{count} moves", the first is for a `count` of one.
 * @param {string} key
 * @param {Object<string, string|number>} values
 * @returns {string}
 */
export function say(key, values = {}) {
  const forms = words[key].split("|");
  const text = forms.length > 1 && values.count !== 1 ? forms[1] : forms[0];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

const alternatives = new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "disjunction" });

/** "3, 6 or 7"; where `more` are told after them, "3, 6, 7". */
export const either = (names, more = false) => (more ? names.join(", ") : alternatives.format(names));

/** Puts the words of the language into the page's own elements, which have English ones. */
export function translate() {
  document.documentElement.lang = language;
  each("data-say", (element, text) => (element.textContent = text));
  each("data-say-label", (element, text) => element.setAttribute("aria-label", text));
  each("data-say-title", (element, text) => element.setAttribute("title", text));
}

/** Changes each element that has a key in this attribute. */
function each(attribute, change) {
  for (const element of document.querySelectorAll(`[${attribute}]`)) change(element, say(element.getAttribute(attribute)));
}
