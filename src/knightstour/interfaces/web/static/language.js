// The language of the page: which one, and its texts. Every text that the page itself says is in a file of texts/, one
// for each language and all of the same shape; CONTRIBUTING says how to add one.
//
// English is loaded with the page, the others when they are wanted. What the library says, such as the reason why there
// is no tour, is English: elements with its words say so by their attribute `lang`.

import { useNumbers } from "./numbers.js";
import * as en from "./texts/en.js";

/** @typedef {typeof en} Texts */

/** The texts of the language that was chosen. Read them when they are shown: they change once, before the first view. */
/** @type {Texts} */
export const texts = { ...en };

/** Show these texts from now on. */
export function useTexts(language, /** @type {Texts} */ chosen) {
  Object.assign(texts, chosen);
  useNumbers(language);
}
