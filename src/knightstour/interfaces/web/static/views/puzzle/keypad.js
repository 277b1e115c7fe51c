// Digits to press, for those who have no keys at hand.

import { h, icon } from "../../dom.js";
import { texts } from "../../language.js";

/** ontype(digit): a digit; onerase(): the number of the square is taken away. `button` shows and hides it. */
export function makeKeypad(ontype, onerase) {
  const digit = (n) => h("button", { onclick: () => ontype(String(n)) }, String(n));
  const erase = h(
    "button",
    { onclick: onerase, "aria-label": texts.solving.erase, title: texts.solving.erase },
    icon("erase"),
  );
  const element = h(
    "div.keypad",
    { id: "keypad", role: "group", "aria-label": texts.solving.keypad, hidden: true },
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(digit),
    erase,
  );
  const button = h(
    "button",
    {
      "aria-expanded": "false",
      "aria-controls": "keypad",
      onclick: () => {
        element.hidden = !element.hidden;
        button.setAttribute("aria-expanded", String(!element.hidden));
      },
    },
    icon("keys"),
    texts.solving.keys,
  );
  return { element, button };
}
