// The section that gives the tour away: files, text, and the link.

import * as api from "../api.js";
import { squareName } from "../model/board.js";
import { complaint, h, icon, say } from "../dom.js";
import { themeSeen } from "./theme.js";
import { isClosed, toGrid, toJson } from "../model/tour.js";

const FORMATS = {
  svg: "SVG",
  png: "PNG",
  gif: "GIF",
  txt: "Text",
  json: "JSON",
};

export function makeSave(app) {
  const note = h("div", { role: "status" });
  const address = h("output.address", { "aria-label": "Link" });
  const text = h("textarea", { readonly: true, rows: 8, "aria-label": "The tour as text", spellcheck: "false" });
  const squares = h("p.squares");

  async function blobOf(format) {
    const { tour } = app;
    const { board, style } = app.state;
    if (format === "txt") return new Blob([toGrid(board, tour)], { type: "text/plain" });
    if (format === "json") return new Blob([toJson(board, tour)], { type: "application/json" });
    const options = {};
    if (app.state.numbers) options.numbers = true;
    if (format === "gif") {
      options.size = 480;
      // Large boards take long to draw, and nobody sees single moves on them.
      if (tour.length > 100) options.frames = 80;
    }
    return api.draw(board, tour, { format, style, theme: themeSeen(), options });
  }

  async function save(format) {
    const { board } = app.state;
    const name = `tour-${board.rows}x${board.cols}-${isClosed(board, app.tour) ? "closed" : "open"}.${format}`;
    note.replaceChildren(h("p.soft", {}, `Making the ${FORMATS[format]} …`));
    try {
      const url = URL.createObjectURL(await blobOf(format));
      h("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
      note.replaceChildren(h("p.soft", {}, `Saved ${name}`));
    } catch (error) {
      note.replaceChildren(complaint(error));
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(app.address);
      note.replaceChildren(h("p.soft", {}, "The link is copied."));
    } catch {
      // Without the right to the clipboard the link can still be taken by hand.
      getSelection().selectAllChildren(address);
      note.replaceChildren(h("p.soft", {}, "Copy the selected link."));
      say("Copy the selected link");
    }
  }

  const buttons = Object.fromEntries(
    Object.entries(FORMATS).map(([format, name]) => [
      format,
      h("button", { type: "button", onclick: () => save(format), "aria-label": `Save as ${name}` }, name),
    ]),
  );
  const body = h(
    "div.section-body",
    {},
    h("div.buttons", {}, Object.values(buttons)),
    h("button.wide", { type: "button", onclick: copy }, icon("link"), "Copy link"),
    address,
    note,
    h("details.inner", {}, h("summary", {}, "The tour as text"), text, squares),
  );
  const element = h("details.section", { id: "save" }, h("summary", {}, h("h2", {}, "Save and share")), body);
  element.copy = copy;
  let shown = null;

  element.show = (board, tour) => {
    element.hidden = !tour;
    address.textContent = app.address;
    buttons.gif.disabled = app.state.style === "plotter";
    buttons.gif.title = buttons.gif.disabled ? "Pictures for plotters do not move" : "";
    if (!tour || tour === shown) return;
    shown = tour;
    note.replaceChildren();
    text.value = toGrid(board, tour);
    squares.textContent = tour.map((square) => squareName(board, square)).join(" ");
  };
  return element;
}
