// The card of a finished tour, shared by Puzzle and Play: figures; its number among all tours, found in the background;
// sharing, saving, and the next step.

import * as api from "../api.js";
import { h, icon } from "../dom.js";
import { makeSend } from "./send.js";
import { copyTo } from "./share.js";
import { squareCount } from "../model/board.js";
import { encodeState } from "../model/link.js";
import { clock } from "../model/puzzle.js";
import { putOnShelf } from "../model/shelf.js";
import { isLibraryReady } from "../transport.js";
import { fill, texts } from "../language.js";

// Limit of boards that a browser or a small server can process immediately.
const MAX_SQUARES = 36;
const MAX_BYTES = 150_000_000;

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();

/** Promise whether the tours of a problem are numbered; all callers share it. */
function prepared({ board, closed }) {
  const key = encodeState({ board, closed });
  const coming = asked.get(key) ?? number({ board, closed }).catch(() => false);
  asked.set(key, coming);
  return coming;
}

/** Number the tours of a problem in the background if the library is loaded already. */
export const prepareNumbers = (state) => isLibraryReady() && prepared(state);

async function number(state) {
  if (squareCount(state.board) > MAX_SQUARES) return false;
  const { count } = await api.spaceBuild(state, MAX_BYTES, () => {}, undefined);
  return count !== null;
}

/**
 * The number of a tour and the total, as digits; null if there are too many tours to number here.
 * @returns {Promise<{number: string, count: string} | null>}
 */
async function numberOf({ board, closed }, order) {
  const isNumbered = await prepared({ board, closed });
  return isNumbered ? api.rank({ board, closed }, order).catch(() => null) : null;
}

/**
 * @typedef {object} Finished
 * @property {string} verdict
 * @property {[string | Node, string][]} figures each with its unit
 * @property {Node | null} [row] further content of the card
 * @property {(number: string) => string[]} lines the text to copy; number: the number of the tour in words, if known
 * @property {() => {title: string, line: string, address: string}} sent the words of the picture to send
 * @property {string} copied the message after copying
 * @property {HTMLElement | null} next the next step
 * @property {(Node | null)[]} [more] further buttons
 * @property {boolean} isOwn whether the user found it, so that it is added to the shelf
 */

/** "1:42: yours? " for a link with a time to beat, else "". */
export const beatWords = (/** @type {number | null} */ beat) =>
  beat === null ? "" : `${fill(texts.finish.yours, { time: clock(beat) })} `;

/**
 * The comparison with the time to beat.
 * @returns {[string, string][]}
 */
export const beatFigure = (/** @type {number | null} */ beat, /** @type {number} */ seconds) =>
  beat === null ? [] : [[clock(beat), seconds < beat ? texts.finish.beaten : texts.finish.toBeat]];

/** order(): the squares of the tour. onshelf(): the tour was added to its shelf. */
export function makeFinish(app, order, onshelf = () => {}) {
  const number = h("p", { role: "status" });
  // The latest tour whose number was shown, and that number.
  let numbered = "";
  let found = "";
  const note = h("div", { role: "status" });
  const drawn = () => ({ board: app.state.board, order: order(), closed: app.state.closed });
  const words = () => shown?.sent() ?? { title: "", line: "", address: "" };
  const send = makeSend(drawn, words, (error) => app.complain(error));
  const button = h("button.quiet", { onclick: () => share() }, icon("link"), texts.daily.share);
  /** @type {Finished | null} */
  let shown = null;

  const share = () => shown && copyTo(note, shown.lines(found).join("\n"), shown.copied);

  /** Print the number of the tour among all tours, or a button for it as long as the library would have to be loaded. */
  function showNumber(isOwn) {
    const { board, closed } = app.state;
    const link = encodeState({ board, closed, tour: order() });
    if (link === numbered) return;
    numbered = link;
    found = "";
    number.replaceChildren();
    if (squareCount(board) > MAX_SQUARES) return;
    const find = h("button.quiet", { onclick: () => findNumber(link, isOwn) }, icon("numbers"), texts.finish.which);
    if (isLibraryReady()) findNumber(link, isOwn);
    else number.replaceChildren(find);
  }

  async function findNumber(link, isOwn) {
    const { board, closed } = app.state;
    const squares = order();
    const answer = await numberOf({ board, closed }, squares);
    if (link !== numbered) return;
    number.replaceChildren();
    if (!answer) return;
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

  /** The elements; the send button is visible without scrolling on a small phone. */
  function parts(/** @type {Finished} */ finished) {
    shown = finished;
    send.show();
    showNumber(finished.isOwn);
    const { verdict, figures, row = null, next, more = [] } = finished;
    const cells = figures.map(([value, label]) => h("div", h("dd", value), h("dt", label)));
    return [
      h("p.verdict.good", verdict),
      figures.length ? h("dl.figures", cells) : null,
      row,
      h("div.row", send, next, button, more),
      note,
      number,
    ];
  }

  return { parts, share, forget: () => note.replaceChildren() };
}
