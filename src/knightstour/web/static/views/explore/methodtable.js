// The section that asks every method the same question, several times each, and shows how they fare.

import * as api from "../../api.js";
import { complaint, h, icon } from "../../dom.js";
import { texts } from "../../language.js";
import { duration, grouped } from "../../numbers.js";

const SEEDS = 5;
const SECONDS = 1;

export function makeMethodTable(app) {
  /** @type {AbortController | null} */
  let controller = null;
  const body = h("tbody");
  const table = h(
    "table.compare.methods",
    { hidden: true },
    h("caption.hidden-label", {}, texts.methods.table),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...[texts.methods.label, texts.methods.answers, texts.methods.time, texts.methods.nodes].map((name) =>
          h("th", { scope: "col" }, name),
        ),
      ),
    ),
    body,
  );
  const go = h("button.primary.wide", { type: "button", onclick: run }, texts.methods.compareAll);
  const stop = h(
    "button.wide",
    { type: "button", hidden: true, onclick: () => controller?.abort() },
    icon("close"),
    texts.common.stop,
  );
  const note = h("div", { role: "status" });
  const hint = texts.methods.hint(SEEDS, SECONDS);
  const element = h(
    "details.section",
    { id: "methods" },
    h("summary", {}, h("h2", {}, texts.methods.title)),
    h("div.section-body", {}, h("p.soft.small", {}, hint), go, stop, table, note),
  );

  function rowOf({ method, excuse, answered, median, nodes, runs, found, impossible }) {
    const cells = excuse
      ? [h("td.soft.small", { colspan: 3, lang: "en" }, excuse)]
      : [
          h("td", {}, answered === null ? "—" : texts.methods.of(found + impossible, runs)),
          h("td", {}, median === null ? "—" : duration(median)),
          h("td", {}, nodes === null ? "—" : grouped(nodes)),
        ];
    return h("tr", {}, h("th", { scope: "row" }, method), ...cells);
  }

  async function run() {
    controller?.abort();
    const mine = (controller = new AbortController());
    [go.hidden, stop.hidden, table.hidden] = [true, false, false];
    body.replaceChildren();
    try {
      for (const name of Object.keys(app.methods)) {
        note.replaceChildren(h("p.soft", {}, h("span.spinner", { "aria-hidden": "true" }), texts.methods.asking(name)));
        const how = { methods: [name], seeds: SEEDS, seconds: SECONDS };
        const { rows } = await api.compareMethods(app.state, how, mine.signal);
        if (mine !== controller) return;
        body.append(...rows.map(rowOf));
      }
      note.replaceChildren(h("p.soft.small", {}, texts.methods.processor));
    } catch (error) {
      if (mine === controller)
        note.replaceChildren(api.isAborted(error) ? h("p.soft", {}, `${texts.common.stopped}.`) : complaint(error));
    } finally {
      if (mine === controller) {
        const hadFocus = document.activeElement === stop;
        [go.hidden, stop.hidden] = [false, true];
        if (hadFocus) go.focus();
      }
    }
  }

  element.forget = () => {
    controller?.abort();
    controller = null;
    [go.hidden, stop.hidden, table.hidden] = [false, true, true];
    body.replaceChildren();
    note.replaceChildren();
  };
  return element;
}
