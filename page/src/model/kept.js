// Stored data of this browser: numbers, time and streaks of puzzles; counts and records of games; settings of the page.

import { squareCount } from "./board.js";
import { dayNumber, streakOf } from "./daily.js";
import { decodeState, encodeState } from "./link.js";
import { keep, kept, listenToOthers, mended, rightOf } from "./storage.js";

// Maximum number of stored games; the oldest are deleted.
const MAX_GAMES = 60;
const MAX_RECORDS = 200;
const MAX_DAYS = 4000;

const isCount = (value) => Number.isFinite(value) && value >= 0;
const arePairs = (value) => Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
const ofThree = (list) => (Array.isArray(list) ? list.filter((which) => [0, 1, 2].includes(which)) : []);
const isGame = (game) =>
  [game?.own, game?.helped, game?.pace ?? []].every(arePairs) &&
  [game.seconds, game.hints].every(isCount) &&
  typeof game.isDone === "boolean";
const isRecord = (record) => isCount(record?.stars) && isCount(record.seconds);
const isRound = ({ undos, helps, seconds, isWhole }) =>
  [undos, helps, seconds].every(isCount) && typeof isWhole === "boolean";

const games = () => mended("puzzles", (value) => rightOf(value, isGame));
const records = () => mended("records", (value) => rightOf(value, isRecord));
/** The days with solved puzzles, on the day and late: day -> puzzle indices. */
const days = () =>
  mended("puzzle-days", (value) => {
    const lists = Object.entries(rightOf(value, (list) => typeof list === "object" && list !== null));
    const right = (list) =>
      Object.entries(list).flatMap(([day, all]) => (ofThree(all).length ? [[day, ofThree(all)]] : []));
    return Object.fromEntries(lists.map(([name, list]) => [name, Object.fromEntries(right(list))]));
  });

export const listenToGames = (/** @type {() => void} */ listener) => listenToOthers("puzzles", listener);

/** {own, helped, pace, seconds, hints, isDone} of the puzzle with this key; empty if nothing is stored. */
export function keptGame(key) {
  const { own = [], helped = [], pace = [], seconds = 0, hints = 0, isDone = false } = games()[key] ?? {};
  return { own, helped: new Map(helped), pace, seconds, hints, isDone };
}

export function keepGame(key, { own, helped, pace, seconds, hints, isDone }) {
  const { [key]: last, ...others } = games();
  // Another tab solved it.
  if (last?.isDone && !isDone) return;
  const recent = Object.entries(others).slice(1 - MAX_GAMES);
  const game = { own, helped: [...helped], pace, seconds, hints, isDone };
  keep("puzzles", { ...Object.fromEntries(recent), [key]: game });
}

export function streak(date) {
  const { solved = {} } = days();
  return streakOf((day) => day in solved, date);
}

/** Store a daily puzzle as solved. isLate: solved after its day, so it does not count for the streak. */
export function keepDay(date, which, isLate = false) {
  const day = dayNumber(date);
  const list = isLate ? "late" : "solved";
  const both = { solved: {}, late: {}, ...days() };
  const all = [...new Set([...(both[list][day] ?? []), which])].sort();
  const recent = Object.entries({ ...both[list], [day]: all }).slice(-MAX_DAYS);
  keep("puzzle-days", { ...both, [list]: Object.fromEntries(recent) });
}

/** The solved puzzles of a day, including late ones: their indices. */
export function solvedOn(date) {
  const day = dayNumber(date);
  return [...new Set(Object.values(days()).flatMap((list) => list[day] ?? []))].sort();
}

/** Whether no puzzle of a day was solved on the day itself. */
export const isLate = (date) => !(dayNumber(date) in (days().solved ?? {}));

function isKnot(text) {
  try {
    const { unknown, ...state } = decodeState(text);
    return state.tour?.length === squareCount(state.board) && encodeState(state) === text;
  } catch {
    return false;
  }
}

const isHung = (entry) => Array.isArray(entry) && ofThree([entry[0]]).length === 1 && isKnot(entry[1]);
const knots = () => mended("puzzle-knots", (value) => rightOf(value, isHung));

/** Store the tour of a daily puzzle for the wall of knots; only the first of a day is kept. */
export function keepKnot(date, which, { board, closed, tour }) {
  const { [dayNumber(date)]: last, ...others } = knots();
  if (last && last[0] <= which) return;
  const recent = Object.entries(others).slice(1 - MAX_DAYS);
  keep("puzzle-knots", {
    ...Object.fromEntries(recent),
    [dayNumber(date)]: [which, encodeState({ board, closed, tour })],
  });
}

export function knotOn(date) {
  const [, text] = knots()[dayNumber(date)] ?? [];
  return text ? decodeState(text) : null;
}

/** Whether an optional part is shown or audible; `otherwise` is the default. */
export const isShown = (name, otherwise = true) => kept(`show-${name}`, otherwise) === true;
export const keepShown = (name, isWanted) => keep(`show-${name}`, isWanted);

export function keptRound(key) {
  const { key: played, ...round } = mended("round", (value) => (isRound(value) ? value : {}));
  return played === key ? round : null;
}

export const keepRound = (key, round) => keep("round", { key, ...round });

/** {stars, seconds}: the most stars and the shortest time of the games with this key; null if none was won. */
export const keptRecord = (key) => records()[key] ?? null;

/** Store a won game. Return whether it has more stars than all before, or the same stars in less time. */
export function keepRecord(key, { stars, seconds }) {
  const { [key]: best = null, ...others } = records();
  const record = best
    ? { stars: Math.max(stars, best.stars), seconds: Math.min(seconds, best.seconds) }
    : { stars, seconds };
  keep("records", { ...Object.fromEntries(Object.entries(others).slice(1 - MAX_RECORDS)), [key]: record });
  return best === null || stars > best.stars || (stars === best.stars && seconds < best.seconds);
}
