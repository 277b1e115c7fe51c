// Whether there is a tour at all: asked once for each question, so that nobody plays for a tour that the board has not.

import * as api from "../api.js";
import { latest } from "../latest.js";

// What takes longer to prove is left to Find.
const HOW = { method: "auto", options: {}, seconds: 3 };

/** onproof(): it is known by now that there is none. */
export function makeExistence(/** @type {() => unknown} */ onproof) {
  let key = "";
  /** @type {import("../model/state.js").Result | null} */
  let proof = null;
  // Without a server the game goes on as well; what the server refuses is said where it is asked for.
  const answer = latest();

  /** Whoever leaves the game does not wait for it. */
  function stop() {
    answer.forget();
    [key, proof] = ["", null];
  }

  /** The answer that there is no tour as the state asks for; null as long as that is not known. */
  function refutation(/** @type {import("../model/state.js").State} */ state) {
    if (state.result?.status === "impossible") return state.result;
    const asked = JSON.stringify(api.question(state));
    if (asked === key) return proof;
    stop();
    key = asked;
    answer(
      (signal) => api.solve(state, HOW, signal),
      (result) => {
        if (result.status !== "impossible") return;
        proof = result;
        onproof();
      },
    );
    return null;
  }

  return { refutation, stop };
}
