// The levels of Play, the easiest first. Knows no page; a test finds a tour for each.

import { holesWhere, makeBoard, sameBoard } from "./board.js";

const isCorner = (r, c) => [0, 1, 6, 7].includes(r) && [0, 1, 6, 7].includes(c);

/**
 * @typedef {object} Level
 * @property {string} name
 * @property {string} about what is special about it
 * @property {boolean} closed
 * @property {import("./state.js").Board} board
 */

/** @type {Level[]} */
export const LEVELS = [
  { name: "5×5", about: "open: start well", closed: false, board: makeBoard({ rows: 5, cols: 5 }) },
  { name: "6×6", about: "open", closed: false, board: makeBoard({ rows: 6, cols: 6 }) },
  {
    name: "Torus",
    about: "5×5, closed; all sides are joined",
    closed: true,
    board: makeBoard({ rows: 5, cols: 5, wrap: "torus" }),
  },
  {
    name: "Ring",
    about: "7×7, closed; a hole in the middle",
    closed: true,
    board: makeBoard({ rows: 7, cols: 7, holes: holesWhere(7, 7, (r, c) => r === 3 && c === 3) }),
  },
  {
    name: "Cross",
    about: "48 squares, closed; no corners",
    closed: true,
    board: makeBoard({ rows: 8, cols: 8, holes: holesWhere(8, 8, isCorner) }),
  },
  { name: "8×8", about: "the chess board, closed", closed: true, board: makeBoard() },
  {
    name: "Camel",
    about: "leaps 1 and 3, on a 7×7 torus, closed",
    closed: true,
    board: makeBoard({ rows: 7, cols: 7, wrap: "torus", leaper: [1, 3] }),
  },
  {
    name: "Zebra",
    about: "leaps 2 and 3, on 10×10, closed",
    closed: true,
    board: makeBoard({ rows: 10, cols: 10, leaper: [2, 3] }),
  },
];

/** The number of the level that is asked, -1 if none is. */
export const levelOf = ({ board, closed, start, end }) =>
  start !== null || end !== null
    ? -1
    : LEVELS.findIndex((each) => each.closed === closed && sameBoard(each.board, board));
