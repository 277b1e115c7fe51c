// The section for what is asked of a tour besides its ends, in the words of the command line (docs/conditions.md).

import { field, h, menu } from "../dom.js";
import { conditionFault, conditionsOf } from "../model/conditions.js";
import { texts } from "../language.js";

const SYMMETRIES = ["180", "90", "vertical", "horizontal", "Eulerian", "Bergholtian", "birotary", "Sulian", "Murraian"];

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
  const inputs = {
    given: text("a1=1 c5=16..19"),
    through: text("a1-b3 c4-e3"),
    avoid: text("d4-e6"),
    symmetry: menu([["", texts.conditions.any], ...SYMMETRIES.map((name) => [name, name])], "", () => change()),
  };
  const note = h("p.notice.bad.small", { hidden: true, role: "alert" });
  const words = h("span.summary-words");
  const { names } = texts.conditions;
  const fields = {
    given: field(names.given, inputs.given, texts.conditions.givenHint),
    through: field(names.through, inputs.through, texts.conditions.throughHint),
    avoid: field(names.avoid, inputs.avoid, texts.conditions.avoidHint),
    symmetry: field(names.symmetry, inputs.symmetry),
  };
  const element = h("div.section-body", {}, Object.values(fields), note);

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
