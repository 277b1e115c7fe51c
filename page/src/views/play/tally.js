// The counts of the current game, below the board: squares to go, undos, the time. They can be hidden.

import { h } from "../../dom.js";
import { isShown, keepShown } from "../../model/kept.js";
import { clock } from "../../model/puzzle.js";
import { freshRound } from "../../model/levels.js";
import { fill, texts } from "../../language.js";

/** onsecond(): a second of the game passed. */
export function makeTally(onsecond) {
  let shown = { round: freshRound(), left: 0, isRunning: false, isDone: false };
  let ticking = 0;

  const element = h("p.tally", { "aria-label": texts.game.count, role: "group" });
  const box = h("input", {
    type: "checkbox",
    checked: isShown("tally"),
    onchange: () => {
      keepShown("tally", box.checked);
      show();
    },
  });

  function stop() {
    clearInterval(ticking);
    ticking = 0;
  }

  /** Show the changed values; the time runs during the game. */
  function show(/** @type {Partial<typeof shown>} */ changes = {}) {
    shown = { ...shown, ...changes };
    if (!shown.isRunning) stop();
    else ticking ||= setInterval(() => document.hidden || onsecond(), 1000);
    const { round, left, isDone } = shown;
    // The card of a won game shows the same counts.
    element.hidden = !box.checked || isDone;
    const words = [
      fill(texts.game.toGo, { n: left }),
      fill(texts.game.undos, { n: round.undos }),
      clock(round.seconds),
    ];
    element.replaceChildren(...words.map((each) => h("span", each)));
  }

  return { element, choice: h("label.check", box, h("span", texts.game.showCount)), show, stop };
}
