// A game of Play, as one value: `reduce` returns the next state for each event. Independent of the page.

import { neighbours, squareCount, squareName } from "./board.js";
import { freshRound } from "./levels.js";
import { fill, texts } from "../language.js";

/**
 * @typedef {object} Playing
 * @property {{board: import("./state.js").Board, start: number | null}} asked
 * @property {number[][]} near - the squares a move away from each square
 * @property {number[]} path
 * @property {number[]} undone - reverted squares, the last one on top, until the next move
 * @property {{from: number[], to: number[], round: import("./levels.js").Round} | null} leap - the latest change of the
 *     whole path, with the counts before it; one undo reverts it
 * @property {import("./levels.js").Round} round - the counts of the game
 * @property {boolean} isDrawn - whether a stroke is being drawn
 * @property {{square: number, reason: string} | null} refused - the square that this event rejected
 */

/**
 * Start or resume a game.
 * @param {{board: import("./state.js").Board, start: number | null}} asked
 * @param {number[]} [path]
 * @returns {Playing}
 */
export function start({ board, start }, path = [], round = freshRound()) {
  const asked = { board, start };
  return { asked, near: neighbours(board), path, undone: [], leap: null, round, isDrawn: false, refused: null };
}

/**
 * @param {Playing} state
 * @param {{type: keyof typeof EVENTS, square?: any, path?: number[], round?: any, isHelped?: boolean}} event isHelped:
 *     whether the player sees help for this move
 * @returns {Playing}
 */
export function reduce(state, event) {
  return EVENTS[event.type]({ ...state, refused: null }, event);
}

/** @type {Record<"tap" | "begin" | "over" | "end" | "leap" | "undo" | "redo" | "restart" | "help" | "second", (state: Playing, event: any) => Playing>} */
const EVENTS = { tap, begin, over, end, leap, undo, redo, restart, help, second };

/** The squares that can be visited now; null for all. */
export function ways({ asked, near, path }) {
  if (path.length) return near[path[path.length - 1]].filter((square) => !path.includes(square));
  return asked.start === null ? null : [asked.start];
}

const isFull = ({ asked, path }) => path.length === squareCount(asked.board);

export const isLeap = ({ leap, path }) => leap !== null && String(leap.to) === String(path);

const counted = (round, changes) => ({ ...round, ...changes });

function why({ asked, path }, square, options) {
  const { board } = asked;
  const name = squareName(board, square);
  if (board.holes.includes(square)) return fill(texts.common.isHole, { square: name });
  if (options === null || options.includes(square)) return null;
  if (!path.length) return fill(texts.play.putOn, { square: squareName(board, asked.start) });
  const step = path.indexOf(square);
  return step < 0
    ? fill(texts.play.noMove, { square: name })
    : fill(texts.play.wasVisited, { square: name, n: step + 1 });
}

function tap(state, { square, isHelped = false }) {
  const { path, round, undone } = state;
  if (path.length > 1 && square === path[path.length - 2]) return undo(state);
  const reason = why(state, square, ways(state));
  if (reason !== null) return { ...state, refused: { square, reason } };
  const isAgain = undone[undone.length - 1] === square;
  return {
    ...state,
    path: [...path, square],
    undone: isAgain ? undone.slice(0, -1) : [],
    round: path.length && isHelped ? counted(round, { helps: round.helps + 1 }) : round,
  };
}

/** A stroke starts at any visited square and continues from the knight, or at a square that can be visited. */
function begin(state, event) {
  if (state.path.includes(event.square)) return { ...state, isDrawn: true };
  return { ...tap(state, event), isDrawn: true };
}

/** The stroke reaches another square: the knight moves forwards or back. */
function over(state, event) {
  const { path, isDrawn } = state;
  const { square } = event;
  const isBack = path.length > 1 && square === path[path.length - 2];
  const isWay = !state.asked.board.holes.includes(square) && (ways(state)?.includes(square) ?? true);
  return isDrawn && !(isFull(state) && !isBack) && (isBack || isWay) ? tap(state, event) : state;
}

function end(state, { square }) {
  const { path } = state;
  const next = { ...state, isDrawn: false };
  if (square === null || path.includes(square)) return next;
  return tap(next, { square });
}

/** Replace the path in one step; one undo reverts it. */
function leap(state, { path, round }) {
  return { ...state, path, round, undone: [], leap: { from: state.path, to: path, round: state.round } };
}

function undo(state) {
  const { path, undone, round, leap } = state;
  if (leap && isLeap(state))
    return { ...state, path: leap.from, leap: null, round: counted(leap.round, { undos: leap.round.undos + 1 }) };
  if (!path.length) return state;
  return {
    ...state,
    path: path.slice(0, -1),
    undone: [...undone, path[path.length - 1]],
    round: counted(round, { undos: round.undos + 1 }),
  };
}

function redo(state) {
  const { path, undone } = state;
  if (!undone.length) return state;
  return { ...state, path: [...path, undone[undone.length - 1]], undone: undone.slice(0, -1) };
}

/** Clear the board. If all moves were reverted already, they no longer count. */
function restart(state) {
  return state.path.length ? leap(state, { path: [], round: freshRound() }) : { ...state, round: freshRound() };
}

function help(state) {
  return { ...state, round: counted(state.round, { helps: state.round.helps + 1 }) };
}

function second(state) {
  return { ...state, round: counted(state.round, { seconds: state.round.seconds + 1 }) };
}
