// Checks once per problem whether a tour exists, so that users do not play for a tour that does not exist.

import * as api from "../api.js";
import { latest } from "../latest.js";

// Longer proofs are left to Find.
const HOW = { method: "auto", options: {}, seconds: 3 };

/** onproof(): a proof was found that no tour exists. */
export function makeExistence(/** @type {() => unknown} */ onproof) {
  let key = "";
  /** @type {import("../model/state.js").Result | null} */
  let proof = null;
  // Without a server the game continues; errors of the server are shown with explicit requests.
  const answer = latest();

  /** Cancel the request when the user leaves the game. */
  function stop() {
    answer.forget();
    [key, proof] = ["", null];
  }

  /** The result that no tour exists for this state, or null if unknown. */
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
