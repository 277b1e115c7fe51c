// The start of the page: the words of its frame, and the state of the address.

import { sentence } from "../dom.js";
import { makeBoard } from "../model/board.js";
import { nextLevel } from "../model/levels.js";
import { decodeState, LinkError } from "../model/link.js";
import { DEFAULTS } from "../model/state.js";
import { PLACES } from "../views/table.js";
import { fill, texts } from "../language.js";

// The default board.
export const CHESS = { closed: true, board: makeBoard(), result: null };

/** The texts of index.html: `data-text` sets the content of an element, `data-label` its label. */
export function nameParts() {
  for (const element of document.querySelectorAll("[data-text], [data-label]")) {
    const { text, label } = /** @type {HTMLElement} */ (element).dataset;
    if (text) element.textContent = texts.page[text];
    if (label) element.setAttribute("aria-label", texts.page[label]);
  }
}

export function beginningOf(/** @type {string} */ place) {
  if (place !== "play") return {};
  const { board, closed } = nextLevel();
  return { board, closed };
}

/**
 * Return the state of an address, an error or a note about it, and whether it is broken: the page then shows the chess
 * board.
 * @param {string} hash
 * @param {{views: string[], styles: string[]}} known
 * @param {Record<string, any>} methods
 * @returns {{next: import("../model/state.js").State, error: import("../dom.js").Trouble | null, isBroken: boolean}}
 */
export function opened(hash, known, methods) {
  if (hash.length <= 1) return { next: { ...DEFAULTS, ...CHESS, view: "puzzle" }, error: null, isBroken: false };
  try {
    const { unknown, ...read } = decodeState(hash, known);
    const place = PLACES[read.view] ?? read.view;
    // The number of a tour belongs to the view of all tours.
    const view = place === "find" && read.number !== null && !read.tour ? "all" : place;
    const next = { ...read, view, result: null, ...beginningOf(hash.slice(1)) };
    if (!(next.method in methods)) {
      const error = { message: fill(texts.page.noMethod, { method: next.method }), note: texts.page.otherMethod };
      return { next: { ...next, method: "auto" }, error, isBroken: false };
    }
    const fields = unknown.map((words) => fill(texts.common.quoted, { words })).join(", ");
    const more = { message: texts.page.linkHoldsMore, note: fill(texts.page.leftOut, { fields }) };
    return { next, error: unknown.length ? more : null, isBroken: false };
  } catch (problem) {
    if (!(problem instanceof LinkError)) throw problem;
    const note = sentence(problem.message);
    const error = { message: texts.page.badLink, note, help: texts.page.badLinkHelp };
    return { next: { ...DEFAULTS, ...CHESS }, error, isBroken: true };
  }
}
