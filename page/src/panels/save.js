// The section for saving and sharing the tour: files, paper, and the link.

import * as api from "../api.js";
import { complaint, h, icon, say } from "../dom.js";
import { latest } from "../latest.js";
import { copied, isHere } from "./share.js";
import { makePrinting } from "./printing.js";
import { themeSeen } from "./menu.js";
import { isClosed } from "../model/tour.js";
import { fill, texts } from "../language.js";

/** The size of a board in the name of a file. */
export const sizeWord = ({ rows, cols, shape }) => shape?.replace(":", "-") ?? `${rows}x${cols}`;

export function download(/** @type {File} */ file) {
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function makeSave(app) {
  const note = h("div", { role: "status" });
  const address = h("output.address", { "aria-label": texts.save.link });
  function blobOf(format, signal) {
    const { tour } = app;
    const { board, style, numbers } = app.state;
    const theme = format === "html" ? "auto" : themeSeen();
    return api.draw(board, tour, { format, style, theme, numbers }, signal);
  }

  const cancel = h("button.wide", { onclick: () => making.stop() }, icon("close"), texts.common.cancel);

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

  /** Create a file of the tour and pass it on; if that is cancelled or fails, the note reports it. */
  async function make(format, found) {
    wanted = format;
    const name = nameOf(format);
    note.replaceChildren(h("p.soft", fill(texts.save.making, { format: texts.save.formats[format] }), " …"), cancel);
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

  /** Share the tour: its link, or a playable file if the link works on this computer only. */
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
    // Without access to the clipboard the user can copy the link by hand.
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
    note,
    printing,
    typeof navigator.share === "function"
      ? h("button.wide", { onclick: share }, icon("link"), texts.common.share)
      : null,
    h("button.wide", { onclick: copy }, icon("link"), texts.save.copyLink),
    isHere(location.hostname) ? h("p.soft.small", `${texts.save.here} ${texts.save.asPage}`) : null,
    address,
  );
  const element = h("details.section", { id: "save" }, h("summary", h("h2", texts.save.title)), body);
  element.copy = copy;
  let shown = null;

  element.show = (tour) => {
    element.hidden = !tour;
    address.textContent = app.address;
    if (!tour || tour === shown) return;
    shown = tour;
    note.replaceChildren();
  };
  return element;
}
