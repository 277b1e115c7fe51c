// The levels of Play, in order of difficulty, by their names in the texts of the page. Counts of a game: undos, help,
// time.

import { sameBoard } from "./board.js";
import { keptRecord } from "./kept.js";
import { decodeState, encodeState } from "./link.js";
import tables from "./tables.json" with { type: "json" };

/**
 * A problem with a name.
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

/** The easiest level without a win; the first if all are won. */
export const nextLevel = () =>
  LEVELS.find((level) => !keptRecord(recordKey({ ...level, start: null, end: null }))) ?? LEVELS[0];

export const levelOf = ({ board, closed, start, end }) =>
  start !== null || end !== null
    ? -1
    : LEVELS.findIndex((each) => each.closed === closed && sameBoard(each.board, board));

/**
 * @typedef {object} Round
 * @property {number} undos
 * @property {number} helps moves made with help on, plus requests for help
 * @property {number} seconds
 * @property {boolean} isWhole whether all moves were counted: none came from a link or from the page
 */

/** @returns {Round} */
export const freshRound = () => ({ undos: 0, helps: 0, seconds: 0, isWhole: true });

/** One star for the tour, one for no undo, one for no help. */
export const starsOf = ({ undos, helps }) => 1 + (undos === 0 ? 1 : 0) + (helps === 0 ? 1 : 0);

export const MAX_STARS = 3;

export const recordKey = ({ board, closed, start, end }) => encodeState({ board, closed, start, end });

/** As signs: "★★☆". */
export const starSigns = (stars) => "★".repeat(stars) + "☆".repeat(MAX_STARS - stars);
