// What this browser keeps of puzzles: the numbers filled in, the time, the days solved in a row. Nothing leaves it.

import { dayNumber } from "./puzzle.js";

// Games of so long ago that nobody goes back to them make room.
const MOST_GAMES = 60;
const DAY_MS = 86_400_000;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage a game lasts as long as the page.
  }
}

const pairs = (value) => (Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && pair.length === 2) : []);

/** {own, helped, seconds, hints, isDone} of the puzzle with this key; empty where nothing is kept. */
export function keptGame(key) {
  const game = read("puzzles", {})[key] ?? {};
  return {
    own: pairs(game.own),
    helped: new Map(pairs(game.helped)),
    seconds: Number(game.seconds) || 0,
    hints: Number(game.hints) || 0,
    isDone: game.isDone === true,
  };
}

export function keepGame(key, { own, helped, seconds, hints, isDone }) {
  const { [key]: _, ...others } = read("puzzles", {});
  const recent = Object.entries(others).slice(1 - MOST_GAMES);
  write("puzzles", { ...Object.fromEntries(recent), [key]: { own, helped: [...helped], seconds, hints, isDone } });
}

const dayBefore = (date) => dayNumber(new Date(date.getTime() - DAY_MS));

/** How many days in a row the puzzle of the day was solved, up to this day or the one before. */
export function streak(date) {
  const { last, length } = read("puzzle-days", {});
  return last === dayNumber(date) || last === dayBefore(date) ? Number(length) || 0 : 0;
}

/** Count this day as solved. */
export function keepDay(date) {
  const day = dayNumber(date);
  if (read("puzzle-days", {}).last !== day) write("puzzle-days", { last: day, length: streak(date) + 1 });
}
