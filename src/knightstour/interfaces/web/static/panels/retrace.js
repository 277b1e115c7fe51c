// A tour retraced: a player whose steps are its moves, and what a board shows after each of them.

import { isClosed } from "../model/tour.js";
import { makePlayer, SPEEDS } from "./player.js";

const nearest = (speed) => SPEEDS.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a));

/**
 * A player for a tour; after step 0 the knight is on the first square, after the last the whole tour is seen.
 * @param {{board: import("../model/state.js").Board, order: number[]}} tour
 * @param {object} how
 * @param {() => boolean} how.isSeen whether somebody watches
 * @param {(scene: object, step: number) => unknown} how.onscene show this, as a board draws it
 * @param {(step: number) => unknown} [how.onseek] somebody went there
 * @param {() => unknown} [how.onend] the end was reached by playing
 * @param {number} how.speed steps a second; the nearest that a player has is taken
 */
export function retrace({ board, order }, { isSeen, onscene, onseek = () => {}, onend = () => {}, speed }) {
  const closed = isClosed(board, order);
  const last = order.length - (closed ? 0 : 1);

  function sceneAt(step) {
    const isWhole = step >= last;
    const path = isWhole ? order : order.slice(0, step + 1);
    const scene = { path, closed: isWhole && closed, isWhole, start: order[0] };
    if (isWhole) return closed ? scene : { ...scene, end: order[last] };
    return { ...scene, knight: order[step], isSliding: true };
  }

  const player = makePlayer({
    frames: () => last,
    isOver: (step) => step >= last,
    isSeen,
    onframe: (step) => onscene(sceneAt(step), step),
    onseek,
    onend,
    speed: nearest(speed),
  });
  return Object.assign(player, { last });
}
