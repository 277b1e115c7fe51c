// Boards and tours of them in words.

import { squareCount, squareName } from "./board.js";
import { dimensionOf, pieceName } from "./pieces.js";
import { isClosed } from "./tour.js";
import { fill, libraryWords, texts } from "../language.js";

const ofLeaps = (leaps, dimension) => {
  const name = pieceName(leaps, dimension);
  return name && libraryWords("pieces", name, name).words;
};

/** "king", "wazir+camel", "knight+5,6" */
const pieceWords = (/** @type {import("./pieces.js").Leap[]} */ leaps, dimension = 2) =>
  ofLeaps(leaps, dimension) || leaps.map((leap) => ofLeaps([leap], dimension) || leap.join()).join("+");

/** "8×8", "4×4×4", "hexagon of side 6" */
function sizeWords({ rows, cols, shape }) {
  const [kind, n] = shape?.split(":") ?? [];
  if (!n) return shape ? shape.replaceAll("x", "×") : `${rows}×${cols}`;
  return kind === "hex" ? fill(texts.board.hexagon, { n }) : fill(texts.board.triangle, { n });
}

/** @param {import("./state.js").Board} board */
function partsOf({ wrap, holes, leaps, shape, ...size }) {
  const name = pieceName(leaps, dimensionOf(shape));
  const isNamed = name || leaps.length > 1;
  return {
    size: sizeWords({ shape, ...size }),
    wrap: shape?.includes(":") ? "cells" : (wrap ?? "none"),
    holes: holes.length,
    leaper: ["knight", "wazir"].includes(name) ? name : isNamed ? "named" : leaps[0].join(),
    piece: pieceWords(leaps, dimensionOf(shape)),
  };
}

/** "8×8 board with 2 holes", or without the noun: "8×8 with 2 holes". */
export const boardWords = (/** @type {import("./state.js").Board} */ board, isShort = false) =>
  fill(texts.board.words, { ...partsOf(board), ...(isShort && !board.wrap ? { wrap: "short" } : {}) }).trim();

export const kindWord = (closed) => (closed ? texts.common.closed : texts.common.open);
/** "8×8 board, closed" */
export const questionWords = ({ board, closed }) => `${boardWords(board)}, ${kindWord(closed)}`;

/** @typedef {import("./state.js").Board & {closed: boolean, ends?: string}} Asked ends: the ends of the tour, in words */

/**
 * A text about tours of a board, such as "closed tour of the 8×8 board from a1"; values: further values for the text.
 * @param {string} text
 * @param {Asked} asked
 */
export function tourWords(text, { closed, ends = "", ...board }, values = {}) {
  const ofBoard = fill(texts.board.of, { ...partsOf(board), words: boardWords(board) });
  return fill(text, { closed, ends, ofBoard, ...values });
}

/** A board and the tour on it, for screen readers. */
export function described(/** @type {import("./state.js").Board} */ board, /** @type {number[] | null} */ tour) {
  const name = (square) => squareName(board, square);
  const ends = tour && { closed: isClosed(board, tour), first: name(tour[0]), last: name(tour[tour.length - 1]) };
  const what = ends ? fill(texts.page.tourFromTo, ends) : texts.page.noTour;
  return fill(texts.page.described, { board: boardWords(board), n: squareCount(board), what });
}
