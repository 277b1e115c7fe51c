// The section that looks for a tour with less or more of a statistic than the one that is shown.

import * as api from "../../api.js";
import { complaint, field, h, menu, stopFor } from "../../dom.js";
import { waiting } from "../../panels/answer.js";
import { latest } from "../../latest.js";
import { fromPairs } from "../../model/tour.js";
import { texts } from "../../language.js";
import { libraryWords } from "../../library.js";
import { grouped } from "../../numbers.js";

const SECONDS = 5;
const MOST = "most-";
// What names of squares or moves look like, by what the library calls them in a name such as "inside=SQUARES".
const EXAMPLES = { SQUARES: "a1..d4+e5", MOVES: "a1-b3+b3-d4" };

export function makeImprove(app) {
  // What is to be few is called as what is counted, and what is to be many has "most-" before that.
  const countedBy = (name) => (name.startsWith(MOST) ? name.slice(MOST.length) : name);
  function wish(name, summary) {
    const counted = countedBy(name);
    const { words, lang } = libraryWords("objectives", counted, summary);
    if (lang) return summary;
    return counted === name ? texts.improve.few(words) : texts.improve.many(words);
  }
  const objective = menu(
    Object.entries(app.objectives).map(([name, summary]) => [name, wish(name, summary)]),
    "turns",
    showFields,
  );
  // An objective with an equals sign takes squares or moves, in a field of their own.
  const inputs = Object.fromEntries(
    Object.entries(EXAMPLES).map(([name, placeholder]) => [
      name,
      h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder }),
    ]),
  );
  const fields = Object.entries(inputs).map(([name, input]) => [
    name,
    field(texts.improve.names[name], input, texts.improve.hints[name]),
  ]);
  const takenBy = (name) => name.split("=")[1] ?? "";
  const filled = (name) => name.replace(/=.*/, () => `=${inputs[takenBy(name)].value.replaceAll(" ", "")}`);
  function showFields() {
    for (const [name, element] of fields) element.hidden = name !== takenBy(objective.value);
    note.replaceChildren();
  }
  const go = h("button", { type: "button", onclick: run }, texts.improve.go(SECONDS));
  const [stop, busy] = stopFor(go, () => answer.stop());
  const note = h("div", { role: "status" });
  const body = h(
    "div.section-body",
    {},
    field(texts.improve.wish, objective),
    fields.map(([, element]) => element),
    go,
    stop,
    note,
  );
  showFields();
  const element = h("div", { id: "improve" }, body);
  let improved = null;

  const answer = latest({
    busy,
    failed: (error, isStopped) => note.replaceChildren(isStopped ? "" : complaint(error)),
  });

  function run() {
    const { board, tour } = app.state;
    const wished = objective.value;
    note.replaceChildren(waiting(texts.improve.busy, "p.soft"));
    answer(
      (signal) => api.improve(board, tour, { objective: filled(wished), seconds: SECONDS }, signal),
      (found) => {
        const what = libraryWords("objectives", countedBy(wished), countedBy(found.objective)).words;
        const isSame = found.after === found.before;
        const words = isSame
          ? texts.improve.none(grouped(found.before), what)
          : texts.improve.better(grouped(found.before), grouped(found.after), what);
        note.replaceChildren(h("p", {}, words));
        improved = fromPairs(board, found.squares);
        if (!isSame) app.update({ tour: improved }, { isStep: true });
      },
    );
  }

  element.show = ({ board, tour }) => {
    element.hidden = !tour || board.wrap !== null;
    // The figures are those of one tour.
    if (tour !== improved) {
      answer.forget();
      note.replaceChildren();
    }
    improved = tour;
  };
  return element;
}
