// What is counted of a game: moves taken back, help, time. Knows no page.

import { encodeState } from "./link.js";

/**
 * @typedef {object} Round
 * @property {number} undos
 * @property {number} helps moves made while help was on, and questions asked
 * @property {number} seconds
 * @property {boolean} isWhole whether all its moves were counted: none by a link, none by the page
 */

/** @returns {Round} */
export const freshRound = () => ({ undos: 0, helps: 0, seconds: 0, isWhole: true });

/** One star for the tour, one for no undo, one for no help. */
export const starsOf = ({ undos, helps }) => 1 + (undos === 0 ? 1 : 0) + (helps === 0 ? 1 : 0);

export const MAX_STARS = 3;

/** What a record is of: a board with its question. */
export const recordKey = ({ board, closed, start, end }) => encodeState({ board, closed, start, end });

/** As signs: "★★☆". */
export const starSigns = (stars) => "★".repeat(stars) + "☆".repeat(MAX_STARS - stars);
