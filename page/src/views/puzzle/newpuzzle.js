// The section for another puzzle: a new one of a level and pattern, or an own puzzle.

import { capital, field, h, icon, menu } from "../../dom.js";
import { dailies } from "../../model/daily.js";
import { LEVELS, PATTERNS } from "../../model/puzzle.js";
import { decodeState } from "../../model/link.js";
import { of } from "./calendar.js";
import { texts } from "../../language.js";

const MAX_SEED = 2 ** 31;
// Puzzles of other pieces, each with its board; a Zip with its number of ordered squares.
const KNOWN = { numbrix: "8x8:wazir", hidato: "8x8:king", zip: "7x7:wazir" };
const IN_ORDER = 8;

/**
 * The section, and buttons for other places. onopen(patch): the chosen puzzle; a daily puzzle includes its board and
 * kind of tour.
 */
export function makeNewPuzzle(onopen) {
  const choices = (keys, words) =>
    menu(
      keys.map((key) => [key, words(key)]),
      keys[0],
      () => {},
    );
  const kind = choices(["board", ...Object.keys(KNOWN)], (key) =>
    key === "board" ? texts.solving.ofBoard : texts.daily.names[key],
  );
  kind.addEventListener("change", () => {
    level.disabled = pattern.disabled = kind.value === "zip";
  });
  const level = choices(LEVELS, (key) => capital(texts.puzzle.levels[key]));
  const pattern = choices(["", ...PATTERNS], (key) => texts.puzzle.patterns[key || "none"]);
  const button = (kind, name, text, onclick) => h(`button${kind}`, { onclick }, icon(name), text);
  const seed = () => Math.floor(Math.random() * MAX_SEED);
  const day = (text) => button(".primary", "puzzle", text, () => onopen(of(dailies(new Date())[0])));
  const wish = () =>
    kind.value === "zip"
      ? { inOrder: IN_ORDER, seed: seed() }
      : { level: level.value, pattern: pattern.value, seed: seed() };
  const place = () => (kind.value === "board" ? {} : { board: decodeState(KNOWN[kind.value]).board, closed: false });
  const fresh = (look, text) => button(look, "dice", text, () => onopen({ ...place(), puzzle: wish() }));
  const element = h(
    "section.section-body",
    { "aria-label": texts.solving.choose },
    h("h2", texts.solving.choose),
    h(
      "div.columns",
      field(texts.solving.kind, kind),
      field(texts.solving.level, level),
      field(texts.solving.pattern, pattern),
    ),
    fresh("", texts.solving.fresh),
    button("", "plus", texts.solving.make, () => onopen({ puzzle: { numbers: [], isMaking: true } })),
  );
  return { element, today: () => day(texts.solving.today), fresh: () => fresh("", texts.solving.another) };
}
