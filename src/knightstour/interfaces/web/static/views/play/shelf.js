// The shelf of a level: the tours that were found, as small pictures with their numbers; to save, and to bring back.

import { h, icon, s } from "../../dom.js";
import { encodeState } from "../../model/link.js";
import { pathOf, shelfFile, shelfOf, shelfTrouble, takeFile } from "../../model/shelf.js";
import { download } from "../../panels/save.js";
import { fill, texts } from "../../language.js";

const MAX_SHOWN = 60;

/** "3 of 9,862 found" */
export const foundWords = ({ count, found }) => fill(texts.shelf.found, { n: found.length, count });

function picture({ rows, cols }, closed, order) {
  const points = order.map((square) => `${(square % cols) + 0.5},${Math.floor(square / cols) + 0.5}`).join(" ");
  const line = s(closed ? "polygon" : "polyline", { points });
  return s("svg", { class: "small-tour", viewBox: `0 0 ${cols} ${rows}`, "aria-hidden": "true" }, line);
}

/** onchange(): tours came back from a file. */
export function makeShelf(onchange) {
  const words = h("p");
  // The question, how many tours, and the trouble, as they were shown.
  let shown = "";
  const list = h("ol.shelf");
  const note = h("p.soft.small", { role: "status" });
  const file = h("input", { type: "file", accept: ".json", hidden: true, onchange: bring });
  const save = h(
    "button",
    { type: "button", onclick: () => download(new File([shelfFile()], "knights-tours.json")) },
    texts.shelf.save,
  );
  const open = h("button", { type: "button", onclick: () => file.click() }, icon("plus"), texts.shelf.bring);
  const element = h(
    "section.section-body",
    { "aria-label": texts.shelf.title },
    h("h2", {}, texts.shelf.title),
    words,
    list,
    h("div.row", {}, save, open, file),
    note,
    h("p.soft.small", {}, texts.shelf.hint),
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
      shelfTrouble() === "unkept" ? texts.shelf.unkept : "",
    ].join(" ");
  }

  function show({ board, closed }) {
    const shelf = shelfOf({ board, closed });
    const now = `${encodeState({ board, closed })} ${shelf?.found.length} ${shelfTrouble()}`;
    if (now === shown) return;
    shown = now;
    words.textContent = shelf ? foundWords(shelf) : texts.shelf.none;
    note.textContent = { spoilt: texts.shelf.spoilt, unkept: texts.shelf.unkept }[shelfTrouble()] ?? "";
    list.replaceChildren(
      ...(shelf?.found ?? []).slice(0, MAX_SHOWN).map(([number, text]) => {
        const href = `#${encodeState({ board, closed, view: "all", number })}`;
        const name = fill(texts.shelf.number, { number });
        return h(
          "li",
          {},
          h("a", { href, title: name }, picture(board, closed, pathOf({ board, closed }, text) ?? []), name),
        );
      }),
    );
  }

  return Object.assign(element, { show });
}
