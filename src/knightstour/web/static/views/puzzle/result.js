// A puzzle to give away, and what is said and given away of one that is solved.

import { h, icon } from "../../dom.js";
import { clock, tenths } from "../../model/puzzle.js";
import { copied } from "./making.js";
import { texts } from "../../language.js";

/**
 * address(): the link to the puzzle. note: where it is said that something was copied. another(): a button for a
 * new puzzle.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {() => boolean} given.isToday
 * @param {() => string} given.address
 * @param {HTMLElement} given.note
 * @param {() => HTMLElement} given.another
 */
export function makeResult({ app, now, isToday, address, note, another }) {
  const row = () => (now.game ? tenths(now.game.own, now.progress.helped) : "");

  function title() {
    const { board, closed } = app.state;
    const which = isToday() ? texts.solving.ofDay : texts.solving.ofKnight;
    const kind = closed ? texts.common.closed : texts.common.open;
    const level = now.known ? [texts.puzzle.levels[now.known.level]] : [];
    return [which, texts.board.words(board), kind, ...level].join(", ");
  }

  async function share() {
    const { progress } = now;
    const text = progress?.isDone
      ? `${texts.solving.solvedShare(title(), clock(progress.seconds), progress.hints)}\n${row()}\n${address()}`
      : `${title()}\n${address()}`;
    const how = await copied(text, progress?.isDone ? texts.solving.yourResult : texts.solving.linkCopied);
    note.replaceChildren(h("p.soft", {}, how), h("pre.address", {}, text));
  }

  function showSolved() {
    const text = texts.solving.solved(clock(now.progress.seconds), now.progress.hints);
    const look = h("button", { type: "button", onclick: lookAtTour }, icon("find"), texts.solving.look);
    const squares = h("p.row-of-squares", { "aria-hidden": "true" }, row());
    app.announce([h("p.verdict.good", {}, text), squares, h("div.buttons", {}, look, another())], text);
  }

  /** The tour that was found, in the view that turns it, saves it and knows its facts. */
  function lookAtTour() {
    if (!now.known) return;
    const numbered = [...now.known.solution].filter(([, number]) => number > 0).sort((a, b) => a[1] - b[1]);
    app.update({ view: "find", tour: numbered.map(([square]) => square), start: null, end: null, conditions: null });
  }

  return { share, showSolved };
}
