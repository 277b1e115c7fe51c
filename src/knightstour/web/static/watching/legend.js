// What is seen while a search is watched: the marks on the board, and what is counted below it.

import { h } from "../dom.js";

/** @param {Record<string, {name: string, meaning: string}>} counters the library's table */
export function makeLegend(counters) {
  const row = (mark, text) => h("li", {}, h(`span.key.${mark}`, { "aria-hidden": "true" }), text);
  const counted = h("dl.meanings");
  let shown = "";
  const element = h(
    "details.inner",
    { open: true },
    h("summary", {}, "What the marks and numbers mean"),
    h(
      "ul.legend",
      {},
      row("key-candidate", "where it may go next, with the number of ways on from there; the fewest are highlighted"),
      row("key-ghost", "moves taken back a moment ago"),
      row("key-retreat", "squares taken back, the more often the darker"),
      row("key-loops", "loops that have not been joined yet, one colour each"),
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
        ...known.map((key) => h("div", {}, h("dt", {}, counters[key].name), h("dd", {}, counters[key].meaning))),
      );
    },
  };
}
