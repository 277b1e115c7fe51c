// Tours as lists of square numbers: transforms, comparison and text. Independent of searches and the server.

import { boardWord, makeBoard, neighbours, squareCount } from "./board.js";
import { linesOfCells } from "./cells.js";
import { isKnight } from "./pieces.js";

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

/** The numbered diagram, as the command line prints it. */
export function toGrid(board, order) {
  const numbers = new Map(order.map((s, i) => [s, String(i + 1)]));
  if (board.shape) {
    const width = String(order.length).length;
    const texts = Array.from({ length: board.cols }, (_, k) => (numbers.get(k) ?? ".").padStart(width));
    return `# board ${boardWord(board)}\n${linesOfCells(board, texts).join("\n")}\n`;
  }
  return `${[...titleOf(board), ...linesOf(board, (square) => numbers.get(square) ?? ".")].join("\n")}\n`;
}

/** The line that specifies the board, if the numbers do not. */
const titleOf = (board) => (board.wrap || !isKnight(board.leaps) ? [`# board ${boardWord(board)}`] : []);

/** A text for each square, as lines; columns are as wide as the largest number. */
function linesOf(board, word) {
  const width = String(squareCount(board)).length;
  const row = (r) => Array.from({ length: board.cols }, (_, c) => word(r * board.cols + c).padStart(width)).join(" ");
  return Array.from({ length: board.rows }, (_, r) => row(r));
}

/** A puzzle in the library's file format. */
export function puzzleText(board, closed, numbers) {
  const at = new Map(numbers);
  const rows = linesOf(board, (s) => (board.holes.includes(s) ? "#" : String(at.get(s) ?? ".")));
  return `${[...titleOf({ ...board, holes: [] }), ...(closed ? ["closed"] : []), ...rows].join("\n")}\n`;
}
