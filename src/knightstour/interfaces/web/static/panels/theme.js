// Light or dark: as the system says, or the notebook around, unless chosen here. The choice is kept on this computer.

import { h, icon, say } from "../dom.js";
import { keepText, keptText } from "../model/storage.js";
import { fill, texts } from "../language.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** "light" or "dark", as it is seen now. */
export function themeSeen() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function makeTheme(onchange) {
  const frame = /** @type {HTMLElement | null} */ (window.frameElement);
  let theme = frame?.dataset.theme ?? keptText("theme") ?? "auto";
  if (!(theme in NEXT)) theme = "auto";
  apply(theme);
  const words = h("span");
  const button = h("button", { onclick: change }, icon("theme"), words);
  function change() {
    theme = NEXT[theme];
    apply(theme);
    keepText("theme", theme);
    name();
    say(words.textContent);
    onchange();
  }
  function name() {
    words.textContent = fill(texts.look.theme, { name: texts.look.themes[theme] });
  }
  name();
  return button;
}
