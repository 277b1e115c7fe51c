// Tours as lists of square numbers: transforms and comparison. Independent of searches and the server.

import { makeBoard, neighbours } from "./board.js";

export function isClosed(board, order) {
  return order.length > 2 && neighbours(board)[order[order.length - 1]].includes(order[0]);
}

export const fromPairs = (board, pairs) => pairs.map(([r, c]) => r * board.cols + c);
export const toPairs = (board, order) => order.map((s) => [Math.floor(s / board.cols), s % board.cols]);

// [transpose, flip rows, flip columns], in this order.
const TURNS = { 90: [true, false, true], 270: [true, true, false], vertical: [false, false, true] };

function turnedSquare(board, s, [transpose, flipRows, flipCols]) {
  let [r, c, rows, cols] = [Math.floor(s / board.cols), s % board.cols, board.rows, board.cols];
  if (transpose) [r, c, rows, cols] = [c, r, cols, rows];
  return (flipRows ? rows - 1 - r : r) * cols + (flipCols ? cols - 1 - c : c);
}

/** Whether the board can be turned: the sides of a cylinder, Moebius strip or Klein bottle must stay sides. */
export function canTurn(board, name) {
  if (board.shape) return false;
  return !TURNS[name][0] || board.wrap === null || board.wrap === "torus";
}

/** {board, turn}: the turned board, and the function that maps a square to its new position. */
export function turned(board, name) {
  const turn = TURNS[name];
  const take = (s) => turnedSquare(board, s, turn);
  const sides = turn[0] ? { rows: board.cols, cols: board.rows } : {};
  return { board: makeBoard({ ...board, ...sides, holes: board.holes.map(take) }), take };
}
