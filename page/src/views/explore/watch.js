// Watch: a search, step by step, forwards and backwards.

import * as api from "../../api.js";
import { capital, complaint, h, icon, isCalm, say } from "../../dom.js";
import { squareName } from "../../model/board.js";
import { QUESTION } from "../../model/state.js";
import { fromPairs } from "../../model/tour.js";
import { answerOf, asked, waiting } from "../../panels/answer.js";
import { makeExistence } from "../../panels/existence.js";
import { Recording } from "./recording.js";
import { makeLegend } from "./legend.js";
import { makePlayer } from "../../panels/player.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";

const DEFAULT = { method: "warnsdorff", options: {} };

export function makeWatchView(app) {
  const recording = new Recording(app);
  // Whether the end was seen, since nothing reveals the outcome before. Then the tour, if any.
  let isTold = false;
  let found = null;
  // The recorded search: its method, its seed, its start, and a sentence about it.
  let search = { way: DEFAULT, seed: 1, start: null, words: "" };
  // The tour of a search that was seen to its end, and its search.
  /** @type {{result: object, search: typeof search} | null} */
  let seen = null;

  const message = h("div");
  const origin = h("p.small.origin");
  const legend = makeLegend(app.words.counters);
  const frames = () => recording.replay.frames;
  const isOver = (frame) => recording.isDone && frame >= frames();
  const player = makePlayer({
    frames,
    isOver,
    isSeen: () => app.view === view,
    onframe: drawFrame,
    onseek(frame) {
      const words = isOver(frame) ? verdict() : recording.words || texts.watch.notStarted;
      say(fill(texts.watch.said, { step: frame, last: frames(), words }));
    },
    onend: () => say(verdict()),
  });
  const draw = () => player.draw();

  function verdict() {
    const { result, error } = recording;
    return error ? error.message : answerOf(result, app.state)[1];
  }

  function drawFrame(frame) {
    recording.show(Math.min(frame, frames()));
    legend.explain(new Set(recording.counted));
    if (!isTold && isOver(frame)) tellEnd();
  }

  function tellEnd() {
    isTold = true;
    report(verdict());
    const { result } = recording;
    if (!result?.squares) return;
    found = fromPairs(app.state.board, result.squares);
    seen = { result, search: { ...search, words: "" } };
    app.update({ tour: found, result });
  }

  /** Show the sentence beside the board, unless a proof that there is no tour is shown there. */
  function report(words) {
    if (!existence.refutation(app.state)) app.announce(h(`p.verdict${isTold ? "" : ".small"}`, capital(words)));
  }

  /**
   * Choose the search that found the tour on the screen, or the search of the method in a link; otherwise a search for
   * such a tour from the same square.
   */
  function choose() {
    const { result, tour, start, seed, method, options } = app.state;
    const rest = { seed: seed ?? 1, start, words: "" };
    if (seen && result === seen.result) return seen.search;
    if (result && app.methods[result.method]?.watchable) {
      const way = { method: result.method, options: method === result.method ? options : {} };
      return { ...rest, way, seed: result.seed };
    }
    if (method !== "auto" && app.methods[method]?.watchable) return { ...rest, way: { method, options } };
    if (!tour) return { ...rest, way: DEFAULT };
    const [square] = tour;
    const name = squareName(app.state.board, square);
    const words = fill(texts.watch.instead, { isBuilt: String(Boolean(result)), square: name });
    return { way: DEFAULT, seed: 1, start: start ?? square, words };
  }

  function record(next = choose()) {
    search = next;
    player.rewind();
    origin.textContent = search.words;
    origin.hidden = !search.words;
    message.replaceChildren();
    isTold = false;
    found = null;
    const wanted = looked();
    reportSearch(fill(texts.watch.looking, { tour: wanted }));
    const onmore = () => {
      if (app.view !== view) return;
      if (recording.isDone) finish(wanted);
      draw();
    };
    recording.record(onmore, search);
    draw();
    if (!isCalm()) player.toggle(true);
  }

  /** Show that the search is being recorded, with a button that ends it. */
  function reportSearch(words) {
    if (tellProof()) return;
    const stop = h("button", { onclick: stopAll }, icon("close"), texts.common.stop);
    app.announce([waiting(words), h("div.buttons", stop)]);
  }

  function stopAll() {
    recording.stop();
    finish(looked());
    draw();
    player.focus();
  }

  const looked = () => tourWords(texts.board.aTour, asked({ ...app.state, start: search.start }));

  function finish(wanted) {
    player.pace();
    message.replaceChildren(...(recording.error && !recording.isStopped ? [complaint(recording.error)] : []));
    report(fill(texts.watch.recordedSearch, { tour: wanted }));
    if (!player.isPlaying) say(texts.watch.recorded);
  }

  // A search continues even if no tour exists; meanwhile the page shows the reason.
  const existence = makeExistence(() => tellProof());

  /** Report that no tour exists, if a proof is known. Return whether it is known. */
  function tellProof() {
    const proof = existence.refutation(app.state);
    if (proof) app.announce(...answerOf(proof, app.state));
    return proof !== null;
  }

  const onclick = () => record({ ...search, seed: api.randomSeed(), words: "" });
  const again = h("button", { onclick }, icon("dice"), texts.watch.again);

  const view = {
    title: texts.watch.title,
    // A recording does not change.
    isFixed: true,
    transport: player.elements,
    panel: [
      origin,
      recording.comment,
      h("section", { "aria-label": texts.explore.short.watch }, recording.lines.element),
      message,
      h("div.row", again),
      legend.element,
    ],
    get tour() {
      return found;
    },
    enter: () => record(),
    hide() {
      player.toggle(false);
      existence.stop();
      recording.leave();
    },
    show(changed) {
      if (changed.has("view")) return;
      const isNew = changed.has("tour") && app.state.tour !== found;
      if (isNew || ["method", "options", "seed", ...QUESTION].some((key) => changed.has(key))) record();
      else draw();
    },
    keys: player.keys,
    help: player.help,
  };
  return view;
}
