// The section for what is asked of a tour besides its ends, in the words of the command line (docs/conditions.md).

import { field, h, menu } from "../dom.js";
import { CONDITIONS, conditionFault, conditionsOf } from "../model/conditions.js";
import { texts } from "../language.js";
import tables from "../model/tables.json" with { type: "json" };

const SYMMETRIES = tables.symmetries;

/** What the empty fields show; what has no example is chosen from a menu. @type {Record<string, string>} */
const EXAMPLES = { given: "a1=1 c5=16..19 d4=not 5", through: "a1-b3 c4-e3", avoid: "d4-e6", visit_order: "a1 c5 h8" };

/** onask(patch): the conditions change. The element's `show(state)` brings the fields up to date. */
export function makeConditions(onask) {
  const text = (placeholder) =>
    h("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder,
      onchange: change,
    });
  const inputs = Object.fromEntries(
    CONDITIONS.map((name) => [
      name,
      EXAMPLES[name]
        ? text(EXAMPLES[name])
        : menu([["", texts.conditions.any], ...SYMMETRIES.map((each) => [each, each])], "", () => change()),
    ]),
  );
  const note = h("p.notice.bad.small", { hidden: true, role: "alert" });
  const words = h("span.summary-words");
  /** @type {Record<string, string>} */
  const hints = {
    given: texts.conditions.givenHint,
    through: texts.conditions.throughHint,
    avoid: texts.conditions.avoidHint,
    visit_order: texts.conditions.orderHint,
  };
  const fields = CONDITIONS.map((name) => field(texts.conditions.names[name], inputs[name], hints[name]));
  const element = h("div.section-body", {}, fields, note);

  function change() {
    const typed = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
    const fault = conditionFault(typed);
    for (const [name, input] of Object.entries(inputs))
      input.setAttribute("aria-invalid", String(fault?.name === name));
    note.hidden = !fault;
    note.textContent = fault?.message ?? "";
    if (!fault) onask({ conditions: conditionsOf(typed) });
  }

  let shown = null;
  element.show = ({ conditions }) => {
    words.textContent = conditions
      ? Object.keys(conditions)
          .map((name) => texts.conditions.short[name])
          .join(", ")
      : "";
    if (conditions === shown) return;
    shown = conditions;
    for (const [name, input] of Object.entries(inputs)) {
      input.value = conditions?.[name] ?? "";
      input.setAttribute("aria-invalid", "false");
    }
    note.hidden = true;
  };
  return Object.assign(element, { words });
}
