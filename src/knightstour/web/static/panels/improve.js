// The section that looks for a tour with fewer (or more) turns or crossings than the one that is shown.

import * as api from "../api.js";
import { complaint, field, h, menu, stopFor } from "../dom.js";
import { fromPairs } from "../model/tour.js";
import { texts } from "../language.js";
import { libraryWords } from "../library.js";
import { grouped } from "../numbers.js";

const SECONDS = 5;
const MOST = "most-";

export function makeImprove(app) {
  /** @type {AbortController | null} */
  let controller = null;
  // What is to be few is called as what is counted, and what is to be many has "most-" before that.
  const countedBy = (name) =>
    name.startsWith(MOST) && name.slice(MOST.length) in app.objectives ? name.slice(MOST.length) : name;
  function wish(name, summary) {
    const counted = countedBy(name);
    const { words, lang } = libraryWords("objectives", counted, summary);
    if (lang) return summary;
    return counted === name ? texts.improve.few(words) : texts.improve.many(words);
  }
  const objective = menu(
    Object.entries(app.objectives).map(([name, summary]) => [name, wish(name, summary)]),
    "turns",
    () => note.replaceChildren(),
  );
  const go = h("button.primary.wide", { type: "button", onclick: run }, texts.improve.go(SECONDS));
  const [stop, busy] = stopFor(go, () => controller?.abort());
  const note = h("div", { role: "status" });
  const body = h("div.section-body", {}, field(texts.improve.wish, objective), go, stop, note);
  const element = h("details.section", { id: "improve" }, h("summary", {}, h("h2", {}, texts.improve.title)), body);
  let improved = null;

  async function run() {
    controller?.abort();
    const mine = (controller = new AbortController());
    const { board, tour } = app.state;
    busy(true);
    note.replaceChildren(h("p.soft", {}, h("span.spinner", { "aria-hidden": "true" }), texts.improve.busy));
    try {
      const found = await api.improve(board, tour, { objective: objective.value, seconds: SECONDS }, mine.signal);
      if (mine !== controller) return;
      const counted = countedBy(found.objective);
      const what = libraryWords("objectives", counted, counted).words;
      const words =
        found.after === found.before
          ? texts.improve.none(grouped(found.before), what)
          : texts.improve.better(grouped(found.before), grouped(found.after), what);
      note.replaceChildren(h("p", {}, words));
      improved = fromPairs(board, found.squares);
      if (found.after !== found.before) app.update({ tour: improved }, { isStep: true });
    } catch (error) {
      if (mine === controller) note.replaceChildren(api.isAborted(error) ? "" : complaint(error));
    } finally {
      if (mine === controller) busy(false);
    }
  }

  element.show = ({ board, tour }) => {
    element.hidden = !tour || board.wrap !== null;
    // The figures are those of one tour.
    if (tour !== improved) {
      controller?.abort();
      note.replaceChildren();
    }
    improved = tour;
  };
  return element;
}
