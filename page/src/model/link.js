// The page's address: the part after '#' contains the visible state, so that a link restores it.
//
// The address is a list of fields joined by '&': the board first, and others only if they differ from the
// default. docs/service.md lists them. A tour is one number N in mixed radix, written in base 64. Its digits are the
// choices that were made: first the start among all squares, then at each step the next square among the squares that
// the piece can go to and has not visited, in rising order. The first digit is the least significant one:
//     N = d0 + r0 * (d1 + r1 * (d2 + ...)),  where r is the number of candidates.
// A forced move needs no space. A tour of the 8x8 board needs 12 to 16 characters.

import {
  boardOfCells,
  boardWord,
  makeBoard,
  neighbours,
  squareCount,
  squareName,
  squareNamed,
  MAX_SIDE,
  WRAPS,
} from "./board.js";
import { CONDITIONS, conditionFault } from "./conditions.js";
import { decodePace, encodePace } from "./pace.js";
import { leapsOf } from "./pieces.js";
import { DEFAULTS } from "./state.js";
import { fill, texts } from "../language.js";
import tables from "./tables.json" with { type: "json" };

const { digits: DIGITS, levels: LEVELS, patterns: PATTERNS } = tables;

function numberToText(number) {
  let text = "";
  for (let left = number; left > 0n; left >>= 6n) text = DIGITS[Number(left & 63n)] + text;
  return text || DIGITS[0];
}

function textToNumber(text) {
  let number = 0n;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) throw new LinkError(fill(texts.link.character, { digit }));
    number = (number << 6n) | BigInt(value);
  }
  return number;
}

export class LinkError extends Error {}

function squares(board) {
  const holes = new Set(board.holes);
  return Array.from({ length: board.rows * board.cols }, (_, s) => s).filter((s) => !holes.has(s));
}

/** The text of a tour, or of a partial path, which starts with its length: "20.…". */
export function encodePath(board, order) {
  const near = neighbours(board);
  const visited = new Set();
  const choices = order.map((s, i) => {
    const from = i === 0 ? squares(board) : near[order[i - 1]].filter((t) => !visited.has(t));
    const digit = from.indexOf(s);
    if (digit < 0) throw new LinkError(texts.link.notPath);
    visited.add(s);
    return [BigInt(digit), BigInt(from.length)];
  });
  const number = choices.reduceRight((rest, [digit, radix]) => digit + radix * rest, 0n);
  const text = numberToText(number);
  return order.length === squareCount(board) ? text : `${order.length}.${text}`;
}

/** Parse the path of such a text. Throws a LinkError if it is invalid. */
export function decodePath(board, text) {
  const match = /^(?:(\d{1,4})\.)?([\w-]*)$/.exec(text);
  if (!match) throw new LinkError(texts.link.tour);
  const length = match[1] === undefined ? squareCount(board) : Number(match[1]);
  let number = textToNumber(match[2]);
  const near = neighbours(board);
  const visited = new Set();
  const order = [];
  for (let i = 0; i < length; i++) {
    const from = i === 0 ? squares(board) : near[order[i - 1]].filter((t) => !visited.has(t));
    if (!from.length) throw new LinkError(texts.link.tourEnds);
    const radix = BigInt(from.length);
    order.push(from[Number(number % radix)]);
    number /= radix;
    visited.add(order[i]);
  }
  if (number !== 0n) throw new LinkError(texts.link.tourFits);
  return order;
}

/** A board as a specification, in which a square board has one number: "10:2,3", "8:torus:-a1,h8". */
const encodeBoard = (board) => boardWord(board).replace(/^(\d+)x\1(?=:|$)/, "$1");

/** The squares of a part such as "-a1,h8". */
function decodeHoles(size, part) {
  const holes = part
    .slice(1)
    .split(",")
    .map((name) => squareNamed({ ...size, holes: [] }, name));
  if (holes.includes(null)) throw new LinkError(texts.link.holeOutside);
  return holes;
}

function decodeText(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new LinkError(fill(texts.link.part, { text: text.slice(0, 20) }));
  }
}

/** Whether a link preserves a seed: larger numbers are not exact in a browser. */
export const isSeed = (number) => Number.isSafeInteger(number) && number >= 0;

/** Parse a board in a link or in user input: "8", "10x10:2,3", "hex:6". Throws a LinkError if it is invalid. */
export function decodeBoard(text) {
  const cells = boardOfCells(text);
  if (cells) return cells;
  if (/^(hex|tri|\d+(x\d+)*x\d*x)/i.test(text)) throw new LinkError(texts.setup.noCells);
  const [size, ...rest] = text.split(":");
  const match = /^(\d{1,9})(?:x(\d{1,9}))?$/.exec(size);
  if (!match) throw new LinkError(fill(texts.link.noBoard, { text: size.slice(0, 20) }));
  const rows = Number(match[1]);
  const cols = Number(match[2] ?? match[1]);
  if (rows < 1 || cols < 1 || rows > MAX_SIDE || cols > MAX_SIDE) {
    throw new LinkError(fill(texts.link.tooLarge, { most: MAX_SIDE, rows, cols }));
  }
  /** @type {{rows: number, cols: number, holes: number[], wrap: import("./state.js").Board["wrap"], leaps?: number[][]}} */
  const board = { rows, cols, holes: [], wrap: null };
  for (const part of rest) {
    const leaps = leapsOf(part);
    if (WRAPS.includes(part)) board.wrap = part;
    else if (leaps) board.leaps = leaps;
    else if (part.startsWith("-")) board.holes = decodeHoles({ rows, cols }, part);
    else throw new LinkError(fill(texts.link.notOfBoard, { text: part.slice(0, 20) }));
  }
  const made = makeBoard(board);
  if (made.leaps.some(([, b]) => b === 0)) throw new LinkError(texts.link.noMove);
  if (made.holes.length !== board.holes.length) throw new LinkError(texts.link.holeOutside);
  if (squareCount(made) < 1) throw new LinkError(texts.link.noSquares);
  return made;
}

const METHOD = /^[\w+-]+$/;

/**
 * Encode a puzzle: by level, pattern and seed; a Zip by its number of ordered squares and its seed; or by its numbers:
 * [[square, number], ...].
 * @param {import("./state.js").Board} board
 * @param {import("./state.js").Puzzle} puzzle
 */
function encodePuzzle(board, { level, pattern, inOrder, seed, numbers, isMaking }) {
  if (inOrder) return `zip/${inOrder}/${seed}`;
  if (!numbers) return `${level}/${pattern}/${seed}`;
  const given = numbers.map(([square, number]) => `${squareName(board, square)}.${number}`);
  return `${isMaking ? "making" : "given"}/${given.join(",")}`;
}

function decodePuzzle(board, text) {
  const [first, ...rest] = text.split("/");
  if (["making", "given"].includes(first) && rest.length === 1) {
    const numbers = rest[0]
      .split(",")
      .filter(Boolean)
      .map((part) => {
        const [name, number] = part.split(".");
        const square = squareNamed(board, name);
        if (square === null) throw new LinkError(fill(texts.link.noSquare, { name: name.slice(0, 10) }));
        if (!/^\d{1,4}$/.test(number) || number < 1 || number > squareCount(board))
          throw new LinkError(fill(texts.link.noNumber, { text: part.slice(0, 20) }));
        return [square, Number(number)];
      });
    if ([0, 1].some((side) => new Set(numbers.map((pair) => pair[side])).size < numbers.length))
      throw new LinkError(texts.link.twice);
    return { numbers, isMaking: first === "making" };
  }
  const [pattern, seed] = rest;
  const isZip = first === "zip" && /^\d{1,3}$/.test(pattern) && Number(pattern) > 1 && /^\d+$/.test(seed);
  if (isZip && rest.length === 2 && isSeed(Number(seed))) return { inOrder: Number(pattern), seed: Number(seed) };
  const isKnown = LEVELS.includes(first) && ["", ...PATTERNS].includes(pattern);
  if (!isKnown || rest.length !== 2 || !/^\d+$/.test(seed) || !isSeed(Number(seed)))
    throw new LinkError(fill(texts.link.noPuzzle, { text: text.slice(0, 20) }));
  return { level: first, pattern, seed: Number(seed) };
}

/**
 * Return the text after '#' for a state; defaults are omitted.
 * @param {Partial<import("./state.js").State> & {board: import("./state.js").Board}} given
 */
export function encodeState(given) {
  const state = { ...DEFAULTS, ...given };
  const { board } = state;
  const fields = [encodeBoard(board)];
  const put = (key, value) => fields.push(`${key}=${value}`);
  if (state.view !== DEFAULTS.view) put("v", state.view);
  if (state.closed) put("c", 1);
  if (state.start !== null) put("a", squareName(board, state.start));
  if (state.end !== null) put("z", squareName(board, state.end));
  for (const [name, typed] of Object.entries(state.conditions ?? {})) put(name, encodeURIComponent(typed));
  if (state.method !== DEFAULTS.method) put("m", state.method);
  for (const [name, value] of Object.entries(state.options ?? {})) put(`o.${name}`, encodeURIComponent(value));
  if (state.seed !== null) put("r", state.seed);
  if (state.style !== DEFAULTS.style) put("s", state.style);
  if (state.numbers) put("n", 1);
  if (state.number !== null) put("k", state.number);
  if (state.beat !== null) put("b", state.beat);
  if (state.pace?.length) put("h", encodePace(state.pace));
  if (state.puzzle) put("g", encodePuzzle(board, state.puzzle));
  if (state.tour?.length) put("t", encodePath(board, state.tour));
  if (state.played?.length) put("p", encodePath(board, state.played));
  return fields.join("&");
}

// The keys of fields; an option of the method is "o." plus its name.
const CONDITION_NAMES = CONDITIONS.map(({ name }) => name);
const FLAG = /^[01]?$/;
const FIELDS = [..."vcazmrsnkbhgtp", ...CONDITION_NAMES];

export function withView(text, view) {
  const [board, ...fields] = text.split("&").filter((field) => !field.startsWith("v="));
  return [board, ...(view === DEFAULTS.view ? [] : [`v=${view}`]), ...fields].join("&");
}

// Brackets and full stops that a chat or a mail appends to a link.
const TRAILING = /(?:[)\].,;:!?>"']|%3e|%22)+$/i;

// Some programs percent-encode characters of a link, between fields or within them.
function cleared(text) {
  const isWrapped = /%(26|3d)/i.test(text) && !/[&=]/.test(text);
  return isWrapped ? decodeText(text) : text;
}

/** The value of a field. Values of options are decoded later, since their characters are percent-encoded. */
const clearedValue = (key, value) => (key.startsWith("o.") ? value : decodeText(value));

/**
 * Parse the text after '#'. Missing fields have the values of DEFAULTS, and `unknown` lists unsupported fields. Throws
 * a LinkError if the text is invalid.
 * @param {string} text
 * @param {{views: string[], styles: string[]}} known
 */
export function decodeState(text, known = { views: [], styles: [] }) {
  const [first, ...rest] = cleared(text.replace(/^#/, "").replace(TRAILING, "")).split("&");
  // A view's name alone opens the view with its default board.
  const view = known.views.find((each) => each === decodeText(first).toLowerCase());
  const board = view ? makeBoard() : decodeBoard(decodeText(first));
  /** @type {import("./state.js").State} */
  const state = { ...DEFAULTS, options: {}, board, ...(view && { view, closed: !rest.length }) };
  /** @type {string[]} */
  const unknown = [];
  const square = (name) => {
    const s = squareNamed(board, name);
    if (s === null) throw new LinkError(fill(texts.link.noSquare, { name: name.slice(0, 10) }));
    return s;
  };
  const condition = (name, typed) => {
    const fault = conditionFault({ [name]: typed });
    if (fault) throw new LinkError(fault.message);
    return typed;
  };
  for (const field of rest) {
    const cut = field.indexOf("=");
    const key = decodeText(field.slice(0, cut));
    if (cut < 0 || (!FIELDS.includes(key) && !key.startsWith("o."))) {
      if (field) unknown.push(field.slice(0, 40));
      continue;
    }
    const value = clearedValue(key, field.slice(cut + 1));
    if (key === "s" && !known.styles.includes(value)) {
      unknown.push(field.slice(0, 40));
      continue;
    }
    if (key === "v" && known.views.includes(value)) state.view = value;
    else if (key === "c" && FLAG.test(value)) state.closed = value === "1";
    else if (key === "a") state.start = square(value);
    else if (key === "z") state.end = square(value);
    else if (key === "m" && METHOD.test(value)) state.method = value;
    else if (key.startsWith("o.")) state.options[key.slice(2)] = decodeText(value);
    else if (CONDITION_NAMES.includes(key)) state.conditions = { ...state.conditions, [key]: condition(key, value) };
    else if (key === "r" && /^\d+$/.test(value) && isSeed(Number(value))) state.seed = Number(value);
    else if (key === "s") state.style = value;
    else if (key === "n" && FLAG.test(value)) state.numbers = value === "1";
    else if (key === "k" && /^\d{1,400}$/.test(value)) state.number = value;
    else if (key === "b" && /^\d{1,6}$/.test(value)) state.beat = Number(value);
    else if (key === "h" && decodePace(value)) state.pace = decodePace(value);
    else if (key === "g") state.puzzle = decodePuzzle(board, value);
    else if (key === "t") state.tour = decodePath(board, value);
    else if (key === "p") state.played = decodePath(board, value);
    else throw new LinkError(fill(texts.link.unknown, { text: field.slice(0, 20) }));
  }
  return { ...state, unknown };
}
