// The tours found in this browser: links such as "6&c=1&k=8684&t=...", each with the total number of tours. Independent
// of the page.

import { squareCount } from "./board.js";
import { decodeState, encodeState } from "./link.js";
import { keep, keptText, mended, parsed, rightOf } from "./storage.js";
import { isClosed } from "./tour.js";

const NAME = "shelf";
const FORMAT = "knightstour-shelf";
const NUMBER = /^[1-9]\d{0,30}$/;

/** @type {Record<string, string>} link -> count; it is here though the browser may keep nothing */
const here = {};
// The stored text at the latest read.
/** @type {string | null} */
let seen = null;

/** Common beginning of the links of a problem. */
const beginning = ({ board, closed }) => `${encodeState({ board, closed })}&k=`;

function isRight(count, link) {
  try {
    const { unknown, ...state } = decodeState(link);
    const { board, closed, tour, number } = state;
    const isTour = tour?.length === squareCount(board) && (!closed || isClosed(board, tour));
    const isWhole = encodeState(state) === link && link.startsWith(beginning(state));
    return isTour && isWhole && NUMBER.test(number ?? "") && NUMBER.test(count) && BigInt(number ?? 0) <= BigInt(count);
  } catch {
    return false;
  }
}

/** Whether a tour is new: its number matters, not the start of the path. */
function put(link, count) {
  const numbered = link.slice(0, link.indexOf("&t=") + 1);
  if (Object.keys(here).some((each) => each.startsWith(numbered))) return false;
  here[link] = count;
  return true;
}

/** Add the valid tours. Return the numbers of new tours and of invalid entries. */
function take(/** @type {object} */ tours) {
  const all = Object.entries(tours);
  const right = all.filter(([link, count]) => isRight(count, link));
  return { added: right.filter(([link, count]) => put(link, count)).length, wrong: all.length - right.length };
}

/** Read the stored tours, which other pages of this browser may have changed. Unreadable data is set aside. */
function read() {
  const text = keptText(NAME);
  if (text === seen || text === null) return;
  seen = text;
  for (const [link, count] of Object.entries(mended(NAME, (tours) => rightOf(tours, isRight)))) put(link, count);
}

/** The links to the tours found for a problem, and the total number of tours. */
export function shelfOf(state) {
  read();
  const links = Object.keys(here).filter((link) => link.startsWith(beginning(state)));
  return { links, count: here[links[0]] ?? "" };
}

/** Add a tour to its shelf. Return the number of tours on the shelf. */
export function putOnShelf({ board, closed }, { number, count }, tour) {
  read();
  put(encodeState({ board, closed, number, tour }), count);
  const { links } = shelfOf({ board, closed });
  // The count of the library replaces the count of any file.
  for (const link of links) here[link] = count;
  keep(NAME, here);
  return links.length;
}

export function shelfFile() {
  read();
  return `${JSON.stringify({ format: FORMAT, tours: here }, null, 1)}\n`;
}

/** Read a saved file. Return the numbers of new tours and unreadable entries, or null if it is not a shelf. */
export function takeFile(/** @type {string} */ text) {
  const file = parsed(text);
  if (file?.format !== FORMAT || typeof file.tours !== "object" || !file.tours) return null;
  read();
  const taken = take(file.tours);
  keep(NAME, here);
  return taken;
}
