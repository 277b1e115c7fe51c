// Help with a puzzle, for those who ask: what is wrong, and the easiest next step with its reason.

import * as api from "../../api.js";
import { h, sentence } from "../../dom.js";
import { texts } from "../../language.js";

/**
 * keep(): the game is to be kept, since help is counted with it. filling: what filling.js makes.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {(square: number) => string} given.name
 * @param {{write: (square: number, number: number) => unknown, clear: (square: number) => unknown}} given.filling
 * @param {() => void} given.keep
 * @param {() => void} given.draw
 */
export function makeAid({ app, now, name, filling, keep, draw }) {
  /** @type {AbortController | null} */
  let controller = null;

  function showMistakes() {
    const { game, known, progress } = now;
    if (!game || !known) return;
    const wrong = [...game.own.keys()].filter((square) => known.solution.get(square) !== game.own.get(square));
    for (const square of wrong) progress.helped.set(square, "mistake");
    now.marks = { faults: wrong };
    now.hinted = null;
    const text = wrong.length
      ? texts.solving.mistakes(wrong.length, wrong.map(name).join(", "))
      : texts.solving.noMistakes;
    app.announce(h(`p.verdict${wrong.length ? ".no" : ".good"}`, {}, text), text);
    keep();
    draw();
  }

  async function askHint() {
    const { game, known } = now;
    cancel();
    if (!game || !known) return;
    const mine = (controller = new AbortController());
    const filled = Object.fromEntries([...game.own].map(([square, number]) => [name(square), number]));
    app.announce(h("p.soft", {}, h("span.spinner"), texts.solving.looking));
    try {
      const { hint: found } = await api.hint(known.asked, filled, mine.signal);
      if (mine === controller && found) showHint(found);
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) app.complain(error);
    }
  }

  function showHint({ square: [r, c], number, kind, reason }) {
    const { progress } = now;
    const square = r * app.state.board.cols + c;
    if (!progress.helped.has(square) || kind === "mistake") progress.hints += 1;
    progress.helped.set(square, kind === "mistake" ? "mistake" : "hint");
    now.hinted = square;
    now.marks = kind === "mistake" ? { faults: [square] } : {};
    const take = () => {
      app.board.element.focus();
      app.board.cursor = square;
      if (number === null) filling.clear(square);
      else filling.write(square, number);
    };
    const button = h(
      "button",
      { type: "button", onclick: take },
      number === null ? texts.solving.takeAway : texts.solving.putThere,
    );
    const lead = number === null ? "" : texts.solving.belongs(number, name(square));
    const why = h("span", { lang: "en" }, sentence(reason));
    app.announce([h("p.words", {}, lead, why), h("p", {}, button)], `${lead}${sentence(reason)}`);
    keep();
    draw();
  }

  function cancel() {
    controller?.abort();
    controller = null;
  }

  return { showMistakes, askHint, cancel };
}
