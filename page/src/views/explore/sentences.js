// What a step of a search did, and why, as a sentence of the page's language. An event brings its moment, [name, facts],
// which model/sentences.py of the library describes.

import { fill, libraryWords, texts } from "../../language.js";
import { grouped, listed } from "../../numbers.js";

/** The moment of an event: a row of the library's SENTENCES, "" for none; and its facts. @returns {[string, object]} */
export const momentOf = (/** @type {any[]} */ event) => event[4] ?? ["", {}];

/** The sentence of an event; "" where there is none. */
export function sentenceOf(/** @type {Record<string, string>} */ sentences, event) {
  const [name, facts] = momentOf(event);
  return fill(libraryWords("sentences", name, sentences[name] ?? "").words, inWords(facts));
}

const inWords = (facts) => Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, wordsOf(fact, name)]));

/** A fact is a word, a number, a list behind the word that joins its parts, or a phrase, {say, ...facts}. */
function wordsOf(fact, name = "") {
  // Of n a text takes the right plural.
  if (typeof fact === "number" && name !== "n") return grouped(fact);
  if (typeof fact !== "object") return fact;
  if (Array.isArray(fact)) {
    const [joint, ...parts] = fact;
    const words = parts.map((part) => wordsOf(part));
    return joint === "," ? words.join(", ") : listed(words, joint === "or" ? "disjunction" : "conjunction");
  }
  const { say, ...facts } = fact;
  const words = inWords(facts);
  return say === "squares" ? fill(texts.common.squares, words) : fill(texts.steps[say], words);
}
