// What this browser keeps: of puzzles the numbers filled in, the time, the days solved in a row; of games what was counted,
// and the records; and how the page is wanted.

import { dayNumber, streakOf } from "./daily.js";
import { keep, kept } from "./storage.js";

// Games of so long ago that nobody goes back to them make room.
const MAX_GAMES = 60;
const MAX_RECORDS = 200;
const MAX_DAYS = 4000;

const pairs = (value) => (Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && pair.length === 2) : []);

/** {own, helped, seconds, hints, isDone} of the puzzle with this key; empty where nothing is kept. */
export function keptGame(key) {
  const game = kept("puzzles", {})[key] ?? {};
  return {
    own: pairs(game.own),
    helped: new Map(pairs(game.helped)),
    seconds: Number(game.seconds) || 0,
    hints: Number(game.hints) || 0,
    isDone: game.isDone === true,
  };
}

export function keepGame(key, { own, helped, seconds, hints, isDone }) {
  const { [key]: _, ...others } = kept("puzzles", {});
  const recent = Object.entries(others).slice(1 - MAX_GAMES);
  keep("puzzles", { ...Object.fromEntries(recent), [key]: { own, helped: [...helped], seconds, hints, isDone } });
}

/** The days with puzzles that were solved: day -> their numbers. late: after the day had passed. */
function keptDays(/** @type {"solved" | "late"} */ which) {
  const days = kept("puzzle-days", {})[which];
  const entries = Object.entries(typeof days === "object" && days ? days : {}).filter(([, all]) => Array.isArray(all));
  return Object.fromEntries(entries);
}

/** How many days in a row a puzzle of the day was solved. */
export function streak(date) {
  const solved = keptDays("solved");
  return streakOf((day) => day in solved, date);
}

/** Count one of the puzzles of a day as solved. isLate: the day had passed, so it is none of those in a row. */
export function keepDay(date, which, isLate = false) {
  const day = dayNumber(date);
  const list = isLate ? "late" : "solved";
  const days = keptDays(list);
  const all = [...new Set([...(days[day] ?? []), which])].sort();
  const recent = Object.entries({ ...days, [day]: all }).slice(-MAX_DAYS);
  const both = { solved: keptDays("solved"), late: keptDays("late") };
  keep("puzzle-days", { ...both, [list]: Object.fromEntries(recent) });
}

/** Which puzzles of a day were solved, then or later: their numbers. */
export function solvedOn(date) {
  const day = dayNumber(date);
  return [...new Set([keptDays("solved"), keptDays("late")].flatMap((days) => days[day] ?? []))].sort();
}

/** Whether something that can be hidden is shown, or heard; `otherwise` until somebody has chosen. */
export const isShown = (name, otherwise = true) => kept(`show-${name}`, otherwise) === true;
export const keepShown = (name, isWanted) => keep(`show-${name}`, isWanted);

const count = (value) => Math.max(0, Math.floor(Number(value)) || 0);
const asRound = ({ undos, helps, seconds, isWhole }) => ({
  undos: count(undos),
  helps: count(helps),
  seconds: count(seconds),
  isWhole: isWhole === true,
});

/** What was counted of the game that was played last, if it is the one with this key; else null. */
export function keptRound(key) {
  const round = kept("round", {});
  return round.key === key ? asRound(round) : null;
}

export const keepRound = (key, round) => keep("round", { key, ...round });

/** {stars, seconds}: the most stars and the least time of the games with this key; null where none was won. */
export function keptRecord(key) {
  const best = kept("records", {})[key];
  return best ? { stars: count(best.stars), seconds: count(best.seconds) } : null;
}

/** Keep a game that was won; whether it had more stars than all before, or as many in less time. */
export function keepRecord(key, { stars, seconds }) {
  const best = keptRecord(key);
  const { [key]: _, ...others } = kept("records", {});
  const record = best
    ? { stars: Math.max(stars, best.stars), seconds: Math.min(seconds, best.seconds) }
    : { stars, seconds };
  keep("records", { ...Object.fromEntries(Object.entries(others).slice(1 - MAX_RECORDS)), [key]: record });
  return best === null || stars > best.stars || (stars === best.stars && seconds < best.seconds);
}
