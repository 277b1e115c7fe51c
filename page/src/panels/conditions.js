// The section for what is asked of a tour besides its ends, in the words of the command line (docs/conditions.md).

import { capital, faultNote, field, h, markField, menu, textInput } from "../dom.js";
import { CONDITIONS, conditionFault, conditionNames, conditionsOf } from "../model/conditions.js";
import { texts } from "../language.js";
import tables from "../model/tables.json" with { type: "json" };

/** onask(patch): the conditions change. The element's `show(state)` brings the fields up to date. */
export function makeConditions(onask) {
  const inputOf = ({ form, example }) =>
    form
      ? textInput({ placeholder: example, onchange: change })
      : menu([["", texts.conditions.any], ...tables.symmetries.map((each) => [each, each])], "", change);
  const inputs = Object.fromEntries(CONDITIONS.map((row) => [row.name, inputOf(row)]));
  const note = faultNote();
  const words = h("span.summary-words");
  const { names, hints } = texts.conditions;
  const fields = Object.entries(inputs).map(([name, input]) => field(capital(names[name]), input, hints[name]));
  const element = h("div.section-body", fields, note);

  function mark(fault) {
    note.hidden = !fault;
    note.textContent = fault?.message ?? "";
    for (const [name, input] of Object.entries(inputs)) markField(input, fault?.name !== name);
  }

  function change() {
    const typed = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
    const fault = conditionFault(typed);
    mark(fault);
    if (!fault) onask({ conditions: conditionsOf(typed) });
  }

  let shown = null;
  element.show = ({ conditions }) => {
    words.textContent = conditionNames(conditions);
    if (conditions === shown) return;
    shown = conditions;
    for (const [name, input] of Object.entries(inputs)) input.value = conditions?.[name] ?? "";
    mark(null);
  };
  return Object.assign(element, { words });
}
