// The levels of Play, the easiest first, and boards that are worth a look: both by their names in the texts of the page.

import { sameBoard } from "./board.js";
import { keptRecord } from "./kept.js";
import { decodeState } from "./link.js";
import { recordKey } from "./round.js";
import tables from "./tables.json" with { type: "json" };

/**
 * A question that is known by a name.
 * @typedef {object} Known
 * @property {string} name
 * @property {boolean} closed
 * @property {import("./state.js").Board} board
 */

/** @returns {Known[]} */
const known = (/** @type {Record<string, string>} */ links) =>
  Object.entries(links).map(([name, link]) => {
    const { board, closed } = decodeState(link);
    return { name, board, closed };
  });

export const LEVELS = known(tables.games);
export const READY_MADE = known(tables.boards);

/** The easiest level that was not won yet; the first where all were. */
export const nextLevel = () =>
  LEVELS.find((level) => !keptRecord(recordKey({ ...level, start: null, end: null }))) ?? LEVELS[0];

/** The number of the level that is asked, -1 if none is. */
export const levelOf = ({ board, closed, start, end }) =>
  start !== null || end !== null
    ? -1
    : LEVELS.findIndex((each) => each.closed === closed && sameBoard(each.board, board));
