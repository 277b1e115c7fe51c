// A puzzle during its construction or solution, as one value: `reduce` returns the next state for each event.
// Independent of the page.

import { squareName } from "./board.js";
import { Game } from "./puzzle.js";
import { fill, texts } from "../language.js";

/**
 * Numbers written or freed together, and the square of the knight before them or, after an undo, after them.
 * @typedef {object} Step
 * @property {{square: number, before: number | null, after: number | null}[]} changes
 * @property {number | null} picked
 * @property {number} step
 */

/**
 * @typedef {object} Solving
 * @property {Game} game
 * @property {boolean} isMaking - whether the player makes a puzzle, so that no square follows from another
 * @property {number | null} picked - the square of the knight, from which the next number goes on
 * @property {number} step - whether numbers count up (1) or down (-1) from there
 * @property {Step[]} past
 * @property {Step[]} future
 * @property {number | null} marked - the square of the number that this event wrote or chose
 * @property {boolean} isWritten - whether this event wrote a number
 * @property {number | null} tapped - the number that this event chose; a second tap turns the direction
 * @property {number | null} pen - the last square of the chain that the stroke reached
 * @property {{square: number, reason: string | null} | null} refused - the square that this event rejected
 */

/** @type {Pick<Solving, "marked" | "isWritten" | "tapped" | "pen" | "refused">} */
const QUIET = { marked: null, isWritten: false, tapped: null, pen: null, refused: null };

/**
 * Start a game. Invalid stored numbers are omitted.
 * @param {Game} game - without numbers of the player
 * @param {Iterable<[number, number]>} own
 * @returns {Solving}
 */
export function start(game, own = [], isMaking = false) {
  const state = { game, isMaking, picked: null, step: 1, past: [], future: [], ...QUIET };
  for (const [square, number] of own) {
    if (Number.isInteger(number) && square in game.near && state.game.why(square, number) === null)
      state.game = state.game.written([[square, number]]);
  }
  return settled(state);
}

/**
 * @param {Solving} state
 * @param {{type: keyof typeof EVENTS, square?: any, number?: any, isMore?: boolean}} event
 * @returns {Solving}
 */
export function reduce(state, event) {
  return EVENTS[event.type](state, event);
}

/** @type {Record<"tap" | "begin" | "over" | "end" | "write" | "clear" | "undo" | "redo" | "restart", (state: Solving, event: any) => Solving>} */
const EVENTS = { tap, begin, over, end, write, clear, undo, redo, restart };

// ---------------------------------------------------------------- the position of the next number

/** The end of the chain from a square, if the number after it is missing. */
function wayOn(game, square, step) {
  const end = game.follow(square, step);
  const next = game.next(game.at(end), step);
  return next === null || game.places.has(next) ? null : { picked: end, step };
}

/** The way on from a number: up first, or down if no number is missing above. */
const wayFrom = (game, square, step = 1) => wayOn(game, square, step) ?? wayOn(game, square, -step);

/** The state with the knight on a number whose next number is missing, as long as a number is missing. */
function settled(state) {
  const { game, picked, step, isMaking } = state;
  const isThere = picked !== null && game.at(picked) !== null;
  if (isMaking || game.left === 0) return { ...state, picked: isThere && !game.isSolved ? picked : null };
  const { places } = game;
  const first = places.get(Math.min(...places.keys())) ?? null;
  const way = (isThere && wayFrom(game, picked, step)) || (first !== null && wayFrom(game, first));
  return { ...state, ...(way || { picked: null }) };
}

// ---------------------------------------------------------------- taps and strokes

const named = (state, square) => squareName(state.game.board, square);
const refuse = (state, square, reason = /** @type {string | null} */ (null)) => ({
  ...state,
  ...QUIET,
  refused: { square, reason },
});

/** A tap on a number chooses it; a tap on a free square writes the next number there. */
function tap(state, { square }) {
  const { game, picked, isMaking } = state;
  if (game.board.holes.includes(square))
    return refuse(state, square, fill(texts.common.isHole, { square: named(state, square) }));
  if (isMaking) return toggled(state, square);
  if (game.isSolved) return { ...state, ...QUIET };
  return game.at(square) === null
    ? stepped(state, square)
    : chosen(state, square, state.tapped === square ? picked : null);
}

/** Write the next number, or free the square; in a puzzle that is made. */
function toggled(state, square) {
  const { game, picked } = state;
  if (game.at(square) !== null) return clear(state, { square });
  const last = picked === null ? 0 : (game.at(picked) ?? 0);
  return write(state, { square, number: game.missing(last + 1) });
}

/** Continue from a number. `before`: the start of the continuation, if the same tap has already set one. */
function chosen(state, square, before = null) {
  const { game, step } = state;
  const way = before === null ? wayFrom(game, square) : wayOn(game, square, -step);
  if (!way && before !== null) {
    const number = game.at(game.follow(square, -step));
    return refuse(state, square, fill(texts.solving[step > 0 ? "noneBefore" : "noneAfter"], { number }));
  }
  if (!way) return { ...state, ...QUIET, picked: square, marked: square };
  return { ...state, ...QUIET, ...way, marked: way.picked, tapped: square };
}

/** Write the next number on a free square, if a move leads there. */
function stepped(state, square) {
  const { game, picked, step } = state;
  if (picked === null) return refuse(state, square, texts.solving.chooseFirst);
  const here = /** @type {number} */ (game.at(picked));
  const number = game.next(here, step);
  if (number === null || game.places.has(number)) return refuse(state, square);
  if (!game.reached(picked).includes(square))
    return refuse(state, square, fill(texts.solving.noMove, { from: named(state, picked), to: named(state, square) }));
  return changed(state, [{ square, before: null, after: number }], square);
}

/** A stroke starts at any number, or on a square where the next number can be. */
function begin(state, { square }) {
  const isNumber = !state.isMaking && !state.game.isSolved && state.game.at(square) !== null;
  return { ...(isNumber ? chosen(state, square) : tap(state, { square })), pen: square };
}

/** Whether only given numbers follow the pen up to the knight, so that a way back from it frees its number. */
function isLast({ game, picked, step, pen }) {
  const { places } = game;
  const last = game.at(picked);
  for (let number = game.at(pen); number !== last; ) {
    number = game.next(number, step);
    if (number === null || !game.given.has(places.get(number))) return false;
  }
  return true;
}

/** The stroke reaches another square: the next number goes there; on the way back numbers of the player are freed. */
function over(state, { square }) {
  const { game, picked, step, pen, isMaking } = state;
  if (isMaking || picked === null || pen === null || square === pen || game.isSolved) return state;
  const there = game.at(square);
  if (there === null) {
    const next = game.next(game.at(picked), step);
    const isNext = next !== null && !game.places.has(next) && game.reached(picked).includes(square);
    return isNext ? { ...changed(state, [{ square, before: null, after: next }], square), pen: square } : state;
  }
  const here = game.at(pen);
  const isBack = there === game.next(here, -step);
  if (!isBack && there !== game.next(here, step)) return state;
  const moved = { ...state, ...QUIET, pen: square };
  if (here === null || (isBack && !isLast(state))) return moved;
  if (!isBack) return pen === picked ? { ...moved, picked: square } : moved;
  if (!game.own.has(pen)) return { ...moved, picked: square };
  return { ...changed(state, [{ square: pen, before: here, after: null }], square), picked: square, pen: square };
}

function end(state, { square }) {
  const { game, pen } = state;
  const next = settled({ ...state, ...QUIET });
  return square === null || square === pen || game.isSolved || game.at(square) !== null ? next : stepped(next, square);
}

// ---------------------------------------------------------------- numbers

/**
 * The state after changes, with the knight on `picked`. isMore: the changes belong to the previous step, such as digits
 * of one number.
 */
function changed(state, changes, picked, isMore = false) {
  const { past } = state;
  const last = past[past.length - 1];
  const isSame = isMore && last?.changes.length === 1 && last.changes[0].square === changes[0].square;
  const entry = isSame
    ? { ...last, changes: [{ ...last.changes[0], after: changes[0].after }] }
    : { changes, picked: state.picked, step: state.step };
  return settled({
    ...state,
    ...QUIET,
    game: state.game.written(changes.map(({ square, after }) => [square, after])),
    past: [...(isSame ? past.slice(0, -1) : past), entry],
    future: [],
    picked,
    isWritten: changes.length === 1 && changes[0].after !== null,
    marked: changes.length === 1 ? changes[0].square : null,
  });
}

/** Write a typed number. isMore: it extends the number of the previous event by a digit. */
function write(state, { square, number, isMore = false }) {
  const { game } = state;
  const reason = game.why(square, number);
  if (reason) return refuse(state, square, reason);
  const before = game.own.get(square) ?? null;
  if (before === number && !isMore) return settled({ ...state, ...QUIET, picked: square, marked: square });
  return changed(state, [{ square, before, after: number }], square, isMore);
}

function clear(state, { square }) {
  const { game, picked, step } = state;
  if (game.given.has(square)) {
    const values = { number: game.given.get(square), square: named(state, square) };
    return refuse(state, square, fill(texts.puzzle.isGiven, values));
  }
  const number = game.own.get(square);
  if (number === undefined)
    return refuse(state, square, fill(texts.solving.noNumber, { square: named(state, square) }));
  const before = game.places.get(/** @type {number} */ (game.next(number, -step))) ?? null;
  return changed(state, [{ square, before: number, after: null }], picked === square ? before : picked);
}

function restart(state) {
  const changes = [...state.game.own].map(([square, before]) => ({ square, before, after: null }));
  return changes.length ? changed(state, changes, null) : state;
}

function undo(state) {
  return back(state, "past", "future", "before");
}

function redo(state) {
  return back(state, "future", "past", "after");
}

function back(state, from, to, side) {
  const entry = state[from][state[from].length - 1];
  if (!entry) return state;
  const { changes, picked, step } = entry;
  return settled({
    ...state,
    ...QUIET,
    game: state.game.written(changes.map((change) => [change.square, change[side]])),
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], { changes, picked: state.picked, step: state.step }],
    picked,
    step,
    marked: changes[0].square,
  });
}
