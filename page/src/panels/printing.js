// One sheet of paper: title, picture, facts and address; or the diagram of numbers without the line, to draw it by
// hand. A view such as Puzzle may have a sheet of its own. The browser's print command prints the same sheet. Views
// without a tour are printed as shown.

import { BoardView } from "../drawing/boardview.js";
import { capital, h, icon } from "../dom.js";
import { isClosed } from "../model/tour.js";
import { tourWords } from "../model/words.js";
import { texts } from "../language.js";

export function makePrinting(app) {
  const picture = new BoardView({ label: texts.page.board });
  const sheet = h("section", { id: "paper", "aria-hidden": "true" });
  const diagram = h("input", { type: "checkbox", id: "as-diagram" });
  const element = h(
    "div.printing",
    h("button.wide", { onclick: () => print() }, icon("print"), texts.common.print),
    h("label.check", { for: diagram.id }, diagram, texts.save.diagram),
  );

  /** A sheet of paper; parts: elements below the picture. */
  function lay(/** @type {string} */ title, /** @type {(HTMLElement | null)[]} */ parts, address = app.address) {
    const end = h("p.address", address);
    sheet.replaceChildren(h("h1", capital(title)), picture.element, ...parts.filter((part) => part !== null), end);
  }

  function prepare() {
    const { tour } = app;
    const { board, style, numbers } = app.state;
    const own = app.view.sheet;
    if (own) {
      const { title, words, scene, address } = own;
      picture.draw({ board, scene, style: "board", numbers: false });
      lay(title, [h("p", words)], address);
    }
    if (!tour || own !== undefined) return;
    const closed = isClosed(board, tour);
    const look = diagram.checked ? { style: "numbers", numbers: false } : { style, numbers };
    const ends = closed || diagram.checked ? {} : { start: tour[0], end: tour[tour.length - 1] };
    picture.draw({ board, scene: { path: tour, closed, isWhole: true, ...ends }, ...look });
    const words = tourWords(texts.board.tour, { ...board, closed });
    sheet.classList.toggle("is-diagram", diagram.checked);
    lay(words, [h("p", app.facts.textContent)]);
  }

  document.body.append(sheet);
  addEventListener("beforeprint", prepare);
  addEventListener("afterprint", () => sheet.replaceChildren());
  return element;
}
