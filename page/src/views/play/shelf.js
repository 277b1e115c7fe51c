// The shelf of a level: the found tours, as small knots with their numbers; saved and opened as a file.

import { h } from "../../dom.js";
import { smallKnot } from "../../drawing/knot.js";
import { decodeState, withView } from "../../model/link.js";
import { shelfFile, shelfOf, takeFile } from "../../model/shelf.js";
import { download } from "../../panels/save.js";
import { fill, texts } from "../../language.js";

// Number of the latest tours that are shown.
const MAX_SHOWN = 60;

/** "3 of 9,862 found" */
export const foundWords = ({ links, count }) => fill(texts.shelf.found, { n: links.length, count });

function picture(link) {
  const { board, closed, tour, number } = decodeState(link);
  const knot = h("span.small-tour", smallKnot(board, tour ?? [], closed));
  return h("li", h("a", { href: `#${withView(link, "all")}` }, knot, fill(texts.shelf.number, { number })));
}

/** onchange(): tours were read from a file. */
export function makeShelf(onchange) {
  // The latest content.
  let shown = "";
  const words = h("p");
  const list = h("ol.shelf");
  const note = h("p.soft.small", { role: "status" });
  const file = h("input", { type: "file", accept: ".json", hidden: true, onchange: bring });
  const button = (text, onclick) => h("button", { onclick }, text);
  const save = () => download(new File([shelfFile()], "knights-tours.json"));
  const element = h(
    "section.section-body",
    { "aria-label": texts.shelf.title },
    h("h2", texts.shelf.title),
    words,
    list,
    h(
      "div.row",
      button(texts.shelf.save, save),
      button(texts.shelf.bring, () => file.click()),
      file,
    ),
    note,
    h("p.soft.small", texts.shelf.hint),
  );

  async function bring() {
    const [chosen] = file.files;
    if (!chosen) return;
    const taken = takeFile(await chosen.text());
    file.value = "";
    onchange();
    note.textContent = [
      taken ? fill(texts.shelf.taken, { n: taken.added }) : texts.shelf.foreign,
      taken?.wrong ? fill(texts.shelf.wrong, { n: taken.wrong }) : "",
    ].join(" ");
  }

  function show(state) {
    const shelf = shelfOf(state);
    const now = JSON.stringify(shelf);
    if (now === shown) return;
    shown = now;
    words.textContent = shelf.count ? foundWords(shelf) : texts.shelf.none;
    note.textContent = "";
    list.replaceChildren(...shelf.links.slice(-MAX_SHOWN).reverse().map(picture));
  }

  return Object.assign(element, { show });
}
