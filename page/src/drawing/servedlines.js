// Lines of the styles that this page has no drawing of its own for: the server draws them, once for each tour, and they
// are shown on the page's board, in its colours.

import { debounce } from "../dom.js";
import { latest } from "../latest.js";

/** @typedef {{board: import("../model/state.js").Board, path: number[], style: string, numbers: boolean}} Wanted */
/** @typedef {ReturnType<typeof makeServedLines>} ServedLines */

// A mosaic is an area and its edge, in the page's colours.
const PARTS = 2;
const SOON_MS = 80;

/**
 * ask(wanted, signal): the picture, as the text of an SVG. onanswer(): there is a line now, or trouble says why there is
 * none. colour: that of a line there.
 */
export function makeServedLines({ ask, onanswer, colour }) {
  /** @type {unknown} why there is no line */
  let trouble = null;
  let key = "";
  /** @type {SVGElement[] | null} */
  let parts = null;

  function answered(/** @type {SVGElement[] | null} */ found, why = /** @type {unknown} */ (null)) {
    [parts, trouble] = [found, why];
    onanswer();
  }

  const fetching = latest({ failed: (why) => answered(null, why) });

  // A slider passes many tours.
  const askSoon = debounce(SOON_MS, (/** @type {Wanted} */ wanted) =>
    fetching(
      (signal) => ask(wanted, signal),
      (text) => {
        const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
        answered(lineParts(documentElement, colour));
      },
    ),
  );

  return {
    get trouble() {
      return trouble;
    },
    /** The elements of the line of a whole tour, or null as long as there are none. They are new ones each time. */
    of(/** @type {Wanted} */ wanted) {
      const asked = JSON.stringify(wanted);
      if (asked !== key) {
        fetching.forget();
        [key, parts, trouble] = [asked, null, null];
        askSoon(wanted);
      }
      return parts?.map((part) => /** @type {SVGElement} */ (part.cloneNode())) ?? null;
    },
  };
}

/** The elements of the line in a picture of the library, for the page's own picture. */
const lineParts = (/** @type {Element} */ picture, /** @type {string} */ colour) =>
  [...picture.querySelectorAll(`:scope > :is(path[fill="${colour}"], path[stroke="${colour}"])`)]
    .slice(0, PARTS)
    .map((path) => {
      const part = /** @type {SVGElement} */ (document.importNode(path));
      part.classList.add("served-line", part.getAttribute("fill") === "none" ? "edge" : "area");
      return part;
    });
