// Numbers, lists and days in the chosen language: 1,234 and 0.5 in English, 1.234 and 0,5 in German.

/** @type {string[]} */
const locale = ["en"];

export function useNumbers(language) {
  locale[0] = language;
}

/** @param {Intl.NumberFormatOptions} options */
const format = (number, options) => number.toLocaleString(locale[0], options);

/** An integer, which may be large and given as digits, in groups of three. */
export const grouped = (number) => format(typeof number === "string" ? BigInt(number) : number, {});

export const fixed = (number, digits) =>
  format(number, { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const rounded = (number, digits) =>
  format(Number(number.toPrecision(digits)), { maximumFractionDigits: 20, useGrouping: false });

/** The plural of a number: one of "zero", "one", "two", "few", "many", "other". */
export const pluralOf = (number) => new Intl.PluralRules(locale[0]).select(number);

/**
 * "a, b and c", or with or.
 * @param {string[]} words
 * @param {"conjunction" | "disjunction"} type
 */
export const listed = (words, type = "conjunction") =>
  // The page's English is British: no comma before "and".
  new Intl.ListFormat(locale[0] === "en" ? "en-GB" : locale[0], { type }).format(words);

/**
 * A day of the year, such as November 5.
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} [more]
 */
export const dated = (date, more = {}) =>
  date.toLocaleDateString(locale[0], { day: "numeric", month: "long", ...more });

export function duration(seconds) {
  if (seconds < 0.001) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 1) return `${rounded(seconds * 1000, 2)} ms`;
  return `${fixed(seconds, seconds < 10 ? 1 : 0)} s`;
}
