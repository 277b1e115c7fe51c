// The language of the page and its texts. The page's texts are in texts/, one file per language, in groups; CONTRIBUTING
// describes how to add a language. English is loaded with the page, other languages on demand. Texts of the library, such
// as the reason why no tour exists, are English: their elements have an attribute `lang`.
//
// Texts with placeholders are ICU messages, a format that translators use:
//
//     {name}                                                  the value of this name
//     {n, number}                                             a number as the language writes it
//     {n, plural, =0 {no way} one {# way} other {# ways}}     one of these, by the language's own rules; # is n
//     {closed, select, true {closed} other {open}}            one of these, by the value

import { grouped, pluralOf, useNumbers } from "./numbers.js";
import en from "./texts/en.json" with { type: "json" };

/** @typedef {typeof en & {library: Record<string, Record<string, string>>}} Texts */

/** The texts of the chosen language. Read them when they are displayed: they change once, before the first view. */
/** @type {Texts} */
export const texts = { ...en, library: {} };

/** Use these texts; missing texts stay English. */
export function useTexts(language, /** @type {Partial<Texts>} */ chosen) {
  complete(texts, chosen);
  useNumbers(language);
}

function complete(english, chosen) {
  for (const [name, text] of Object.entries(chosen)) {
    const isGroup = typeof text === "object" && !Array.isArray(text);
    if (isGroup) english[name] = { ...english[name] };
    if (isGroup) complete(english[name], text);
    else english[name] = text;
  }
}

/** The index of the brace that closes the brace at `from`. */
function closing(text, from) {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  throw new Error(text);
}

/** The variants of a placeholder, such as one {# way} other {# ways}, by name. */
function variantsOf(text) {
  /** @type {Record<string, string>} */
  const variants = {};
  for (let from = text.indexOf("{"), done = 0; from >= 0; from = text.indexOf("{", done)) {
    const end = closing(text, from);
    variants[text.slice(done, from).trim()] = text.slice(from + 1, end);
    done = end + 1;
  }
  return variants;
}

/** @param {Record<string, unknown>} values */
function place(inside, values) {
  const [, name, kind, rest] = /^(\w+)(?:, (\w+))?(?:, (.*))?$/s.exec(inside) ?? [];
  const value = values[name];
  if (value === undefined) throw new Error(`${inside}, ${name}`);
  if (kind === "number" || (!kind && typeof value === "number")) return grouped(value);
  if (!kind) return String(value);
  const variants = variantsOf(rest);
  if (kind === "select") return fill(variants[String(value)] ?? variants.other, values);
  const variant = variants[`=${value}`] ?? variants[pluralOf(Number(value))] ?? variants.other;
  return fill(variant, values, grouped(value));
}

/** Fill the placeholders of a text. number: value of #. */
export function fill(/** @type {string} */ text, /** @type {Record<string, unknown>} */ values, number = "#") {
  let filled = "";
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") {
      const end = closing(text, i);
      filled += place(text.slice(i + 1, end), values);
      i = end;
    } else filled += text[i] === "#" ? number : text[i];
  }
  return filled;
}

/**
 * The words of a row of the library, such as a summary: {words, lang}, with lang "en" if they are the library's own.
 */
export function libraryWords(/** @type {keyof Texts["library"]} */ table, name, english) {
  const words = texts.library[table]?.[name];
  return words === undefined ? { words: english, lang: "en" } : { words, lang: null };
}
