// The section for what is asked of a tour besides its ends, in the words of the command line (docs/conditions.md).

import { field, h, menu } from "../dom.js";
import { conditionFault, conditionsOf } from "../model/conditions.js";

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
    symmetry: menu([["", "any"], ...SYMMETRIES.map((name) => [name, name])], "", () => change()),
  };
  const note = h("p.notice.bad.small", { hidden: true, role: "alert" });
  const words = h("span.summary-words");
  const fields = {
    given: field("Given", inputs.given, "The step of a square, from 1: a number, or two with dots between."),
    through: field("Through", inputs.through, "Moves that the tour must make."),
    avoid: field("Avoid", inputs.avoid, "Moves that it must not make."),
    symmetry: field("Symmetry", inputs.symmetry),
  };
  const element = h(
    "details.section",
    { id: "conditions" },
    h("summary", {}, h("h2", {}, "Conditions"), words),
    h("div.section-body", {}, Object.values(fields), note),
  );

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
    words.textContent = conditions ? Object.keys(conditions).join(", ") : "none";
    if (conditions === shown) return;
    shown = conditions;
    for (const [name, input] of Object.entries(inputs)) {
      input.value = conditions?.[name] ?? "";
      input.setAttribute("aria-invalid", "false");
    }
    note.hidden = true;
  };
  return element;
}
