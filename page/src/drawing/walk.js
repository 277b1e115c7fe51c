// A knight that walks a tour once and leaves a line, or slides from square to square. This module has no state.

import { isCalm } from "../dom.js";
import { isFlat, middle } from "./lines.js";

const MAX_MS = 14_000;
const MOVE_MS = 170;
const SLIDE_MS = 190;

/**
 * Lead the knight along a path and draw the line behind it; return a function that stops it. `trail` has a
 * pathLength of 1, and its moves are equally long, so each is as long on the screen. It is null where sides are joined:
 * the line is there in parts, and over a joined side the knight jumps.
 * @param {import("./lines.js").Board} board
 * @param {number[]} path
 * @param {boolean} closed
 * @param {{trail: SVGElement | null, knight: SVGElement}} parts
 */
export function walk(board, path, closed, { trail, knight }) {
  const stops = closed ? [...path, path[0]] : path;
  const moves = stops.length - 1;
  const duration = Math.min(MAX_MS, moves * MOVE_MS);
  const [x0, y0] = middle(board, stops[0]);
  const began = performance.now();
  let frame = 0;
  trail?.classList.add("is-walked");

  function end() {
    cancelAnimationFrame(frame);
    trail?.classList.remove("is-walked");
    trail?.style.removeProperty("stroke-dashoffset");
    knight.remove();
  }

  function step(now) {
    const share = Math.min(1, Math.max(0, now - began) / duration);
    const at = Math.min(moves - 1, Math.floor(share * moves));
    const [from, to] = [middle(board, stops[at]), middle(board, stops[at + 1])];
    const isStraight = isFlat(board, stops[at], stops[at + 1]);
    const part = isStraight ? share * moves - at : Math.round(share * moves - at);
    const [x, y] = [0, 1].map((axis) => from[axis] + part * (to[axis] - from[axis]));
    knight.setAttribute("transform", `translate(${x - x0} ${y - y0})`);
    if (trail) trail.style.strokeDashoffset = String(1 - share);
    if (share === 1) end();
    else frame = requestAnimationFrame(step);
  }
  frame = requestAnimationFrame(step);
  return end;
}

/**
 * Animate the content of `to` from `from`. Return the animation, or null if the change is immediate.
 * @param {import("./lines.js").Board} board
 * @param {SVGElement} group
 * @param {number} from
 * @param {number} to
 */
export function slide(board, group, from, to) {
  const [[x0, y0], [x1, y1]] = [middle(board, from), middle(board, to)];
  // A move over a joined side has no straight line, and a change of path is not a move.
  if (isCalm() || !isFlat(board, from, to)) return null;
  const away = `translate(${x0 - x1}px, ${y0 - y1}px)`;
  return group.animate([{ transform: away }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
}
