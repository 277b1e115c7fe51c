// Titles and links of a puzzle, and the finish of a solved one.

import { h, icon } from "../../dom.js";
import { smallKnot } from "../../drawing/knot.js";
import { encodeState } from "../../model/link.js";
import { longestPause, MAX_NUMBER, movesAt } from "../../model/pace.js";
import { isKnight } from "../../model/pieces.js";
import { clock, givenWords, ruleOf, tenths } from "../../model/puzzle.js";
import { beatFigure, makeFinish } from "../../panels/finish.js";
import { copyTo, linkTo } from "../../panels/share.js";
import { keepKnot, solvedOn, streak } from "../../model/kept.js";
import { dailies, puzzleNumber } from "../../model/daily.js";
import { questionWords } from "../../model/words.js";
import { dated } from "../../numbers.js";
import { fill, texts } from "../../language.js";

// These characters are copied; the card has drawn squares, since a font may lack the characters.
const SIGNS = { alone: "🟩", hint: "🟨", mistake: "🟥" };

/**
 * address(): the link to the puzzle. note: element for messages about copying. open(daily): opens another puzzle of the
 * day; another(): a button for a new puzzle.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {() => {date: Date, which: number} | null} given.daily
 * @param {() => string} given.address
 * @param {HTMLElement} given.note
 * @param {(daily: ReturnType<typeof dailies>[number]) => void} given.open
 * @param {() => HTMLElement} given.another
 * @param {ReturnType<typeof import("./calendar.js").makeCalendar>} given.calendar
 */
export function makeResult({ app, now, daily, address, note, open, another, calendar }) {
  const finish = makeFinish(app, order);

  function title() {
    const which = texts.solving[daily() ? "ofDay" : isKnight(app.state.board.leaps) ? "ofKnight" : "ofPiece"];
    const level = now.known ? [texts.puzzle.levels[now.known.level]] : [];
    return [which, questionWords(app.state), ...level].join(", ");
  }

  function when() {
    const { date } = daily() ?? {};
    return date ? [dated(date, { year: "numeric" })] : [];
  }

  function caption() {
    const { game } = now;
    const given = game ? [givenWords(game)] : [];
    return [...when(), ...given, ...(game ? [ruleOf(game)] : [])].join(" · ");
  }

  /** The link, or the result of a solved puzzle. */
  const share = () =>
    now.progress?.isDone ? finish.share() : copyTo(note, `${title()}\n${address()}`, texts.save.copied);

  /** The streak in days, 0 if the puzzle is not a daily one. */
  const daysInRow = () => (daily() ? streak(new Date()) : 0);

  /** The link with the time and the pace, for a comparison at the finish. */
  function challenge() {
    const { board, closed, puzzle } = app.state;
    const { seconds, pace } = now.progress;
    const shared = pace.length && pace.every(([number]) => number <= MAX_NUMBER) ? pace : null;
    return linkTo(encodeState({ board, closed, view: "puzzle", puzzle, beat: Math.max(1, seconds), pace: shared }));
  }

  /** Title and details: the number of the puzzle, its kind, the time, and the days in a row. */
  function headline() {
    const { date, which } = daily() ?? {};
    const { level } = now.known ?? {};
    const name = date && which === 2 ? texts.daily.names[dailies(date)[which].name] : texts.puzzle.levels[level ?? ""];
    const days = daysInRow();
    const title = date ? fill(texts.finish.numbered, { n: String(puzzleNumber(date)) }) : texts.finish.name;
    const details = [
      ...(date ? [] : [questionWords(app.state)]),
      ...(name ? [name] : []),
      clock(now.progress.seconds),
      ...(days ? [fill(texts.finish.days, { n: days })] : []),
    ];
    return { title, details };
  }

  /** The text to copy: the headline, a square for each tenth, and the link. It reveals no number. */
  function lines(kinds) {
    const { title, details } = headline();
    return [[title, ...details].join(" · "), kinds.map((kind) => SIGNS[kind]).join(""), challenge()];
  }

  function next() {
    const { date } = daily() ?? {};
    const solved = date ? solvedOn(date) : [];
    const left = date ? dailies(date).find((_, which) => !solved.includes(which)) : null;
    if (!left) return another();
    const words = fill(texts.finish.next, { name: texts.daily.names[left.name] });
    return h("button", { onclick: () => open(left) }, words, icon("next"));
  }

  /** Both knots side by side, each at the pace of its solver; null if the link contains no pace. */
  function comparison() {
    const { board, closed, pace: sent } = app.state;
    const { pace } = now.progress;
    if (!sent?.length || !pace.length) return null;
    const path = order();
    const one = (name, of) =>
      h("figure", smallKnot(board, path, closed, movesAt(of, path.length)), h("figcaption", name));
    const [mine, theirs] = [longestPause(pace), longestPause(sent)];
    const words =
      mine === theirs ? fill(texts.finish.bothPaused, { n: mine }) : fill(texts.finish.paused, { mine, theirs });
    return h(
      "section.comparison",
      { "aria-label": texts.finish.comparison },
      one(texts.finish.you, pace),
      one(texts.finish.sender, sent),
      h("p.soft.small", words),
    );
  }

  function verdict(time) {
    const { date } = daily() ?? {};
    if (!date) return fill(texts.finish.solved, { time });
    return fill(texts.finish.tied, { day: dated(date, { day: undefined, month: undefined, weekday: "long" }) });
  }

  function showSolved() {
    const { progress, game } = now;
    const { board, closed } = app.state;
    const { date, which = 0 } = daily() ?? {};
    const kinds = game ? tenths(game.own, progress.helped) : [];
    const isAlone = kinds.every((kind) => kind === "alone");
    const time = clock(progress.seconds);
    const days = daysInRow();
    const look = h("button.quiet", { onclick: lookAtTour }, icon("find"), texts.solving.look);
    if (date) keepKnot(date, which, { board, closed, tour: order() });
    calendar.show({ hasCount: !days });
    /** @type {[string, string][]} */
    const figures = [
      [time, isAlone ? texts.finish.alone : fill(texts.finish.hinted, { n: progress.hints })],
      ...(days ? [/** @type {[string, string]} */ ([String(days), fill(texts.finish.inRow, { n: days })])] : []),
      ...(date ? [/** @type {[string, string]} */ ([String(puzzleNumber(date)), texts.finish.puzzle])] : []),
      ...beatFigure(app.state.beat, progress.seconds),
    ];
    app.announce(
      [
        ...finish.parts({
          verdict: verdict(time),
          figures,
          row: isAlone
            ? null
            : h("p.row-of-squares", { "aria-hidden": "true" }, ...kinds.map((kind) => h(`span.${kind}`))),
          lines: () => lines(kinds),
          sent: () => ({ title: headline().title, line: headline().details.join(" · "), address: challenge() }),
          copied: texts.solving.yourResult,
          next: next(),
          isOwn: true,
          more: [look],
        }),
        comparison(),
        calendar.element,
        h("p.soft.small", [...when(), title()].join(" · ")),
      ],
      fill(texts.solving.solved, { time, hints: progress.hints }),
    );
  }

  /** Open the tour in Explore, to turn it, save it and see its facts. */
  function lookAtTour() {
    if (!now.known) return;
    const { board, closed } = app.state;
    app.update({ view: "find", board, closed, tour: order(), start: null, end: null, conditions: null });
  }

  function order() {
    const numbered = [...(now.known?.solution ?? [])].filter(([, number]) => number > 0).sort((a, b) => a[1] - b[1]);
    return numbered.map(([square]) => square);
  }

  return { share, showSolved, order, title, caption };
}
