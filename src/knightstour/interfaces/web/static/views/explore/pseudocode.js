// A method line by line, with the line marked that the search is at.

import { h } from "../../dom.js";
import { texts } from "../../language.js";

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
    title.textContent = texts.watch.works(method);
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
    /** Show this method, and mark the line of a moment; of none if that is "". */
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
