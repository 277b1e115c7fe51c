// The help of Play: whether the game can still be finished, and how.

import * as api from "../../api.js";
import { squareName } from "../../model/board.js";
import { complaint, h, sentence } from "../../dom.js";
import { fromPairs } from "../../model/tour.js";
import { latest } from "../../latest.js";
import { fill, texts } from "../../language.js";

const KINDS = { yes: "good", no: "bad", unknown: "plain" };

/**
 * place(): the state and the path of the game. onleap(order): show the continuation. onback(order): revert to these
 * moves. onhelp(): help was used.
 */
export function makeForesight({ place, onleap, onback, onhelp }) {
  /** @type {number[] | null} */
  let completion = null;

  const question = h("button", { onclick: () => ask() }, texts.game.ask);
  const finish = h("button", { hidden: true, onclick: () => onleap(completion) }, texts.game.showHow);
  const back = h("button", { hidden: true });
  const answer = h("div", { role: "status" });

  /** Forget results about an earlier path. */
  function forget() {
    reply.forget();
    looking.forget();
    completion = null;
    finish.hidden = back.hidden = true;
    answer.replaceChildren();
  }

  function ask() {
    const { state, order } = place();
    if (!order.length || question.disabled) return;
    onhelp();
    answer.replaceChildren(h("p.soft", texts.game.looking));
    reply(async (signal) => {
      const found = await api.completable(state, order, signal);
      if (signal.aborted) return;
      show(state, found);
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

  /** Offer to return to the latest position that can be finished: every shorter path can be finished too. */
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

  return {
    ask,
    lookBack,
    forget,
    actions: [question, finish, back],
    answers: answer,
    /** isDone: no help is needed. */
    allow(isAllowed, isDone) {
      question.disabled = !isAllowed;
      question.hidden = isDone;
    },
  };
}
