// What the library says, in the language of the page where its texts have it: summaries of methods, sentences on steps,
// counters. All else that comes from the server, such as a reason or a proof, is English, and marked so.

import { texts } from "./language.js";

/**
 * The words of a row: {words, lang}, with lang "en" if they are the library's own.
 * @param {keyof import("./language.js").Texts["library"]} table
 */
export function libraryWords(table, name, english) {
  const words = texts.library[table][name];
  return words === undefined ? { words: english, lang: "en" } : { words, lang: null };
}
