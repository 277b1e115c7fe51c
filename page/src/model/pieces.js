// Pieces: a piece is a set of leaps [a, b], a squares one way and b the other, as in the library's table of pieces. In
// a list, each leap has its smaller number first and occurs once, in ascending order. In a box a leap may have a number
// for each axis; zeros are omitted, except to keep two numbers.

import tables from "./tables.json" with { type: "json" };

/** @typedef {number[]} Leap */

/**
 * The pieces that have a name.
 * @type {Record<string, Leap[]>}
 */
export const PIECES = /** @type {any} */ (tables.pieces);

// Pieces that step to every adjacent cell.
const TOUCHING = tables.touching;

/**
 * The leaps of a piece on a board with this number of axes; a king has more leaps in a box.
 * @param {string} name
 * @returns {Leap[]}
 */
export function leapsIn(name, dimension = 2) {
  const further = TOUCHING.includes(name) ? Math.max(dimension - 2, 0) : 0;
  return [...PIECES[name], ...Array.from({ length: further }, (_, k) => Array(k + 3).fill(1))];
}

/**
 * Normalize a list of leaps.
 * @param {number[][]} leaps
 * @returns {Leap[]}
 */
export function pieceOf(leaps) {
  const sorted = leaps.map((leap) => {
    const far = leap.filter((number) => number !== 0).sort((a, b) => a - b);
    return [...Array(Math.max(2 - far.length, 0)).fill(0), ...far];
  });
  const once = new Map(sorted.map((leap) => [leap.join(), leap]));
  return [...once.values()].sort((a, b) => {
    const at = a.findIndex((number, k) => number !== b[k]);
    return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
  });
}

/**
 * The number of axes of a board of this shape.
 * @param {string} [shape]
 */
export const dimensionOf = (shape) => (/^\d/.test(shape ?? "") ? (shape ?? "").split("x").length : 2);

/** @param {Leap[]} leaps */
export const isKnight = (leaps) => leaps.join() === "1,2";

/**
 * The name of a piece, or "".
 * @param {Leap[]} leaps
 */
export const pieceName = (leaps, dimension = 2) =>
  Object.keys(PIECES).find((name) => leapsIn(name, dimension).join(";") === leaps.join(";")) ?? "";

/** The part of a board specification that defines the piece: its numbers, or the name of a piece of several leaps. */
export function pieceWord(/** @type {Leap[]} */ leaps, dimension = 2) {
  if (dimension === 2) return (leaps.length > 1 && pieceName(leaps)) || leaps.map((leap) => leap.join()).join("+");
  const width = leaps.some((leap) => leap.length > 2) ? dimension : 2;
  return leaps.map((leap) => [...Array(width - leap.length).fill(0), ...leap].join()).join("+");
}

/** Parse names and numbers of leaps, joined by "+"; null if they are not a piece. */
export function leapsOf(/** @type {string} */ word, dimension = 2) {
  const parts = word.split("+").map((text) => {
    const part = text.trim().toLowerCase();
    if (/^\d{1,2}( ?, ?\d{1,2})+$/.test(part)) {
      const numbers = part.split(",").map(Number);
      return numbers.length <= dimension ? [numbers] : null;
    }
    return Object.hasOwn(PIECES, part) ? leapsIn(part, dimension) : null;
  });
  return parts.includes(null) ? null : pieceOf(parts.flatMap((leaps) => leaps ?? []));
}

/** The images of a leap under the symmetries of a board with this number of axes. */
function imagesOf(/** @type {Leap} */ leap, /** @type {number} */ dimension) {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  const add = (vector) => found.set(vector.join(), vector);
  add([...leap, ...Array(dimension - leap.length).fill(0)]);
  // Exchanges of two axes and changes of one sign reach all images. The map grows during the loop.
  for (const vector of found.values())
    for (let i = 0; i < dimension; i++) {
      add(vector.with(i, 0 - vector[i]));
      for (let j = 0; j < i; j++) add(vector.with(i, vector[j]).with(j, vector[i]));
    }
  return [...found.values()];
}

const angle = (/** @type {number[]} */ [r, c]) => (Math.atan2(c, r) + 2 * Math.PI) % (2 * Math.PI);

/**
 * The moves of a piece: [drow, dcol], or a number for each axis. They are in the library's order, since a picture draws
 * the first of equal moves over joined sides.
 * @param {Leap[]} leaps
 * @returns {any[]}
 */
export const vectorsOf = (leaps, dimension = 2) =>
  leaps.flatMap((leap) => imagesOf(leap, dimension).sort((a, b) => angle(a) - angle(b)));
