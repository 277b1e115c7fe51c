// Pieces: a piece is a set of leaps [a, b], a squares one way and b the other, as in the library's table of pieces.
// A list of them has the smaller number first, each leap once, and rises.

import tables from "./tables.json" with { type: "json" };

/** @typedef {[number, number]} Leap */

/**
 * The pieces that have a name.
 * @type {Record<string, Leap[]>}
 */
export const PIECES = /** @type {any} */ (tables.pieces);

/**
 * The same leaps as such a list.
 * @param {number[][]} leaps
 * @returns {Leap[]}
 */
export function pieceOf(leaps) {
  const sorted = leaps.map(([a, b]) => /** @type {Leap} */ (a <= b ? [a, b] : [b, a]));
  const once = new Map(sorted.map((leap) => [leap.join(), leap]));
  return [...once.values()].sort(([a, b], [c, d]) => a - c || b - d);
}

/** @param {Leap[]} leaps */
export const isKnight = (leaps) => leaps.join() === "1,2";

/**
 * Its name, or "".
 * @param {Leap[]} leaps
 */
export const pieceName = (leaps) => Object.keys(PIECES).find((name) => PIECES[name].join() === leaps.join()) ?? "";

/** What the word of a board says of it: its numbers, or the name of a piece of several leaps. */
export const pieceWord = (/** @type {Leap[]} */ leaps) =>
  (leaps.length > 1 && pieceName(leaps)) || leaps.map((leap) => leap.join()).join("+");

/** The leaps of such a word: names and pairs of numbers, joined by "+"; null where it says no piece. */
export function leapsOf(/** @type {string} */ word) {
  const parts = word.split("+").map((text) => {
    const part = text.trim().toLowerCase();
    const numbers = /^(\d{1,2}) ?, ?(\d{1,2})$/.exec(part);
    if (numbers) return [[Number(numbers[1]), Number(numbers[2])]];
    return Object.hasOwn(PIECES, part) ? PIECES[part] : null;
  });
  return parts.includes(null) ? null : pieceOf(parts.flatMap((leaps) => leaps ?? []));
}

/**
 * The moves [drow, dcol] of a piece.
 * @param {Leap[]} leaps
 * @returns {[number, number][]}
 */
export function vectorsOf(leaps) {
  const seen = new Map();
  for (const [a, b] of leaps) {
    for (const [r, c] of [
      [b, a],
      [a, b],
      [-a, b],
      [-b, a],
      [-b, -a],
      [-a, -b],
      [a, -b],
      [b, -a],
    ]) {
      const key = `${r},${c}`;
      if (!seen.has(key)) seen.set(key, [r, c]);
    }
  }
  return [...seen.values()];
}
