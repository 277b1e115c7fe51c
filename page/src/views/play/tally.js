// The counts of the current game, below the board: squares to go, undos, the time. They can be hidden.

import { h } from "../../dom.js";
import { isShown, keepShown } from "../../model/kept.js";
import { clock } from "../../model/puzzle.js";
import { freshRound } from "../../model/levels.js";
import { fill, texts } from "../../language.js";

/** onsecond(): a second of the game passed. */
export function makeTally(onsecond) {
  let round = freshRound();
  let left = 0;
  let isOver = false;
  let ticking = 0;

  const element = h("p.tally", { "aria-label": texts.game.count, role: "group" });
  const box = h("input", {
    type: "checkbox",
    checked: isShown("tally"),
    onchange: () => {
      keepShown("tally", box.checked);
      draw();
    },
  });

  function draw() {
    // The card of a won game shows the same counts.
    element.hidden = !box.checked || isOver;
    const words = [
      fill(texts.game.toGo, { n: left }),
      fill(texts.game.undos, { n: round.undos }),
      clock(round.seconds),
    ];
    element.replaceChildren(...words.map((each) => h("span", each)));
  }

  function tick() {
    if (document.hidden) return;
    onsecond();
  }

  return {
    element,
    choice: h("label.check", box, h("span", texts.game.showCount)),
    /** Show these counts. */
    tell(/** @type {import("../../model/levels.js").Round} */ counts) {
      round = counts;
      draw();
    },
    /** Show the number of squares to go; the time runs during the game. */
    show(counts, toGo, { isRunning, isDone }) {
      round = counts;
      left = toGo;
      isOver = isDone;
      clearInterval(ticking);
      ticking = isRunning ? setInterval(tick, 1000) : 0;
      draw();
    },
    stop() {
      clearInterval(ticking);
    },
  };
}
