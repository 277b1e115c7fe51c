// Play: lead the knight yourself.

import * as api from "../api.js";
import { degree, neighbours, squareCount, squareName } from "../model/board.js";
import { complaint, duration, h, icon, say } from "../dom.js";
import { QUESTION } from "../model/link.js";
import { fromPairs, isClosed } from "../model/tour.js";

export function makePlayView(app) {
  // Squares taken back, the last one on top, until another move is made.
  let undone = [];
  // The path as it was led here. Turning the board, or a link, puts another in its place.
  let led = null;
  let hasHints = false;
  let asksAlways = false;
  let controller = null;
  let completion = null;

  const path = () => app.state.played ?? [];
  const legal = () => {
    const { board, start } = app.state;
    const order = path();
    if (order.length) return neighbours(board)[order[order.length - 1]].filter((s) => !order.includes(s));
    return start === null ? null : [start];
  };
  const isFull = () => path().length === squareCount(app.state.board);

  const undo = h("button", { type: "button", onclick: () => takeBack() }, icon("undo"), "Undo");
  const redo = h("button", { type: "button", onclick: () => goOn() }, icon("redo"), "Redo");
  const restart = h("button", { type: "button", onclick: () => set([], true) }, icon("first"), "Restart");
  const hints = h("input", {
    type: "checkbox",
    onchange: () => {
      hasHints = hints.checked;
      draw();
    },
  });
  const always = h("input", {
    type: "checkbox",
    onchange: () => {
      asksAlways = always.checked;
      if (asksAlways) ask();
    },
  });
  const question = h("button.wide", { type: "button", onclick: ask }, "Can it still be finished?");
  const finish = h("button.wide", { type: "button", hidden: true, onclick: () => set(completion) }, "Show me how");
  const answer = h("div", { role: "status" });

  /** What was asked about a path that is no longer there. */
  function forget() {
    controller?.abort();
    completion = null;
    finish.hidden = true;
    answer.replaceChildren();
  }

  function set(order, isNew = false) {
    forget();
    if (isNew) undone = [];
    led = order.length ? order : null;
    app.update({ played: led });
    if (isFull()) {
      const { board, closed } = app.state;
      if (!closed || isClosed(board, order)) app.update({ tour: order });
    }
    report();
    if (asksAlways) ask();
  }

  function move(square) {
    const { board } = app.state;
    const name = squareName(board, square);
    const order = path();
    if (board.holes.includes(square)) return say(`${name} is a hole`);
    const options = legal();
    if (options && !options.includes(square)) {
      if (square === order[order.length - 2]) return takeBack();
      if (!order.length) return say(startWords());
      return say(
        order.includes(square)
          ? `${name} was visited as number ${order.indexOf(square) + 1}`
          : `No move leads to ${name}`,
      );
    }
    if (undone[undone.length - 1] === square) undone.pop();
    else undone = [];
    return set([...order, square]);
  }

  function takeBack() {
    const order = path();
    if (!order.length) return;
    undone.push(order[order.length - 1]);
    set(order.slice(0, -1));
  }

  function goOn() {
    if (undone.length) set([...path(), undone.pop()]);
  }

  /** Put the cursor on the next square that may be visited. */
  function cycle(by) {
    const options = legal() ?? [];
    if (!options.length) return;
    const at = options.indexOf(app.board.cursor);
    app.board.element.focus();
    app.board.moveCursor(options[at < 0 ? 0 : (at + by + options.length) % options.length]);
  }

  async function ask() {
    const order = path();
    if (!order.length || isFull()) return;
    controller?.abort();
    const mine = (controller = new AbortController());
    answer.replaceChildren(h("p.soft", {}, "Looking …"));
    try {
      const reply = await api.completable(app.state, order, mine.signal);
      if (mine !== controller) return;
      completion = reply.squares ? fromPairs(app.state.board, reply.squares) : null;
      finish.hidden = !completion;
      const words = {
        yes: ["good", "Yes, it can be finished."],
        no: ["bad", "No, it cannot be finished any more."],
        unknown: ["", "Not known: the search took too long."],
      }[reply.answer];
      answer.replaceChildren(
        h(
          `p.notice.${words[0] || "plain"}`,
          {},
          h("strong", {}, words[1]),
          reply.reason ? ` ${reply.reason}` : "",
          reply.seconds !== undefined ? h("span.soft.small", {}, ` ${duration(reply.seconds)}`) : null,
        ),
      );
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) answer.replaceChildren(complaint(error));
    }
  }

  function draw() {
    const { board, style, numbers, start, end, closed } = app.state;
    const order = path();
    const visited = new Set(order);
    const options = legal() ?? [];
    const isWhole = isFull();
    const isLoop = isWhole && isClosed(board, order);
    app.board.draw({
      board,
      style,
      numbers,
      scene: {
        path: order,
        closed: isLoop,
        isWhole: isWhole && (!closed || isLoop),
        isNew: false,
        legal: options,
        candidates: hasHints && order.length ? new Map(options.map((s) => [s, degree(board, s, visited)])) : null,
        knight: order.length && !isWhole ? order[order.length - 1] : null,
        start: order.length ? order[0] : start,
        end,
      },
    });
    app.board.call(
      `${squareCount(board)} squares, ${order.length} visited${order.length ? `, the knight is on ${squareName(board, order[order.length - 1])}` : ""}`,
    );
    undo.disabled = !order.length;
    redo.disabled = !undone.length;
    restart.disabled = !order.length;
    question.disabled = !order.length || isWhole;
  }

  function startWords() {
    const { board, start } = app.state;
    return `Put the knight on ${start === null ? "any square" : `${squareName(board, start)}, where it is to start`}.`;
  }

  function report() {
    const { board, closed, end } = app.state;
    const order = path();
    const count = squareCount(board);
    if (!order.length) {
      app.announce(h("p.verdict", {}, startWords()));
      return;
    }
    const here = squareName(board, order[order.length - 1]);
    const ways = legal().length;
    let words = `${order.length} of ${count} squares, ${ways} way${ways === 1 ? "" : "s"} on`;
    let kind = "";
    if (order.length === count) {
      const hasEnd = end === null || order[count - 1] === end;
      const isLoop = isClosed(board, order);
      if ((!closed || isLoop) && hasEnd)
        [words, kind] = [`Done: ${isLoop ? "a closed tour" : "a tour"} of all ${count} squares!`, ".good"];
      else
        [words, kind] = [
          closed
            ? "All squares, but no move leads back to the start."
            : `All squares, but it does not end on ${squareName(board, end)}.`,
          ".no",
        ];
    } else if (!ways)
      [words, kind] = [
        `A dead end, with ${count - order.length} square${count - order.length === 1 ? "" : "s"} left. Take some moves back.`,
        ".no",
      ];
    app.announce(h(`p.verdict${kind}`, {}, words), `${here}. ${words}`);
  }

  const view = {
    title: "Play",
    /** Only a game that has come to its end is a tour. */
    get tour() {
      const { board, closed } = app.state;
      return isFull() && (!closed || isClosed(board, path())) ? path() : null;
    },
    icon: "knight",
    transport: [h("div.buttons", { role: "group", "aria-label": "Game" }, undo, redo, restart)],
    panel: [
      h(
        "section.section.flat",
        { "aria-label": "Help" },
        h("h2", {}, "Help"),
        h("label.check", {}, hints, h("span", {}, "Hints: the ways on from each square")),
        h("label.check", {}, always, h("span", {}, "Tell me after every move whether it can be finished")),
        question,
        finish,
        answer,
      ),
      app.setup,
      app.facts,
      app.save,
    ],
    hide: () => controller?.abort(),
    show(changed) {
      const isAnother = changed.has("played") && app.state.played !== led;
      if (isAnother || changed.has("board")) undone = [];
      if (isAnother || QUESTION.some((key) => changed.has(key))) {
        forget();
        report();
      }
      draw();
    },
    onsquare: move,
    describe(square) {
      const { board } = app.state;
      const order = path();
      const words = [squareName(board, square)];
      const step = order.indexOf(square);
      const options = legal();
      if (board.holes.includes(square)) words.push("hole");
      else if (step === order.length - 1 && step >= 0) words.push("the knight");
      else if (step >= 0) words.push(`visited, number ${step + 1}`);
      else if (!options || options.includes(square)) {
        words.push("can be visited");
        if (hasHints) words.push(`${degree(board, square, new Set(order))} ways on`);
      } else words.push("free");
      return words.join(", ");
    },
    keys: {
      u: () => takeBack(),
      Backspace: () => takeBack(),
      y: () => goOn(),
      r: () => set([], true),
      h: () => {
        hints.click();
        say(hasHints ? "Hints on" : "Hints off");
      },
      f: ask,
      n: () => cycle(1),
      p: () => cycle(-1),
    },
    help: {
      "n p": "cursor to the next, the previous square that can be visited",
      "u, Backspace": "undo",
      y: "redo",
      r: "restart",
      h: "hints",
      f: "can it still be finished?",
    },
  };
  return view;
}
