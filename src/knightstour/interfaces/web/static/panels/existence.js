// Whether there is a tour at all: asked once for each question, so that nobody plays for a tour that the board has not.

import * as api from "../api.js";
import { latest } from "../latest.js";

/** @typedef {import("../model/state.js").State} State */
/** @typedef {import("../model/state.js").Result} Result */

// What takes longer to prove is left to Find.
const SECONDS = 3;

const keyOf = (/** @type {State} */ { board, closed, start, end }) => JSON.stringify([board, closed, start, end]);

export class Existence {
  #onproof;
  #key = "";
  /** @type {Result | null} */
  #proof = null;
  // Without a server the game goes on as well; what the server refuses is said where it is asked for.
  #answer = latest();

  /** @param {() => unknown} onproof it is known by now that there is none */
  constructor(onproof) {
    this.#onproof = onproof;
  }

  /**
   * The answer that there is no tour as the state asks for; null as long as that is not known.
   * @param {State} state
   */
  refutation(state) {
    if (state.result?.status === "impossible") return state.result;
    const key = keyOf(state);
    if (key !== this.#key) {
      this.stop();
      this.#key = key;
      this.#ask(state);
    }
    return this.#proof;
  }

  /** Whoever leaves the game does not wait for it. */
  stop() {
    this.#answer.forget();
    this.#key = "";
    this.#proof = null;
  }

  /** @param {State} state */
  #ask(state) {
    const how = { method: "auto", options: {}, seconds: SECONDS };
    this.#answer(
      (signal) => api.solve(state, how, signal),
      (result) => {
        if (result.status !== "impossible") return;
        this.#proof = result;
        this.#onproof();
      },
    );
  }
}
