// The tours that were found in this browser, for each board and kind by their numbers. Knows no page.
//
// Kept as {"6&c=1": {"count": "9862", "found": {"8684": "the tour as links write it"}}}; a file holds the same, with its name.

import { squareCount } from "./board.js";
import { decodePath, decodeState, encodePath, encodeState } from "./link.js";
import { isClosed } from "./tour.js";

/** @typedef {Record<string, {count: string, found: Record<string, string>}>} Shelves */

const FORMAT = "knightstour-shelf";
const NAME = "shelf";
const NUMBER = /^[1-9]\d{0,30}$/;

/** @type {Shelves} what is here, though the browser may keep nothing */
const here = {};
/** What is wrong with what is kept: "", "spoilt" or "unkept". */
let trouble = "";
// What was kept when it was read last.
/** @type {string | null} */
let seen = null;
export const shelfTrouble = () => trouble;

const keyOf = ({ board, closed }) => encodeState({ board, closed });
const entries = (value) => (typeof value === "object" && value ? Object.entries(value) : []);

/** The path of a tour of the question, or null. */
export function pathOf({ board, closed }, text) {
  try {
    const path = decodePath(board, String(text));
    return path.length === squareCount(board) && (!closed || isClosed(board, path)) ? path : null;
  } catch {
    return null;
  }
}

function questionOf(key) {
  try {
    const state = decodeState(key);
    return keyOf(state) === key ? state : null;
  } catch {
    return null;
  }
}

/** Take what is right in what was written onto the shelf: how many tours are new, and how many entries are wrong. */
function take(/** @type {any} */ shelves) {
  let [added, wrong] = [0, 0];
  for (const [key, shelf] of entries(shelves)) {
    const question = questionOf(key);
    const count = NUMBER.test(shelf?.count) ? BigInt(shelf.count) : 0n;
    if (!question || !count) {
      wrong += 1;
      continue;
    }
    for (const [number, text] of entries(shelf.found)) {
      const isRight = NUMBER.test(number) && BigInt(number) <= count && pathOf(question, text);
      if (!isRight) wrong += 1;
      else if (put(key, shelf.count, number, text)) added += 1;
    }
  }
  return { added, wrong };
}

function put(key, count, number, text) {
  here[key] ??= { count, found: {} };
  const isNew = !(number in here[key].found);
  here[key].found[number] = text;
  return isNew;
}

/** Read what is kept, by another page of this browser too. What cannot be read is put aside. */
function read() {
  try {
    const text = localStorage.getItem(NAME);
    if (text === null || text === seen) return;
    seen = text;
    let wrong = 1;
    try {
      const shelves = JSON.parse(text);
      wrong = entries(shelves).length || text === "{}" ? take(shelves).wrong : 1;
    } catch {
      // It is not JSON.
    }
    if (!wrong) return;
    trouble = "spoilt";
    localStorage.setItem(`${NAME}-spoilt`, text);
  } catch {
    trouble = "unkept";
  }
}

function keep() {
  try {
    localStorage.setItem(NAME, JSON.stringify(here));
    if (trouble === "unkept") trouble = "";
  } catch {
    trouble = "unkept";
  }
}

/**
 * The tours found of a question: how many there are, and each with its number, as links write it.
 * @returns {{count: string, found: [string, string][]} | null}
 */
export function shelfOf(state) {
  read();
  const shelf = here[keyOf(state)];
  return shelf ? { count: shelf.count, found: Object.entries(shelf.found) } : null;
}

/** Put a tour on its shelf: how many stand there now. */
export function putOnShelf(state, { number, count }, order) {
  read();
  const key = keyOf(state);
  // The count is the library's, whatever a file said.
  if (here[key]) here[key].count = count;
  put(key, count, number, encodePath(state.board, order));
  keep();
  return Object.keys(here[key].found).length;
}

/** All shelves as a file. */
export function shelfFile() {
  read();
  return `${JSON.stringify({ format: FORMAT, shelves: here }, null, 1)}\n`;
}

/** Bring back a file: how many tours came with it, and what could not be read; null where it is no such file. */
export function takeFile(/** @type {string} */ text) {
  try {
    const { format, shelves } = JSON.parse(text);
    if (format !== FORMAT || typeof shelves !== "object" || !shelves) return null;
    read();
    const taken = take(shelves);
    keep();
    return taken;
  } catch {
    return null;
  }
}
