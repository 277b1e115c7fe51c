// Conditions of a question, as they are typed: moves that a tour must make or leave out, numbers that are given, symmetry.

import { texts } from "../language.js";

/**
 * What was typed of each, without those that were not: {given: "a1=1", through: "a1-b3"}.
 * @typedef {Partial<Record<"given" | "through" | "avoid" | "symmetry", string>>} Conditions
 */

const MOVE = /^[a-z]{1,3}\d{1,3}-[a-z]{1,3}\d{1,3}$/i;
const GIVEN = /^([a-z]{1,3}\d{1,3})=(\d{1,4})(?:\.\.(\d{1,4}))?$/i;
export const CONDITIONS = ["given", "through", "avoid", "symmetry"];

const parts = (text) => (text ?? "").split(/[\s,;]+/).filter(Boolean);

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
  for (const name of ["given", "through", "avoid"]) {
    const wrong = parts(typed[name]).find((part) => !(name === "given" ? GIVEN : MOVE).test(part));
    const example = name === "given" ? texts.conditions.givenExample : "a1-b3";
    if (wrong) return { name, message: texts.conditions.fault(wrong.slice(0, 20), example) };
  }
  return null;
}

/** The conditions as the API takes them. */
export function conditionsToJson(conditions) {
  const { given, through, avoid, symmetry } = conditions ?? {};
  const pairs = parts(given).map((part) => {
    // What cannot be understood came no further than conditionFault.
    const [, square, first, last] = /** @type {RegExpExecArray} */ (GIVEN.exec(part));
    return [square.toLowerCase(), last ? `${first}..${last}` : Number(first)];
  });
  return {
    ...(pairs.length ? { given: Object.fromEntries(pairs) } : {}),
    ...(through ? { through: parts(through) } : {}),
    ...(avoid ? { avoid: parts(avoid) } : {}),
    ...(symmetry ? { symmetry } : {}),
  };
}

/** The conditions as the end of a sentence on tours. */
export function conditionWords(conditions) {
  const { given, through, avoid, symmetry } = conditions ?? {};
  const listed = (text) => parts(text).join(", ");
  return [
    ...(symmetry ? [texts.board.symmetry(symmetry)] : []),
    ...(given ? [texts.board.given(listed(given))] : []),
    ...(through ? [texts.board.through(listed(through))] : []),
    ...(avoid ? [texts.board.without(listed(avoid))] : []),
  ].join(" ");
}
