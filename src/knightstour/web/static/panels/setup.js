// The section that says what is asked: the board, the piece, open or closed, start and end.

import { boardWords, holesWhere, makeBoard, MOST_SIDE, squareCount, squareName, squareNamed } from "../model/board.js";
import { field, h, menu, segmented } from "../dom.js";

const WRAP_NAMES = [
  ["", "No sides"],
  ["cylinder", "Left and right: cylinder"],
  ["torus", "All four: torus"],
  ["mobius", "Left and right, turned over: Möbius strip"],
  ["klein", "All four, turned over: Klein bottle"],
];
const PIECES = [
  ["1,2", "Knight (1, 2)"],
  ["2,3", "Zebra (2, 3)"],
  ["1,3", "Camel (1, 3)"],
  ["1,4", "Giraffe (1, 4)"],
  ["3,4", "Antelope (3, 4)"],
  ["other", "Another leaper …"],
];

// Boards that are worth a look, each with the question it is known for.
const READY_MADE = {
  "8×8, the chess board": { closed: true, board: { rows: 8, cols: 8 } },
  "5×5, the smallest square": { closed: false, board: { rows: 5, cols: 5 } },
  "6×6, with 9,862 closed tours": { closed: true, board: { rows: 6, cols: 6 } },
  "3×10, the smallest closed": { closed: true, board: { rows: 3, cols: 10 } },
  "4×8, closed: impossible": { closed: true, board: { rows: 4, cols: 8 } },
  "A cross": {
    closed: true,
    board: { rows: 12, cols: 12, holes: holesWhere(12, 12, (r, c) => (r < 4 || r > 7) && (c < 4 || c > 7)) },
  },
  "A frame": {
    closed: true,
    board: { rows: 12, cols: 12, holes: holesWhere(12, 12, (r, c) => r > 3 && r < 8 && c > 3 && c < 8) },
  },
  "A diamond": {
    closed: false,
    board: { rows: 13, cols: 13, holes: holesWhere(13, 13, (r, c) => Math.abs(r - 6) + Math.abs(c - 6) > 7) },
  },
  "4×5 torus": { closed: true, board: { rows: 4, cols: 5, wrap: "torus" } },
  "6×8 Klein bottle": { closed: true, board: { rows: 6, cols: 8, wrap: "klein" } },
  "10×10 for the zebra": { closed: true, board: { rows: 10, cols: 10, leaper: [2, 3] } },
  "24×40": { closed: true, board: { rows: 24, cols: 40 } },
  "60×60, 3,600 squares": { closed: true, board: { rows: 60, cols: 60 } },
};

/**
 * onask(patch): the question changes. The element's `show(state)` brings the fields up to date; `tools` is the choice of
 * what a click on the board does, shown in the view that finds tours; `ends` the fields of start and end.
 */
export function makeSetup(onask, ontool) {
  let state = null;

  const side = (label) =>
    h("input", {
      type: "number",
      min: 1,
      max: MOST_SIDE,
      inputmode: "numeric",
      required: true,
      "aria-label": label,
      onchange: () => changeSize(),
    });
  const rows = side("Rows");
  const cols = side("Columns");

  function changeSize() {
    const [r, c] = [rows, cols].map((input) => Number(input.value));
    const fits = [r, c].every((n) => Number.isInteger(n) && n >= 1 && n <= MOST_SIDE);
    for (const input of [rows, cols]) input.setAttribute("aria-invalid", String(!fits));
    sizeNote.hidden = fits;
    if (!fits) return;
    // Holes stay where they are, counted from the top left.
    const { board } = state;
    const holes = board.holes
      .map((s) => [Math.floor(s / board.cols), s % board.cols])
      .filter(([hr, hc]) => hr < r && hc < c)
      .map(([hr, hc]) => hr * c + hc);
    change(makeBoard({ ...board, rows: r, cols: c, holes: holes.length < r * c ? holes : [] }));
  }
  const sizeNote = h("p.notice.bad.small", { hidden: true, role: "alert" }, `A side has 1 to ${MOST_SIDE} squares.`);

  function change(board, more = {}) {
    const keep = (square) => {
      if (square === null) return null;
      return squareNamed(board, squareName(state.board, square));
    };
    onask({ board, start: keep(state.start), end: keep(state.end), ...more });
  }

  const ready = menu([["", "Choose one …"], ...Object.keys(READY_MADE).map((name) => [name, name])], "", (name) => {
    if (!name) return;
    const { board, closed } = READY_MADE[name];
    onask({ board: makeBoard(board), closed, start: null, end: null });
    ready.value = "";
  });
  const wrap = menu(WRAP_NAMES, "", (value) => change(makeBoard({ ...state.board, wrap: value || null })));
  const piece = menu(PIECES, "1,2", (value) => {
    leaper.hidden = value !== "other";
    if (value !== "other") change(makeBoard({ ...state.board, leaper: value.split(",").map(Number) }));
  });
  const leap = (label) =>
    h("input", { type: "number", min: 0, max: 59, inputmode: "numeric", "aria-label": label, onchange: changeLeaper });
  const [leapA, leapB] = [leap("Squares one way"), leap("Squares the other way")];
  const leaper = h("div.pair", { hidden: true }, leapA, h("span", { "aria-hidden": "true" }, "and"), leapB);
  const typedLeaper = () => [leapA, leapB].map((input) => Number(input.value));
  function changeLeaper() {
    const pair = typedLeaper();
    if (pair.every((n) => Number.isInteger(n) && n >= 0 && n < MOST_SIDE) && pair.some((n) => n > 0))
      change(makeBoard({ ...state.board, leaper: pair }));
  }

  const kind = segmented(
    "Kind of tour",
    [
      ["open", "Open", "A walk over all squares"],
      ["closed", "Closed", "Ends a move from where it began"],
    ],
    "open",
    (value) => onask({ closed: value === "closed", end: value === "closed" ? null : state.end }),
  );

  const square = (key) => {
    const input = h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: "any",
      size: 5,
      maxlength: 9,
      onchange: () => {
        const text = input.value.trim();
        const found = text ? squareNamed(state.board, text) : null;
        const fits = !text || found !== null;
        input.setAttribute("aria-invalid", String(!fits));
        tellWrong();
        if (fits) onask({ [key]: found });
      },
    });
    return input;
  };
  const start = square("start");
  const end = square("end");
  function tellWrong() {
    const wrong = [start, end].find((input) => input.getAttribute("aria-invalid") === "true");
    squareNote.hidden = !wrong;
    squareNote.textContent = wrong
      ? `The board has no square “${wrong.value.trim()}”. The one at the bottom left is a1, the one at the top left 0,0.`
      : "";
  }
  const squareNote = h("p.notice.bad.small", { hidden: true, role: "alert" });
  const startField = field("Start", start);
  const endField = field("End", end);
  const ends = h("div.columns", {}, startField, endField);

  const tools = segmented(
    "A click on the board sets",
    [
      ["start", "Start"],
      ["end", "End"],
      ["holes", "Holes", "Click or drag over squares to take them away or put them back"],
    ],
    "start",
    ontool,
  );
  const clear = h(
    "button",
    { type: "button", onclick: () => change(makeBoard({ ...state.board, holes: [] })) },
    "Fill all holes",
  );
  const words = h("span.summary-words");

  const element = h(
    "details.section",
    { id: "setup" },
    h("summary", {}, h("h2", {}, "Board"), words),
    h(
      "div.section-body",
      {},
      field("Ready-made", ready),
      h(
        "div.field",
        {},
        h("span.label", { id: "size-label" }, "Size, rows × columns"),
        h(
          "div.pair",
          { role: "group", "aria-labelledby": "size-label" },
          rows,
          h("span", { "aria-hidden": "true" }, "×"),
          cols,
        ),
        sizeNote,
      ),
      field("Piece", piece),
      leaper,
      field("Sides joined", wrap),
      kind,
      ends,
      squareNote,
      tools,
      clear,
    ),
  );

  Object.assign(element, { tools, ends });
  element.show = (next) => {
    const before = state;
    const isNew = before?.board !== next.board;
    state = next;
    const { board } = state;
    if (isNew) {
      rows.value = board.rows;
      cols.value = board.cols;
      // A leaper that is being typed keeps its order and its fields, by whatever name the board knows it.
      if (leaper.hidden || String(typedLeaper().sort((a, b) => a - b)) !== String(board.leaper)) {
        const isNamed = PIECES.some(([key]) => key === String(board.leaper));
        piece.value = isNamed ? String(board.leaper) : "other";
        leaper.hidden = isNamed;
        [leapA.value, leapB.value] = board.leaper;
      }
      wrap.value = board.wrap ?? "";
      for (const input of [rows, cols]) input.setAttribute("aria-invalid", "false");
      sizeNote.hidden = true;
    }
    kind.choose(state.closed ? "closed" : "open");
    // What is being typed stays, though an answer may come meanwhile.
    for (const [key, input] of [
      ["start", start],
      ["end", end],
    ]) {
      if (!isNew && before[key] === state[key] && before.closed === state.closed) continue;
      input.value = state[key] === null ? "" : squareName(board, state[key]);
      input.setAttribute("aria-invalid", "false");
    }
    tellWrong();
    endField.hidden = state.closed;
    tools.querySelector('input[value="end"]').disabled = state.closed;
    clear.hidden = !board.holes.length;
    words.textContent = `${boardWords(board)}, ${state.closed ? "closed" : "open"}`;
    words.title = `${squareCount(board)} squares`;
  };
  return element;
}
