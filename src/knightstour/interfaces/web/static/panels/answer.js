// An answer to a question in words: the question as a sentence has it, the verdict, the reason, and how it was found.

import { squareName } from "../model/board.js";
import { because, capital, h, sentence } from "../dom.js";
import { conditionWords } from "../model/conditions.js";
import { isClosed } from "../model/tour.js";
import { texts } from "../language.js";
import { duration } from "../numbers.js";

/** What is asked, as the texts on boards take it: the board, the kind of tour, and the ends in words. */
export function asked({ board, closed, start, end, conditions = null }) {
  const words = [];
  if (start !== null) words.push(texts.board.from(squareName(board, start)));
  if (end !== null) words.push(texts.board.to(squareName(board, end)));
  if (conditions) words.push(conditionWords(conditions));
  return { ...board, closed, ends: words.map((word) => ` ${word}`).join("") };
}

/** A line that says what is waited for. */
export const waiting = (words, kind = "p.verdict.open") =>
  h(kind, {}, h("span.spinner", { "aria-hidden": "true" }), words);

/** Say that somebody stopped a search. */
export function tellStopped(/** @type {import("../app.js").App} */ app) {
  const words = texts.common.searchStopped;
  app.announce(h("p.verdict.open", {}, `${words}.`), words);
}

/** What an open tour has besides: as a picture and facts show it, it is closed if its ends are a move apart. */
export function closedToo({ board, closed, tour }) {
  if (closed || !tour || !isClosed(board, tour)) return null;
  return h("p.soft.small", {}, texts.answer.closedToo);
}

/** The answer as elements, and as one sentence. */
export function answerOf(result, state, methods) {
  const question = asked(state);
  const how = [result.method, duration(result.seconds), texts.common.nodes(result.nodes)];
  if (methods[result.method]?.varies) how.push(texts.common.seed(result.seed));
  const small = h("p.soft.small.how", {}, how.join(" · "));
  if (result.status === "found") {
    const tour = texts.board.tour(question);
    return [[h("p.verdict", {}, capital(tour)), closedToo(state), small], texts.answer.found(tour)];
  }
  const isProved = result.status === "impossible";
  const text = isProved ? texts.board.noTour(question) : texts.answer.undecided(texts.board.aTour(question));
  const reason = result.reason ? sentence(result.reason) : "";
  return [
    [h(isProved ? "p.verdict.no" : "p.verdict.open", {}, text), ...because(result), small],
    `${sentence(text)} ${reason}`,
  ];
}
