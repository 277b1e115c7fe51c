// The help of Play: whether the game can still be finished, by which moves, and how.

import * as api from "../../api.js";
import { squareName } from "../../model/board.js";
import { complaint, h, sentence } from "../../dom.js";
import { fromPairs } from "../../model/tour.js";
import { Prospects } from "./prospects.js";
import { latest } from "../../latest.js";
import { fill, texts } from "../../language.js";

const KINDS = { yes: "good", no: "bad", unknown: "plain" };

/**
 * place(): {state, order, moves} as the game is now. onchange(): other marks are known. onleap(order): the way on is to
 * be shown. onback(order): the moves after these are taken back. onhelp(): help was asked for.
 */
export function makeForesight({ place, onchange, onleap, onback, onhelp }) {
  const prospects = new Prospects();
  /** @type {number[] | null} */
  let completion = null;

  const box = h("input", { type: "checkbox", onchange: () => turn() });
  const question = h("button", { onclick: () => ask() }, texts.game.ask);
  const finish = h("button", { hidden: true, onclick: () => onleap(completion) }, texts.game.showHow);
  const back = h("button", { hidden: true });
  const answer = h("div", { role: "status" });
  const list = h("div", { role: "status" });

  function turn() {
    onchange();
    if (box.checked) ask();
    else {
      prospects.stop();
      list.replaceChildren();
    }
  }

  /** What was asked about a path that is no longer there. */
  function forget() {
    reply.forget();
    looking.forget();
    prospects.stop();
    completion = null;
    finish.hidden = back.hidden = true;
    answer.replaceChildren();
    list.replaceChildren();
  }

  function ask() {
    const { state, order, moves } = place();
    if (!order.length || question.disabled) return;
    onhelp();
    answer.replaceChildren(h("p.soft", texts.game.looking));
    reply(async (signal) => {
      const found = await api.completable(state, order, signal);
      if (signal.aborted) return;
      prospects.learn(state, order, found);
      show(state, found);
      if (!box.checked) return;
      onchange();
      await prospects.ask(state, order, moves, onchange);
      if (!signal.aborted) showMoves(state, order, moves);
    });
  }

  const reply = latest({ failed: (error) => answer.replaceChildren(complaint(error)) });

  function show(state, reply) {
    completion = reply.squares ? fromPairs(state.board, reply.squares) : null;
    finish.hidden = !completion;
    const kind = KINDS[reply.answer];
    answer.replaceChildren(
      h(
        `p.notice.${kind}`,
        h("strong", texts.game.answers[reply.answer]),
        reply.reason ? h("span", { lang: "en" }, ` ${sentence(reply.reason)}`) : null,
      ),
    );
    if (reply.answer === "no") lookBack();
  }

  /** Offer the way back to where the game could still be finished: what a longer path can be, a shorter one can. */
  function lookBack() {
    const { state, order } = place();
    looking(async (signal) => {
      let [can, cannot] = [0, order.length];
      while (cannot - can > 1) {
        const middle = Math.floor((can + cannot) / 2);
        const found = await api.completable(state, order.slice(0, middle), signal);
        if (signal.aborted) return;
        if (found.answer === "yes") can = middle;
        else cannot = middle;
      }
      const n = order.length - can;
      back.textContent = can
        ? fill(texts.game.back, { n })
        : fill(texts.game.noStart, { square: squareName(state.board, order[0]) });
      back.onclick = () => {
        onhelp();
        onback(order.slice(0, can));
      };
      back.hidden = false;
    });
  }

  const looking = latest();

  function showMoves(state, order, moves) {
    const known = prospects.of(state, order, moves);
    const lines = Object.keys(KINDS).map((kind) => {
      const names = moves.filter((square) => known.get(square) === kind).map((s) => squareName(state.board, s));
      return names.length ? h("p.small", fill(texts.game.after[kind], { squares: names.join(", ") })) : null;
    });
    list.replaceChildren(...lines.filter(Boolean));
  }

  return {
    ask,
    lookBack,
    forget,
    choice: h("label.check", box, h("span", texts.game.showMoves)),
    actions: [question, finish, back],
    answers: h("div", answer, list),
    toggle: () => box.click(),
    get isOn() {
      return box.checked;
    },
    /** The marks of the moves that can be made now. */
    get marks() {
      const { state, order, moves } = place();
      return box.checked && order.length ? prospects.of(state, order, moves) : new Map();
    },
    /** isDone: nothing is left to ask. */
    allow(isAllowed, isDone) {
      question.disabled = !isAllowed;
      question.hidden = isDone;
    },
  };
}
