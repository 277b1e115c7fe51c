// What is around a puzzle: the buttons below its board, and the section that says which puzzle it is.

import { boardWords } from "../model/board.js";
import { capital, h, icon, iconButton, plural, segmented } from "../dom.js";
import { streak } from "../model/kept.js";
import { clock } from "../model/puzzle.js";

/**
 * The buttons, by name, and what holds them. `does` has a function for each button: undo, redo, erase, restart, turn(step),
 * check, hint, share.
 */
export function makeDesk(does) {
  let hasTimer = true;
  let seconds = null;

  const undo = iconButton("undo", "Undo", does.undo);
  const redo = iconButton("redo", "Redo", does.redo);
  const erase = iconButton("erase", "Erase", does.erase);
  const restart = iconButton("first", "Restart", does.restart);
  const direction = segmented(
    "Count",
    [
      ["1", "Up", "Each click writes the next number"],
      ["-1", "Down", "Each click writes the number before"],
    ],
    "1",
    (value) => does.turn(Number(value)),
    { isHidden: true },
  );
  const check = h(
    "button",
    { type: "button", "aria-label": "Check for mistakes", onclick: does.check },
    icon("check"),
    "Check",
  );
  const hint = h("button", { type: "button", onclick: does.hint }, icon("help"), "Hint");
  const time = h("output.count", { "aria-label": "Time" });
  const tools = h(
    "div.tools",
    { role: "group", "aria-label": "Game" },
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
  const timerLabel = h("label.check", {}, timer, h("span", {}, "Show the time"));
  const print = h("button", { type: "button", onclick: () => window.print() }, icon("print"), "Print");
  const share = h("button", { type: "button", onclick: does.share }, icon("link"), "Share");
  const note = h("div", { role: "status" });
  const about = h(
    "section.section.flat",
    { "aria-label": "Puzzle" },
    h("h2", {}, "Puzzle"),
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
   * @param {import("../model/state.js").State} shown.state
   * @param {import("../model/puzzle.js").Game | null} shown.game
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
      button.disabled = level === null || (game.left === 0 && button === hint);
    }
    share.disabled = level === null;
    share.hidden = timerLabel.hidden = isMaking;
    print.disabled = !game;
    const given = level === null ? "" : ` ${capital(level)}, ${game.given.size} of ${game.count} numbers are given.`;
    const kind = `${boardWords(board)}, ${closed ? "closed" : "open"}`;
    words.textContent = `${isToday ? "The puzzle of the day: " : ""}${kind}.${given}`;
    const length = streak(new Date());
    days.textContent = length ? `${plural(length, "day")} in a row solved.` : "";
    days.hidden = !length;
  }

  return { tools, about, note, buttons: { undo, redo, restart, check, hint }, direction, show, showTime };
}
