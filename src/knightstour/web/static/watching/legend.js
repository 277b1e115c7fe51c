// What the marks on a board mean while a search is watched.

import { h } from "../dom.js";

export function makeLegend() {
  const row = (mark, text) => h("li", {}, h(`span.key.${mark}`, { "aria-hidden": "true" }), text);
  return h(
    "details.inner",
    {},
    h("summary", {}, "What the marks mean"),
    h(
      "ul.legend",
      {},
      row("key-candidate", "where it may go next, with the number of ways on from there; the fewest are highlighted"),
      row("key-ghost", "moves taken back a moment ago"),
      row("key-retreat", "squares taken back, the more often the darker"),
      row("key-loops", "loops that have not been joined yet, one colour each"),
    ),
  );
}
