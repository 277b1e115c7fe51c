// Boards of cells: boxes of layers, hexagons and triangles of hexagonal cells. A cell is a square number, 0 to n - 1,
// in the library's node order, so a board of cells has one row; its shape defines the positions. The rules match the
// library's cells module; a test compares the names and moves of both.

import { dimensionOf, pieceOf, PIECES, pieceWord, vectorsOf } from "./pieces.js";
import tables from "./tables.json" with { type: "json" };

/** @typedef {import("./pieces.js").Leap} Leap */
/** @typedef {import("./state.js").Board} Board */

/**
 * The cells of a shape. places: their centres, [x, y] in squares. layers: their layers. tints: their colour
 * classes. outline: corners around a centre.
 * @typedef {object} Shape
 * @property {number[][]} cells
 * @property {string[]} names
 * @property {Map<string, number>} named
 * @property {[number, number][]} places
 * @property {number[]} layers
 * @property {number[]} tints
 * @property {[number, number][]} outline
 * @property {[number, number]} size
 * @property {(leaps: Leap[]) => number[][]} vectors
 */

const MAX_CELLS = tables.mostSide ** 2;
const HEIGHT = Math.sqrt(3) / 2;

const range = (low, high) => Array.from({ length: high - low + 1 }, (_, k) => low + k);
const SIXTHS = range(0, 5).map(
  (k) => /** @type {[number, number]} */ ([Math.sin, Math.cos].map((along) => along((Math.PI * k) / 3) / Math.sqrt(3))),
);

/** The cells [q, r] of a shape of hexagons, and the default piece. */
const OF_HEXAGONS = {
  hex: {
    piece: "knight",
    count: (n) => 3 * n * (n - 1) + 1,
    cells: (n) =>
      range(1 - n, n - 1).flatMap((r) => range(1 - n, n - 1).flatMap((q) => (Math.abs(q + r) < n ? [[q, r]] : []))),
  },
  tri: {
    piece: "wazir",
    count: (n) => (n * (n + 1)) / 2,
    cells: (n) => range(0, n - 1).flatMap((r) => range(0, n - 1 - r).map((q) => [q, r])),
  },
};

/** The images of leaps under the twelve isometries of hexagons. */
function hexagonVectors(leaps) {
  const images = leaps
    .flatMap((leap) => [leap, leap.toReversed()])
    .flatMap(([q, r]) => range(0, 5).map(() => ([q, r] = [-r, q + r])));
  return [...new Map(images.map((vector) => [vector.join(), vector])).values()];
}

/** The letters of a column: after z come aa, ab, ... */
export function columnName(col) {
  let text = "";
  for (let left = col + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    text = String.fromCharCode(97 + ((left - 1) % 26)) + text;
  }
  return text;
}

/** @returns {Shape} */
function hexagonShape(cells) {
  const low = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const last = Math.max(...cells.map((cell) => cell[1]));
  const left = Math.min(...cells.map(([q, r]) => q + r / 2));
  const places = cells.map(([q, r]) => [q + r / 2 - left + 0.5, (r - low[1]) * HEIGHT + 1 / Math.sqrt(3)]);
  return finished(cells, {
    names: cells.map(([q, r]) => `${columnName(q - low[0])}${last - r + 1}`),
    places,
    layers: cells.map(() => 0),
    tints: cells.map(([q, r]) => (((q - r) % 3) + 3) % 3),
    outline: SIXTHS,
    vectors: hexagonVectors,
  });
}

/** @returns {Shape} */
function boxShape(sides) {
  /** @type {number[][]} */
  let cells = [[]];
  for (const side of sides) cells = cells.flatMap((cell) => range(0, side - 1).map((x) => [...cell, x]));
  const [rows, cols] = sides.slice(-2);
  const above = sides.slice(0, -2);
  const layers = cells.map((cell) => above.reduce((layer, side, k) => layer * side + cell[k], 0));
  const across = above.length > 1 ? above[above.length - 1] : Math.ceil(Math.sqrt(above[0]));
  const place = (cell, layer) => [
    cell[cell.length - 1] + (layer % across) * (cols + 1) + 0.5,
    cell[cell.length - 2] + Math.floor(layer / across) * (rows + 1) + 0.5,
  ];
  return finished(cells, {
    names: cells.map((cell) => {
      const [row, col] = cell.slice(-2);
      const further = cell
        .slice(0, -2)
        .reverse()
        .map((x) => x + 1);
      return [`${columnName(col)}${rows - row}`, ...further].join(".");
    }),
    places: cells.map((cell, k) => place(cell, layers[k])),
    layers,
    tints: cells.map((cell) => cell.reduce((sum, x) => sum + x, 0) % 2),
    outline: [
      [-0.5, -0.5],
      [0.5, -0.5],
      [0.5, 0.5],
      [-0.5, 0.5],
    ],
    vectors: (leaps) => vectorsOf(leaps, sides.length),
  });
}

function finished(cells, shape) {
  const far = [0, 1].map((axis) => Math.max(...shape.outline.map((corner) => corner[axis])));
  const size = [0, 1].map((axis) => Math.max(...shape.places.map((place) => place[axis])) + far[axis]);
  return { ...shape, cells, size, named: new Map(shape.names.map((name, k) => [name, k])) };
}

const BOX = /^\d{1,4}(?:x\d{1,4}){2,5}$/;

/**
 * Parse a board specification such as "hex:6:king" or "4x4x4"; null if it is not a board of cells or too large.
 * @param {string} word
 * @returns {{shape: string, rest: string[], piece: string} | null}
 */
export function shapeIn(word) {
  const [size, side = "", ...rest] = word.trim().toLowerCase().split(":");
  if (BOX.test(size)) {
    const sides = size.split("x").map(Number);
    const count = sides.reduce((product, x) => product * x, 1);
    if (count < 1 || count > MAX_CELLS) return null;
    return { shape: sides.join("x"), rest: side ? [side, ...rest] : rest, piece: "knight" };
  }
  if (!Object.hasOwn(OF_HEXAGONS, size) || !/^\d{1,4}$/.test(side)) return null;
  const count = OF_HEXAGONS[size].count(Number(side));
  if (Number(side) < 1 || count > MAX_CELLS) return null;
  return { shape: `${size}:${Number(side)}`, rest, piece: OF_HEXAGONS[size].piece };
}

const usualLeaps = (shape) => PIECES[OF_HEXAGONS[shape.split(":")[0]]?.piece ?? "knight"];

const shapes = new Map();

/**
 * The shape of a board of cells; null for boards of rows and columns.
 * @param {Board} board
 * @returns {Shape | null}
 */
export function shapeOf(board) {
  if (!board.shape) return null;
  let found = shapes.get(board.shape);
  if (!found) {
    const [word, side] = board.shape.split(":");
    found = side ? hexagonShape(OF_HEXAGONS[word].cells(Number(side))) : boxShape(word.split("x").map(Number));
    shapes.set(board.shape, found);
  }
  return found;
}

export const cellCount = (shape) => shapeOf(/** @type {any} */ ({ shape }))?.cells.length ?? 0;

/** Whether the layers lie side by side, so that moves connect them. */
export const hasLayers = (board) => (shapeOf(board)?.layers.at(-1) ?? 0) > 0;

export function cellsWord({ shape, leaps }) {
  const isUsual = pieceOf(usualLeaps(shape)).join() === leaps.join();
  return isUsual ? shape : `${shape}:${pieceWord(leaps, dimensionOf(shape))}`;
}

export function cellNeighbours(board) {
  const shape = /** @type {Shape} */ (shapeOf(board));
  const at = new Map(shape.cells.map((cell, k) => [cell.join(), k]));
  const vectors = shape.vectors(board.leaps);
  return shape.cells.map((cell) => {
    const reached = vectors.map((vector) => at.get(cell.map((x, axis) => x + vector[axis]).join()));
    return [...new Set(reached)].filter((k) => k !== undefined).sort((a, b) => Number(a) - Number(b));
  });
}

export function cellAt(board, x, y) {
  const { places, outline } = /** @type {Shape} */ (shapeOf(board));
  const isIn = ([u, v]) =>
    outline.every(([x0, y0], i) => {
      const [x1, y1] = outline[(i + 1) % outline.length];
      const side = (x1 - x0) * (y - v - y0) - (y1 - y0) * (x - u - x0);
      const inside = (x1 - x0) * -y0 - (y1 - y0) * -x0;
      return side * inside >= 0;
    });
  const found = places.findIndex(isIn);
  return found < 0 ? null : found;
}

/** The nearest cell in a direction [down, across], or the same cell at the border. */
export function cellBeside(board, from, [down, across]) {
  const { places } = /** @type {Shape} */ (shapeOf(board));
  const [x, y] = places[from];
  let best = from;
  let least = Infinity;
  places.forEach(([u, v], k) => {
    const [along, off] = across ? [(u - x) * across, Math.abs(v - y)] : [(v - y) * down, Math.abs(u - x)];
    if (along < 0.4 || off > along) return;
    const far = along + 1.5 * off;
    if (far < least) [best, least] = [k, far];
  });
  return best;
}
