// The ground of a scene: squares, frame, joined sides, and the names of rows and columns.

import { squareName } from "../model/board.js";
import { s } from "../dom.js";
import { CELL } from "./lines.js";
import { columnName, shapeOf } from "../model/cells.js";

const MARGIN = 22;
// Width of a digit and height of a letter, relative to the font size.
const [DIGIT, ASCENT] = [0.6, 0.8];

/** Margin around the squares; isBare: without names. */
export const marginOf = (isBare) => (isBare ? 10 : MARGIN);

/** An invisible element for the position of a square, with its name, such as [data-square="c3"]. */
const named = (board, square, d) => s("path", { "data-square": squareName(board, square), d, fill: "none" });

/** The elements except the names. */
export function groundOf(board) {
  const shape = shapeOf(board);
  if (shape) return groundOfCells(board, shape);
  const { rows, cols } = board;
  const holes = new Set(board.holes);
  const cells = { light: "", dark: "", hole: "" };
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      // The square a1, at the bottom left, is dark.
      const kind = holes.has(r * cols + c) ? "hole" : (rows - 1 - r + c) % 2 ? "light" : "dark";
      cells[kind] += `M${c * CELL} ${r * CELL}h${CELL}v${CELL}h${-CELL}z`;
    }
  }
  const parts = Object.entries(cells).map(([kind, d]) => s("path", { class: `squares-${kind}`, d }));
  for (let square = 0; square < rows * cols; square++) {
    const [x, y] = [(square % cols) * CELL, Math.floor(square / cols) * CELL];
    if (!holes.has(square)) parts.push(named(board, square, `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`));
  }
  parts.push(s("path", { class: "frame", d: frame(board) }));
  if (board.wrap) parts.push(...joinedSides(board));
  return parts;
}

/** The cells, in two or three colours, each with its outline. */
function groundOfCells(board, { places, tints, outline }) {
  const corners = ([x, y]) => outline.map(([u, v]) => `${(x + u) * CELL} ${(y + v) * CELL}`);
  const drawn = (place) => `M${corners(place).join("L")}z`;
  const parts = ["light", "dark", "middle"].map((kind, tint) => {
    const own = places.filter((_, k) => tints[k] === tint);
    return s("path", { class: `squares-${kind} cell`, d: own.map(drawn).join("") });
  });
  return [
    ...parts.filter((part) => part.getAttribute("d")),
    ...places.map((place, square) => named(board, square, drawn(place))),
  ];
}

function frame(board) {
  const { rows, cols } = board;
  const holes = new Set(board.holes);
  const isSquare = (r, c) => r >= 0 && r < rows && c >= 0 && c < cols && !holes.has(r * cols + c);
  let d = "";
  for (let r = 0; r <= rows; r++) {
    for (let c = 0; c <= cols; c++) {
      if (isSquare(r, c) !== isSquare(r - 1, c)) d += `M${c * CELL} ${r * CELL}h${CELL}`;
      if (isSquare(r, c) !== isSquare(r, c - 1)) d += `M${c * CELL} ${r * CELL}v${CELL}`;
    }
  }
  return d;
}

/** Dashes along joined sides; on a Moebius strip or Klein bottle, arrows mark the reversed side. */
function joinedSides(board) {
  const { rows, cols, wrap } = board;
  const [width, height] = [cols * CELL, rows * CELL];
  const sides = [`M0 0v${height}`, `M${width} 0v${height}`];
  if (wrap === "torus" || wrap === "klein") sides.push(`M0 0h${width}`, `M0 ${height}h${width}`);
  const parts = [s("path", { class: "joined", d: sides.join("") })];
  if (wrap === "mobius" || wrap === "klein") {
    const half = height / 2;
    parts.push(s("path", { class: "turned", d: `M-6 ${half + 5}l6 -10l6 10M${width - 6} ${half - 5}l6 10l6 -10` }));
  }
  return parts;
}

export function namesOf(board) {
  // The cells of a layer have no rows and columns of their own.
  if (board.shape) return [];
  const { rows, cols } = board;
  // Large boards have larger names. If names would overlap, only every fifth one is drawn.
  const longer = Math.max(rows, cols);
  const size = 13 * Math.min(2, Math.max(0.62, longer / 8));
  const isNamed = (number, count) => count <= 26 || number % 5 === 0;
  const name = (x, y, text) => s("text", { class: "name", x, y, "font-size": size }, text);
  // Large letters begin below the board, too.
  const below = rows * CELL + Math.max(MARGIN - 6, ASCENT * size);
  const columns = s("g");
  const lines = s("g");
  for (let c = 0; c < cols; c++) {
    if (isNamed(c + 1, cols)) columns.append(name((c + 0.5) * CELL, below, columnName(c)));
  }
  for (let r = 0; r < rows; r++) {
    const y = (r + 0.5) * CELL + size / 3;
    const text = String(rows - r);
    // Long names in large letters extend beyond the margin, not over the board.
    const x = Math.min(-MARGIN / 2, -3 - (DIGIT * size * text.length) / 2);
    if (isNamed(rows - r, rows)) lines.append(name(x, y, text));
  }
  return [columns, lines];
}
