// Find: choose the conditions, and see immediately a tour or the reason why none exists.

import * as api from "../../api.js";
import { makeBoard, squareCount, squareName } from "../../model/board.js";
import { capital, debounce, h, icon, isTyping, say, segmented } from "../../dom.js";
import { latest } from "../../latest.js";
import { typed } from "../../model/methods.js";
import { QUESTION } from "../../model/state.js";
import { answerOf, asked, closedToo, tellStopped, waiting } from "../../panels/answer.js";
import { copyTo } from "../../panels/share.js";
import { makeProof } from "./proof.js";
import { makeReplay } from "../../panels/replay.js";
import { fromPairs } from "../../model/tour.js";
import { tourWords } from "../../model/words.js";
import { fixed } from "../../numbers.js";
import { fill, texts } from "../../language.js";

const ASKED = [...QUESTION, "method", "options", "seed"];
const SECONDS = 10;
// The longest search that the server accepts.
const LONGEST = 30;

const LIVELY = { method: "merge", options: {}, seed: 1 };
const isLarge = ({ board, seed }) => squareCount(board) >= 400 && seed === null;

export function makeFindView(app) {
  let tool = "start";
  let ticking = 0;
  // Time limit of the search, in seconds.
  let most = SECONDS;
  // Whether holes are being painted; the request is sent afterwards.
  let isDue = false;

  const proof = makeProof(app, () => draw());
  const replay = makeReplay(app, () => draw());
  const again = h("button.primary", { onclick: another }, icon("dice"), texts.find.another);
  const stop = h("button", { hidden: true, onclick: () => answer.stop() }, icon("close"), texts.find.stop);
  const tools = segmented(
    texts.setup.clickSets,
    [
      ["start", texts.setup.start],
      ["end", texts.setup.end],
      ["holes", texts.setup.holes, texts.setup.holesHint],
    ],
    tool,
    useTool,
  );
  tools.hidden = true;
  app.setup.clear.before(tools);

  function useTool(name) {
    tool = name;
    app.board.element.classList.toggle("is-painting", tool === "holes");
    tools.choose(tool);
  }

  /** Send the problem; only the latest request counts. */
  function ask(how, { isAnother = false, seconds = SECONDS } = {}) {
    const { state } = app;
    most = seconds;
    answer(
      async (signal) => {
        const search = (way) => api.solve(state, { ...way, ...typed(app.methods, way), seconds }, signal);
        // Large constructions look like wallpaper, so the first tour comes from a random search.
        const isLively = isLarge(state) && !isAnother && how.method === "auto";
        const first = isLively ? await search({ ...how, ...LIVELY }) : null;
        return first?.status === "found" ? first : search(how);
      },
      (result) => {
        if (["view", ...QUESTION].some((key) => app.state[key] !== state[key])) return;
        const tour = result.squares ? fromPairs(state.board, result.squares) : null;
        app.update({ tour, result }, { isStep: isAnother && app.state.tour !== null });
        // A question below the result displays the result itself.
        if (app.view !== view) return;
        draw(true);
        report();
      },
    );
  }

  const answer = latest({
    busy: (isBusy) => busy(isBusy),
    failed: (error) => app.complain(error),
    stopped: () => tellStopped(app),
  });
  const askSoon = debounce(150, () => ask(app.state));

  /** Send the problem immediately, or after input in a text field or a drag over squares has ended. */
  function askWhenSettled() {
    isDue = app.board.isPainted;
    if (isDue) return;
    if (isTyping()) askSoon();
    else ask(app.state);
  }

  function forget() {
    askSoon.cancel();
    isDue = false;
    answer.forget();
  }

  /** Constructions always give the same tour, so another one is searched for. */
  function another() {
    const { state } = app;
    const row = app.methods[state.method];
    const varies = row?.varies && state.method !== "auto";
    const { method, options } = state;
    ask({ ...api.byChance(state.board), ...(varies ? { method, options } : {}) }, { isAnother: true });
  }

  function busy(isBusy) {
    clearInterval(ticking);
    const hadFocus = document.activeElement === stop;
    stop.hidden = true;
    if (hadFocus) (again.hidden ? app.board.element : again).focus();
    app.board.element.setAttribute("aria-busy", String(isBusy));
    app.wait(isBusy);
    if (!isBusy) return;
    const began = performance.now();
    ticking = setInterval(() => {
      const seconds = (performance.now() - began) / 1000;
      if (seconds < 0.4) return;
      stop.hidden = false;
      if (app.view === view) app.announce(waiting(fill(texts.find.searching, { seconds: fixed(seconds, 0), most })));
    }, 200);
  }

  function report() {
    const { state } = app;
    if (state.result) {
      const [elements, spoken] = answerOf(state.result, state);
      const longer = h(
        "button",
        { onclick: () => ask(state, { seconds: LONGEST }) },
        fill(texts.find.longer, { seconds: LONGEST }),
      );
      app.announce([...elements, state.result.status === "undecided" ? longer : null], spoken);
    }
    // A tour from elsewhere has only its own start.
    else {
      const start = state.tour?.[0] === state.start ? state.start : null;
      const words = tourWords(texts.board.tour, asked({ ...state, start, end: null, conditions: null }));
      app.announce([h("p.verdict", capital(words)), closedToo(state)]);
    }
  }

  /** A closed tour through a new start remains; it is rotated to begin there. */
  function rotated({ start = null, end = null }) {
    const { tour, closed, conditions, result, seed } = app.state;
    if (!tour || !closed || conditions || seed !== null || start === null || end !== null) return {};
    const at = tour.indexOf(start);
    return { tour: [...tour.slice(at), ...tour.slice(0, at)], result };
  }

  function draw(isNew = false) {
    if (replay.draw()) return;
    const { shown } = proof;
    // The given ends are among the marks of a proof.
    app.drawTour(shown ? { isNew, proof: shown, start: null, end: null } : { isNew });
  }

  const note = h("div", { role: "status" });
  const copy = () => copyTo(note, app.address, texts.save.copied);
  const share = h("button.quiet", { onclick: copy }, icon("link"), texts.common.share);
  const view = {
    title: texts.find.title,
    actions: [again, stop, replay.button, share],
    panel: [note, app.facts],
    again: [again, stop],
    transport: [proof.element, replay.element],
    enter() {
      tools.hidden = false;
      useTool(tool);
    },
    hide() {
      tools.hidden = true;
      forget();
      note.replaceChildren();
      replay.end();
      // The views share the board; in other views a finger scrolls it.
      app.board.element.classList.remove("is-painting");
    },
    show(changed) {
      tools.querySelector('input[value="end"]').disabled = app.state.closed;
      tools.querySelector('input[value="holes"]').disabled = Boolean(app.state.board.shape);
      proof.show(app.state);
      replay.show();
      if (ASKED.some((key) => changed.has(key))) {
        // A running request belongs to the previous problem.
        forget();
        note.replaceChildren();
        if (!(changed.has("tour") && app.state.tour)) askWhenSettled();
        else report();
      }
      draw();
    },
    isPainting: () => tool === "holes",
    onsquare(square) {
      const { board, start, end, closed } = app.state;
      if (board.holes.includes(square)) {
        say(fill(texts.common.isHole, { square: squareName(board, square) }));
        return;
      }
      const key = tool === "end" && !closed ? "end" : "start";
      const other = key === "start" ? "end" : "start";
      const old = key === "start" ? start : end;
      const value = old === square ? null : square;
      const patch = { [key]: value };
      if (value !== null && app.state[other] === value) patch[other] = null;
      app.update({ ...patch, ...rotated(patch) });
      const isStart = key === "start";
      if (value === null) say(isStart ? texts.find.noStart : texts.find.noEnd);
      else say(fill(texts.find[isStart ? "start" : "end"], { square: squareName(board, square) }));
      // After the start, the next click usually sets the end.
      if (key === "start" && old === null && !closed && end === null) useTool("end");
    },
    onpaint(square, isHole, isMore) {
      const { board, start, end } = app.state;
      const holes = isHole ? [...board.holes, square] : board.holes.filter((hole) => hole !== square);
      if (holes.length === board.rows * board.cols) return;
      const ends = { start: start === square ? null : start, end: end === square ? null : end };
      app.update({ board: makeBoard({ ...board, holes }), ...ends }, { isMore });
      say(fill(texts.common[isHole ? "isHole" : "isSquare"], { square: squareName(board, square) }));
    },
    onpainted() {
      if (isDue) askWhenSettled();
    },
    describe(square) {
      const { board, tour, start, end } = app.state;
      const words = [squareName(board, square)];
      if (board.holes.includes(square)) words.push(texts.common.hole);
      if (square === start) words.push(texts.find.isStart);
      if (square === end) words.push(texts.find.isEnd);
      const step = tour?.indexOf(square) ?? -1;
      if (step >= 0) words.push(fill(texts.find.number, { n: step + 1 }));
      return words.join(", ");
    },
    get keys() {
      return { n: another, ...proof.keys, ...replay.keys };
    },
    get help() {
      return [...texts.find.keys, ...proof.help, ...replay.help];
    },
  };
  return view;
}
