// The legend of a watched search: the marks on the board, the counters, and the method line by line, with the current
// line marked.

import { h } from "../../dom.js";
import { fill, libraryWords, texts } from "../../language.js";

/** The name of a counter, for lists. */
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

const DEPTH = 2;

/** @param {Record<string, any>} methods the library's table */
export function makePseudocode(methods) {
  const title = h("h2");
  const list = h("ol.pseudocode", { lang: "en" });
  const element = h("section.method-lines", { hidden: true }, title, list);
  let shown = "";

  function build(method) {
    shown = method;
    const lines = methods[method]?.pseudocode ?? [];
    title.textContent = fill(texts.watch.works, { method });
    element.setAttribute("aria-label", title.textContent);
    element.hidden = !lines.length;
    list.replaceChildren(
      ...lines.map(({ text, moments }) => {
        const words = text.trimStart();
        const line = h("li", { "data-moments": moments.join(" ") }, words);
        line.style.setProperty("--level", String((text.length - words.length) / DEPTH));
        return line;
      }),
    );
  }

  return {
    element,
    /** Show a method, and mark the line of a moment; "" marks no line. */
    show(method, moment) {
      if (method !== shown) build(method);
      for (const line of list.children) {
        const moments = line.getAttribute("data-moments") ?? "";
        if (moment && moments.split(" ").includes(moment)) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      }
    },
  };
}
