// The button at the end of the bar: the language, the colours, and the help.

import { h, iconButton } from "../dom.js";
import { texts } from "../language.js";

/** @param {HTMLElement[]} parts of the list that it opens */
export function makeMore(parts) {
  const list = h("div.more-list", { id: "more-list", hidden: true }, parts);
  const button = iconButton("more", texts.page.menu, () => open(list.hidden), {
    "aria-expanded": "false",
    "aria-controls": "more-list",
  });
  const element = h("div.more", button, list);

  function open(isOpen) {
    list.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }

  addEventListener("pointerdown", (event) => {
    if (!element.contains(/** @type {Node} */ (event.target))) open(false);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      open(false);
      button.focus();
    }
  });
  return Object.assign(element, { close: () => open(false) });
}
