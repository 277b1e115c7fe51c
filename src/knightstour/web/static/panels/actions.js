// What a view is mainly for, such as its buttons: in the panel where there is room, right at the board on a phone.

import { h } from "../dom.js";
import { texts } from "../language.js";

const NARROW = matchMedia("(max-width: 54.99rem), (min-width: 36rem) and (max-height: 29.99rem)");

/** A place in a panel for these buttons and fields. `place(below)` puts them there, or below the board where that is nearer. */
export function makeActions(...parts) {
  const element = h("div.actions", { role: "group", "aria-label": texts.common.mainActions }, parts);
  const slot = h("div.action-slot", {}, element);
  return Object.assign(slot, { place: (below) => (NARROW.matches ? below : slot).append(element) });
}

/** Call this whenever a phone is turned, or a window made narrow or wide. */
export const onNarrow = (call) => NARROW.addEventListener("change", call);
