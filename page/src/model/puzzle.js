// A puzzle under construction or solution: its numbers, undo and redo, chains. Independent of the page and the server.

import { neighbours, squareCount, squareName } from "./board.js";
import { isKnight } from "./pieces.js";
import tables from "./tables.json" with { type: "json" };
import { fill, texts } from "../language.js";

export const LEVELS = tables.levels;
export const PATTERNS = tables.patterns;

/** The numbers on a board, given or the player's. A game is immutable: `written` returns a new one. */
export class Game {
  /**
   * @param {import("./state.js").Board} board
   * @param {boolean} closed
   * @param {Map<number, number>} given square -> number
   * @param {Iterable<[number, number]>} own the same of the player's numbers
   * @param {{order?: number[], walls?: [number, number][]}} zip of a Zip: squares in order, and pairs with a wall between
   */
  constructor(board, closed, given, own = [], { order = [], walls = [] } = {}) {
    this.board = board;
    this.closed = closed;
    this.given = given;
    this.order = order;
    this.walls = walls;
    const isOpen = (s) => (t) => !walls.some(([a, b]) => (a === s && b === t) || (a === t && b === s));
    this.near = neighbours(board).map((squares, s) => squares.filter(isOpen(s)));
    this.count = squareCount(board);
    this.own = new Map(own);
  }

  /**
   * The game with other numbers on some squares; null frees a square.
   * @param {[number, number | null][]} changes
   * @returns {Game}
   */
  written(changes) {
    const own = new Map(this.own);
    for (const [square, number] of changes) {
      if (number === null) own.delete(square);
      else own.set(square, number);
    }
    return Object.assign(Object.create(Game.prototype), this, { own });
  }

  at(square) {
    return this.given.get(square) ?? this.own.get(square) ?? null;
  }

  /** Map number -> square. */
  get places() {
    return new Map([...this.given, ...this.own].map(([square, number]) => [number, square]));
  }

  get left() {
    return this.count - this.given.size - this.own.size;
  }

  why(square, number) {
    const name = squareName(this.board, square);
    if (this.board.holes.includes(square)) return fill(texts.common.isHole, { square: name });
    if (this.given.has(square)) return fill(texts.puzzle.isGiven, { number: this.given.get(square), square: name });
    if (!(number >= 1 && number <= this.count)) return fill(texts.puzzle.numbers, { most: this.count });
    const place = this.places.get(number);
    if (place === undefined || place === square) return null;
    return fill(texts.puzzle.isAlready, { number, square: squareName(this.board, place) });
  }

  /** The number after this one (step 1) or before it (step -1), or null; in a closed tour 1 follows the last. */
  next(number, step) {
    const next = number + step;
    if (next >= 1 && next <= this.count) return next;
    return this.closed ? ((next - 1 + this.count) % this.count) + 1 : null;
  }

  /** The last square of the chain of numbers that starts at a square with a number. */
  follow(square, step) {
    const { places } = this;
    let number = /** @type {number} */ (this.at(square));
    for (let k = 1; k < this.count; k++) {
      const next = this.next(number, step);
      if (next === null || !places.has(next)) break;
      number = next;
    }
    return places.get(number);
  }

  reached(square) {
    return this.near[square].filter((s) => this.at(s) === null);
  }

  /** Pairs of squares with consecutive numbers, a move apart. */
  get moves() {
    const { places, near } = this;
    return [...places].flatMap(([number, square]) => {
      const next = this.next(number, 1);
      const other = next === null ? undefined : places.get(next);
      return other !== undefined && near[square].includes(other) ? [[square, other]] : [];
    });
  }

  /**
   * Map square -> {text, kind}, in the format of the board: own numbers have kind `own`, and `next` marks possible
   * squares of the next number. In a Zip, which shows no steps, squares are marked instead.
   */
  diagram(own, next = null, where = /** @type {number[]} */ ([])) {
    const put = (numbers, kind) =>
      [...numbers].map(([square, number]) => /** @type {const} */ ([square, { text: String(number), kind }]));
    // A Zip's numbers are positions in the order, so no steps are written on numbered squares and the start.
    const order = put(
      this.order.map((square, i) => [square, i + 1]),
      "ring",
    ).map(
      ([square, entry]) =>
        /** @type {const} */ ([square, where.includes(square) ? { ...entry, kind: "ring-next" } : entry]),
    );
    const ghosts = put(
      where.map((square) => [square, this.order.length ? "" : next]),
      "next",
    );
    return new Map([...ghosts, ...put(this.own, own), ...put(this.given, "given"), ...order]);
  }

  get isSolved() {
    const steps = this.order.map((square) => this.at(square) ?? 0);
    const rises = steps.every((step, i) => i === 0 || step > steps[i - 1]);
    return rises && this.left === 0 && this.moves.length === this.count - (this.closed ? 0 : 1);
  }

  /** The smallest missing number from `first` on, else from 1 on; null if none is missing. */
  missing(first = 1) {
    const { places } = this;
    const free = Array.from({ length: this.count }, (_, i) => i + 1).filter((number) => !places.has(number));
    return free.find((number) => number >= first) ?? free[0] ?? null;
  }
}

export const givenWords = (game) =>
  game.order.length
    ? fill(texts.solving.orderOf, { n: game.order.length })
    : fill(texts.solving.givenOf, { n: game.given.size, all: game.count });

/** The rule of the puzzle, in one or two sentences. */
export function ruleOf({ board, closed, order, count }) {
  if (order.length) return texts.puzzle.leadZip;
  const words = [isKnight(board.leaps) ? texts.puzzle.lead : texts.puzzle.leadOther];
  if (board.wrap) words.push(texts.puzzle.overSides);
  if (closed) words.push(fill(texts.puzzle.isClosed, { most: count }));
  return words.join(" ");
}

const TENTHS = 10;

/** For each tenth of the player's numbers, in order: found alone, with a hint, or wrong at first. */
export function tenths(own, helped) {
  const squares = [...own].sort((a, b) => a[1] - b[1]).map(([square]) => square);
  const size = Math.min(TENTHS, squares.length);
  return Array.from({ length: size }, (_, i) => {
    const part = squares.slice(Math.floor((i * squares.length) / size), Math.floor(((i + 1) * squares.length) / size));
    const kinds = part.map((square) => helped.get(square));
    return ["mistake", "hint"].find((kind) => kinds.includes(kind)) ?? "alone";
  });
}

/** Seconds as a clock shows them: 3:07. */
export function clock(seconds) {
  const [minutes, rest] = [Math.floor(seconds / 60), String(Math.floor(seconds % 60)).padStart(2, "0")];
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
