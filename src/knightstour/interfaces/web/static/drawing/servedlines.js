// Lines of the styles that this page has no drawing of its own for: the server draws them, once for each tour, and they
// are shown on the page's board, in its colours.

import { debounce } from "../dom.js";
import { latest } from "../latest.js";

/** @typedef {import("../model/state.js").Board} Board */
/** @typedef {{board: Board, path: number[], style: string, numbers: boolean}} Wanted */

// A mosaic is an area and its edge, in the page's colours; a ribbon is areas in its own, lighter on dark.
const PARTS = 2;
const SOON_MS = 80;

const keyOf = (/** @type {Wanted} */ { board, path, style, numbers }) =>
  JSON.stringify([board.rows, board.cols, board.holes, board.wrap, board.leaps, path, style, numbers]);

export class ServedLines {
  /** @type {unknown} why there is no line */
  trouble = null;
  #ask;
  #onanswer;
  #colours;
  #key = "";
  /** @type {SVGElement[] | null} */
  #parts = null;
  #fetch = latest({ failed: (trouble) => this.#show(null, trouble) });

  /**
   * @param {object} how
   * @param {(wanted: Wanted, signal: AbortSignal) => Promise<string>} how.ask answers the picture, as the text of an SVG
   * @param {() => unknown} how.onanswer there is a line now, or trouble says why there is none
   * @param {string[]} how.colours those that its line may have
   */
  constructor({ ask, onanswer, colours }) {
    this.#ask = ask;
    this.#onanswer = onanswer;
    this.#colours = new Set(colours);
  }

  /** The elements of the line of a whole tour, or null as long as there are none. They are new ones each time. */
  of(/** @type {Wanted} */ wanted) {
    const key = keyOf(wanted);
    if (key !== this.#key) {
      this.forget();
      this.#key = key;
      this.#askSoon(wanted);
    }
    return this.#parts?.map((part) => /** @type {SVGElement} */ (part.cloneNode())) ?? null;
  }

  /** Nothing is wanted any more. */
  forget() {
    this.#askSoon.cancel();
    this.trouble = null;
    this.#fetch.forget();
    this.#key = "";
    this.#parts = null;
  }

  /** A slider passes many tours. */
  #askSoon = debounce(SOON_MS, (/** @type {Wanted} */ wanted) =>
    this.#fetch(
      (signal) => this.#ask(wanted, signal),
      (text) => this.#show(this.#partsOf(text, wanted.style)),
    ),
  );

  #show(/** @type {SVGElement[] | null} */ parts, /** @type {unknown} */ trouble = null) {
    this.#parts = parts;
    this.trouble = trouble;
    this.#onanswer();
  }

  #partsOf(/** @type {string} */ text, /** @type {string} */ style) {
    const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
    return style === "ribbon" ? ribbonParts(documentElement) : lineParts(documentElement, this.#colours);
  }
}

/**
 * The elements of the line in a picture of the library, for the page's own picture. colours: those that a line may have.
 */
function lineParts(/** @type {Element} */ picture, /** @type {Set<string>} */ colours) {
  const hasColour = (/** @type {Element} */ path) =>
    ["fill", "stroke"].some((name) => colours.has(path.getAttribute(name) ?? ""));
  return [...picture.querySelectorAll(":scope > path")]
    .filter(hasColour)
    .slice(0, PARTS)
    .map((path) => {
      const part = /** @type {SVGElement} */ (document.importNode(path));
      part.classList.add("served-line", part.getAttribute("fill") === "none" ? "edge" : "area");
      return part;
    });
}

/** @param {Element} picture */
function ribbonParts(picture) {
  return [...picture.querySelectorAll(":scope > path[fill^='#']")].map((path, k, all) => {
    const part = /** @type {SVGElement} */ (document.importNode(path));
    part.classList.add("served-line", "ribbon");
    part.style.setProperty("--place", String(k / all.length));
    part.style.setProperty("--shade", part.getAttribute("fill"));
    return part;
  });
}
