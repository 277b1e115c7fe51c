// What is around a puzzle: the buttons below its board, and the section that says which puzzle it is.

import { capital, h, icon, iconButton, segmented } from "../../dom.js";
import { streak } from "../../model/kept.js";
import { clock } from "../../model/puzzle.js";
import { texts } from "../../language.js";

/**
 * The buttons, by name, and what holds them. `does` has a function for each button: undo, redo, erase, restart, turn(step),
 * check, hint, share.
 */
export function makeDesk(does) {
  let hasTimer = true;
  /** @type {number | null} */
  let seconds = null;

  const undo = iconButton("undo", texts.common.undo, does.undo);
  const redo = iconButton("redo", texts.common.redo, does.redo);
  const erase = iconButton("erase", texts.solving.erase, does.erase);
  const restart = iconButton("first", texts.common.restart, does.restart);
  const direction = segmented(
    texts.solving.count,
    [
      ["1", texts.solving.up, texts.solving.upHint],
      ["-1", texts.solving.down, texts.solving.downHint],
    ],
    "1",
    (value) => does.turn(Number(value)),
    { isHidden: true },
  );
  const check = h(
    "button",
    { type: "button", "aria-label": texts.solving.checkLabel, onclick: does.check },
    icon("check"),
    texts.solving.check,
  );
  const hint = h("button", { type: "button", onclick: does.hint }, icon("help"), texts.solving.hint);
  const time = h("output.count", { "aria-label": texts.solving.time });
  const tools = h(
    "div.tools",
    { role: "group", "aria-label": texts.solving.game },
    h("div.tools", {}, undo, redo, erase, restart),
    direction,
    h("div.tools", {}, check, hint, time),
  );
  const words = h("p.words");
  const days = h("p.soft.small");
  const timer = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      hasTimer = timer.checked;
      showTime(seconds);
    },
  });
  const timerLabel = h("label.check", {}, timer, h("span", {}, texts.solving.showTime));
  const print = h("button", { type: "button", onclick: () => window.print() }, icon("print"), texts.common.print);
  const share = h("button", { type: "button", onclick: does.share }, icon("link"), texts.common.share);
  const note = h("div", { role: "status" });
  const about = h(
    "section.section.flat",
    { "aria-label": texts.puzzle.title },
    h("h2", {}, texts.puzzle.title),
    words,
    days,
    timerLabel,
    h("div.buttons", {}, share, print),
    note,
  );

  /** null: no time is counted. */
  function showTime(passed) {
    seconds = passed;
    time.hidden = !hasTimer || seconds === null;
    if (seconds !== null) time.textContent = clock(seconds);
  }

  /**
   * Show what can be done now. level: of the puzzle that is being solved, null where none is.
   * @param {object} shown
   * @param {import("../../model/state.js").State} shown.state
   * @param {import("../../model/puzzle.js").Game | null} shown.game
   * @param {string | null} shown.level
   * @param {boolean} shown.isMaking
   * @param {boolean} shown.isToday
   */
  function show({ state: { board, closed, puzzle }, game, level, isMaking, isToday }) {
    undo.disabled = !game?.canUndo;
    redo.disabled = !game?.canRedo;
    erase.disabled = restart.disabled = !game?.own.size;
    tools.hidden = about.hidden = !puzzle;
    direction.hidden = isMaking;
    for (const button of [check, hint]) {
      button.hidden = isMaking;
      button.disabled = level === null || (game?.left === 0 && button === hint);
    }
    share.disabled = level === null;
    share.hidden = timerLabel.hidden = isMaking;
    print.disabled = !game;
    const given =
      level === null || !game
        ? ""
        : ` ${texts.solving.givenOf(capital(texts.puzzle.levels[level]), game.given.size, game.count)}`;
    const kind = `${texts.board.words(board)}, ${closed ? texts.common.closed : texts.common.open}`;
    words.textContent = `${texts.solving.about(isToday, kind)}${given}`;
    const length = streak(new Date());
    days.textContent = length ? texts.solving.days(length) : "";
    days.hidden = !length;
  }

  return { tools, about, note, buttons: { undo, redo, restart, check, hint }, direction, show, showTime };
}
