// Help with a puzzle, for those who ask: what is wrong, and the easiest next step with its reason.

import * as api from "../../api.js";
import { h, sentence } from "../../dom.js";
import { waiting } from "../../panels/answer.js";
import { latest } from "../../latest.js";
import { texts } from "../../language.js";

const STEPS = 3;

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
  // What is hinted at, and how much of it was said.
  /** @type {{square: number, number: number | null, reason: string} | null} */
  let given = null;
  let step = 0;

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

  /** Each time that it is asked for, a hint says more: where to look, why, and the answer. */
  function askHint() {
    const { game, known } = now;
    if (given && game && now.hinted === given.square) {
      step = Math.min(step + 1, STEPS);
      tell();
      return;
    }
    cancel();
    if (!game || !known) return;
    const filled = Object.fromEntries([...game.own].map(([square, number]) => [name(square), number]));
    app.announce(waiting(texts.solving.looking, "p.soft"));
    answer(
      (signal) => api.hint(known.asked, filled, signal),
      ({ hint: found }) => found && begin(found),
    );
  }

  const answer = latest({ failed: (error, isStopped) => isStopped || app.complain(error) });

  function begin({ square: [r, c], number, kind, reason }) {
    const { progress } = now;
    const square = r * app.state.board.cols + c;
    if (!progress.helped.has(square) || kind === "mistake") progress.hints += 1;
    progress.helped.set(square, kind === "mistake" ? "mistake" : "hint");
    given = { square, number, reason };
    step = 1;
    now.hinted = square;
    now.marks = kind === "mistake" ? { faults: [square] } : {};
    tell();
    keep();
    draw();
  }

  function tell() {
    if (!given) return;
    const { square, number, reason } = given;
    const take = () => {
      app.board.element.focus();
      app.board.cursor = square;
      if (number === null) filling.clear(square);
      else filling.write(square, number);
    };
    const isWrong = number === null;
    const where = isWrong ? texts.solving.lookWrong(name(square)) : texts.solving.lookAt(name(square));
    const lead = step < STEPS || isWrong ? where : texts.solving.belongs(number, name(square));
    const why = step > 1 ? h("p.reason", { lang: "en" }, sentence(reason)) : null;
    const put = h(
      "button",
      { type: "button", onclick: take },
      isWrong ? texts.solving.takeAway : texts.solving.putThere,
    );
    const next = h("button", { type: "button", onclick: askHint }, texts.solving.hintSteps[step - 1]);
    const hadFocus = app.isAnswering;
    app.announce(
      [h("p.verdict", {}, lead), why, h("p", {}, step < STEPS ? next : put)],
      [lead, step > 1 ? sentence(reason) : ""].filter(Boolean).join(" "),
    );
    if (hadFocus) (step < STEPS ? next : put).focus();
  }

  function cancel() {
    answer.forget();
    given = null;
  }

  return { showMistakes, askHint, cancel };
}
