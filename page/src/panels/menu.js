// The menu at the end of the bar. Its items have modules of their own except two settings, both stored on this
// computer. Language: the first available language of the browser, unless the user chooses one here or in the address
// (?lang=de). Colours: light or dark like the system or the surrounding notebook, unless the user chooses. Each file in
// texts/ is a language; tables.json contains their names.

import { field, h, icon, iconButton, menu, say } from "../dom.js";
import { fill, texts, useTexts } from "../language.js";
import { keepText, keptText } from "../model/storage.js";
import tables from "../model/tables.json" with { type: "json" };

/** @param {HTMLElement[]} parts of the list that it opens */
export function makeMore(parts) {
  const attributes = { popovertarget: "more-list", "aria-expanded": "false", "aria-controls": "more-list" };
  const button = iconButton("more", texts.page.menu, null, attributes);
  const ontoggle = ({ newState }) => button.setAttribute("aria-expanded", String(newState === "open"));
  return h("div", button, h("div.more-list", { id: "more-list", popover: "auto", ontoggle }, parts));
}

const KEY = "language";
const FIELD = "lang";

const stored = () => keptText(KEY) ?? "";

/** The language for a tag such as "de-AT", or undefined. */
const known = (name) => Object.keys(tables.languages).find((language) => language === name.toLowerCase().split("-")[0]);

const ofBrowser = () => navigator.languages.map(known).find(Boolean) ?? "en";

/** Load the texts of the chosen language. If they cannot be loaded, the page stays English. */
export async function useLanguage() {
  const asked = new URLSearchParams(location.search).get(FIELD) ?? "";
  const language = known(asked) ?? known(stored()) ?? ofBrowser();
  if (language === "en") return;
  const chosen = await fetch(`texts/${language}.json`).catch(() => null);
  if (!chosen?.ok) return;
  useTexts(language, await chosen.json());
  document.documentElement.lang = language;
}

function choose(language) {
  const isKept = keepText(KEY, language);
  // The address contains the state, so that the page keeps it in the other language.
  const address = new URL(location.href);
  address.searchParams.delete(FIELD);
  // Without storage the address carries the choice.
  if (!isKept) address.searchParams.set(FIELD, language);
  if (address.href === location.href) location.reload();
  else location.replace(address);
}

export function makeLanguage() {
  const automatic = fill(texts.page.languageOf, { name: tables.languages[ofBrowser()] });
  const select = menu([["", automatic], ...Object.entries(tables.languages)], known(stored()) ?? "", choose);
  for (const option of select.options) if (option.value) option.lang = option.value;
  return field(texts.page.language, select);
}

const NEXT = { auto: "light", light: "dark", dark: "auto" };

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

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
