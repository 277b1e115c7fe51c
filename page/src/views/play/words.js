// Texts of a game: its goal, its progress, its end.

import { squareCount, squareName } from "../../model/board.js";
import { isClosed } from "../../model/tour.js";
import { fill, texts } from "../../language.js";

export function startWords({ board, start }) {
  return start === null ? texts.play.putAnywhere : fill(texts.play.putOn, { square: squareName(board, start) });
}

export function goalWords({ board, closed, start, end }, order) {
  const first = order.length ? order[0] : start;
  if (closed)
    return first === null ? texts.play.goalFirst : fill(texts.play.goalClosed, { square: squareName(board, first) });
  return end === null ? texts.play.goalAny : fill(texts.play.goalEnd, { square: squareName(board, end) });
}

export function isWon({ board, closed, end }, order) {
  if (order.length !== squareCount(board)) return false;
  return closed ? isClosed(board, order) : end === null || order[order.length - 1] === end;
}

/** [words, kind] of a path with at least one square, and its number of onward moves. */
export function verdictOf(state, order, ways) {
  const { board, closed, end } = state;
  const count = squareCount(board);
  if (isWon(state, order)) {
    return [fill(texts.play.done, { closed: isClosed(board, order), n: count }), ".good"];
  }
  if (order.length === count) {
    return [closed ? texts.play.noWayBack : fill(texts.play.wrongEnd, { square: squareName(board, end) }), ".no"];
  }
  if (ways) return [fill(texts.play.going, { n: order.length, all: count, ways }), ""];
  return [fill(texts.play.deadEnd, { left: count - order.length }), ".no"];
}
