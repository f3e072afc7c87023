// What the browser keeps between visits. Other versions of the page may have written it, and people edit it.

/** A list or an object, as `fallback` is one; that where nothing of this kind is kept. */
export function kept(name, fallback) {
  try {
    const found = JSON.parse(localStorage.getItem(name));
    return found instanceof Object && Array.isArray(found) === Array.isArray(fallback) ? found : fallback;
  } catch {
    return fallback;
  }
}

export const keep = (name, value) => localStorage.setItem(name, JSON.stringify(value));
