// What this browser keeps for the page, by name; nothing leaves it. What it does not take lasts as long as the page.

/** @type {Map<string, string>} */
const here = new Map();
// What went wrong: "unkept", the browser keeps nothing more; "spoilt", something could not be read.
/** @type {Set<string>} */
const troubles = new Set();
// Names whose text was not put aside: it is not written over.
/** @type {Set<string>} */
const held = new Set();
let ontrouble = (/** @type {string} */ _trouble) => {};

function tell(trouble) {
  if (troubles.has(trouble)) return;
  troubles.add(trouble);
  ontrouble(trouble);
}

/** Hear of each trouble once, of those that were before too. */
export function listenToTrouble(/** @type {typeof ontrouble} */ listener) {
  ontrouble = listener;
  for (const trouble of troubles) listener(trouble);
}

/** Hear that another tab has kept something by a name. */
export function listenToOthers(/** @type {string} */ name, /** @type {() => void} */ listener) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === name && newValue !== null) listener();
  });
}

/** The text of a name; null where there is none. */
export function keptText(/** @type {string} */ name) {
  try {
    return here.get(name) ?? localStorage.getItem(name);
  } catch {
    tell("unkept");
    return here.get(name) ?? null;
  }
}

/** Whether the browser takes the text. */
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

/** Put aside what cannot be read, so that writing does not lose it. */
function putAside(/** @type {string} */ name) {
  if (keepText(`${name}-spoilt`, keptText(name) ?? "")) localStorage.removeItem(name);
  else held.add(name);
  tell("spoilt");
}

/** What a text of JSON says; undefined where it is none. */
export function parsed(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a name, of the kind of `otherwise`, which is there where nothing is kept. */
export function kept(name, otherwise) {
  const value = parsed(keptText(name) ?? "null");
  if (value === null) return otherwise;
  if (typeof value === typeof otherwise) return value;
  putAside(name);
  return otherwise;
}

/** Of what is kept by a name what `mend` leaves; where that is not all, the text is put aside. */
export function mended(name, mend) {
  const value = kept(name, {});
  const right = mend(value);
  if (JSON.stringify(right) === JSON.stringify(value)) return value;
  putAside(name);
  keep(name, right);
  return right;
}

/** The entries of an object whose values are right. */
export const rightOf = (all, isRight) =>
  Object.fromEntries(Object.entries(all).filter(([key, value]) => isRight(value, key)));

export const keep = (name, value) => keepText(name, JSON.stringify(value));
