// The pace of a puzzle: the order in which its numbers were written, and the pause before each. A link may contain it.

import tables from "./tables.json" with { type: "json" };

const { digits: DIGITS } = tables;
// A pause is one digit, with this number of steps per doubling, so that long pauses are coarse.
const STEPS = 8;
// A number is one digit as well: larger boards have no pace in links.
export const MAX_NUMBER = DIGITS.length;

/** @typedef {[number, number][]} Pace numbers in the order of writing, each with the seconds since the start */

/** The pace after a change: deleted numbers are removed, new ones have the current time. */
export function noted(
  /** @type {Pace} */ pace,
  /** @type {Iterable<number>} */ written,
  /** @type {number} */ seconds,
) {
  const numbers = new Set(written);
  const kept = pace.filter(([number]) => numbers.has(number));
  for (const [number] of kept) numbers.delete(number);
  return /** @type {Pace} */ ([...kept, ...[...numbers].map((number) => [number, seconds])]);
}

/** Two digits for each number: the number and the pause before it. */
export function encodePace(/** @type {Pace} */ pace) {
  return pace
    .map(([number, seconds], i) => {
      const pause = Math.max(0, seconds - (i ? pace[i - 1][1] : 0));
      const step = Math.min(DIGITS.length - 1, Math.round(STEPS * Math.log2(1 + pause)));
      return DIGITS[number - 1] + DIGITS[step];
    })
    .join("");
}

export function decodePace(/** @type {string} */ text) {
  const values = [...text].map((digit) => DIGITS.indexOf(digit));
  if (!values.length || values.length % 2 || values.includes(-1)) return null;
  /** @type {Pace} */
  const pace = [];
  let seconds = 0;
  for (let i = 0; i < values.length; i += 2) {
    seconds += 2 ** (values[i + 1] / STEPS) - 1;
    pace.push([values[i] + 1, Math.round(10 * seconds) / 10]);
  }
  return new Set(pace.map(([number]) => number)).size === pace.length ? pace : null;
}

export function longestPause(/** @type {Pace} */ pace) {
  const pauses = pace.map(([, seconds], i) => seconds - (i ? pace[i - 1][1] : 0));
  return pace[pauses.indexOf(Math.max(...pauses))]?.[0] ?? null;
}

/**
 * For each move of the tour, from 1 to 2 on: the time at which both numbers were written, as a part of the whole time.
 */
export function movesAt(/** @type {Pace} */ pace, /** @type {number} */ count) {
  const at = new Map(pace);
  const whole = Math.max(1, ...at.values());
  const when = (/** @type {number} */ number) => at.get(number) ?? 0;
  return Array.from({ length: count }, (_, i) => Math.max(when(i + 1), when(((i + 1) % count) + 1)) / whole);
}
