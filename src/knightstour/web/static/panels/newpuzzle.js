// The section for another puzzle: that of the day, a new one of a level and pattern, or one's own.

import { capital, field, h, icon, menu } from "../dom.js";
import { LEVELS, PATTERNS, puzzleOfDay } from "../model/puzzle.js";

const PATTERN_WORDS = { "": "None", 180: "Half turn", 90: "Quarter turn", mirror: "Mirror" };
const MOST_SEED = 2 ** 31;

/** onopen(patch): the puzzle that was chosen; the puzzle of the day comes with its board and kind of tour. */
export function makeNewPuzzle(onopen) {
  const choices = (keys, words) =>
    menu(
      keys.map((key) => [key, words(key)]),
      keys[0],
      () => {},
    );
  const level = choices(LEVELS, capital);
  const pattern = choices(["", ...PATTERNS], (key) => PATTERN_WORDS[key]);
  const button = (kind, name, text, onclick) => h(`button.wide${kind}`, { type: "button", onclick }, icon(name), text);
  const seed = () => Math.floor(Math.random() * MOST_SEED);
  return h(
    "section.section.flat",
    { "aria-label": "Choose a puzzle" },
    h("h2", {}, "Choose a puzzle"),
    button(".primary", "puzzle", "Puzzle of the day", () => onopen(puzzleOfDay(new Date()))),
    h("div.columns", {}, field("Level", level), field("Pattern", pattern)),
    button("", "dice", "New puzzle", () =>
      onopen({ puzzle: { level: level.value, pattern: pattern.value, seed: seed() } }),
    ),
    button("", "plus", "Make your own", () => onopen({ puzzle: { numbers: [], isMaking: true } })),
  );
}
