// Marks on the squares that a move leads to: whether a tour can still be made from there. Each answer has a shape of its
// own besides its colour.

import { s } from "../dom.js";
import { middle } from "./lines.js";

const RADIUS = 13;
const SIGNS = {
  yes: (x, y) => `M${x - 6} ${y + 0.5}l4.2 4.6l7.6 -9`,
  no: (x, y) => `M${x - 5.5} ${y - 5.5}l11 11m0 -11l-11 11`,
};

/**
 * The elements; where `isNumbered`, numbers come over the shapes, and signs would be in their way.
 * @param {import("./lines.js").Board} board
 * @param {Map<number, string>} prospects square -> yes, no or unknown
 * @param {boolean} isNumbered
 */
export function prospectMarks(board, prospects, isNumbered) {
  return [...prospects].flatMap(([square, answer]) => {
    const [x, y] = middle(board, square);
    const shape =
      answer === "no"
        ? s("rect", { x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS, rx: 3 })
        : s("circle", { cx: x, cy: y, r: RADIUS });
    shape.setAttribute("class", `prospect ${answer}`);
    if (isNumbered) return [shape];
    if (answer === "unknown") return [shape, s("text", { class: "ways", x, y: y + 5.5, "font-size": 16 }, "?")];
    return [shape, s("path", { class: `prospect-sign ${answer}`, d: SIGNS[answer](x, y) })];
  });
}
