// The section that says what is asked: the board, the piece, open or closed, start and end.

import {
  boardOfCells,
  boardWord,
  makeBoard,
  MAX_SIDE,
  squareCount,
  squareName,
  squareNamed,
  WRAPS,
} from "../model/board.js";
import { faultNote, field, h, markField, menu, segmented, textInput } from "../dom.js";
import { READY_MADE } from "../model/levels.js";
import { dimensionOf, leapsIn, leapsOf, pieceName, PIECES, pieceWord } from "../model/pieces.js";
import { DEFAULTS } from "../model/state.js";
import { boardWords, kindWord, pieceWords } from "../model/words.js";
import { fill, texts } from "../language.js";

// A menu has each piece once, by its first name, and last the leaps that one types.
const OTHER = "other";
const NAMED = Object.keys(PIECES).filter((name) => pieceName(PIECES[name]) === name);

/** "King (0, 1) (1, 1)" */
function pieceLabel(name) {
  const words = pieceWords(PIECES[name]);
  return `${words[0].toUpperCase()}${words.slice(1)} ${PIECES[name].map((leap) => `(${leap.join(", ")})`).join(" ")}`;
}

// Those that are shown as buttons, for a first look round.
const PROPOSED = ["chess", "four", "cross", "torus", "zebra"];

/**
 * onask(patch): the question changes. The element's `show(state)` brings the fields up to date; `words` says what is
 * chosen; `ends` are the fields of start and end; before `clear`, which fills the holes, others may put what makes some.
 */
export function makeSetup(onask, onready) {
  /** @type {import("../model/state.js").State} */
  let state = { ...DEFAULTS, board: makeBoard() };

  const side = (label) =>
    h("input", {
      type: "number",
      min: 1,
      max: MAX_SIDE,
      inputmode: "numeric",
      required: true,
      "aria-label": label,
      onchange: () => changeSize(),
    });
  const rows = side(texts.setup.rows);
  const cols = side(texts.setup.cols);

  function changeSize() {
    const [r, c] = [rows, cols].map((input) => Number(input.value));
    const fits = [r, c].every((n) => Number.isInteger(n) && n >= 1 && n <= MAX_SIDE);
    for (const input of [rows, cols]) markField(input, fits, sizeNote);
    if (!fits) return;
    // Holes stay where they are, counted from the top left.
    const { board } = state;
    const holes = board.holes
      .map((s) => [Math.floor(s / board.cols), s % board.cols])
      .filter(([hr, hc]) => hr < r && hc < c)
      .map(([hr, hc]) => hr * c + hc);
    change(makeBoard({ ...board, shape: "", rows: r, cols: c, holes: holes.length < r * c ? holes : [] }));
  }
  const sizeNote = faultNote(fill(texts.setup.sides, { most: MAX_SIDE }));

  const cells = textInput({
    placeholder: "4x4x4, hex:6, tri:8:king",
    maxlength: 40,
    onchange: () => {
      const word = cells.value.trim();
      const board = boardOfCells(word);
      markField(cells, !word || Boolean(board), cellsNote);
      if (board) change(board);
      else if (!word && state.board.shape) take("chess");
    },
  });
  const cellsNote = faultNote(texts.setup.noCells);

  function change(board, more = {}) {
    const keep = (square) => {
      if (square === null) return null;
      return squareNamed(board, squareName(state.board, square));
    };
    onask({ board, start: keep(state.start), end: keep(state.end), ...more });
  }

  const ready = menu(
    [["", texts.setup.choose], ...READY_MADE.map(({ name }) => [name, texts.setup.boards[name]])],
    "",
    (name) => {
      if (name) take(name);
      ready.value = "";
    },
  );
  function take(name) {
    const { board, closed } = READY_MADE.find((each) => each.name === name) ?? READY_MADE[0];
    onask({ board, closed, start: null, end: null });
    onready();
  }
  const dimension = () => dimensionOf(state.board.shape);
  const wraps = ["", ...WRAPS].map((name) => [name, texts.setup.wraps[name || "none"]]);
  const wrap = menu(wraps, "", (value) => change(makeBoard({ ...state.board, wrap: value || null })));
  const pieces = [...NAMED.map((name) => [name, pieceLabel(name)]), [OTHER, texts.setup.otherPiece]];
  const piece = menu(pieces, "knight", (name) => {
    leapsField.hidden = name !== OTHER;
    if (name === OTHER) leaps.value = pieceWord(state.board.leaps, dimension());
    else change(makeBoard({ ...state.board, leaps: leapsIn(name, dimension()) }));
  });
  const leaps = textInput({
    maxlength: 60,
    onchange: () => {
      const found = leapsOf(leaps.value, dimension());
      const fits = Boolean(found?.every((leap) => Math.max(...leap) > 0 && Math.max(...leap) < MAX_SIDE));
      markField(leaps, fits, leapsNote);
      if (found && fits) change(makeBoard({ ...state.board, leaps: found }));
    },
  });
  const leapsNote = faultNote(texts.setup.noPiece);
  const leapsField = h("div", { hidden: true }, field(texts.setup.leaps, leaps), leapsNote);

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
    const input = textInput({
      placeholder: texts.setup.any,
      size: 5,
      maxlength: 9,
      onchange: () => {
        const text = input.value.trim();
        const found = text ? squareNamed(state.board, text) : null;
        const fits = !text || found !== null;
        markField(input, fits);
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
    squareNote.textContent = wrong ? fill(texts.setup.noSquare, { name: wrong.value.trim() }) : "";
  }
  const squareNote = faultNote();
  const startField = field(texts.setup.startsOn, start);
  const endField = field(texts.setup.endsOn, end);
  const ends = h("div.columns", startField, endField);

  const clear = h("button", { onclick: () => change(makeBoard({ ...state.board, holes: [] })) }, texts.setup.fill);
  const words = h("span.summary-words");
  const wrapField = field(texts.setup.wrap, wrap);

  const proposals = PROPOSED.map((name) => h("button.chip", { onclick: () => take(name) }, texts.setup.proposed[name]));
  const element = h(
    "div.section-body",
    h("div.row", proposals),
    field(texts.setup.readyMade, ready),
    h(
      "div.field",
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
    h("div", field(texts.setup.cells, cells), cellsNote),
    kind,
    field(texts.setup.piece, piece),
    leapsField,
    wrapField,
    ends,
    squareNote,
    clear,
  );

  Object.assign(element, { clear, ends, words });
  element.show = (next) => {
    const before = state;
    const isNew = before.board !== next.board;
    state = next;
    const { board } = state;
    if (isNew) {
      rows.value = board.shape ? "" : board.rows;
      cols.value = board.shape ? "" : board.cols;
      cells.value = board.shape ? boardWord(board) : "";
      markField(cells, true, cellsNote);
      wrapField.hidden = Boolean(board.shape);
      // Leaps that are being typed stay as they are, by whatever name the board knows them.
      if (leapsField.hidden || leapsOf(leaps.value, dimension())?.join(";") !== board.leaps.join(";")) {
        const name = pieceName(board.leaps, dimension());
        piece.value = name || OTHER;
        leapsField.hidden = Boolean(name);
        leaps.value = pieceWord(board.leaps, dimension());
        markField(leaps, true, leapsNote);
      }
      wrap.value = board.wrap ?? "";
      for (const input of [rows, cols]) markField(input, true, sizeNote);
    }
    kind.choose(state.closed ? "closed" : "open");
    // What is being typed stays, though an answer may come meanwhile.
    for (const [key, input] of Object.entries({ start, end })) {
      if (!isNew && before[key] === state[key] && before.closed === state.closed) continue;
      input.value = state[key] === null ? "" : squareName(board, state[key]);
      markField(input, true);
    }
    tellWrong();
    endField.hidden = state.closed;
    clear.hidden = !board.holes.length;
    const size = boardWords(board, true);
    words.textContent = `${size}, ${kindWord(state.closed)}`;
    words.title = fill(texts.common.squares, { n: squareCount(board) });
  };
  return element;
}
