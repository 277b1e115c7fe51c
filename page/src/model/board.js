// Boards of the page: squares, names and moves. Square s is row * cols + col, row 0 at the top. The rules match the
// library's board module; a test compares the moves of both on boards of every kind.

import { cellCount, cellNeighbours, cellsWord, columnName, shapeIn, shapeOf } from "./cells.js";
import { dimensionOf, isKnight, leapsOf, pieceOf, pieceWord, vectorsOf } from "./pieces.js";
import tables from "./tables.json" with { type: "json" };

export const WRAPS = tables.wraps;
export const MAX_SIDE = tables.mostSide;

const mod = (a, n) => ((a % n) + n) % n;

/**
 * Create a board from parts; omitted parts default to the chess board.
 * @param {{rows?: number, cols?: number, holes?: number[], wrap?: import("./state.js").Board["wrap"], leaps?: number[][], shape?: string}} parts
 *     shape: shape of a board of cells, such as "hex:6", which sets the number of cells
 * @returns {import("./state.js").Board}
 */
export function makeBoard({ rows = 8, cols = 8, holes = [], wrap = null, leaps = [[1, 2]], shape = "" } = {}) {
  if (shape) return { rows: 1, cols: cellCount(shape), holes: [], wrap: null, leaps: pieceOf(leaps), shape };
  const kept = [...new Set(holes)].filter((s) => s >= 0 && s < rows * cols).sort((a, b) => a - b);
  return { rows, cols, holes: kept, wrap, leaps: pieceOf(leaps) };
}

export function squareCount(board) {
  return board.rows * board.cols - board.holes.length;
}

export function sameBoard(a, b) {
  return JSON.stringify(boardToJson(a)) === JSON.stringify(boardToJson(b));
}

export function boardToJson(board) {
  if (board.shape) return cellsWord(board);
  const json = { rows: board.rows, cols: board.cols };
  if (board.holes.length) json.holes = board.holes.map((s) => [Math.floor(s / board.cols), s % board.cols]);
  if (board.wrap) json.wrap = board.wrap;
  if (board.leaps.length > 1) json.leaps = board.leaps;
  else if (!isKnight(board.leaps)) json.leaper = board.leaps[0];
  return json;
}

export function boardFromJson(json) {
  const word = typeof json === "string" ? json : json.board;
  const cells = word && boardOfCells(word);
  if (cells) return cells;
  const { rows, cols } = json;
  const holes = (json.holes ?? []).map(([r, c]) => r * cols + c);
  return makeBoard({ rows, cols, holes, wrap: json.wrap ?? null, leaps: json.leaps ?? [json.leaper ?? [1, 2]] });
}

/** Parse the specification of a board of cells, "hex:6:king"; null if it is invalid. */
export function boardOfCells(word) {
  const found = shapeIn(word);
  if (!found || found.rest.length > 1) return null;
  const leaps = leapsOf(found.rest[0] ?? found.piece, dimensionOf(found.shape));
  return leaps?.every((leap) => leap.some((number) => number > 0)) ? makeBoard({ shape: found.shape, leaps }) : null;
}

/** Algebraic name: a1 is bottom left. */
export function squareName(board, s) {
  const cells = shapeOf(board);
  if (cells) return cells.names[s];
  return columnName(s % board.cols) + (board.rows - Math.floor(s / board.cols));
}

/** The board as a specification, in the library's notation: "10x10:2,3", "8x8:king:torus:-a1,h8". */
export function boardWord(board) {
  if (board.shape) return cellsWord(board);
  const parts = [`${board.rows}x${board.cols}`];
  if (!isKnight(board.leaps)) parts.push(pieceWord(board.leaps));
  if (board.wrap) parts.push(board.wrap);
  if (board.holes.length) {
    // By column, and then from the bottom.
    const byName = [...board.holes].sort((a, b) => (a % board.cols) - (b % board.cols) || b - a);
    parts.push(`-${byName.map((s) => squareName(board, s)).join(",")}`);
  }
  return parts.join(":");
}

/** Square number of a name such as "a1"; null if the square is not on the board. */
export function squareNamed(board, text) {
  const cells = shapeOf(board);
  if (cells) return cells.named.get(text.trim().toLowerCase()) ?? null;
  const match = /^\s*([a-z]{1,3})(\d{1,3})\s*$/i.exec(text);
  if (!match) return null;
  let col = 0;
  for (const letter of match[1].toLowerCase()) col = col * 26 + letter.charCodeAt(0) - 96;
  const row = board.rows - Number(match[2]);
  const s = row * board.cols + col - 1;
  const isOn = row >= 0 && row < board.rows && col <= board.cols;
  return isOn && !board.holes.includes(s) ? s : null;
}

/** Target of a move, or -1 if it is off the board; holes are not checked. */
export function landing(board, s, dr, dc) {
  const { rows, cols, wrap } = board;
  let r = Math.floor(s / cols) + dr;
  let c = (s % cols) + dc;
  if (wrap === "torus" || wrap === "klein") r = mod(r, rows);
  if (wrap === null) {
    return r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : -1;
  }
  const laps = Math.floor(c / cols);
  c = mod(c, cols);
  if (r < 0 || r >= rows) return -1;
  if ((wrap === "mobius" || wrap === "klein") && mod(laps, 2)) r = rows - 1 - r;
  return r * cols + c;
}

const graphs = new Map();

/** neighbours[s]: the targets of the moves from s, in ascending order; empty at holes. Cached for recent boards. */
export function neighbours(board) {
  const key = JSON.stringify(board);
  let found = graphs.get(key);
  if (!found && board.shape) {
    found = cellNeighbours(board);
    graphs.set(key, found);
  }
  if (!found) {
    const holes = new Set(board.holes);
    const moves = vectorsOf(board.leaps);
    found = Array.from({ length: board.rows * board.cols }, (_, s) => {
      if (holes.has(s)) return [];
      const reached = moves.map(([dr, dc]) => landing(board, s, dr, dc));
      return [...new Set(reached)].filter((t) => t >= 0 && t !== s && !holes.has(t)).sort((a, b) => a - b);
    });
    if (graphs.size > 8) graphs.clear();
    graphs.set(key, found);
  }
  return found;
}

/** Warnsdorff's number of a square: its number of unvisited neighbours. */
export function degree(board, s, visited) {
  return neighbours(board)[s].filter((t) => !visited.has(t)).length;
}
