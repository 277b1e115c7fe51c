// Conditions of a question, as they are typed: moves that a tour must make or leave out, given numbers, symmetry, order,
// statistics. They are the library's CONDITIONS.

import { fill, texts } from "../language.js";
import tables from "./tables.json" with { type: "json" };

/**
 * What was typed of each, by its name, without those that were not: {given: "a1=1", require: "a1-b3"}.
 * @typedef {Record<string, string>} Conditions
 */

/** How each part looks, by what the library says that a condition takes; what has no parts is a name. */
const FORMS = {
  "SQ=N": /^[a-z]{1,3}\d{1,3}=(?:not\s+)?\d{1,4}(?:(?:\.\.|-|\s*,\s*)\d{1,4})*$/i,
  "SQ-SQ": /^[a-z]{1,3}\d{1,3}-[a-z]{1,3}\d{1,3}$/i,
  "SQ,SQ,...": /^[a-z]{1,3}\d{1,3}$/i,
  "NAME=VALUE": /^[a-z]\S*=\s*\d{1,18}(?:\s*\.\.\s*\d{1,18})?$/i,
};
/** @type {{name: string, form: RegExp | undefined, example: string}[]} */
export const CONDITIONS = tables.conditions.map(([name, takes, example]) => ({ name, form: FORMS[takes], example }));

/** The parts of what was typed: "a1=1, c5=not 5, 6" has two, for each begins with a name. */
const parts = (text) =>
  (text ?? "")
    .split(/[\s,;]+(?=[a-z])(?!not\s)/i)
    .map((part) => part.replace(/^[\s,;]+|[\s,;]+$/g, ""))
    .filter(Boolean);

/** What cannot be understood: {name, message}; null where all can. */
export function conditionFault(typed) {
  for (const { name, form, example } of CONDITIONS) {
    const wrong = form && parts(typed[name]).find((part) => !form.test(part));
    const said = { text: wrong?.slice(0, 20), example: parts(example)[0] };
    if (wrong) return { name, message: fill(texts.conditions.fault, said) };
  }
  return null;
}

/** Those that are asked for, with their parts; what has none is a name. */
const asked = (conditions) =>
  CONDITIONS.filter(({ name }) => conditions?.[name]).map(({ name, form }) => ({
    name,
    value: form ? parts(conditions[name]) : conditions[name],
  }));

/** The conditions as the API takes them. */
export const conditionsToJson = (conditions) =>
  Object.fromEntries(asked(conditions).map(({ name, value }) => [name, value]));

/** The conditions as the end of a sentence on tours. */
export const conditionWords = (conditions) =>
  asked(conditions)
    .map(({ name, value }) => fill(texts.conditions.said[name], { words: [value].flat().join(", ") }))
    .join(" ");
