// Conditions of a question, as they are typed: moves that a tour must make or leave out, given numbers, symmetry, order.

import { fill, texts } from "../language.js";

/**
 * What was typed of each, without those that were not: {given: "a1=1", through: "a1-b3"}.
 * @typedef {Partial<Record<"given" | "through" | "avoid" | "symmetry" | "visit_order", string>>} Conditions
 */

const MOVE = /^[a-z]{1,3}\d{1,3}-[a-z]{1,3}\d{1,3}$/i;
const SQUARE = /^[a-z]{1,3}\d{1,3}$/i;
const GIVEN = /^[a-z]{1,3}\d{1,3}=(?:not\s+)?\d{1,4}(?:(?:\.\.|-|\s*,\s*)\d{1,4})*$/i;
/** How each part looks of those that have parts; what has none is a name. @type {Record<string, RegExp>} */
const FORMS = { given: GIVEN, through: MOVE, avoid: MOVE, visit_order: SQUARE };
export const CONDITIONS = ["given", "through", "avoid", "symmetry", "visit_order"];

/** The parts of what was typed: "a1=1, c5=not 5, 6" has two, for each begins with a square. */
const parts = (text) =>
  (text ?? "")
    .split(/[\s,;]+(?=[a-z])(?!not\s)/i)
    .map((part) => part.replace(/^[\s,;]+|[\s,;]+$/g, ""))
    .filter(Boolean);

/**
 * Those that are not empty; null where none is.
 * @param {Record<string, string>} typed
 * @returns {Conditions | null}
 */
export function conditionsOf(typed) {
  const kept = CONDITIONS.filter((name) => typed[name]).map((name) => [name, typed[name]]);
  return kept.length ? Object.fromEntries(kept) : null;
}

/** What cannot be understood: {name, message}; null where all can. */
export function conditionFault(typed) {
  for (const [name, form] of Object.entries(FORMS)) {
    const wrong = parts(typed[name]).find((part) => !form.test(part));
    const example = { given: texts.conditions.givenExample, visit_order: "a1" }[name] ?? "a1-b3";
    if (wrong) return { name, message: fill(texts.conditions.fault, { text: wrong.slice(0, 20), example }) };
  }
  return null;
}

/** The conditions as the API takes them. */
export function conditionsToJson(conditions) {
  const typed = Object.entries(conditions ?? {});
  return Object.fromEntries(typed.map(([name, text]) => [name, FORMS[name] ? parts(text) : text]));
}

/** The conditions as the end of a sentence on tours. */
export function conditionWords(conditions) {
  const { given, through, avoid, symmetry, visit_order: order } = conditions ?? {};
  const listed = (text) => parts(text).join(", ");
  return [
    ...(symmetry ? [fill(texts.board.symmetry, { name: symmetry })] : []),
    ...(given ? [fill(texts.board.given, { words: listed(given) })] : []),
    ...(through ? [fill(texts.board.through, { words: listed(through) })] : []),
    ...(avoid ? [fill(texts.board.without, { words: listed(avoid) })] : []),
    ...(order ? [fill(texts.board.order, { words: listed(order) })] : []),
  ].join(" ");
}
