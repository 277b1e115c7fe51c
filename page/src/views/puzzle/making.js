// The section for creating a puzzle: whether it has one solution, and its link.

import * as api from "../../api.js";
import { makeBoard, squareName } from "../../model/board.js";
import { capital, complaint, debounce, h, icon, say, sentence } from "../../dom.js";
import { copyTo } from "../../panels/share.js";
import { latest } from "../../latest.js";
import { fill, texts } from "../../language.js";

// Maximum number of solutions that are compared for the doubtful squares.
const MAX_COMPARED = 5;
const MAX_NAMED = 8;

/**
 * onanswer(words, doubtful): the result, and the squares whose numbers differ among the solutions. onplay(): solve it.
 * link(): its address.
 */
export function makeMaking({ onanswer, onplay, link }) {
  /** The current problem: the board, the kind of tour, and the numbers. */
  let asked = { board: makeBoard(), closed: false, numbers: [] };
  const verdict = h("div");
  const note = h("div", { role: "status" });
  const play = h("button.wide.primary", { disabled: true, onclick: onplay }, icon("play"), texts.solving.solveIt);
  const copy = h("button", { onclick: () => copyTo(note, link(), texts.save.copied) }, texts.save.copyLink);
  const element = h(
    "section.section.flat",
    { "aria-label": texts.solving.own, hidden: true },
    h("h2", texts.solving.own),
    h("p.soft.small", texts.solving.ownHint),
    verdict,
    play,
    copy,
    note,
  );

  function show(reply) {
    const { board } = asked;
    const doubtful = reply.doubtful.map(([r, c]) => r * board.cols + c);
    const names = doubtful.slice(0, MAX_NAMED).map((square) => squareName(board, square));
    const rest = doubtful.length > MAX_NAMED ? fill(texts.solving.more, { n: doubtful.length }) : "";
    const [kind, words, more, lang] = reply.is_unique
      ? ["good", texts.solving.one, `${capital(texts.puzzle.levels[reply.level])}.`]
      : reply.status === "impossible"
        ? ["bad", texts.solving.none, sentence(reply.reason), "en"]
        : reply.solutions.length > 1
          ? ["plain", texts.solving.several, fill(texts.solving.doubt, { squares: `${names.join(", ")}${rest}` })]
          : ["plain", texts.solving.unknown, texts.solving.tookTooLong];
    verdict.replaceChildren(h(`p.notice.${kind}`, h("strong", `${words}. `), h("span", { lang }, more)));
    play.disabled = !reply.is_unique;
    onanswer(words, doubtful);
    say(`${words}. ${more}`);
  }

  const answer = latest({ failed: (error) => verdict.replaceChildren(complaint(error)) });
  const run = debounce(400, () => {
    const { board, closed, numbers } = asked;
    answer((signal) => api.checkPuzzle(api.numbered(board, closed, numbers), MAX_COMPARED, signal), show);
  });

  element.cancel = () => {
    run.cancel();
    answer.forget();
  };
  /** Check these numbers after a moment without changes. */
  element.check = (board, closed, numbers) => {
    element.cancel();
    asked = { board, closed, numbers };
    verdict.replaceChildren(h("p.soft", texts.solving.lookingForSolutions));
    play.disabled = true;
    note.replaceChildren();
    run();
  };
  return element;
}
