// The daily puzzles: the choice among the three of a day, the knots of a week or a month, and the next puzzle.

import { h, icon, iconButton, s, segmented } from "../../dom.js";
import { smallKnot } from "../../drawing/knot.js";
import { isLate, knotOn, solvedOn, streak } from "../../model/kept.js";
import { dailies, daysAfter, puzzleNumber, untilTomorrow } from "../../model/daily.js";
import { clock } from "../../model/puzzle.js";
import { questionWords } from "../../model/words.js";
import { dated } from "../../numbers.js";
import { fill, texts } from "../../language.js";

const WEEK = 7;

export const of = ({ board, closed, puzzle }) => ({ board, closed, puzzle });

const tick = () => [icon("check"), h("span.hidden-label", ` ${texts.daily.solved}`)];

/**
 * The choice among the three puzzles of a day; solved puzzles have a tick. onopen(patch): the user chose one. Its
 * `show(daily)` marks the open one; null shows the puzzles of today.
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

function covered({ rows, cols }) {
  const squares = Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);
  const dark = squares.filter(([r, c]) => (r + c) % 2).map(([r, c]) => `M${c} ${r}h1v1h-1z`);
  const attributes = { class: "covered", viewBox: `0 0 ${cols} ${rows}`, "aria-hidden": "true" };
  return s("svg", attributes, s("path", { d: dark.join("") }));
}

/**
 * The knots of a week, or of a month. Each day until today is a link to its puzzle. A day with a solved puzzle shows its
 * knot, or a tick if the knot was not stored. Below them: tomorrow's first puzzle, covered.
 */
export function makeCalendar() {
  let ago = 0;
  let isMonth = false;
  const list = h("ol.week");
  const title = h("p.soft.small");
  const days = h("p.soft.small");
  const next = h("p.soft.small");
  const kind = h("p");
  const cover = h("div.cover");
  const ahead = h("p.soft.small", texts.daily.ahead);
  const later = iconButton("next", texts.daily.later, () => turn(-1));
  const before = iconButton("back", texts.daily.before, () => turn(1));
  const range = h("button.quiet", { onclick: () => choose(!isMonth) });
  const element = h(
    "section.daily-days",
    { "aria-label": texts.daily.calendar },
    days,
    list,
    h("div.weeks", before, later, range, title),
    h("div.tomorrow", cover, h("div", kind, next)),
    ahead,
  );

  function turn(by) {
    ago += by;
    draw();
  }

  /** Show months or weeks: the period that contains the visible days. */
  function choose(isWanted) {
    ago = 0;
    isMonth = isWanted;
    draw();
  }

  function shownDays(now) {
    if (!isMonth) return { first: daysAfter(now, -((now.getDay() + 6) % WEEK) - WEEK * ago), count: WEEK };
    const first = new Date(now.getFullYear(), now.getMonth() - ago, 1);
    return { first, count: new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate() };
  }

  function draw(now = new Date()) {
    const { first, count } = shownDays(now);
    later.disabled = ago === 0;
    before.disabled = puzzleNumber(first) < 1;
    const [earlier, after] = isMonth
      ? [texts.daily.monthBefore, texts.daily.monthLater]
      : [texts.daily.before, texts.daily.later];
    for (const [button, words] of /** @type {const} */ ([
      [before, earlier],
      [later, after],
    ])) {
      button.title = words;
      button.setAttribute("aria-label", words);
    }
    range.textContent = isMonth ? texts.daily.week : texts.daily.month;
    title.textContent = isMonth ? dated(first, { day: undefined, month: "long", year: "numeric" }) : "";
    list.classList.toggle("wall", isMonth);
    const cells = Array.from({ length: count }, (_, i) => cell(daysAfter(first, i), now));
    // Weeks begin on Monday.
    cells[0].style.setProperty("grid-column-start", String(((first.getDay() + 6) % WEEK) + 1));
    list.replaceChildren(...cells);
  }

  function cell(date, now) {
    const weekday = dated(date, { day: undefined, month: undefined, weekday: "narrow" });
    const number = String(date.getDate());
    const name = h("span", { "aria-hidden": "true" }, isMonth ? number : weekday);
    if (date > now) return h("li", name, h("span.day.ahead", isMonth ? "" : number));
    const solved = solvedOn(date).length;
    const label = fill(texts.daily.day, { date: dated(date), n: solved });
    const attributes = {
      href: `#${dailies(date)[0].link}`,
      "aria-label": label,
      title: label,
      "aria-current": date.getTime() === daysAfter(now, 0).getTime() ? "date" : null,
    };
    const knot = solved ? knotOn(date) : null;
    const picture = knot?.tour
      ? smallKnot(knot.board, knot.tour, knot.closed)
      : solved
        ? icon("check")
        : isMonth
          ? ""
          : number;
    const kind = `${solved ? ".solved" : ""}${knot ? ".tied" : ""}${solved && isLate(date) ? ".late" : ""}`;
    return h("li", name, h(`a.day${kind}`, attributes, picture));
  }

  /** Show this week or month. hasCount: with the streak in words. */
  function show({ hasCount = true } = {}) {
    const now = new Date();
    const length = streak(now);
    days.hidden = !hasCount;
    days.textContent = length ? fill(texts.solving.days, { n: length }) : texts.daily.none;
    const tomorrow = daysAfter(now, 1);
    ahead.hidden = !solvedOn(tomorrow).length;
    const [first] = dailies(tomorrow);
    const words = [questionWords(first), texts.puzzle.levels[first.puzzle.level ?? ""]].join(", ");
    kind.textContent = fill(texts.daily.tomorrow, { puzzle: words });
    cover.replaceChildren(covered(first.board));
    ago = 0;
    draw(now);
    tickOn(now);
  }

  function tickOn(now = new Date()) {
    next.textContent = fill(texts.daily.next, { time: clock(untilTomorrow(now)) });
  }

  return { element, show, tick: tickOn };
}
