// A result in words: the problem, the verdict, the reason, and the method.

import { squareName } from "../model/board.js";
import { because, capital, h, sentence } from "../dom.js";
import { conditionWords } from "../model/conditions.js";
import { isClosed } from "../model/tour.js";
import { tourWords } from "../model/words.js";
import { fill, texts } from "../language.js";
import { duration, fixed } from "../numbers.js";

/** The problem as values for texts about boards: the board, the kind of tour, and the ends in words. */
export function asked({ board, closed, start, end, conditions = null }) {
  const words = [];
  if (start !== null) words.push(fill(texts.board.from, { square: squareName(board, start) }));
  if (end !== null) words.push(fill(texts.board.to, { square: squareName(board, end) }));
  if (conditions) words.push(conditionWords(conditions));
  return { ...board, closed, ends: words.map((word) => ` ${word}`).join("") };
}

export const waiting = (words, kind = "p.verdict.open") => h(kind, h("span.spinner", { "aria-hidden": "true" }), words);

/**
 * A progress bar with words; `tell(title, part)` accepts an event of the library, from `telling` in answers.py.
 * sentence(words): the spoken sentence.
 */
export function makeProgress(sentence = (/** @type {string} */ words) => words) {
  const bar = h("progress", { max: 1 });
  const line = waiting("", "p.soft");
  const tell = (title, { done = null, made = "", seconds = 0 } = {}) => {
    bar.setAttribute("aria-label", title);
    if (done === null) bar.removeAttribute("value");
    else bar.value = done;
    const share = done === null ? "" : fill(texts.common.percent, { share: fixed(100 * done, 0) });
    const words = [title, share, made, seconds > 2 ? duration(seconds) : ""].filter(Boolean).join(", ");
    line.lastChild.textContent = sentence(words);
    return words;
  };
  return Object.assign(h("div", bar, line), { tell });
}

export function tellStopped(/** @type {import("../app.js").App} */ app) {
  const words = texts.common.searchStopped;
  app.announce(h("p.verdict.open", `${words}.`), words);
}

/**
 * Whether an open tour is closed as well, since its ends are a move apart: its picture and facts show the closed tour.
 */
export function closedToo({ board, closed, tour }) {
  if (closed || !tour || !isClosed(board, tour)) return null;
  return h("p.soft.small", texts.answer.closedToo);
}

/** The method of a result, and the seed if it affects the method's results. */
const methodWords = ({ method, seed }, methods) => [
  method,
  ...(methods[method]?.varies ? [fill(texts.common.seed, { seed: String(seed) })] : []),
];

/** Method, time and effort of a result: "rotation · 3 ms · 64 nodes · seed 7". */
export function effortWords(result, methods) {
  const [method, ...seed] = methodWords(result, methods);
  return [method, duration(result.seconds), fill(texts.common.nodes, { n: result.nodes }), ...seed].join(" · ");
}

/** The answer as elements, and as one sentence. */
export function answerOf(result, state) {
  const question = asked(state);
  if (result.status === "found") {
    const tour = tourWords(texts.board.tour, question);
    return [[h("p.verdict", capital(tour)), closedToo(state)], fill(texts.answer.found, { tour })];
  }
  const isProved = result.status === "impossible";
  const text = isProved
    ? tourWords(texts.board.noTour, question)
    : fill(texts.answer.undecided, { tour: tourWords(texts.board.aTour, question) });
  const reason = result.reason ? sentence(result.reason) : "";
  return [[h(isProved ? "p.verdict.no" : "p.verdict.open", text), ...because(result)], `${sentence(text)} ${reason}`];
}
