// The daily puzzles by the local clock: their seeds, numbers and streaks. Independent of the page.

import { decodeState, encodeState } from "./link.js";
import tables from "./tables.json" with { type: "json" };

const DAY_MS = 86_400_000;
// One missed day within this number of days is forgiven.
const FORGIVING = 7;

/** The day of a date as a number such as 20261231. */
export const dayNumber = (date) => 10_000 * date.getFullYear() + 100 * (date.getMonth() + 1) + date.getDate();

/** Midnight at the start of the day that is this number of days after a date. */
export const daysAfter = (date, days) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

export function dateOf(number) {
  const date = new Date(Math.floor(number / 10_000), (Math.floor(number / 100) % 100) - 1, number % 100);
  return dayNumber(date) === number ? date : null;
}

export const untilTomorrow = (date) => Math.ceil((daysAfter(date, 1).getTime() - date.getTime()) / 1000);

const calendarDays = (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
const FIRST = calendarDays(dateOf(tables.firstDay));

/** The number of a day's puzzles, from 1; at most 0 for earlier days. */
export const puzzleNumber = (date) => calendarDays(date) - FIRST + 1;

/** The link to a puzzle, which is also the key of its game. */
export const puzzleLink = ({ board, closed, puzzle }) => encodeState({ board, closed, view: "puzzle", puzzle });

/** The three puzzles of a day: the first, a hard one, and one of another kind. They depend on the date only. */
export function dailies(/** @type {Date} */ date) {
  const seed = dayNumber(date);
  const [kind, board, closed, level, pattern, inOrder] = tables.week[(date.getDay() + 6) % 7];
  const of = (name, board, closed, wish) => {
    const asked = { board: decodeState(board).board, closed, puzzle: { ...wish, seed } };
    return { name, ...asked, link: puzzleLink(asked) };
  };
  const [size, closedFirst, levelFirst] =
    seed >= tables.weekdaysFrom ? tables.firstWeek[(date.getDay() + 6) % 7] : ["6x6", null, "easy"];
  return [
    of("first", size, closedFirst ?? seed % 2 === 0, { level: levelFirst, pattern: "" }),
    of("hard", "8", seed % 2 === 1, { level: "hard", pattern: "" }),
    of(kind, board, closed, inOrder ? { inOrder } : { level, pattern }),
  ];
}

/** The day of a daily puzzle and its index among the three; null for other puzzles. */
export function dailyOf(/** @type {import("./state.js").State} */ state) {
  const date = dateOf(state.puzzle?.seed ?? 0);
  if (!date || puzzleNumber(date) < 1) return null;
  const which = dailies(date).findIndex(({ link }) => link === puzzleLink(state));
  return which < 0 ? null : { date, which };
}

/**
 * Number of consecutive solved days, up to today or yesterday. A missed day is forgiven, unless another day was missed
 * within the next seven. If a clock went back a day, tomorrow is solved already, and counts.
 */
export function streakOf(/** @type {(day: number) => boolean} */ isSolved, /** @type {Date} */ today) {
  let length = 0;
  let forgiven = -FORGIVING;
  for (let ago = -1; ; ago++) {
    if (isSolved(dayNumber(daysAfter(today, -ago)))) length += 1;
    else if (ago > 0) {
      if (ago - forgiven < FORGIVING) return length;
      forgiven = ago;
    }
  }
}
