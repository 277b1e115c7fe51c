// What there is of the three puzzles of each day: which are solved, those of other days, days in a row, when there are others.

import { h, icon, iconButton, segmented } from "../../dom.js";
import { solvedOn, streak } from "../../model/kept.js";
import { dailies, daysAfter, puzzleNumber, untilTomorrow } from "../../model/daily.js";
import { clock } from "../../model/puzzle.js";
import { dated } from "../../numbers.js";
import { fill, texts } from "../../language.js";

const WEEK = 7;

/** What is asked by one of them. */
export const of = ({ board, closed, puzzle }) => ({ board, closed, puzzle });

const tick = () => [icon("check"), h("span.hidden-label", ` ${texts.daily.solved}`)];

/**
 * A choice of the three of a day; those that are solved have a tick. onopen(patch): one was chosen. Its `show(daily)` says
 * which one is open, or null for none of them: then it has those of today.
 */
export function makeDailies(onopen) {
  let day = new Date();
  const names = [0, 1, 2].map((i) => [String(i), h("span")]);
  const element = segmented(texts.daily.title, names, "", (i) => onopen(of(dailies(day)[Number(i)])), {
    isHidden: true,
  });
  element.show = (/** @type {{date: Date, which: number} | null} */ daily) => {
    day = daily?.date ?? new Date();
    const solved = solvedOn(day);
    for (const [i, { name }] of dailies(day).entries())
      names[i][1].replaceChildren(texts.daily.names[name], ...(solved.includes(i) ? tick() : []));
    element.choose(String(daily?.which));
  };
  return element;
}

/** A week, of which each day until today leads to its puzzle, and has a tick where one was solved. */
export function makeCalendar() {
  let ago = 0;
  const list = h("ol.week");
  const days = h("p.soft.small");
  const next = h("p.soft.small");
  const ahead = h("p.soft.small", texts.daily.ahead);
  const later = iconButton("next", texts.daily.later, () => turn(-1));
  const before = iconButton("back", texts.daily.before, () => turn(1));
  const element = h(
    "section.daily-days",
    { "aria-label": texts.daily.calendar },
    days,
    h("div.weeks", list, before, later, next),
    ahead,
  );

  function turn(by) {
    ago += by;
    draw();
  }

  function draw(now = new Date()) {
    const monday = daysAfter(now, -((now.getDay() + 6) % WEEK) - WEEK * ago);
    later.disabled = ago === 0;
    before.disabled = puzzleNumber(monday) < 1;
    list.replaceChildren(...Array.from({ length: WEEK }, (_, i) => cell(daysAfter(monday, i), now)));
  }

  function cell(date, now) {
    const weekday = dated(date, { day: undefined, month: undefined, weekday: "narrow" });
    const name = h("span", { "aria-hidden": "true" }, weekday);
    const number = String(date.getDate());
    if (date > now) return h("li", name, h("span.day", number));
    const solved = solvedOn(date).length;
    const label = fill(texts.daily.day, { date: dated(date), n: solved });
    const attributes = {
      href: `#${dailies(date)[0].link}`,
      "aria-label": label,
      title: label,
      "aria-current": date.getTime() === daysAfter(now, 0).getTime() ? "date" : null,
    };
    return h("li", name, h(`a.day${solved ? ".solved" : ""}`, attributes, solved ? icon("check") : number));
  }

  /** Show this week. hasCount: with the days in a row in words. */
  function show({ hasCount = true } = {}) {
    const now = new Date();
    const length = streak(now);
    days.hidden = !hasCount;
    days.textContent = length ? fill(texts.solving.days, { n: length }) : texts.daily.none;
    ahead.hidden = !solvedOn(daysAfter(now, 1)).length;
    ago = 0;
    draw(now);
    tickOn(now);
  }

  function tickOn(now = new Date()) {
    next.textContent = fill(texts.daily.next, { time: clock(untilTomorrow(now)) });
  }

  return { element, show, tick: tickOn };
}
