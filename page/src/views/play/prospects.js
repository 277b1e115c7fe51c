// Whether a tour can still be made after each move of a game, as the server answers it.

import * as api from "../../api.js";
import { fromPairs } from "../../model/tour.js";

// Paths whose answers are kept, so that undo and redo ask nothing again.
const MAX_KEPT = 4000;
// Questions at a time: the server gives one client no more.
const AT_ONCE = 2;

/** @typedef {"yes" | "no" | "unknown"} Answer */

export class Prospects {
  /** @type {Map<string, Answer>} */
  #kept = new Map();
  #question = "";
  /** @type {AbortController | null} */
  #controller = null;

  /** Give up what is being asked. */
  stop() {
    this.#controller?.abort();
    this.#controller = null;
  }

  /** Forget the answers if they are those of another question. */
  #turnTo({ board, closed, end }) {
    const question = JSON.stringify([board, closed, end]);
    if (question !== this.#question || this.#kept.size > MAX_KEPT) this.#kept.clear();
    this.#question = question;
  }

  /**
   * What is known of a path.
   * @param {number[]} order
   * @returns {Answer | null}
   */
  #known(order) {
    // What cannot be finished cannot be finished after another move.
    if (this.#kept.get(String(order.slice(0, -1))) === "no") return "no";
    return this.#kept.get(String(order)) ?? null;
  }

  /** Keep the server's answer on a path: the tour that it found finishes every path along it. */
  learn(state, order, { answer, squares }) {
    this.#turnTo(state);
    this.#kept.set(String(order), answer);
    const tour = squares ? fromPairs(state.board, squares) : [];
    for (let length = order.length; length <= tour.length; length++) {
      this.#kept.set(String(tour.slice(0, length)), "yes");
    }
  }

  /** Map square -> Answer, of the moves whose answers are there. */
  of(state, order, moves) {
    this.#turnTo(state);
    const answers = moves.map((square) => /** @type {const} */ ([square, this.#known([...order, square])]));
    return new Map(answers.filter(([, answer]) => answer !== null));
  }

  /** Ask for all moves whose answers are not there; `onanswer` is called after each. An ApiError ends it. */
  async ask(state, order, moves, onanswer) {
    this.stop();
    const mine = (this.#controller = new AbortController());
    const known = this.of(state, order, moves);
    const open = moves.filter((square) => !known.has(square));
    const worker = async () => {
      for (let square = open.pop(); square !== undefined && mine === this.#controller; square = open.pop()) {
        const path = [...order, square];
        const reply = await api.completable(state, path, mine.signal);
        if (mine !== this.#controller) return;
        this.learn(state, path, reply);
        onanswer();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
}
