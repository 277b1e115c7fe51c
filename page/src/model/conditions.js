// Conditions of a problem, as text: required and forbidden moves, given numbers, symmetry, order, statistics. They
// match the library's CONDITIONS.

import { fill, texts } from "../language.js";
import tables from "./tables.json" with { type: "json" };

/**
 * The text of each condition, by name, without empty ones: {given: "a1=1", require: "a1-b3"}.
 * @typedef {Record<string, string>} Conditions
 */

/** Format of each part, by the library's type of the condition; a condition without parts is a name. */
const FORMS = {
  "SQ=N": /^[a-z]{1,3}\d{1,3}=(?:not\s+)?\d{1,4}(?:(?:\.\.|-|\s*,\s*)\d{1,4})*$/i,
  "SQ-SQ": /^[a-z]{1,3}\d{1,3}-[a-z]{1,3}\d{1,3}$/i,
  "SQ,SQ,...": /^[a-z]{1,3}\d{1,3}$/i,
  "NAME=VALUE": /^[a-z]\S*=\s*\d{1,18}(?:\s*\.\.\s*\d{1,18})?$/i,
};
/** @type {{name: string, form: RegExp | undefined, example: string}[]} */
export const CONDITIONS = tables.conditions.map(([name, takes, example]) => ({ name, form: FORMS[takes], example }));

/** The parts of a text: "a1=1, c5=not 5, 6" has two, since each begins with a name. */
const parts = (text) =>
  (text ?? "")
    .split(/[\s,;]+(?=[a-z])(?!not\s)/i)
    .map((part) => part.replace(/^[\s,;]+|[\s,;]+$/g, ""))
    .filter(Boolean);

/** The first invalid condition: {name, message}; null if all are valid. */
export function conditionFault(typed) {
  for (const { name, form, example } of CONDITIONS) {
    const wrong = form && parts(typed[name]).find((part) => !form.test(part));
    const said = { text: wrong?.slice(0, 20), example: parts(example)[0] };
    if (wrong) return { name, message: fill(texts.conditions.fault, said) };
  }
  return null;
}

/** The given conditions with their parts; a condition without parts is a name. */
const asked = (conditions) =>
  CONDITIONS.filter(({ name }) => conditions?.[name]).map(({ name, form }) => ({
    name,
    value: form ? parts(conditions[name]) : conditions[name],
  }));

export const conditionsToJson = (conditions) =>
  Object.fromEntries(asked(conditions).map(({ name, value }) => [name, value]));

/** The conditions as the end of a sentence about tours. */
export const conditionWords = (conditions) =>
  asked(conditions)
    .map(({ name, value }) => fill(texts.conditions.said[name], { words: [value].flat().join(", ") }))
    .join(" ");
