// The main buttons of a view: beside the board where there is room, right below it on a phone.

import { h } from "../dom.js";

const NARROW = matchMedia("(max-width: 35.99rem), (max-width: 54.99rem) and (min-height: 30rem)");

/** A place in a panel for these buttons. `place(below)` puts them there, or below the board where that is nearer. */
export function makeActions(...buttons) {
  const element = h("div.actions", { role: "group", "aria-label": "Main actions" }, buttons);
  const slot = h("div.action-slot", {}, element);
  return Object.assign(slot, { place: (below) => (NARROW.matches ? below : slot).append(element) });
}

/** Call this whenever a phone is turned, or a window made narrow or wide. */
export const onNarrow = (call) => NARROW.addEventListener("change", call);
