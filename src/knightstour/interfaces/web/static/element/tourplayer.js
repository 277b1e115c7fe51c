// A tour with a player, for pages that are not this one: the picture, and below it the buttons, the slider and the
// speed. It asks nobody for anything.

import { BoardView } from "../drawing/boardview.js";
import { STYLES } from "../drawing/layers.js";
import { squareCount, squareNamed } from "../model/board.js";
import { capital, isCalm } from "../dom.js";
import { decodePath, decodeState, encodeState } from "../model/link.js";
import { isClosed } from "../model/tour.js";
import { retrace } from "../panels/retrace.js";
import { tourWords } from "../model/words.js";
import { fill, texts } from "../language.js";

const SPEED = 3;

/**
 * What is to be seen, read from texts as they are in a page: the board as links write it, such as "8x8" or "5x6:torus",
 * and the tour as links write it or as names of its squares; or a whole link, which has its board. An error with a
 * sentence where they make no sense.
 * @param {{board: string, tour: string}} texts
 */
export function readTour({ board: size, tour: text }) {
  if (text.includes("&t=")) {
    const { board, tour } = decodeState(text.slice(text.indexOf("#") + 1).trim());
    return { board, order: tour };
  }
  const { board } = decodeState(size);
  const order = /\s/.test(text.trim()) ? namedSquares(board, text) : decodePath(board, text.trim());
  if (!order.length) throw new Error(texts.element.noSquares);
  return { board, order };
}

function namedSquares(board, text) {
  const order = text
    .trim()
    .split(/\s+/)
    .map((name) => {
      const square = squareNamed(board, name);
      if (square === null) throw new Error(fill(texts.element.noSquare, { name: name.slice(0, 10) }));
      return square;
    });
  if (new Set(order).size < order.length) throw new Error(texts.element.twice);
  if (order.length !== squareCount(board)) throw new Error(texts.element.notAll);
  return order;
}

/** What a tour is called. */
export const titleOf = ({ board, order }) =>
  capital(tourWords(texts.board.tour, { ...board, closed: isClosed(board, order) }));

/** The link to a tour on a page that is at this address; an error with a sentence where that is no address of one. */
export function linkOn(engine, { board, order }) {
  // An address of another kind might be a script.
  if (!/^https?:\/\//.test(engine)) throw new Error(fill(texts.element.noPage, { address: engine.slice(0, 40) }));
  const url = new URL(engine);
  url.hash = encodeState({ board, closed: isClosed(board, order), tour: order });
  return url.href;
}

/**
 * The elements of a tour with a player. onstep(step): another step is shown; step 0 is the first square alone.
 * @param {object} how
 * @param {{board: import("../model/state.js").Board, order: number[]}} how.tour
 * @param {string} [how.look] one of STYLES
 * @param {boolean} [how.numbers]
 * @param {number} [how.speed] steps a second
 * @param {(step: number) => unknown} [how.onstep]
 */
export function makeTourPlayer({ tour, look = "board", numbers = false, speed = SPEED, onstep = () => {} }) {
  const { board } = tour;
  const style = STYLES.includes(look) ? look : "board";
  const view = new BoardView({ label: titleOf(tour) });
  const player = retrace(tour, {
    isSeen: () => view.element.isConnected,
    onscene(scene, step) {
      view.draw({ board, scene, style, numbers });
      onstep(step);
    },
    speed,
  });

  return {
    elements: [view.element, ...player.elements],
    get step() {
      return player.frame;
    },
    /** Show a step, and wait there; the last one shows the whole tour. */
    show: (step) => player.seek(step),
    last: player.last,
    play: () => player.toggle(true),
    pause: () => player.toggle(false),
    /** Play without being asked to, where motion is welcome. */
    autoplay: () => !isCalm() && player.toggle(true),
  };
}
