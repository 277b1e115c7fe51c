// A knight that slides from square to square, where motion is wanted. It knows no state.

import { isCalm } from "../dom.js";
import { isFlat, middle } from "./lines.js";

const MS = 190;

/**
 * Let what is drawn on `to` come there from `from`; gives the animation, or null where it is there at once.
 * @param {import("./lines.js").Board} board
 * @param {SVGElement} group
 * @param {number} from
 * @param {number} to
 */
export function slide(board, group, from, to) {
  const [[x0, y0], [x1, y1]] = [middle(board, from), middle(board, to)];
  // Over a joined side there is no straight way, and a leap to another path is no move.
  if (isCalm() || !isFlat(board, from, to)) return null;
  const away = `translate(${x0 - x1}px, ${y0 - y1}px)`;
  return group.animate([{ transform: away }, { transform: "none" }], { duration: MS, easing: "ease-out" });
}
