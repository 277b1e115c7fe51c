// One sheet of paper: the picture, what it is, and its facts; or the diagram of numbers without the line, to be drawn in.
// The browser's own command prints the same sheet. Views without a tour, and puzzles, are printed as they are seen.

import { BoardView } from "../drawing/boardview.js";
import { capital, h, icon } from "../dom.js";
import { isClosed } from "../model/tour.js";
import { texts } from "../language.js";

export function makePrinting(app) {
  const picture = new BoardView({ label: texts.page.board, servedLines: app.servedLines });
  const sheet = h("section", { id: "paper", "aria-hidden": "true" });
  const diagram = h("input", { type: "checkbox", id: "as-diagram" });
  const element = h(
    "div.printing",
    {},
    h("button.wide", { type: "button", onclick: () => print() }, icon("print"), texts.common.print),
    h("label.check", { for: diagram.id }, diagram, texts.save.diagram),
  );

  function fill() {
    const { tour } = app;
    if (!tour || app.state.view === "puzzle") return;
    const { board, style, numbers } = app.state;
    const closed = isClosed(board, tour);
    const look = diagram.checked ? { style: "numbers", numbers: false } : { style, numbers };
    const ends = closed || diagram.checked ? {} : { start: tour[0], end: tour[tour.length - 1] };
    picture.draw({ board, scene: { path: tour, closed, isWhole: true, ...ends }, ...look });
    const words = texts.board.tour({ ...board, closed });
    const facts = app.facts.querySelector("dl")?.cloneNode(true);
    sheet.classList.toggle("is-diagram", diagram.checked);
    sheet.replaceChildren(h("h1", {}, capital(words)), picture.element, ...(facts ? [facts] : []));
  }

  document.body.append(sheet);
  addEventListener("beforeprint", fill);
  addEventListener("afterprint", () => sheet.replaceChildren());
  return element;
}
