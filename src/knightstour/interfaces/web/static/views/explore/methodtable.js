// The section that asks every method the same question, several times each, and shows how they fare.

import * as api from "../../api.js";
import { complaint, h, stopFor } from "../../dom.js";
import { waiting } from "../../panels/answer.js";
import { latest } from "../../latest.js";
import { texts } from "../../language.js";
import { duration, grouped } from "../../numbers.js";

const SEEDS = 5;
const SECONDS = 1;

export function makeMethodTable(app) {
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
  const go = h("button", { type: "button", onclick: run }, texts.methods.compareAll);
  const [stop, busy] = stopFor(go, () => answer.stop());
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

  const answer = latest({
    busy,
    failed: (error, isStopped) =>
      note.replaceChildren(isStopped ? h("p.soft", {}, `${texts.common.stopped}.`) : complaint(error)),
  });

  function run() {
    table.hidden = false;
    body.replaceChildren();
    answer(askAll, () => note.replaceChildren(h("p.soft.small", {}, texts.methods.processor)));
  }

  async function askAll(/** @type {AbortSignal} */ signal) {
    for (const name of Object.keys(app.methods)) {
      note.replaceChildren(waiting(texts.methods.asking(name), "p.soft"));
      const how = { methods: [name], seeds: SEEDS, seconds: SECONDS };
      const { rows } = await api.compareMethods(app.state, how, signal);
      body.append(...rows.map(rowOf));
    }
  }

  element.forget = () => {
    answer.forget();
    table.hidden = true;
    body.replaceChildren();
    note.replaceChildren();
  };
  return element;
}
