// A puzzle to give away, and what is said and given away of one that is solved.

import { h, icon } from "../../dom.js";
import { isKnight } from "../../model/pieces.js";
import { clock, givenWords, tenths } from "../../model/puzzle.js";
import { makeKeepPicture } from "../../panels/keeppicture.js";
import { copied } from "../../panels/share.js";
import { boardWords } from "../../model/words.js";
import { dated } from "../../numbers.js";
import { fill, texts } from "../../language.js";

// These are copied; on the card squares are drawn, as a font may lack the signs.
const SIGNS = { alone: "🟩", hint: "🟨", mistake: "🟥" };

/**
 * address(): the link to the puzzle. note: where it is said that something was copied. another(): a button for a
 * new puzzle.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {() => {date: Date, which: number} | null} given.daily
 * @param {() => string} given.address
 * @param {HTMLElement} given.note
 * @param {() => HTMLElement} given.another
 * @param {ReturnType<typeof import("./calendar.js").makeCalendar>} given.calendar
 */
export function makeResult({ app, now, daily, address, note, another, calendar }) {
  const keepPicture = makeKeepPicture(app, order);
  const row = () => (now.game ? tenths(now.game.own, now.progress.helped) : []);

  function title() {
    const { board, closed } = app.state;
    const which = texts.solving[daily() ? "ofDay" : isKnight(board.leaps) ? "ofKnight" : "ofPiece"];
    const kind = closed ? texts.common.closed : texts.common.open;
    const level = now.known ? [texts.puzzle.levels[now.known.level]] : [];
    return [which, boardWords(board), kind, ...level].join(", ");
  }

  /** What a sheet of paper says of it: the day, and how it is solved. */
  function caption() {
    const { date } = daily() ?? {};
    const day = date ? [dated(date, { year: "numeric" })] : [];
    const { game } = now;
    const given = game ? [givenWords(game)] : [];
    const lead = isKnight(app.state.board.leaps)
      ? [texts.puzzle.lead]
      : game?.order.length
        ? [texts.puzzle.leadZip]
        : [];
    return [...day, ...given, ...lead].join(" · ");
  }

  async function share() {
    const { progress } = now;
    const signs = row()
      .map((kind) => SIGNS[kind])
      .join("");
    const text = progress?.isDone
      ? `${fill(texts.solving.solvedShare, { title: title(), time: clock(progress.seconds), hints: progress.hints })}\n${signs}\n${address()}`
      : `${title()}\n${address()}`;
    const how = await copied(text, progress?.isDone ? texts.solving.yourResult : texts.solving.linkCopied);
    note.replaceChildren(h("p.soft", {}, how), h("pre.address", {}, text));
  }

  /** The card: what was solved, how, and what it says of nobody's way there. */
  function showSolved() {
    const { progress } = now;
    const text = fill(texts.solving.solved, { time: clock(progress.seconds), hints: progress.hints });
    const look = h("button.quiet", { type: "button", onclick: lookAtTour }, icon("find"), texts.solving.look);
    const give = h("button.primary", { type: "button", onclick: share }, icon("link"), texts.daily.share);
    calendar.show();
    app.announce(
      [
        h("p.verdict.good", {}, text),
        h(
          "div.card",
          {},
          h("p.soft.small", {}, title()),
          h("p.row-of-squares", { "aria-hidden": "true" }, ...row().map((kind) => h(`span.${kind}`))),
        ),
        h("div.row", {}, give, keepPicture, look, another()),
        calendar.element,
      ],
      text,
    );
  }

  /** The tour that was found, in the view that turns it, saves it and knows its facts. */
  function lookAtTour() {
    if (!now.known) return;
    const { board, closed } = app.state;
    app.update({ view: "find", board, closed, tour: order(), start: null, end: null, conditions: null });
  }

  /** The squares of the solution in order. */
  function order() {
    const numbered = [...(now.known?.solution ?? [])].filter(([, number]) => number > 0).sort((a, b) => a[1] - b[1]);
    return numbered.map(([square]) => square);
  }

  return { share, showSolved, order, title, caption };
}
