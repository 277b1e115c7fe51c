// The section for the problem: the specification of the board, and open or closed. Ends and holes are set on the board.

import { boardWord, makeBoard, squareCount, squareName, squareNamed } from "../model/board.js";
import { faultNote, field, h, markField, menu, segmented, sentence, textInput } from "../dom.js";
import { decodeBoard, LinkError } from "../model/link.js";
import { DEFAULTS } from "../model/state.js";
import { boardWords, kindWord } from "../model/words.js";
import { fill, texts } from "../language.js";
import tables from "../model/tables.json" with { type: "json" };

/** Normalize user input: "8 × 8" is "8x8". */
const boardNamed = (text) =>
  decodeBoard(
    text
      .trim()
      .toLowerCase()
      .replace(/\s*[×x]\s*/g, "x"),
  );

/**
 * onask(patch): the problem changes. The element's `show(state)` updates the fields; `words` are the words of the
 * choice; the tools of the board are inserted before `clear`, which fills the holes.
 */
export function makeSetup(onask) {
  /** @type {import("../model/state.js").State} */
  let state = { ...DEFAULTS, board: makeBoard() };

  const word = textInput({ maxlength: 400, onchange: change });
  const note = faultNote();
  const examples = menu(
    [["", texts.setup.choose], ...tables.boards.map((text) => [text, boardWords(boardNamed(text))])],
    "",
    (text) => {
      examples.value = "";
      if (text) put(boardNamed(text));
    },
  );

  function change() {
    try {
      const board = boardNamed(word.value);
      markField(word, true, note);
      put(board);
    } catch (problem) {
      if (!(problem instanceof LinkError)) throw problem;
      note.textContent = sentence(problem.message);
      markField(word, false, note);
    }
  }

  function put(board) {
    const keep = (square) => (square === null ? null : squareNamed(board, squareName(state.board, square)));
    onask({ board, start: keep(state.start), end: keep(state.end) });
  }

  const kind = segmented(
    texts.setup.kind,
    [
      ["open", texts.setup.open, texts.setup.openHint],
      ["closed", texts.setup.closed, texts.setup.closedHint],
    ],
    "open",
    (value) => onask({ closed: value === "closed", end: value === "closed" ? null : state.end }),
  );
  const clear = h("button", { onclick: () => put(makeBoard({ ...state.board, holes: [] })) }, texts.setup.fill);
  const words = h("span.summary-words");
  const element = h(
    "div.section-body",
    field(texts.setup.board, word, texts.setup.boardHint),
    note,
    field(texts.setup.examples, examples),
    kind,
    clear,
  );

  Object.assign(element, { clear, words });
  element.show = (next) => {
    const isNew = state.board !== next.board || !word.value;
    state = next;
    const { board, closed } = state;
    if (isNew) {
      word.value = boardWord(board);
      markField(word, true, note);
    }
    kind.choose(closed ? "closed" : "open");
    clear.hidden = !board.holes.length;
    words.textContent = `${boardWords(board, true)}, ${kindWord(closed)}`;
    words.title = fill(texts.common.squares, { n: squareCount(board) });
  };
  return element;
}
