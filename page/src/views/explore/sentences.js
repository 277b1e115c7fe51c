// The step of a search and its reason, as a sentence of the page's language. An event contains its moment, [name,
// facts]; model/sentences.py of the library describes them.

import { fill, libraryWords, texts } from "../../language.js";
import { grouped, listed } from "../../numbers.js";

/** The moment of an event: a row of the library's SENTENCES, "" for none; and its facts. @returns {[string, object]} */
export const momentOf = (/** @type {any[]} */ event) => event[4] ?? ["", {}];

/** The sentence of an event, or "". */
export function sentenceOf(/** @type {Record<string, string>} */ sentences, event) {
  const [name, facts] = momentOf(event);
  return fill(libraryWords("sentences", name, sentences[name] ?? "").words, inWords(facts));
}

const inWords = (facts) => Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, wordsOf(fact, name)]));

/** A fact is a word, a number, a list behind the word that joins its parts, or a phrase, {say, ...facts}. */
function wordsOf(fact, name = "") {
  // The argument n selects the plural of a text.
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
