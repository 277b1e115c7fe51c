// A scene of a proof on the board: squares by role, moves by role, and the squares outside the board at its right.
// docs/certificate-format.md describes scenes; shapes and colours match the library's pictures.

import { s } from "../dom.js";
import { CELL, LOOP_COLOURS, middle, movesPath } from "./lines.js";
import { neighbours } from "../model/board.js";
import { fill, texts } from "../language.js";
import tables from "../model/tables.json" with { type: "json" };

/** @typedef {{role: string, squares: number[], label: string, text: string, group: number, beat: number}} Mark */
/** @typedef {{role: string, moves: [number, number][], label: string, group: number, beat: number}} Line */
/** @typedef {{rule: string, title: string, sentence: string, beats: string[], outside: number, marks: Mark[], lines: Line[]}} Scene */

// Mark of each role: [shape, radius in squares, number of a loop colour or a class].
const { shapes: SHAPES, second: SECOND_COLOUR, top: ON_TOP, front: IN_FRONT } = tables;
// The middle of the first square outside the board, in squares from its right side; and the width of the outside
// squares.
const BEYOND = 1.15;
const ROOM = 1.75;

/** Additional width of the picture with this scene, in squares. */
export const roomFor = (scene) => (scene?.outside ? ROOM : 0);

/**
 * Return the elements of a scene; beat: number of visible parts.
 * @param {import("../model/state.js").Board} board
 * @param {{scene: Scene, beat: number} | null} shown
 */
export function proofParts(board, shown) {
  if (!shown) return [];
  const { scene, beat } = shown;
  if (isQuestion(shown)) return [s("path", { class: lineClass(possible()), d: movesPath(board, allMoves(board)) })];
  const at = placer(board, scene);
  const marks = scene.marks.filter((mark) => mark.beat <= beat);
  const lines = scene.lines.filter((line) => line.beat <= beat);
  const front = IN_FRONT.flatMap((role) => lines.filter((line) => line.role === role));
  const behind = lines.filter((line) => !IN_FRONT.includes(line.role));
  return [
    ...outside(board, scene, at),
    ...behind.map((line) => moves(board, line, at, beat)),
    ...marks.filter((mark) => mark.role !== ON_TOP).map((mark) => shape(mark, mark.squares.map(at))),
    ...front.map((line) => moves(board, line, at, beat)),
    ...marks.filter((mark) => mark.role === ON_TOP).map((mark) => shape(mark, mark.squares.map(at))),
    ...front.filter((line) => line.beat && line.role !== "out").map((line) => badge(line, at)),
    ...marks.filter((mark) => mark.text).flatMap((mark) => mark.squares.map((square) => word(mark, at(square)))),
  ];
}

/** Whether no link of a chain is shown yet: the board then shows all its moves. */
export const isQuestion = ({ scene, beat }) =>
  beat === 0 && scene.beats.length > 0 && [...scene.marks, ...scene.lines].every((part) => part.beat > 0);

/** @returns {Line} the legend entry of possible moves */
export const possible = () => ({ role: "possible", moves: [], label: texts.proof.possible, group: 0, beat: 0 });

/** @returns {[number, number][]} */
const allMoves = (board) =>
  neighbours(board).flatMap((others, square) =>
    others.filter((other) => other > square).map((other) => [square, other]),
  );

/** A small picture of a mark or line, for the legend. */
export function symbol(part) {
  const svg = s("svg", { class: "proof-symbol", viewBox: "-20 -20 40 40", "aria-hidden": "true" });
  if (part.moves) svg.append(s("path", { class: lineClass(part), d: "M-18 8L18 -8" }));
  else svg.append(shape(part, [[0, 0]]));
  if (part.text) svg.append(word(part, [0, 0]));
  return svg;
}

/**
 * A function that gives the middle of a square in units of the picture.
 * @returns {(square: number) => [number, number]}
 */
function placer(board, scene) {
  const { rows, cols } = board;
  const size = rows * cols;
  return (square) => {
    const beyond = square - size;
    if (beyond < 0) return /** @type {[number, number]} */ (middle(board, square));
    return [(cols + BEYOND) * CELL, (rows / 2 - 0.3 + 1.35 * (beyond - (scene.outside - 1) / 2)) * CELL];
  };
}

function outside(board, scene, at) {
  const size = board.rows * board.cols;
  return Array.from({ length: scene.outside }, (_, k) => {
    const [x, y] = at(size + k);
    const name = scene.outside > 1 ? fill(texts.board.outsideNumber, { n: k + 1 }) : texts.board.outside;
    return s(
      "g",
      { class: "proof-outside" },
      s("rect", { x: x - 18, y: y - 18, width: 36, height: 36, rx: 6 }),
      s("text", { x, y: y + 28, "font-size": 10 }, name),
    );
  });
}

const look = (mark) => (mark.role === "colour" && mark.group ? SECOND_COLOUR : SHAPES[mark.role]);
const loop = (number) => `loop-${number % LOOP_COLOURS}`;

function shape(mark, points) {
  const [kind, share, colour] = look(mark);
  const r = share * CELL;
  const tone = typeof colour === "string" ? `proof-${colour}` : loop(colour ?? mark.group);
  const draw = {
    disc: ([x, y]) => `M${x} ${y}h0`,
    ring: ([x, y]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    box: ([x, y]) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    cross: ([x, y]) => `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`,
    none: () => "",
  };
  const path = s("path", {
    class: `proof-${kind} ${tone}`,
    d: points.map(draw[kind]).join(""),
    "stroke-width": kind === "disc" ? 2 * r : 3.6,
  });
  if (kind !== "cross") return path;
  const plates = points.map(([x, y]) => `M${x - 18} ${y - 18}h36v36h-36z`).join("");
  return s("g", s("path", { class: "proof-plate", d: plates }), path);
}

function word(mark, [x, y]) {
  const size = mark.text.length < 3 ? 13.6 : 10.4;
  const [kind] = look(mark);
  return s("text", { class: `proof-text on-${kind}`, x, y: y + 0.355 * size, "font-size": size }, mark.text);
}

const lineClass = ({ role, group }) => `proof-line proof-${role} ${role === "left" ? loop(group) : ""}`;

function moves(board, line, at, beat) {
  const size = board.rows * board.cols;
  const straight = ([a, b]) => `M${at(a).join(" ")}L${at(b).join(" ")}`;
  const within = line.moves.filter((move) => Math.max(...move) < size);
  const beyond = line.moves.filter((move) => Math.max(...move) >= size);
  const d = movesPath(board, within) + beyond.map(straight).join("");
  const isNew = beat > 0 && line.beat === beat;
  return s("path", { class: `${lineClass(line)} ${isNew ? "is-new" : ""}`, d });
}

function badge(line, at) {
  const [x, y] = at(line.moves[0][0]);
  return s(
    "g",
    { class: `proof-badge proof-${line.role}` },
    s("circle", { cx: x, cy: y, r: 8.4 }),
    s("text", { x, y: y + 3.7, "font-size": 10.4 }, String(line.beat)),
  );
}
