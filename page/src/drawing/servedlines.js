// The ribbon: the library draws it, once for each tour, and the page's board shows it in its colours.

import { debounce } from "../dom.js";
import { latest } from "../latest.js";

/** @typedef {{board: import("../model/state.js").Board, path: number[], style: string, numbers: boolean}} Wanted */
/** @typedef {ReturnType<typeof makeServedLines>} ServedLines */

const SOON_MS = 80;

/**
 * ask(wanted, signal): the picture, as the text of an SVG. onanswer(): there is a line now, or trouble says why not.
 */
export function makeServedLines({ ask, onanswer }) {
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
        answered(ribbonParts(documentElement));
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

function ribbonParts(/** @type {Element} */ picture) {
  return [...picture.querySelectorAll(":scope > path[fill^='#']")].map((path, k, all) => {
    const part = /** @type {SVGElement} */ (document.importNode(path));
    part.classList.add("served-line", "ribbon");
    part.style.setProperty("--place", String(k / all.length));
    part.style.setProperty("--shade", part.getAttribute("fill"));
    return part;
  });
}
