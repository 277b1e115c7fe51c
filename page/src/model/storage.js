// Local storage of the page, by name. Values that the browser does not accept last until the page is closed.

/** @type {Map<string, string>} */
const here = new Map();
// Errors: "unkept", the storage is full; "spoilt", a value was unreadable.
/** @type {Set<string>} */
const troubles = new Set();
// Names whose text could not be set aside; they are not overwritten.
/** @type {Set<string>} */
const held = new Set();
let ontrouble = (/** @type {string} */ _trouble) => {};

function tell(trouble) {
  if (troubles.has(trouble)) return;
  troubles.add(trouble);
  ontrouble(trouble);
}

/** Report each error once, including earlier ones. */
export function listenToTrouble(/** @type {typeof ontrouble} */ listener) {
  ontrouble = listener;
  for (const trouble of troubles) listener(trouble);
}

export function listenToOthers(/** @type {string} */ name, /** @type {() => void} */ listener) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === name && newValue !== null) listener();
  });
}

export function keptText(/** @type {string} */ name) {
  try {
    return here.get(name) ?? localStorage.getItem(name);
  } catch {
    tell("unkept");
    return here.get(name) ?? null;
  }
}

/** Store a text. Return whether the browser accepted it. */
export function keepText(/** @type {string} */ name, /** @type {string} */ text) {
  try {
    if (held.has(name)) throw new Error(name);
    localStorage.setItem(name, text);
    here.delete(name);
    return true;
  } catch {
    here.set(name, text);
    tell("unkept");
    return false;
  }
}

/** Set unreadable text aside, so that writing does not delete it. */
function putAside(/** @type {string} */ name) {
  if (keepText(`${name}-spoilt`, keptText(name) ?? "")) localStorage.removeItem(name);
  else held.add(name);
  tell("spoilt");
}

export function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value stored under a name if it has the type of `otherwise`, else `otherwise`. */
export function kept(name, otherwise) {
  const value = parsed(keptText(name) ?? "null");
  if (value === null) return otherwise;
  if (typeof value === typeof otherwise) return value;
  putAside(name);
  return otherwise;
}

/** The part of a stored value that `mend` accepts; if it rejects a part, the text is set aside. */
export function mended(name, mend) {
  const value = kept(name, {});
  const right = mend(value);
  if (JSON.stringify(right) === JSON.stringify(value)) return value;
  putAside(name);
  keep(name, right);
  return right;
}

export const rightOf = (all, isRight) =>
  Object.fromEntries(Object.entries(all).filter(([key, value]) => isRight(value, key)));

export const keep = (name, value) => keepText(name, JSON.stringify(value));
