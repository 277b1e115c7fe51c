// Watch: a search, step by step, forwards and backwards.

import * as api from "../../api.js";
import { capital, complaint, h, icon, isCalm, say } from "../../dom.js";
import { squareName } from "../../model/board.js";
import { QUESTION } from "../../model/state.js";
import { fromPairs } from "../../model/tour.js";
import { answerOf, asked, waiting } from "../../panels/answer.js";
import { makeExistence } from "../../panels/existence.js";
import { Lane } from "./lane.js";
import { makeLegend } from "./legend.js";
import { makePlayer } from "../../panels/player.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";

const DEFAULT = { method: "warnsdorff", options: {} };

export function makeWatchView(app) {
  /** @type {Lane} */
  let lane;
  // Whether the end was seen: before that nothing shows how the search ended. Then the tour, if any.
  let isTold = false;
  let found = null;
  // The search that is recorded, its seed, where it starts, and what there is to say about it first.
  let search = { way: DEFAULT, seed: 1, start: null, words: "" };
  // The tour of a search that was seen to its end, and its search.
  /** @type {{result: object, search: typeof search} | null} */
  let seen = null;

  const boards = h("div.lanes.of-1");
  const settings = h("div.lane-list");
  const message = h("div");
  const origin = h("p.small.origin");
  const lines = h("div.lane-lines");
  const aside = h("div.comment-aside");
  const legend = makeLegend(app.words.counters);
  const frames = () => lane?.replay.frames ?? 0;
  const isOver = (frame) => lane.isDone && frame >= frames();
  const player = makePlayer({
    frames,
    isOver,
    isSeen: () => app.view === view,
    onframe: drawFrame,
    onseek(frame) {
      const words = isOver(frame) ? verdict() : lane.words || texts.watch.notStarted;
      say(fill(texts.watch.said, { step: frame, last: frames(), words }));
    },
    onend: () => say(verdict()),
  });
  const draw = () => player.draw();

  function verdict() {
    const { result, error } = lane;
    return error ? error.message : answerOf(result, app.state)[1];
  }

  function drawFrame(frame) {
    const { rows, cols } = app.state.board;
    boards.classList.toggle("is-wide", cols > 24 || cols >= 2 * rows);
    lane.show(Math.min(frame, frames()));
    legend.explain(new Set(lane.counted));
    if (!isTold && isOver(frame)) tellEnd();
  }

  function tellEnd() {
    isTold = true;
    report(verdict());
    const { result } = lane;
    if (!result?.squares) return;
    found = fromPairs(app.state.board, result.squares);
    seen = { result, search: { ...search, words: "" } };
    app.update({ tour: found, result });
  }

  /** Beside the boards, unless it is proved there that there is nothing to be found. */
  function report(words) {
    if (!existence.refutation(app.state)) app.announce(h(`p.verdict${isTold ? "" : ".small"}`, capital(words)));
  }

  /**
   * The search that found the tour that is shown, if one did; else one that shows how a search finds such a tour, from the
   * same square. isOther: the same search with the seed that was chosen.
   */
  function choose(isOther = false) {
    const { board, watched, result, tour, start, seed } = app.state;
    const rest = { seed: seed ?? 1, start, words: "" };
    if (watched) return { way: watched, ...rest };
    if (isOther) return { ...search, ...rest, start: search.start };
    if (seen && result === seen.result) return seen.search;
    if (!tour) return { way: DEFAULT, ...rest };
    const { method, options } = app.state;
    if (result && app.methods[result.method]?.watchable) {
      const way = { method: result.method, options: method === result.method ? options : {} };
      return { way, seed: result.seed, start, words: "" };
    }
    const [square] = tour;
    const words = fill(texts.watch.instead, { isBuilt: String(Boolean(result)), square: squareName(board, square) });
    return { way: DEFAULT, ...rest, start: start ?? square, words };
  }

  /** The lane of the method that is wanted. One that is there stays, or whoever just changed it by key would lose the place. */
  function build() {
    const wanted = search.way;
    if (lane?.way === wanted) return;
    lane?.reset();
    lane = new Lane(app, wanted, () => app.update({ watched: lane.way }));
    boards.replaceChildren(lane.element);
    aside.replaceChildren(lane.comment);
    settings.replaceChildren(lane.settings);
    lines.replaceChildren(lane.lines.element);
  }

  function record(isOther = false) {
    search = choose(isOther);
    build();
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
      if (lane.isDone) finish(wanted);
      draw();
    };
    lane.record(onmore, { seed: search.seed, start: search.start });
    draw();
    if (!isCalm()) player.toggle(true);
  }

  /** While it is being recorded, with the button that ends that. */
  function reportSearch(words) {
    if (tellProof()) return;
    const stop = h("button", { onclick: stopAll }, icon("close"), texts.common.stop);
    app.announce([waiting(words), h("div.buttons", stop)]);
  }

  function stopAll() {
    lane.stop();
    finish(looked());
    draw();
    player.focus();
  }

  /** What is looked for, in words. */
  const looked = () => tourWords(texts.board.aTour, asked({ ...app.state, start: search.start }));

  function finish(wanted) {
    player.pace();
    message.replaceChildren(...(lane.error && !lane.isStopped ? [complaint(lane.error)] : []));
    report(fill(texts.watch.recordedSearch, { tour: wanted }));
    if (!player.isPlaying) say(texts.watch.recorded);
  }

  // Methods that search go on looking for what is not there: meanwhile the page shows the reason.
  const existence = makeExistence(() => tellProof());

  /** Say that there is nothing to be found, if that is known; whether it is. */
  function tellProof() {
    const proof = existence.refutation(app.state);
    if (proof) app.announce(...answerOf(proof, app.state));
    return proof !== null;
  }

  const onclick = () => app.update({ seed: api.randomSeed() });
  const again = h("button.wide", { onclick }, icon("dice"), texts.watch.again);

  const view = {
    title: texts.watch.title,
    boards: [boards],
    // A recording stays as it was recorded.
    isFixed: true,
    transport: player.elements,
    panel: [
      origin,
      aside,
      h("section", { "aria-label": texts.explore.short.watch }, lines),
      message,
      h(
        "details.section",
        { id: "watched" },
        h("summary", h("h2", texts.watch.method)),
        h("div.section-body", settings, again, legend.element),
      ),
    ],
    get tour() {
      return found;
    },
    enter: () => record(),
    hide() {
      player.toggle(false);
      existence.stop();
      lane.leave();
    },
    show(changed) {
      if (changed.has("view")) return;
      const isOther = changed.has("seed");
      const isNew = changed.has("tour") && app.state.tour !== found;
      if (isOther || isNew || ["watched", ...QUESTION].some((key) => changed.has(key))) record(isOther);
      else draw();
    },
    keys: player.keys,
    help: player.help,
  };
  return view;
}
