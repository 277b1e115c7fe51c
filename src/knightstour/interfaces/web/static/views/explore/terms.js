// Below a count: of which sequences of the OEIS it is a term, and whether they show the same number.

import * as api from "../../api.js";
import { h } from "../../dom.js";
import { texts } from "../../language.js";
import { grouped } from "../../numbers.js";

/** What the entry says of a number that was counted. */
function published({ value }, count) {
  if (value === null) return texts.terms.silent;
  return value === count ? texts.terms.same : texts.terms.other(grouped(value));
}

function line({ number, title, n, value }, count) {
  const link = h("a", { href: `https://oeis.org/${number}`, target: "_blank", rel: "noreferrer" }, number);
  return h(
    "li",
    {},
    texts.terms.term(n),
    link,
    ": ",
    h("span", { lang: "en" }, `${title}.`),
    ` ${published({ value }, count)}.`,
  );
}

/**
 * A place that fills when the answer comes, and stays empty where no sequence has the count.
 * @param {import("../../model/state.js").State} state
 * @param {{count: string, directed: boolean, symmetry: string | null, up_to_symmetry: boolean}} found
 * @param {AbortSignal | undefined} signal
 */
export function termsOf(state, found, signal) {
  const place = h("div.terms");
  const isOfAll = state.start === null && state.end === null && !state.conditions;
  if (isOfAll) {
    api
      .sequencesOf(state, found, signal)
      .then(({ places }) => {
        if (!places.length) return;
        const summary = h("summary", {}, texts.terms.inSequences(places.length));
        const lines = places.map((term) => line(term, String(found.count)));
        place.append(h("details.how", {}, summary, h("ul.small", {}, lines)));
      })
      .catch(() => {});
  }
  return place;
}
