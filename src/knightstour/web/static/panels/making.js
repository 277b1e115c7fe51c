// The section for those who make a puzzle: whether it has one solution, and the puzzle to give away.

import * as api from "../api.js";
import { squareName } from "../model/board.js";
import { capital, complaint, debounce, h, icon, say, sentence } from "../dom.js";
import { puzzleText } from "../model/puzzle.js";

// Solutions that are compared for the squares in doubt.
const MOST_COMPARED = 5;
const MOST_NAMED = 8;

/** Write to the clipboard; a sentence on how that went. */
export async function copied(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    return `${what} is copied.`;
  } catch {
    return "This browser does not let the page copy. Select the text and copy it.";
  }
}

/** onanswer(words, doubtful): the answer, and the squares whose numbers differ among the solutions. onplay(): solve it. link(): its address. */
export function makeMaking({ onanswer, onplay, link }) {
  let controller = null;
  let asked = null;
  const verdict = h("div");
  const note = h("p.soft", { role: "status" });
  const text = h("textarea", { readonly: true, rows: 8, "aria-label": "The puzzle as text", spellcheck: "false" });
  const play = h("button.wide.primary", { type: "button", disabled: true, onclick: onplay }, icon("play"), "Solve it");
  const copy = (label, value, what) =>
    h(
      "button",
      {
        type: "button",
        onclick: async () => {
          note.textContent = await copied(value(), what);
          if (what === "The link") note.append(h("output.address", { "aria-label": "Link" }, value()));
        },
      },
      label,
    );
  const copyText = copy("Copy as text", () => text.value, "The text");
  const element = h(
    "section.section.flat",
    { "aria-label": "Your own puzzle", hidden: true },
    h("h2", {}, "Your own puzzle"),
    h(
      "p.soft.small",
      {},
      "A click writes the next number, or takes one away. Type another number where the cursor is.",
    ),
    verdict,
    play,
    h("div.buttons", {}, copy("Copy link", link, "The link"), copyText),
    note,
    text,
  );

  function show(reply) {
    const { board } = asked;
    const doubtful = reply.doubtful.map(([r, c]) => r * board.cols + c);
    const names = doubtful.slice(0, MOST_NAMED).map((square) => squareName(board, square));
    const rest = doubtful.length > MOST_NAMED ? `, … (${doubtful.length} squares)` : "";
    const [kind, words, more] = reply.is_unique
      ? ["good", "One solution", `${capital(reply.level)}.`]
      : reply.status === "impossible"
        ? ["bad", "No solution", sentence(reply.reason)]
        : reply.solutions.length > 1
          ? ["plain", "Several solutions", `In doubt: ${names.join(", ")}${rest}.`]
          : ["plain", "Not known", "The search took too long. Give more numbers."];
    verdict.replaceChildren(h(`p.notice.${kind}`, {}, h("strong", {}, `${words}. `), more));
    play.disabled = !reply.is_unique;
    onanswer(words, doubtful);
    say(`${words}. ${more}`);
  }

  const run = debounce(400, async () => {
    controller = new AbortController();
    const mine = controller;
    try {
      const { board, closed, numbers } = asked;
      const reply = await api.checkPuzzle(api.numbered(board, closed, numbers), MOST_COMPARED, mine.signal);
      if (mine === controller) show(reply);
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) verdict.replaceChildren(complaint(error));
    }
  });

  element.cancel = () => {
    run.cancel();
    controller?.abort();
    controller = null;
  };
  /** Check these numbers, when they have not changed for a moment. */
  element.check = (board, closed, numbers) => {
    element.cancel();
    asked = { board, closed, numbers };
    verdict.replaceChildren(h("p.soft", {}, "Looking for solutions …"));
    play.disabled = true;
    note.replaceChildren();
    text.value = puzzleText(board, closed, numbers);
    text.hidden = copyText.hidden = !text.value;
    run();
  };
  return element;
}
