// The levels of Play, the easiest first. Knows no page; a test finds a tour for each.

import { holesWhere, makeBoard, sameBoard } from "./board.js";

const isCorner = (r, c) => [0, 1, 6, 7].includes(r) && [0, 1, 6, 7].includes(c);

/**
 * @typedef {object} Level
 * @property {string} name of its words in the texts of the page
 * @property {boolean} closed
 * @property {import("./state.js").Board} board
 */

/** @type {Level[]} */
export const LEVELS = [
  { name: "five", closed: false, board: makeBoard({ rows: 5, cols: 5 }) },
  { name: "six", closed: false, board: makeBoard({ rows: 6, cols: 6 }) },
  {
    name: "torus",
    closed: true,
    board: makeBoard({ rows: 5, cols: 5, wrap: "torus" }),
  },
  {
    name: "ring",
    closed: true,
    board: makeBoard({ rows: 7, cols: 7, holes: holesWhere(7, 7, (r, c) => r === 3 && c === 3) }),
  },
  {
    name: "cross",
    closed: true,
    board: makeBoard({ rows: 8, cols: 8, holes: holesWhere(8, 8, isCorner) }),
  },
  { name: "chess", closed: true, board: makeBoard() },
  {
    name: "camel",
    closed: true,
    board: makeBoard({ rows: 7, cols: 7, wrap: "torus", leaper: [1, 3] }),
  },
  {
    name: "zebra",
    closed: true,
    board: makeBoard({ rows: 10, cols: 10, leaper: [2, 3] }),
  },
];

/** The number of the level that is asked, -1 if none is. */
export const levelOf = ({ board, closed, start, end }) =>
  start !== null || end !== null
    ? -1
    : LEVELS.findIndex((each) => each.closed === closed && sameBoard(each.board, board));
