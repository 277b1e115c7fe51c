// The number of a finished tour among all of its board. They are numbered in the background, while one plays.

import * as api from "../api.js";
import { squareCount } from "../model/board.js";
import { encodeState } from "../model/link.js";

// What a browser or a small server does in a moment.
const MAX_SQUARES = 36;
const MAX_BYTES = 150_000_000;

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();

/** Whether the tours of a question are numbered, once they are: the same promise for all who ask. */
export function prepareNumbers({ board, closed }) {
  const key = encodeState({ board, closed });
  const coming = asked.get(key) ?? number({ board, closed }).catch(() => false);
  asked.set(key, coming);
  return coming;
}

async function number(state) {
  if (squareCount(state.board) > MAX_SQUARES) return false;
  const { count, bytes } = await api.spaceStatus(state);
  if (count === null && bytes <= MAX_BYTES) await api.spaceBuild(state, () => {});
  return count !== null || bytes <= MAX_BYTES;
}

/**
 * The number of a tour and how many there are, as digits; null where they are too many to be numbered here.
 * @returns {Promise<{number: string, count: string} | null>}
 */
export async function numberOf({ board, closed }, order) {
  const isNumbered = await prepareNumbers({ board, closed });
  return isNumbered ? api.rank({ board, closed }, order).catch(() => null) : null;
}
