// The section that says what is asked: the board, the piece, open or closed, start and end.

import { holesWhere, makeBoard, MOST_SIDE, squareCount, squareName, squareNamed, WRAPS } from "../model/board.js";
import { field, h, menu, segmented } from "../dom.js";
import { DEFAULTS } from "../model/state.js";
import { texts } from "../language.js";

const PIECES = { knight: "1,2", zebra: "2,3", camel: "1,3", giraffe: "1,4", antelope: "3,4", other: "other" };

// Boards that are worth a look, each with the question it is known for, by their names in the texts.
const READY_MADE = {
  chess: { closed: true, board: { rows: 8, cols: 8 } },
  smallest: { closed: false, board: { rows: 5, cols: 5 } },
  six: { closed: true, board: { rows: 6, cols: 6 } },
  narrow: { closed: true, board: { rows: 3, cols: 10 } },
  four: { closed: true, board: { rows: 4, cols: 8 } },
  cross: {
    closed: true,
    board: { rows: 12, cols: 12, holes: holesWhere(12, 12, (r, c) => (r < 4 || r > 7) && (c < 4 || c > 7)) },
  },
  frame: {
    closed: true,
    board: { rows: 12, cols: 12, holes: holesWhere(12, 12, (r, c) => r > 3 && r < 8 && c > 3 && c < 8) },
  },
  diamond: {
    closed: true,
    board: { rows: 12, cols: 12, holes: holesWhere(12, 12, (r, c) => Math.abs(r - 5.5) + Math.abs(c - 5.5) > 7) },
  },
  torus: { closed: true, board: { rows: 4, cols: 5, wrap: "torus" } },
  klein: { closed: true, board: { rows: 6, cols: 8, wrap: "klein" } },
  zebra: { closed: true, board: { rows: 10, cols: 10, leaper: [2, 3] } },
  wide: { closed: true, board: { rows: 24, cols: 40 } },
  large: { closed: true, board: { rows: 60, cols: 60 } },
};

// Those that are shown as buttons, for a first look round.
const PROPOSED = ["chess", "four", "cross", "torus", "zebra"];

/**
 * onask(patch): the question changes. The element's `show(state)` brings the fields up to date; `words` says what is
 * chosen; `tools` is the choice of what a click on the board does, shown in the view that finds tours; `ends` the fields of
 * start and end.
 */
export function makeSetup(onask, ontool) {
  /** @type {import("../model/state.js").State} */
  let state = { ...DEFAULTS, board: makeBoard() };

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
  const rows = side(texts.setup.rows);
  const cols = side(texts.setup.cols);

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
  const sizeNote = h("p.notice.bad.small", { hidden: true, role: "alert" }, texts.setup.sides(MOST_SIDE));

  function change(board, more = {}) {
    const keep = (square) => {
      if (square === null) return null;
      return squareNamed(board, squareName(state.board, square));
    };
    onask({ board, start: keep(state.start), end: keep(state.end), ...more });
  }

  const ready = menu(
    [["", texts.setup.choose], ...Object.keys(READY_MADE).map((name) => [name, texts.setup.boards[name]])],
    "",
    (name) => {
      if (name) take(name);
      ready.value = "";
    },
  );
  function take(name) {
    const { board, closed } = READY_MADE[name];
    onask({ board: makeBoard(board), closed, start: null, end: null });
  }
  const wraps = ["", ...WRAPS].map((name) => [name, texts.setup.wraps[name || "none"]]);
  const wrap = menu(wraps, "", (value) => change(makeBoard({ ...state.board, wrap: value || null })));
  const pieces = Object.entries(PIECES).map(([name, key]) => [key, texts.setup.pieces[name]]);
  const piece = menu(pieces, "1,2", (value) => {
    leaper.hidden = value !== "other";
    if (value !== "other") change(makeBoard({ ...state.board, leaper: value.split(",").map(Number) }));
  });
  const leap = (label) =>
    h("input", { type: "number", min: 0, max: 59, inputmode: "numeric", "aria-label": label, onchange: changeLeaper });
  const [leapA, leapB] = [leap(texts.setup.oneWay), leap(texts.setup.otherWay)];
  const leaper = h("div.pair", { hidden: true }, leapA, h("span", { "aria-hidden": "true" }, texts.setup.and), leapB);
  const typedLeaper = () => [leapA, leapB].map((input) => Number(input.value));
  function changeLeaper() {
    const pair = typedLeaper();
    if (pair.every((n) => Number.isInteger(n) && n >= 0 && n < MOST_SIDE) && pair.some((n) => n > 0))
      change(makeBoard({ ...state.board, leaper: pair }));
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

  const square = (key) => {
    const input = h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: texts.setup.any,
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
    squareNote.textContent = wrong ? texts.setup.noSquare(wrong.value.trim()) : "";
  }
  const squareNote = h("p.notice.bad.small", { hidden: true, role: "alert" });
  const startField = field(texts.setup.startsOn, start);
  const endField = field(texts.setup.endsOn, end);
  const ends = h("div.columns", {}, startField, endField);

  const tools = segmented(
    texts.setup.clickSets,
    [
      ["start", texts.setup.start],
      ["end", texts.setup.end],
      ["holes", texts.setup.holes, texts.setup.holesHint],
    ],
    "start",
    ontool,
  );
  const clear = h(
    "button",
    { type: "button", onclick: () => change(makeBoard({ ...state.board, holes: [] })) },
    texts.setup.fill,
  );
  const words = h("span.summary-words");

  const proposals = PROPOSED.map((name) =>
    h("button.chip", { type: "button", onclick: () => take(name) }, texts.setup.proposed[name]),
  );
  const element = h(
    "div.section-body",
    {},
    h("div.row", {}, proposals),
    field(texts.setup.readyMade, ready),
    h(
      "div.field",
      {},
      h("span.label", { id: "size-label" }, texts.setup.size),
      h(
        "div.pair",
        { role: "group", "aria-labelledby": "size-label" },
        rows,
        h("span", { "aria-hidden": "true" }, "×"),
        cols,
      ),
      sizeNote,
    ),
    kind,
    field(texts.setup.piece, piece),
    leaper,
    field(texts.setup.wrap, wrap),
    ends,
    squareNote,
    tools,
    clear,
  );

  Object.assign(element, { tools, ends, words });
  element.show = (next) => {
    const before = state;
    const isNew = before.board !== next.board;
    state = next;
    const { board } = state;
    if (isNew) {
      rows.value = board.rows;
      cols.value = board.cols;
      // A leaper that is being typed keeps its order and its fields, by whatever name the board knows it.
      if (leaper.hidden || String(typedLeaper().sort((a, b) => a - b)) !== String(board.leaper)) {
        const isNamed = Object.values(PIECES).includes(String(board.leaper));
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
    const isPlain = board.wrap === null && !board.holes.length && board.leaper.join() === "1,2";
    const size = isPlain ? `${board.rows}×${board.cols}` : texts.board.words(board);
    words.textContent = `${size}, ${state.closed ? texts.common.closed : texts.common.open}`;
    words.title = texts.common.squares(squareCount(board));
  };
  return element;
}
