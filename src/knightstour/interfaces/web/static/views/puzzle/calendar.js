// What there is of the three puzzles of each day: which are open, solved, how many days in a row, and when there are others.

import { h, segmented } from "../../dom.js";
import { solvedOn, streak } from "../../model/kept.js";
import { clock, dailies, untilTomorrow } from "../../model/puzzle.js";
import { texts } from "../../language.js";

const DAY_MS = 86_400_000;
const WEEKS = 5;

/** onopen(patch): one of the three was chosen. */
export function makeDailies(onopen) {
  const choices = dailies(new Date()).map(({ name }, i) => [String(i), texts.daily.names[name]]);
  const element = segmented(texts.daily.title, choices, "", (i) => onopen(of(dailies(new Date())[Number(i)])), {
    isHidden: true,
  });
  return element;
}

/** What is asked by one of them. */
export const of = ({ board, closed, puzzle }) => ({ board, closed, puzzle });

/** A small calendar of the last weeks: each day with how many of its puzzles were solved. */
export function makeCalendar() {
  const grid = h("ol.calendar");
  const days = h("p.soft.small");
  const next = h("p.soft.small");
  const element = h("section.daily-days", { "aria-label": texts.daily.calendar }, days, grid, next);

  function show(now = new Date()) {
    const length = streak(now);
    days.textContent = length ? texts.solving.days(length) : texts.daily.none;
    // Weeks begin on Monday, and the last one is this.
    const count = 7 * (WEEKS - 1) + ((now.getUTCDay() + 6) % 7) + 1;
    grid.replaceChildren(
      ...Array.from({ length: count }, (_, i) => {
        const date = new Date(now.getTime() - (count - 1 - i) * DAY_MS);
        const solved = solvedOn(date).length;
        const label = texts.daily.day(date, solved);
        return h(`li.day.solved-${solved}`, { "aria-label": label, title: label }, String(date.getUTCDate()));
      }),
    );
    tick(now);
  }

  function tick(now = new Date()) {
    next.textContent = texts.daily.next(clock(untilTomorrow(now)));
  }

  return { element, show, tick };
}
