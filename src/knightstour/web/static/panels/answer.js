// An answer to a question in words: the question as a sentence has it, the verdict, the reason, and how it was found.

import { boardWords, squareName } from "../model/board.js";
import { because, capital, duration, grouped, h, sentence } from "../dom.js";
import { conditionWords } from "../model/conditions.js";
import { isClosed } from "../model/tour.js";

export const withArticle = (words) => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** The question as a sentence would say it, without an article. */
export function questionWords({ board, closed, start, end, conditions = null }) {
  const words = [closed ? "closed tour" : "open tour", `of the ${boardWords(board)}`];
  if (start !== null) words.push(`from ${squareName(board, start)}`);
  if (end !== null) words.push(`to ${squareName(board, end)}`);
  if (conditions) words.push(conditionWords(conditions));
  return words.join(" ");
}

/** The same of several tours. */
export const pluralWords = (state) => questionWords(state).replace(" tour ", " tours ");

/** What an open tour has besides: as a picture and facts show it, it is closed if its ends are a move apart. */
export function closedToo({ board, closed, tour }) {
  if (closed || !tour || !isClosed(board, tour)) return null;
  return h("p.soft.small", {}, "It is closed, too: its ends are a move apart.");
}

/** The answer as elements, and as one sentence. */
export function answerOf(result, state, methods) {
  const asked = questionWords(state);
  const how = [
    result.method,
    duration(result.seconds),
    `${grouped(result.nodes)} node${result.nodes === 1 ? "" : "s"}`,
  ];
  if (methods[result.method]?.varies) how.push(`seed ${result.seed}`);
  const small = h("details.how", {}, h("summary", {}, "How it was found"), h("p.soft.small", {}, how.join(" · ")));
  if (result.status === "found") {
    return [[h("p.verdict", {}, capital(asked)), closedToo(state), small], `Found: ${asked}`];
  }
  const isProved = result.status === "impossible";
  const text = isProved ? `There is no ${asked}` : `Not decided: is there ${withArticle(asked)}?`;
  const reason = result.reason ? sentence(result.reason) : "";
  return [
    [h(isProved ? "p.verdict.no" : "p.verdict.open", {}, text), ...because(result), small],
    `${sentence(text)} ${reason}`,
  ];
}
