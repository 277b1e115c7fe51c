// Compare: two tours of one board side by side, with what they share.

import * as api from "../../api.js";
import { BoardView } from "../../drawing/boardview.js";
import { because, complaint, freshId, h, icon, stopFor } from "../../dom.js";
import { answerOf, tellStopped, waiting } from "../../panels/answer.js";
import { factRows, factsOf } from "./facts.js";
import { latest } from "../../latest.js";
import { QUESTION } from "../../model/state.js";
import { fromPairs, isClosed, moveSet, sharedMoves } from "../../model/tour.js";
import { fill, texts } from "../../language.js";

export function makeCompareView(app) {
  const side = (name) => {
    const board = new BoardView({ label: name, zoom: app.zoom });
    const title = h("h2", { id: freshId("side") }, name);
    return {
      board,
      element: h("section.lane", { "aria-labelledby": title.id }, h("div.lane-head", title), board.element),
    };
  };
  const first = side(texts.compare.firstTour);
  const second = side(texts.compare.secondTour);
  const boards = h("div.lanes.of-2", first.element, second.element);
  const table = h("table.compare");
  const verdict = h("div", { role: "status" });

  const swap = h(
    "button",
    { onclick: () => app.update({ tour: app.state.other, other: app.state.tour }) },
    icon("swap"),
    texts.compare.swap,
  );
  const another = h("button.primary", { onclick: () => find() }, icon("dice"), texts.compare.another);
  const [stop, swapStop] = stopFor(another, () => finding.stop());
  const mirror = h("button", { onclick: () => app.update({ other: app.state.tour }) }, texts.compare.same);

  /** A tour that differs from the first, if the board has one; and a first one where there is none. */
  function find() {
    const { state } = app;
    finding(
      async (signal) => {
        const search = (how) => api.solve(state, { ...how, seconds: 10 }, signal);
        const one = state.tour ? null : await search({ method: "auto", options: {} });
        if (one && !one.squares) return { one };
        return { one, two: await search(api.byChance(state.board)) };
      },
      ({ one, two }) => {
        // Not found is not impossible: the answer says which.
        if (!two) {
          app.announce(...answerOf(one, state));
          return;
        }
        const patch = one ? { tour: fromPairs(state.board, one.squares) } : {};
        app.update(two.squares ? { ...patch, other: fromPairs(state.board, two.squares) } : patch);
        if (!two.squares) tellMissing(two);
      },
    );
  }

  const finding = latest({
    busy: (isBusy) => busy(isBusy),
    failed: (error) => app.complain(error),
    stopped: () => tellStopped(app),
  });

  function busy(isBusy) {
    swapStop(isBusy);
    if (!isBusy) return;
    const words = texts.compare.looking;
    app.announce(waiting(words), words);
  }

  /** There is a first tour; the search for another one gave none. */
  function tellMissing(result) {
    const words = result.status === "impossible" ? texts.compare.noSecond : texts.compare.noneInTime;
    app.announce([h("p.verdict.open", `${words}.`), ...because(result)], words);
  }

  function draw() {
    const { board, tour, other, style, numbers } = app.state;
    for (const [view, order, against, name] of [
      [first, tour, other, texts.compare.firstTour],
      [second, other, tour, texts.compare.secondTour],
    ]) {
      if (!order) {
        view.board.draw({ board, scene: {}, style, numbers });
        continue;
      }
      const closed = isClosed(board, order);
      const shared = against && sharedMoves(order, closed, moveSet(against, isClosed(board, against)));
      view.board.draw({ board, style, numbers, scene: { path: order, closed, isWhole: true, shared } });
      view.board.call(
        fill(texts.compare.board, {
          name,
          first: view.board.name(order[0]),
          last: view.board.name(order[order.length - 1]),
        }),
      );
    }
  }

  function report() {
    const { board, tour, other } = app.state;
    if (!tour || !other) {
      telling.forget();
      table.replaceChildren();
      return;
    }
    telling(
      (signal) =>
        Promise.all([
          factsOf(board, tour, signal),
          factsOf(board, other, signal),
          api.compare(board, tour, other, signal),
        ]),
      (found) => tell(found),
    );
  }

  const telling = latest({ failed: (error) => verdict.replaceChildren(complaint(error)) });

  function tell([a, b, both]) {
    const { board, tour, other } = app.state;
    const rows = factRows(board, tour, a);
    const others = factRows(board, other, b);
    const row = (/** @type {any[]} */ [name, value], i) => {
      const [, other] = others[i];
      return h(value === other ? "tr" : "tr.differs", h("th", { scope: "row" }, name), h("td", value), h("td", other));
    };
    table.replaceChildren(
      h("caption.hidden-label", texts.compare.facts),
      h(
        "thead",
        h(
          "tr",
          h("td"),
          [texts.compare.first, texts.compare.second].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h("tbody", rows.map(row)),
    );
    const words = both.equal
      ? texts.compare.equal
      : both.same_moves
        ? texts.compare.sameMoves
        : both.same_up_to_symmetry
          ? texts.compare.turned
          : texts.compare.differ;
    const moves = moveSet(tour, isClosed(board, tour)).size;
    app.announce(
      [h("p.verdict", words), h("p.soft.small", fill(texts.compare.common, { n: both.common_moves, all: moves }))],
      `${words} ${fill(texts.compare.saidCommon, { n: both.common_moves })}`,
    );
    verdict.replaceChildren();
  }

  const view = {
    title: texts.compare.title,
    actions: [another, stop, swap, mirror],
    boards: [boards],
    panel: [
      h(
        "section.section-body",
        { "aria-label": texts.compare.title },
        h(
          "ul.legend",
          h("li", h("span.key.key-same", { "aria-hidden": "true" }), texts.compare.both),
          h("li", h("span.key.key-own", { "aria-hidden": "true" }), texts.compare.one),
        ),
        verdict,
        table,
      ),
    ],
    hide() {
      finding.forget();
      telling.forget();
    },
    show(changed) {
      if (QUESTION.some((key) => changed.has(key)) && !(app.state.tour && app.state.other)) find();
      draw();
      if (changed.has("tour") || changed.has("other")) report();
    },
    keys: { n: () => find(), x: () => swap.click() },
    help: texts.compare.keys,
  };
  return view;
}
