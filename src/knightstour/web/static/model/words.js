// Boards and tours of them in words.

import { fill, texts } from "../language.js";

const partsOf = ({ rows, cols, wrap, holes, leaper }) => ({
  size: `${rows}×${cols}`,
  wrap: wrap ?? "none",
  holes: holes.length,
  leaper: leaper.join() === "1,2" ? "knight" : leaper.join(),
});

/** "8×8 board with 2 holes" */
export const boardWords = (/** @type {import("./state.js").Board} */ board) => fill(texts.board.words, partsOf(board));

/** @typedef {import("./state.js").Board & {closed: boolean, ends?: string}} Asked ends: of the tour, in words */

/**
 * A text on tours of a board, such as "closed tour of the 8×8 board from a1"; values: what the text says besides.
 * @param {string} text
 * @param {Asked} asked
 */
export function tourWords(text, { closed, ends = "", ...board }, values = {}) {
  const ofBoard = fill(texts.board.of, { ...partsOf(board), words: boardWords(board) });
  return fill(text, { closed, ends, ofBoard, ...values });
}
