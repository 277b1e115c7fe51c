// Help with a puzzle on request: the mistakes, and the easiest next step with its reason.

import * as api from "../../api.js";
import { h, sentence } from "../../dom.js";
import { squareNamed } from "../../model/board.js";
import { waiting } from "../../panels/answer.js";
import { latest } from "../../latest.js";
import { fill, texts } from "../../language.js";

const STEPS = 3;

/**
 * keep(): store the game, since help is counted. act(event): change the puzzle.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {(square: number) => string} given.name
 * @param {(event: Parameters<typeof import("../../model/solving.js").reduce>[1]) => void} given.act
 * @param {() => void} given.keep
 * @param {() => void} given.draw
 */
export function makeAid({ app, now, name, act, keep, draw }) {
  // The current hint and its level of detail.
  /** @type {{square: number, number: number | null, reason: string} | null} */
  let given = null;
  let step = 0;

  function mistakes() {
    const { game, known } = now;
    return [...(game?.own ?? [])].filter(([s, number]) => known?.solution.get(s) !== number).map(([s]) => s);
  }

  function showMistakes() {
    const { game, known, progress } = now;
    if (!game || !known) return;
    const wrong = mistakes();
    for (const square of wrong) progress.helped.set(square, "mistake");
    now.marks = { faults: wrong };
    now.hinted = null;
    const text = wrong.length
      ? fill(texts.solving.mistakes, { n: wrong.length, squares: wrong.map(name).join(", ") })
      : texts.solving.noMistakes;
    app.announce(h(`p.verdict${wrong.length ? ".no" : ".good"}`, text), text);
    keep();
    draw();
  }

  /** Show a hint; each repetition adds detail: the square, the reason, and the number. */
  function askHint() {
    const { game, known } = now;
    if (given && game && now.hinted === given.square) {
      step = Math.min(step + 1, STEPS);
      tell();
      return;
    }
    cancel();
    if (!game || !known) return;
    const wrong = mistakes()[0];
    if (wrong !== undefined) {
      const reason = fill(texts.solving.isNot, { number: game.at(wrong), square: name(wrong) });
      begin({ square: wrong, number: null, reason });
      return;
    }
    const { board } = app.state;
    // A hint depends on numbers that the previous hints place.
    const ready = known.hints?.find(([word]) => game.at(squareNamed(board, word)) === null);
    if (ready) {
      const [word, number, reason] = ready;
      begin({ square: squareNamed(board, word), number, reason });
      return;
    }
    const filled = Object.fromEntries([...game.own].map(([square, number]) => [name(square), number]));
    app.announce(waiting(texts.solving.looking, "p.soft"));
    answer(
      (signal) => api.hint(known.asked, filled, signal),
      ({ hint }) => hint && begin({ ...hint, square: hint.square[0] * board.cols + hint.square[1] }),
    );
  }

  const answer = latest({ failed: (error) => app.complain(error) });

  /** number: null to remove the number. */
  function begin({ square, number, reason }) {
    const { progress } = now;
    const isWrong = number === null;
    // Help counts, even after a check; a repeated hint does not.
    if (isWrong || progress.helped.get(square) !== "hint") progress.hints += 1;
    progress.helped.set(square, isWrong ? "mistake" : "hint");
    given = { square, number, reason };
    step = 1;
    now.hinted = square;
    now.marks = isWrong ? { faults: [square] } : {};
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
      act(number === null ? { type: "clear", square } : { type: "write", square, number });
    };
    const isWrong = number === null;
    const where = isWrong
      ? fill(texts.solving.lookWrong, { square: name(square) })
      : fill(texts.solving.lookAt, { square: name(square) });
    const lead = step < STEPS || isWrong ? where : fill(texts.solving.belongs, { number, square: name(square) });
    const why = step > 1 ? h("p.reason", { lang: number === null ? null : "en" }, sentence(reason)) : null;
    const put = h("button", { onclick: take }, isWrong ? texts.solving.takeAway : texts.solving.putThere);
    const next = h("button", { onclick: askHint }, texts.solving.hintSteps[step - 1]);
    const hadFocus = app.isAnswering;
    app.announce(
      [h("p.verdict", lead), why, h("p", step < STEPS ? next : put)],
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
