// Light or dark: as the system says, unless chosen here. The choice is kept on this computer.

import { h, icon, say } from "../dom.js";
import { texts } from "../language.js";

const NEXT = { auto: "light", light: "dark", dark: "auto" };

const stored = () => {
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch {
    return "auto";
  }
};

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
  let theme = stored();
  if (!(theme in NEXT)) theme = "auto";
  apply(theme);
  const words = h("span");
  const button = h("button", { type: "button", onclick: change }, icon("theme"), words);
  function change() {
    theme = NEXT[theme];
    apply(theme);
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    name();
    say(words.textContent);
    onchange();
  }
  function name() {
    words.textContent = texts.look.theme(texts.look.themes[theme]);
  }
  name();
  return button;
}
