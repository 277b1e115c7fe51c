// The section that gives the tour away: files, text, and the link.

import * as api from "../api.js";
import { squareName } from "../model/board.js";
import { complaint, faultNote, field, h, icon, markField, say } from "../dom.js";
import { latest } from "../latest.js";
import { copied, isHere } from "./share.js";
import { makePrinting } from "./printing.js";
import { themeSeen } from "./menu.js";
import { isClosed, toGrid, toJson } from "../model/tour.js";
import { fill, texts } from "../language.js";

// Pixels of the longer side; of more the server draws none.
const [LEAST, MOST] = [16, 4000];

/** The size of a board in the name of a file. */
export const sizeWord = ({ rows, cols, shape }) => shape?.replace(":", "-") ?? `${rows}x${cols}`;

/** Hand a file to whoever looks, as the browser does with what it downloads. */
export function download(/** @type {File} */ file) {
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function makeSave(app) {
  const note = h("div", { role: "status" });
  const address = h("output.address", { "aria-label": texts.save.link });
  const text = h("textarea", { readonly: true, rows: 8, "aria-label": texts.save.asText, spellcheck: "false" });
  const squares = h("p.squares");
  const size = h("input", {
    type: "number",
    inputmode: "numeric",
    min: LEAST,
    max: MOST,
    placeholder: texts.save.usual,
    oninput: () => sizeFits(),
  });
  const sizeNote = faultNote(fill(texts.save.size, { least: LEAST, most: MOST }));

  function sizeFits() {
    // Text that is no number has no value, but is bad input.
    const number = Number(size.value);
    const fits =
      size.value === "" ? !size.validity.badInput : Number.isInteger(number) && number >= LEAST && number <= MOST;
    return markField(size, fits, sizeNote);
  }

  function optionsFor(format) {
    const options = {};
    if (app.state.numbers) options.numbers = true;
    if (size.value !== "") options.size = Number(size.value);
    if (format === "gif") options.size ??= 480;
    return options;
  }

  async function blobOf(format, signal) {
    const { tour } = app;
    const { board, style } = app.state;
    if (format === "txt") return new Blob([toGrid(board, tour)], { type: "text/plain" });
    if (format === "json") return new Blob([toJson(board, tour)], { type: "application/json" });
    const theme = format === "html" ? "auto" : themeSeen();
    return api.draw(board, tour, { format, style, theme, options: optionsFor(format) }, onprogress, signal);
  }

  const bar = h("progress", { "aria-label": texts.save.drawn });
  const drawn = h("span");
  const cancel = h("button.wide", { onclick: () => making.stop() }, icon("close"), texts.common.cancel);

  function onprogress({ done, total }) {
    bar.max = total;
    bar.value = done;
    drawn.textContent = fill(texts.save.frame, { done, total });
  }

  function nameOf(format) {
    const { board } = app.state;
    return `tour-${sizeWord(board)}-${isClosed(board, app.tour) ? "closed" : "open"}.${format}`;
  }

  const making = latest({
    failed: (error) => tellEnd(complaint(error)),
    stopped: () => tellEnd(h("p.soft", texts.save.nothing)),
  });
  let wanted = "";

  function tellEnd(/** @type {HTMLElement} */ words) {
    const had = document.activeElement === cancel;
    note.replaceChildren(words);
    if (had) buttons[wanted].focus();
  }

  /** Make the tour a file, and hand it on; where that was cancelled or went wrong, the note says so. */
  async function make(format, found) {
    if (!sizeFits()) {
      size.focus();
      return;
    }
    wanted = format;
    const name = nameOf(format);
    drawn.textContent = "";
    bar.removeAttribute("value");
    note.replaceChildren(
      h("p.soft", fill(texts.save.making, { format: texts.save.formats[format] }), drawn, " …"),
      bar,
      cancel,
    );
    await making(
      (signal) => blobOf(format, signal),
      (blob) => {
        note.replaceChildren();
        return found(new File([blob], name, { type: blob.type.split(";")[0] }));
      },
    );
  }

  function keep(file) {
    download(file);
    note.replaceChildren(h("p.soft", fill(texts.save.saved, { name: file.name })));
  }

  const save = (format) => make(format, keep);

  /** Hand the tour to another program: its link, or where that opens nothing elsewhere the file that plays it. */
  function share() {
    const title = texts.save.aTour;
    if (!isHere(location.hostname)) return hand({ title, url: app.address });
    return make("html", (file) => {
      const what = { title, files: [file] };
      return navigator.canShare?.(what) ? hand(what) : keep(file);
    });
  }

  async function hand(/** @type {ShareData} */ what) {
    try {
      await navigator.share(what);
    } catch (error) {
      if (!api.isAborted(error)) note.replaceChildren(h("p.soft", texts.save.notShared));
    }
  }

  async function copy() {
    const how = await copied(app.address, texts.save.copied);
    // Without the right to the clipboard the link can still be taken by hand.
    if (how !== texts.save.copied) getSelection()?.selectAllChildren(address);
    note.replaceChildren(h("p.soft", how));
    say(how);
  }

  const buttons = Object.fromEntries(
    Object.entries(texts.save.formats).map(([format, name]) => [
      format,
      h("button", { onclick: () => save(format), "aria-label": fill(texts.save.saveAs, { format: name }) }, name),
    ]),
  );
  const printing = makePrinting(app);
  const body = h(
    "div.section-body",
    h("div.buttons", Object.values(buttons)),
    field(texts.save.sizeLabel, size, texts.save.sizeHint),
    sizeNote,
    note,
    printing,
    typeof navigator.share === "function"
      ? h("button.wide", { onclick: share }, icon("link"), texts.common.share)
      : null,
    h("button.wide", { onclick: copy }, icon("link"), texts.save.copyLink),
    isHere(location.hostname) ? h("p.soft.small", texts.save.here) : null,
    address,
    h("details.inner", h("summary", texts.save.asText), text, squares),
  );
  const element = h("details.section", { id: "save" }, h("summary", h("h2", texts.save.title)), body);
  element.copy = copy;
  let shown = null;

  element.show = (board, tour) => {
    element.hidden = !tour;
    address.textContent = app.address;
    if (!tour || tour === shown) return;
    shown = tour;
    note.replaceChildren();
    text.value = toGrid(board, tour);
    squares.textContent = tour.map((square) => squareName(board, square)).join(" ");
  };
  return element;
}
