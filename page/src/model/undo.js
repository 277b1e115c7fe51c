// What can be taken back: questions and tours that were shown before. Knows no page.

import { QUESTION } from "./state.js";

/** Fields that somebody chooses, and not the page. */
export const CHOSEN = [...QUESTION, "method", "options", "seed", "watched"];
// Of what is older nothing is kept.
const MOST = 200;

const KEPT = [...CHOSEN, "tour", "result", "number"];

const kept = (state) => Object.fromEntries(KEPT.map((key) => [key, state[key] ?? null]));

export class Undo {
  #past = [];
  #future = [];

  /** Remember this state before it is changed by somebody. */
  keep(state) {
    this.#past.push(kept(state));
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
  }

  /** The fields as they were before the last change, or null; `state` is what redo brings back. */
  undo(state) {
    return step(this.#past, this.#future, state);
  }

  redo(state) {
    return step(this.#future, this.#past, state);
  }
}

function step(from, to, state) {
  const fields = from.pop() ?? null;
  if (fields) to.push(kept(state));
  return fields;
}
