// The language of the page: the first of the browser's that there is, unless one is chosen here or the address asks for
// one (?lang=de). The choice is kept on this computer. A file in texts/ is a language; tables.json has their names.

import { field, menu } from "../dom.js";
import { fill, texts, useTexts } from "../language.js";
import { keepText, keptText } from "../model/storage.js";
import tables from "../model/tables.json" with { type: "json" };

const KEY = "language";
const FIELD = "lang";

const stored = () => keptText(KEY) ?? "";

/** The language that is meant by a name such as "de-AT", or undefined. */
const known = (name) => Object.keys(tables.languages).find((language) => language === name.toLowerCase().split("-")[0]);

const ofBrowser = () => navigator.languages.map(known).find(Boolean) ?? "en";

/** Load the texts of the language that is wanted. Where they do not come, the page speaks English. */
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
  // All that is shown is in the address, so that it is there again in the other language.
  const address = new URL(location.href);
  address.searchParams.delete(FIELD);
  // Without storage the address keeps the choice.
  if (!isKept) address.searchParams.set(FIELD, language);
  if (address.href === location.href) location.reload();
  else location.replace(address);
}

/** The menu of languages, each called by its own name. */
export function makeLanguage() {
  const automatic = fill(texts.page.languageOf, { name: tables.languages[ofBrowser()] });
  const select = menu([["", automatic], ...Object.entries(tables.languages)], known(stored()) ?? "", choose);
  for (const option of select.options) if (option.value) option.lang = option.value;
  return field(texts.page.language, select);
}
