// Whether a text is a tour, for when the server does not answer: names of squares or numbered diagrams, in the plain
// rules of the board. The library reads more, and has the last word; a test compares both.

import { makeBoard, MAX_SIDE, neighbours, squareName } from "./board.js";
import { isClosed, toPairs } from "./tour.js";

/**
 * What is wrong, by kind. number: of the step, from 1; square: a name, or null.
 * @typedef {{kind: "off" | "hole" | "again" | "noMove" | "left" | "missing" | "twice", number: number, name?: string,
 *   from?: string, before?: number, all?: number}} Wrong
 */

/** @typedef {[row: number, col: number]} Place the row from the bottom as in names, from 0 */

const NAME = /^([a-z]{1,3})([1-9]\d{0,2})$/i;

/** @returns {Place | null} */
function placeOf(name) {
  const match = NAME.exec(name);
  if (!match) return null;
  let col = 0;
  for (const letter of match[1].toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  return [Number(match[2]) - 1, col - 1];
}

/** The parts of a text between empty lines. */
const blocksOf = (text) =>
  text
    .replaceAll("\r", "")
    .trim()
    .split(/\n(?:[^\S\n]*\n)+/);

/** The tours of a text of names, a line each, or a square in each line and empty lines between tours; null if it is none. */
function readNames(text, board) {
  const rows = blocksOf(text).flatMap((block) => {
    const lines = block.split("\n").map((line) => line.split(/[\s,-]+/).filter(Boolean));
    return lines.some((words) => words.length > 1) ? lines : [lines.flat()];
  });
  const all = rows.flat().map(placeOf);
  if (!all.length || all.includes(null)) return null;
  const side = (i) => Math.max(...all.map((place) => place[i])) + 1;
  const own = board ?? makeBoard({ rows: side(0), cols: side(1) });
  if (own.rows > MAX_SIDE || own.cols > MAX_SIDE) return null;
  return rows.map((words) => reportOn(own, words));
}

/** A report on squares given by their names. */
function reportOn(board, names) {
  const { rows, cols } = board;
  const holes = new Set(board.holes);
  /** @type {Map<number, number>} */
  const seen = new Map();
  const order = names.map((name) => {
    const [row, col] = /** @type {Place} */ (placeOf(name));
    return row < rows && col < cols ? (rows - 1 - row) * cols + col : null;
  });
  const report = (wrong, step) => ({
    valid: wrong === null,
    closed: wrong === null && isClosed(board, order),
    board,
    squares: order.includes(null) ? null : toPairs(board, order),
    wrong,
    step,
  });
  for (const [k, square] of order.entries()) {
    const at = { number: k + 1, name: names[k].toLowerCase() };
    if (square === null) return report({ kind: "off", ...at }, k);
    if (holes.has(square)) return report({ kind: "hole", ...at }, k);
    if (seen.has(square)) return report({ kind: "again", ...at, before: seen.get(square) }, k);
    if (k && !neighbours(board)[order[k - 1]].includes(square)) {
      return report({ kind: "noMove", ...at, from: names[k - 1].toLowerCase() }, k);
    }
    seen.set(square, k + 1);
  }
  const all = rows * cols - holes.size;
  return report(seen.size < all ? { kind: "left", number: seen.size, all } : null, seen.size);
}

/** The tours of numbered diagrams, with empty lines between them; null if the text is none. */
function readDiagrams(text, board) {
  const reports = blocksOf(text).map((block) => readDiagram(block, board));
  return reports.includes(null) ? null : reports;
}

function readDiagram(block, board) {
  const lines = block.split("\n").map((line) => line.trim().split(/[\s,]+/));
  const [rows, cols] = [lines.length, lines[0].length];
  const cells = lines.flat();
  if (lines.some((line) => line.length !== cols) || !cells.every((cell) => /^(\d{1,4}|\.)$/.test(cell))) return null;
  if (rows > MAX_SIDE || cols > MAX_SIDE) return null;
  const own = board ?? makeBoard({ rows, cols, holes: [...cells.keys()].filter((s) => cells[s] === ".") });
  // Numbers on holes, or none elsewhere, are for the library to explain.
  if (own.rows !== rows || own.cols !== cols || cells.some((cell, s) => (cell === ".") !== own.holes.includes(s))) {
    return null;
  }
  const numbered = [...cells.keys()]
    .filter((s) => cells[s] !== ".")
    .sort((a, b) => Number(cells[a]) - Number(cells[b]));
  const first = numbered.length && Number(cells[numbered[0]]) === 0 ? 0 : 1;
  const gap = numbered.findIndex((s, k) => Number(cells[s]) !== k + first);
  if (gap >= 0) {
    const number = Number(cells[numbered[gap]]);
    const [other, name] = [gap - 1, gap].map((k) => (k < 0 ? "" : squareName(own, numbered[k])));
    const wrong =
      number < gap + first ? { kind: "twice", number, name, from: other } : { kind: "missing", number: gap + first };
    return { valid: false, closed: false, board: own, squares: null, wrong, step: gap };
  }
  return reportOn(
    own,
    numbered.map((s) => squareName(own, s)),
  );
}

/**
 * The tours of a text, each {valid, closed, board, squares, wrong, step} with wrong: what is wrong first, or null; null
 * if only the library can read the text. board: what they are tours of, or null for what the text says.
 * @returns {{valid: boolean, closed: boolean, board: import("./state.js").Board, squares: number[][] | null,
 *   wrong: Wrong | null, step: number}[] | null}
 */
export function readTours(text, format, board) {
  if (["", "algebraic"].includes(format)) {
    const read = readNames(text, board);
    if (read) return read;
  }
  return ["", "grid", "grid0"].includes(format) ? readDiagrams(text, board) : null;
}
