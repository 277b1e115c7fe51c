// Moves as lines, over the border too, and the `d` of their SVG paths. Units are squares times CELL.

import { shapeOf } from "../model/cells.js";
import { landing } from "../model/board.js";
import { vectorsOf } from "../model/pieces.js";
import tables from "../model/tables.json" with { type: "json" };

export const CELL = tables.lines.unit;
// The number of colours for loops; style/board.css has the colours.
export const LOOP_COLOURS = 8;

/** @typedef {[number, number]} Point */
/** @typedef {import("../model/state.js").Board} Board */

const shown = (x) => String(Math.round(x * 100) / 100);
/**
 * The middle of a square, [x, y] in squares.
 * @param {Board} board
 * @param {number} square
 * @returns {Point}
 */
export const centre = (board, square) =>
  shapeOf(board)?.places[square] ?? [(square % board.cols) + 0.5, Math.floor(square / board.cols) + 0.5];

/** The same in the units of pictures. */
export const middle = (board, square) => centre(board, square).map((x) => x * CELL);

/** Width and height of a board, in squares. */
export const sizeOf = (board) => shapeOf(board)?.size ?? [board.cols, board.rows];

/** Whether a move leads from a to b over no border, and within a layer. */
export function isFlat(/** @type {Board} */ board, /** @type {number} */ a, /** @type {number} */ b) {
  const { cols, leaps } = board;
  const cells = shapeOf(board);
  if (cells) return cells.layers[a] === cells.layers[b];
  const [x, y] = [Math.floor(b / cols) - Math.floor(a / cols), (b % cols) - (a % cols)].map(Math.abs);
  return leaps.some(([p, q]) => (p === x && q === y) || (p === y && q === x));
}

/**
 * A knight's move that crosses no border, [from, to], preferably with its L over free squares; else null.
 * @param {Board} board
 * @param {number} from
 * @param {number[]} ends
 * @param {(square: number) => boolean} isTaken
 */
export function clearEll(board, from, ends, isTaken) {
  const flat = ends.filter((end) => isFlat(board, from, end));
  const isClear = (end) => {
    const [x, y] = [
      (end % board.cols) - (from % board.cols),
      Math.floor(end / board.cols) - Math.floor(from / board.cols),
    ];
    const step = Math.abs(x) > 1 ? Math.sign(x) : board.cols * Math.sign(y);
    return !isTaken(from + step) && !isTaken(from + 2 * step);
  };
  const end = flat.find(isClear) ?? flat[0];
  return end === undefined ? null : [from, end];
}

/**
 * The shortest leap [drow, dcol] from a to b; among equal leaps, the leap over the fewest borders.
 * @param {Board} board
 * @param {number} a
 * @param {number} b
 * @returns {Point}
 */
export function leap(board, a, b) {
  const { rows, cols } = board;
  /** @type {Point} */
  const flat = [Math.floor(b / cols) - Math.floor(a / cols), (b % cols) - (a % cols)];
  if (board.wrap === null || isFlat(board, a, b)) return flat;
  let best = flat;
  let fewest = Infinity;
  for (const [dr, dc] of vectorsOf(board.leaps)) {
    if (landing(board, a, dr, dc) !== b) continue;
    const crossed =
      Math.abs(Math.floor((Math.floor(a / cols) + dr) / rows)) + Math.abs(Math.floor(((a % cols) + dc) / cols));
    if (crossed < fewest) [best, fewest] = [[dr, dc], crossed];
  }
  return best;
}

/**
 * The parts of a straight line over the unrolled board, mapped back to the board: lists of two points [x, y].
 * @param {Board} board
 * @param {Point} from
 * @param {Point} to
 */
function pieces(board, [x0, y0], [x1, y1]) {
  const { rows, cols } = board;
  const cuts = new Set([0, 1]);
  for (const [begin, end, size] of [
    [x0, x1, cols],
    [y0, y1, rows],
  ]) {
    if (begin === end) continue;
    const [low, high] = begin < end ? [begin, end] : [end, begin];
    for (let k = Math.ceil(low / size); k <= Math.floor(high / size); k++) cuts.add((k * size - begin) / (end - begin));
  }
  const at = [...cuts].filter((cut) => cut >= 0 && cut <= 1).sort((a, b) => a - b);
  const parts = [];
  for (let i = 1; i < at.length; i++) {
    if (at[i] - at[i - 1] < 1e-9) continue;
    const ends = [at[i - 1], at[i]].map((t) => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)]);
    const lap = Math.floor((ends[0][0] + ends[1][0]) / 2 / cols);
    const floor = Math.floor((ends[0][1] + ends[1][1]) / 2 / rows);
    const flips = (board.wrap === "mobius" || board.wrap === "klein") && lap % 2 !== 0;
    parts.push(ends.map(([x, y]) => [x - lap * cols, flips ? rows - (y - floor * rows) : y - floor * rows]));
  }
  return parts;
}

/** The visible parts of a move: none between layers. */
export function moveParts(board, a, b) {
  const from = centre(board, a);
  if (board.shape) return isFlat(board, a, b) ? [[from, centre(board, b)]] : [];
  const [dr, dc] = leap(board, a, b);
  /** @type {Point} */
  const to = [from[0] + dc, from[1] + dr];
  return isOn(board, to) ? [[from, to]] : pieces(board, from, to);
}

const isOn = (board, [x, y]) => x > 0 && x < board.cols && y > 0 && y < board.rows;

/** @param {number[]} point */
const at = ([x, y]) => `${shown(x * CELL)} ${shown(y * CELL)}`;

/** The runs of a walk without a move over the border: lists of points. */
function runs(board, order, closed) {
  const found = [];
  let run = order.length ? [centre(board, order[0])] : [];
  for (let i = 1; i < order.length + (closed ? 1 : 0); i++) {
    const parts = moveParts(board, order[i - 1], order[i % order.length]);
    if (parts.length === 1) {
      run.push(parts[0][1]);
      continue;
    }
    if (!parts.length) {
      if (run.length > 1) found.push(run);
      run = [centre(board, order[i % order.length])];
      continue;
    }
    found.push([...run, parts[0][1]], ...parts.slice(1, -1));
    run = [...parts[parts.length - 1]];
  }
  if (run.length > 1 || order.length === 1) found.push(run);
  return found;
}

/** The `d` of a walk as straight lines. */
export function straightPath(board, order, closed = false) {
  return runs(board, order, closed)
    .map((run) => `M${run.map(at).join("L")}`)
    .join("");
}

/** The `d` of unordered moves: [[a, b], ...]. */
export function movesPath(board, moves) {
  return moves
    .flatMap(([a, b]) => moveParts(board, a, b))
    .map((part) => `M${part.map(at).join("L")}`)
    .join("");
}

// Tangent at a square, as a part of the chord between its neighbours; number of short lines of a smooth move over the
// border.
const { tension: TENSION, parts: BENT_PARTS } = tables.lines;

/** @returns {Point} */
const bezier = (p0, p1, p2, p3, t) => {
  const u = 1 - t;
  const along = (i) => u * u * u * p0[i] + 3 * u * u * t * p1[i] + 3 * u * t * t * p2[i] + t * t * t * p3[i];
  return [along(0), along(1)];
};

/**
 * The `d` of a walk as a smooth curve through the centres: Catmull-Rom splines as Bezier curves.
 * @param {Board} board
 * @param {number[]} order
 * @param {boolean} closed
 */
export function curvedPath(board, order, closed = false) {
  const n = order.length;
  if (n < 3 || board.shape) return straightPath(board, order, closed);
  const count = closed ? n : n - 1;
  // Each move at its start, [dx, dy], and at its end: they differ if a side is joined with a reversal.
  const leaving = [];
  const arriving = [];
  for (let i = 0; i < count; i++) {
    const [dr, dc] = leap(board, order[i], order[(i + 1) % n]);
    const laps = Math.floor(((order[i] % board.cols) + dc) / board.cols);
    const flips = (board.wrap === "mobius" || board.wrap === "klein") && laps % 2 !== 0;
    leaving.push([dc, dr]);
    arriving.push([dc, flips ? -dr : dr]);
  }
  const tangents = order.map(() => [0, 0]);
  const add = (i, [x, y]) => {
    tangents[i][0] += x * TENSION;
    tangents[i][1] += y * TENSION;
  };
  leaving.forEach((move, i) => add(i, move));
  arriving.forEach((move, i) => add((i + 1) % n, move));
  let d = "";
  let isRunning = false;
  for (let i = 0; i < count; i++) {
    const from = centre(board, order[i]);
    /** @type {Point} */
    const to = [from[0] + leaving[i][0], from[1] + leaving[i][1]];
    const out = tangents[i];
    const isTurned = leaving[i][1] !== arriving[i][1];
    const into = [tangents[(i + 1) % n][0], tangents[(i + 1) % n][1] * (isTurned ? -1 : 1)];
    const c1 = [from[0] + out[0], from[1] + out[1]];
    const c2 = [to[0] - into[0], to[1] - into[1]];
    if (isOn(board, to)) {
      d += `${isRunning ? "" : `M${at(from)}`}C${at(c1)} ${at(c2)} ${at(to)}`;
      isRunning = true;
      continue;
    }
    isRunning = false;
    let last = "";
    for (let k = 0; k < BENT_PARTS; k++) {
      const a = bezier(from, c1, c2, to, k / BENT_PARTS);
      const b = bezier(from, c1, c2, to, (k + 1) / BENT_PARTS);
      for (const [begin, end] of pieces(board, a, b)) {
        d += `${last === at(begin) ? "" : `M${at(begin)}`}L${at(end)}`;
        last = at(end);
      }
    }
  }
  return d;
}
