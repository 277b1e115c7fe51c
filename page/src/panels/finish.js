// What is said of a tour that was finished, the same in Puzzle and Play: how, in figures; its number among all, which is
// looked for in the background while one plays; to share, to keep, and what is next.

import * as api from "../api.js";
import { h, icon } from "../dom.js";
import { latest } from "../latest.js";
import { copyTo } from "./share.js";
import { squareCount } from "../model/board.js";
import { download, sizeWord } from "./save.js";
import { themeSeen } from "./menu.js";
import { encodeState } from "../model/link.js";
import { clock } from "../model/puzzle.js";
import { putOnShelf } from "../model/shelf.js";
import { fill, texts } from "../language.js";

// What a browser or a small server does in a moment.
const MAX_SQUARES = 36;
const MAX_BYTES = 150_000_000;

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();

/** Whether the tours of a question are numbered, once they are: the same promise for all who ask. */
export function prepareNumbers({ board, closed }) {
  const key = encodeState({ board, closed });
  const coming = asked.get(key) ?? number({ board, closed }).catch(() => false);
  asked.set(key, coming);
  return coming;
}

async function number(state) {
  if (squareCount(state.board) > MAX_SQUARES) return false;
  const { count } = await api.spaceBuild(state, MAX_BYTES, () => {}, undefined);
  return count !== null;
}

/**
 * The number of a tour and how many there are, as digits; null where they are too many to be numbered here.
 * @returns {Promise<{number: string, count: string} | null>}
 */
async function numberOf({ board, closed }, order) {
  const isNumbered = await prepareNumbers({ board, closed });
  return isNumbered ? api.rank({ board, closed }, order).catch(() => null) : null;
}

/**
 * @typedef {object} Finished
 * @property {string} verdict
 * @property {[string | Node, string][]} figures each with what it counts
 * @property {Node | null} [row] more of the card
 * @property {(number: string) => string[]} lines what is copied; number: of the tour in words, if it is known
 * @property {string} copied what is said then
 * @property {HTMLElement | null} next the way on
 * @property {(Node | null)[]} [more] further buttons
 * @property {boolean} isOwn whether it was found by whoever looks, so that it comes on the shelf
 */

/** "1:42: yours? " of a link with a time to beat, "" of others. */
export const beatWords = (/** @type {number | null} */ beat) =>
  beat === null ? "" : `${fill(texts.finish.yours, { time: clock(beat) })} `;

/**
 * The same beside the time that it took.
 * @returns {[string, string][]}
 */
export const beatFigure = (/** @type {number | null} */ beat, /** @type {number} */ seconds) =>
  beat === null ? [] : [[clock(beat), seconds < beat ? texts.finish.beaten : texts.finish.toBeat]];

/** order(): the squares of the tour. onshelf(): it came on its shelf. */
export function makeFinish(app, order, onshelf = () => {}) {
  const number = h("p", { role: "status" });
  // The tour whose number is said, and that number.
  let numbered = "";
  let found = "";
  const note = h("div", { role: "status" });
  const keepPicture = makeKeepPicture(app, order);
  const button = h("button.primary", { onclick: () => share() }, icon("link"), texts.daily.share);
  /** @type {Finished | null} */
  let shown = null;

  const share = () => shown && copyTo(note, shown.lines(found).join("\n"), shown.copied);

  /** Say which of all tours it is, as soon as that is known. */
  async function tellNumber(isOwn) {
    const { board, closed } = app.state;
    const squares = order();
    const link = encodeState({ board, closed, tour: squares });
    if (link === numbered) return;
    numbered = link;
    found = "";
    number.replaceChildren();
    const answer = await numberOf({ board, closed }, squares);
    if (!answer || link !== numbered) return;
    const values = { k: answer.number, n: answer.count, closed };
    found = fill(texts.finish.number, values);
    const href = `#${encodeState({ board, closed, view: "all", number: answer.number })}`;
    const there = isOwn ? putOnShelf({ board, closed }, answer, squares) : 0;
    number.replaceChildren(
      h("a", { href }, isOwn ? fill(texts.finish.drew, values) : fill(texts.finish.is, values)),
      there ? ` ${fill(texts.shelf.found, { n: there, count: answer.count })}.` : "",
    );
    if (isOwn) onshelf();
  }

  /** The elements; the button to share is in sight without scrolling on a small phone. */
  function parts(/** @type {Finished} */ finished) {
    shown = finished;
    tellNumber(finished.isOwn);
    const { verdict, figures, row = null, next, more = [] } = finished;
    const cells = figures.map(([value, label]) => h("div", h("dd", value), h("dt", label)));
    return [
      h("p.verdict.good", verdict),
      figures.length ? h("div.card", h("dl.figures", cells), row) : null,
      h("div.row", button, next, keepPicture, more),
      note,
      number,
    ];
  }

  return { parts, share, forget: () => note.replaceChildren() };
}

/** A button that saves the picture: the ribbon, or the board of cells, which the library draws. */
function makeKeepPicture(app, order) {
  const drawing = latest({ failed: (error) => app.complain(error) });
  return h("button", { onclick: keep }, icon("save"), texts.common.keepPicture);

  function keep() {
    const { board } = app.state;
    const how = { format: "svg", style: board.shape ? "board" : "ribbon", theme: themeSeen() };
    const name = `knights-tour-${sizeWord(board)}.svg`;
    drawing(
      (signal) => api.draw(board, order(), how, signal),
      (blob) => download(new File([blob], name, { type: blob.type })),
    );
  }
}
