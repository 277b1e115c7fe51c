// The surroundings of a puzzle: the buttons below its board, and the section that identifies the puzzle.

import { h, icon } from "../../dom.js";
import { beatWords } from "../../panels/finish.js";
import { clock, givenWords } from "../../model/puzzle.js";
import { questionWords } from "../../model/words.js";
import { dated } from "../../numbers.js";
import { texts } from "../../language.js";

/**
 * The buttons, by name, and their container. `does` has a function for each button: undo, redo, erase, restart, check,
 * hint, share, type(digit).
 */
export function makeDesk(does) {
  let hasTimer = true;
  /** @type {number | null} */
  let seconds = null;

  const word = (name, text, onclick, attributes = {}) => h("button", { onclick, ...attributes }, icon(name), text);
  const undo = word("undo", texts.common.undo, does.undo);
  const redo = word("redo", texts.common.redo, does.redo);
  const erase = word("erase", texts.solving.erase, does.erase);
  const restart = word("first", texts.common.restart, does.restart);
  const check = word("check", texts.solving.check, does.check);
  const hint = word("help", texts.solving.hint, does.hint);
  const keypad = makeKeypad(does.type, does.erase);
  const time = h("output.count", { "aria-label": texts.solving.time });
  const tools = h(
    "div.tools.is-row",
    { role: "group", "aria-label": texts.play.game },
    undo,
    hint,
    check,
    keypad.button,
    time,
  );
  const words = h("p.words.soft.small");
  const filled = h("i");
  const bar = h("div.filled", { role: "progressbar", "aria-label": texts.puzzle.filled, "aria-valuemin": 0 }, filled);
  const timer = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      hasTimer = timer.checked;
      showTime(seconds);
    },
  });
  const timerLabel = h("label.check", timer, h("span", texts.solving.showTime));
  const print = word("print", texts.common.print, () => window.print());
  const share = word("link", texts.common.share, does.share);
  const note = h("div", { role: "status" });
  const more = h("div.section-body", h("div.row", redo, erase, restart), timerLabel, h("div.row", share, print));

  function showTime(passed) {
    seconds = passed;
    time.hidden = !hasTimer || seconds === null;
    if (seconds !== null) time.textContent = clock(seconds);
  }

  /**
   * Enable the available actions. level: level of the current puzzle, or null.
   * @param {object} shown
   * @param {import("../../model/state.js").State} shown.state
   * @param {import("../../model/solving.js").Solving | null} shown.solving
   * @param {string | null} shown.level
   * @param {boolean} shown.isMaking
   * @param {Date | null} shown.day - the day of a daily puzzle
   */
  function show({ state, solving, level, isMaking, day }) {
    const { puzzle, beat } = state;
    const game = solving?.game ?? null;
    undo.disabled = !solving?.past.length;
    redo.disabled = !solving?.future.length;
    erase.disabled = restart.disabled = !game?.own.size;
    tools.hidden = more.hidden = !puzzle;
    keypad.button.hidden = !game;
    for (const button of [check, hint]) {
      button.hidden = isMaking;
      button.disabled = level === null || (game?.left === 0 && button === hint);
    }
    share.disabled = level === null;
    share.hidden = timerLabel.hidden = isMaking;
    print.disabled = !game;
    const [own, all] = game ? [game.own.size, game.own.size + game.left] : [0, 0];
    bar.hidden = isMaking || level === null;
    bar.setAttribute("aria-valuemax", String(all));
    bar.setAttribute("aria-valuenow", String(own));
    filled.style.setProperty("--share", String(all ? own / all : 0));
    const parts = [...(day ? [dated(day)] : []), questionWords(state)];
    if (level !== null && game) parts.push(texts.puzzle.levels[level], givenWords(game));
    words.textContent = beatWords(beat) + parts.join(" · ");
  }

  return {
    tools,
    bar,
    more,
    words,
    note,
    keypad: keypad.element,
    buttons: { undo, redo, restart, check, hint },
    show,
    showTime,
  };
}

/**
 * ontype(digit): a digit was pressed; onerase(): remove the number of the square. `button` shows and hides the keypad.
 */
function makeKeypad(ontype, onerase) {
  const digit = (n) => h("button", { onclick: () => ontype(String(n)) }, String(n));
  const erase = h(
    "button",
    { onclick: onerase, "aria-label": texts.solving.erase, title: texts.solving.erase },
    icon("erase"),
  );
  const element = h(
    "div.keypad",
    { id: "keypad", role: "group", "aria-label": texts.solving.keypad, hidden: true },
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(digit),
    erase,
  );
  const button = h(
    "button",
    {
      "aria-expanded": "false",
      "aria-controls": "keypad",
      onclick: () => {
        element.hidden = !element.hidden;
        button.setAttribute("aria-expanded", String(!element.hidden));
      },
    },
    icon("keys"),
    texts.solving.keys,
  );
  return { element, button };
}
