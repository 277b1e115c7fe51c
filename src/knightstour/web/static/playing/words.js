// What is said of a game: what is asked, how it is going, how it ended.

import { squareCount, squareName } from "../model/board.js";
import { plural } from "../dom.js";
import { isClosed } from "../model/tour.js";

/** Where the knight is put first. */
export function startWords({ board, start }) {
  return `Put the knight on ${start === null ? "any square" : `${squareName(board, start)}, where it is to start`}.`;
}

/** What the end must be like, known before the first move. */
export function goalWords({ board, closed, start, end }, order) {
  const first = order.length ? order[0] : start;
  if (closed)
    return `Closed: the last square must be a move from ${first === null ? "the first" : squareName(board, first)}.`;
  return end === null
    ? "Open: the tour may end on any square."
    : `Open: the last square must be ${squareName(board, end)}.`;
}

/** Whether a path over all squares is what was asked for. */
export function isWon({ board, closed, end }, order) {
  if (order.length !== squareCount(board)) return false;
  return closed ? isClosed(board, order) : end === null || order[order.length - 1] === end;
}

/** [words, kind] of a path with at least one square, and the number of its ways on. */
export function verdictOf(state, order, ways) {
  const { board, closed, end } = state;
  const count = squareCount(board);
  if (isWon(state, order)) {
    return [`Done: ${isClosed(board, order) ? "a closed tour" : "a tour"} of all ${count} squares!`, ".good"];
  }
  if (order.length === count) {
    const why = closed ? "no move leads back to the start" : `it does not end on ${squareName(board, end)}`;
    return [`All squares, but ${why}.`, ".no"];
  }
  if (ways) return [`${order.length} of ${count} squares, ${plural(ways, "way")} on`, ""];
  return [`A dead end, with ${plural(count - order.length, "square")} left. Take some moves back.`, ".no"];
}
