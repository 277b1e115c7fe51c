// The language of the page: the first of the browser's that there is, unless one is chosen here or the address asks for
// one (?lang=de). The choice is kept on this computer.

import { field, menu } from "../dom.js";
import { texts, useTexts } from "../language.js";

/** @typedef {import("../language.js").Texts} Texts */

// Each by its own name, with what loads its texts. English is there from the start.
/** @type {Record<string, {name: string, load: () => Promise<Texts | null>}>} */
export const LANGUAGES = {
  en: { name: "English", load: async () => null },
  de: { name: "Deutsch", load: () => import("../texts/de.js") },
  fr: { name: "Français", load: () => import("../texts/fr.js") },
};
const KEY = "language";
const FIELD = "lang";

const stored = () => {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

/** The language that is meant by a name such as "de-AT", or undefined. */
const known = (name) => Object.keys(LANGUAGES).find((language) => language === name.toLowerCase().split("-")[0]);

const ofBrowser = () => navigator.languages.map(known).find(Boolean) ?? "en";

/** Load the texts of the language that is wanted. Where they do not come, the page speaks English. */
export async function useLanguage() {
  const asked = new URLSearchParams(location.search).get(FIELD) ?? "";
  const language = known(asked) ?? known(stored()) ?? ofBrowser();
  const chosen = await LANGUAGES[language].load().catch(() => null);
  if (!chosen) return;
  useTexts(language, chosen);
  document.documentElement.lang = language;
}

function choose(language) {
  try {
    if (language) localStorage.setItem(KEY, language);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the address keeps the choice.
  }
  // All that is shown is in the address, so that it is there again in the other language.
  const address = new URL(location.href);
  address.searchParams.delete(FIELD);
  if (stored() !== language) address.searchParams.set(FIELD, language);
  if (address.href === location.href) location.reload();
  else location.replace(address);
}

/** The menu of languages, each called by its own name. */
export function makeLanguage() {
  const choices = Object.entries(LANGUAGES).map(([language, { name }]) => [language, name]);
  const automatic = texts.page.languageOf(LANGUAGES[ofBrowser()].name);
  const select = menu([["", automatic], ...choices], known(stored()) ?? "", choose);
  for (const option of select.options) if (option.value) option.lang = option.value;
  return field(texts.page.language, select);
}
