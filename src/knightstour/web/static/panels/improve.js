// The section that looks for a tour with fewer (or more) turns or crossings than the one that is shown.

import * as api from "../api.js";
import { complaint, field, grouped, h, menu, stopFor } from "../dom.js";
import { fromPairs } from "../model/tour.js";

const SECONDS = 5;

export function makeImprove(app) {
  let controller = null;
  const objective = menu(
    Object.entries(app.objectives).map(([name, summary]) => [
      name,
      summary.replace(" as can be found", " as possible"),
    ]),
    "turns",
    () => note.replaceChildren(),
  );
  const go = h("button.primary.wide", { type: "button", onclick: run }, `Improve for ${SECONDS} seconds`);
  const [stop, busy] = stopFor(go, () => controller?.abort());
  const note = h("div", { role: "status" });
  const body = h("div.section-body", {}, field("The tour should have", objective), go, stop, note);
  const element = h("details.section", { id: "improve" }, h("summary", {}, h("h2", {}, "Improve")), body);
  let improved = null;

  async function run() {
    controller?.abort();
    const mine = (controller = new AbortController());
    const { board, tour } = app.state;
    busy(true);
    note.replaceChildren(h("p.soft", {}, h("span.spinner", { "aria-hidden": "true" }), "Looking for better tours"));
    try {
      const found = await api.improve(board, tour, { objective: objective.value, seconds: SECONDS }, mine.signal);
      if (mine !== controller) return;
      const what = found.objective.replace("most-", "");
      const words =
        found.after === found.before
          ? `No better tour was found: ${grouped(found.before)} ${what}.`
          : `${grouped(found.before)} ${what} before, ${grouped(found.after)} now.`;
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
