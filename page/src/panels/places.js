// The bar of the places: a link to each, with the current problem, and a mark on the open one.

import { h, icon } from "../dom.js";
import { withView } from "../model/link.js";
import { heldBy } from "../model/state.js";
import { PLACES } from "../views/table.js";
import { texts } from "../language.js";

const ICONS = { puzzle: "puzzle", play: "knight", explore: "find", check: "check" };

/** Fill the bar and its listeners. onview(view): the user chose a view. */
export function showPlaces(/** @type {HTMLElement} */ bar, onview) {
  // With a modifier key or another mouse button, the browser opens the link itself.
  const follow = (event, view) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    onview(view);
  };
  const link = ([place, view]) => {
    const attributes = { href: `#${place}`, "data-view": place, onclick: (event) => follow(event, view) };
    return h("li", h("a.view-button", attributes, icon(ICONS[place]), texts.page.places[place]));
  };
  bar.replaceChildren(...Object.entries(PLACES).map(link));
}

/** Update the links of the bar with the problem of the address. */
export function tellPlaces(/** @type {HTMLElement} */ bar, /** @type {string} */ address) {
  for (const link of bar.querySelectorAll("a")) {
    const view = PLACES[link.dataset.view];
    if (heldBy(view) === "question") link.href = `#${withView(address, view)}`;
  }
}

export function markPlace(/** @type {string} */ place) {
  for (const link of document.querySelectorAll("a[data-view]")) {
    link.setAttribute("aria-current", /** @type {HTMLElement} */ (link).dataset.view === place ? "page" : "false");
  }
}
