// What is seen while a search is watched: the marks on the board, and what is counted below it.

import { h } from "../../dom.js";
import { texts } from "../../language.js";
import { libraryWords } from "../../library.js";

/** What a counter is called, in a list. */
export function nameOf(counters, key) {
  const { words, lang } = libraryWords("counters", key, counters[key].name);
  return h("dt", { lang }, words);
}

/** @param {Record<string, {name: string, meaning: string}>} counters the library's table */
export function makeLegend(counters) {
  const row = (mark, text) => h("li", h(`span.key.${mark}`, { "aria-hidden": "true" }), text);
  const counted = h("dl.meanings");
  let shown = "";
  const element = h(
    "details.inner",
    h("summary", texts.watch.legend),
    h(
      "ul.legend",
      row("key-candidate", texts.watch.candidate),
      row("key-ghost", texts.watch.ghost),
      row("key-retreat", texts.watch.retreat),
      row("key-loops", texts.watch.loops),
    ),
    counted,
  );
  return {
    element,
    /** Explain these counters, which are on the screen. */
    explain(keys) {
      const known = Object.keys(counters).filter((key) => keys.has(key));
      if (known.join() === shown) return;
      shown = known.join();
      counted.replaceChildren(
        ...known.map((key) => {
          const { words, lang } = libraryWords("meanings", key, counters[key].meaning);
          return h("div", nameOf(counters, key), h("dd", { lang }, words));
        }),
      );
    },
  };
}
