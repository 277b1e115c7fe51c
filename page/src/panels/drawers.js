// Drawers: a row of buttons above the result; each opens a group of settings. At most one drawer is open.

import { h } from "../dom.js";

/**
 * @typedef {object} Drawer
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} body
 */

/**
 * A drawer. words: the current choice, shown in its button; isNamed: whether the button also shows the drawer's name.
 * @param {string} id
 * @param {string} name
 * @param {(Node | null)[]} parts
 * @param {{words?: HTMLElement | null, isNamed?: boolean}} options
 * @returns {Drawer}
 */
export function makeDrawer(id, name, parts, { words = null, isNamed = true } = {}) {
  const body = h("div.drawer", { id, role: "group", hidden: true, "aria-label": name }, parts);
  const label = h(isNamed ? "span" : "span.hidden-label", isNamed ? name : `${name}: `);
  const attributes = { "aria-expanded": "false", "aria-controls": id };
  return { button: h("button.chip", attributes, label, words, h("span.fold")), body };
}

export function makeDrawers(/** @type {HTMLElement} */ place) {
  /** @type {Drawer[]} */
  let shown = [];

  function open(/** @type {Drawer | null} */ drawer) {
    for (const each of shown) {
      each.body.hidden = each !== drawer;
      each.button.setAttribute("aria-expanded", String(each === drawer));
    }
  }

  place.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    const drawer = shown.find((each) => each.button === button);
    if (drawer) open(drawer.body.hidden ? drawer : null);
  });

  return {
    /** Show these drawers, closed, after other choices. */
    show(/** @type {Drawer[]} */ drawers, /** @type {HTMLElement[]} */ first = []) {
      const isSame = drawers.length === shown.length && drawers.every((drawer, i) => drawer === shown[i]);
      if (!isSame) open(null);
      shown = drawers;
      const row = [...first, ...drawers.map(({ button }) => button)];
      place.replaceChildren(...(row.length ? [h("div.drawer-row", row), ...drawers.map(({ body }) => body)] : []));
    },
    open,
  };
}
