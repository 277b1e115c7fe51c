// Watch: a search, or several side by side, step by step, forwards and backwards.

import * as api from "../../api.js";
import { capital, complaint, h, icon, isCalm, say, segmented } from "../../dom.js";
import { latest } from "../../latest.js";
import { MOST_RACERS } from "../../model/link.js";
import { QUESTION } from "../../model/state.js";
import { fromPairs } from "../../model/tour.js";
import { answerOf, asked, waiting } from "../../panels/answer.js";
import { Lane } from "./lane.js";
import { makeLegend } from "./legend.js";
import { makePlayer } from "../../panels/player.js";
import { frameOf, MEASURES, places, raceWords } from "./race.js";
import { texts } from "../../language.js";

const DEFAULT = [{ method: "warnsdorff", options: {} }];

export function makeWatchView(app) {
  let lanes = [];
  // Whether the end was seen: before that nothing shows how the search or the race ended. Then the tour, if any.
  let isTold = false;
  let found = null;
  // The proof that there is nothing to be found, if there is one.
  let proof = null;
  let measure = "time";

  const boards = h("div.lanes");
  const settings = h("div.lane-list");
  const message = h("div");
  const lines = h("div.lane-lines");
  const aside = h("div.comment-aside");
  const legend = makeLegend(app.words.counters);
  const frames = () => Math.max(0, ...lanes.map((lane) => lane.replay.frames));
  const isRecorded = () => lanes.every((lane) => lane.isDone);
  const isOver = (frame) => isRecorded() && frame >= frames();
  const player = makePlayer({
    frames,
    isOver,
    isSeen: () => app.view === view,
    onframe: drawFrame,
    onseek(frame) {
      const words = isOver(frame) ? verdict() : lanes[0].words || texts.watch.notStarted;
      say(texts.watch.said(frame, frames(), words));
    },
    onend: () => say(verdict()),
  });
  const draw = () => player.draw();

  function verdict() {
    const [{ result, error }] = lanes;
    if (lanes.length === 1) return error ? error.message : answerOf(result, app.state, app.methods)[1];
    return raceWords(lanes, measure);
  }

  function drawFrame(frame) {
    const { rows, cols } = app.state.board;
    boards.classList.toggle("is-wide", cols > 24 || cols >= 2 * rows);
    const won = lanes.length > 1 ? places(lanes, measure) : new Map();
    const shown = (lane) => frameOf(lane, lanes, measure, frame, frames());
    for (const lane of lanes) lane.show(shown(lane), won.get(lane), lanes.length > 1);
    legend.explain(new Set(lanes.flatMap((lane) => lane.counted)));
    if (!isTold && isOver(frame)) tellEnd();
  }

  function tellEnd() {
    isTold = true;
    report(verdict());
    const best = lanes.find((lane) => lane.result?.squares)?.result;
    if (!best) return;
    found = fromPairs(app.state.board, best.squares);
    app.update({ tour: found, result: best });
  }

  /** Beside the boards, unless it is proved there that there is nothing to be found. */
  function report(words) {
    if (!proof) app.announce(h(`p.verdict${isTold ? "" : ".small"}`, {}, capital(words)));
  }

  const racers = () => lanes.map((lane) => lane.racer);

  /** One lane for each racer. Those that are there stay, or whoever just changed one by key would lose the place. */
  function build() {
    const wanted = app.state.racers ?? DEFAULT;
    for (const lane of lanes) {
      if (wanted.includes(lane.racer)) continue;
      lane.reset();
      lane.element.remove();
      lane.comment.remove();
      lane.settings.remove();
      lane.lines.element.remove();
    }
    lanes = wanted.map((racer) => lanes.find((lane) => lane.racer === racer) ?? makeLane(racer));
    boards.className = `lanes of-${lanes.length}`;
    // One board has the whole height, and what is said of it is beside it.
    for (const lane of lanes) (lanes.length === 1 ? aside : lane.element).append(lane.comment);
    for (const lane of lanes) lane.drop.hidden = lanes.length === 1;
    add.hidden = lanes.length >= MOST_RACERS;
    measures.hidden = lanes.length === 1;
  }

  function makeLane(racer) {
    const leaveOut = () => {
      const at = lanes.indexOf(lane);
      app.update({ racers: racers().filter((other) => other !== lane.racer) });
      lanes[Math.min(at, lanes.length - 1)].focus();
    };
    const lane = new Lane(app, racer, () => app.update({ racers: racers() }), leaveOut);
    boards.append(lane.element);
    settings.append(lane.settings);
    lines.append(lane.lines.element);
    return lane;
  }

  const add = h(
    "button.wide",
    {
      type: "button",
      onclick: () => {
        const taken = new Set(racers().map(({ method }) => method));
        const next =
          ["merge", "backtracking", "rotation", "warnsdorff"].find((name) => !taken.has(name) && app.methods[name]) ??
          "warnsdorff";
        const options = next === "backtracking" ? { order: "warnsdorff" } : {};
        app.update({ racers: [...racers(), { method: next, options }] });
        if (add.hidden) lanes[lanes.length - 1].focus();
      },
    },
    icon("plus"),
    texts.watch.race,
  );

  function record() {
    player.rewind();
    message.replaceChildren();
    isTold = false;
    found = null;
    proof = null;
    const wanted = texts.board.aTour(asked(app.state));
    reportSearch(texts.watch.looking(wanted));
    lookForProof();
    const onmore = () => {
      if (app.view !== view) return;
      if (isRecorded()) finish(wanted);
      draw();
    };
    lanes.forEach((lane) => lane.record(onmore));
    draw();
    // A race is run when it is known how long each takes.
    if (!isCalm() && lanes.length === 1) player.toggle(true);
  }

  /** While it is being recorded, with the button that ends that. */
  function reportSearch(words) {
    if (proof) return;
    const stop = h("button", { type: "button", onclick: stopAll }, icon("close"), texts.common.stop);
    app.announce([waiting(words), h("div.buttons", {}, stop)]);
  }

  function stopAll() {
    for (const lane of lanes) lane.stop();
    finish(texts.board.aTour(asked(app.state)));
    draw();
    player.focus();
  }

  function finish(wanted) {
    const errors = lanes.filter((lane) => lane.error && !lane.isStopped);
    message.replaceChildren(...errors.map((lane) => complaint(lane.error)));
    report(lanes.length > 1 ? texts.watch.recordedRace(wanted) : texts.watch.recordedSearch(wanted));
    if (lanes.length > 1 && !isCalm()) player.toggle(true);
    if (!player.isPlaying) say(texts.watch.recorded);
  }

  /** Methods that search go on looking for what is not there: meanwhile the page shows the reason. */
  function lookForProof() {
    proving(
      (signal) => api.solve(app.state, { method: "auto", options: {}, seconds: 2 }, signal),
      (result) => {
        if (result.status !== "impossible") return;
        proof = result;
        app.announce(...answerOf(result, app.state, app.methods));
      },
    );
  }

  // The methods say what is wrong with a question.
  const proving = latest();

  const measures = segmented(
    texts.watch.decidedBy,
    MEASURES.map((key) => [key, key === "time" ? texts.watch.byTime : texts.watch.bySquares]),
    measure,
    (key) => {
      measure = key;
      draw();
      if (isOver(player.frame)) report(verdict());
    },
  );

  const again = h(
    "button.wide",
    {
      type: "button",
      onclick: () => {
        app.update({ seed: Math.floor(Math.random() * 2 ** 32) });
      },
    },
    icon("dice"),
    texts.watch.again,
  );

  const view = {
    title: texts.watch.title,
    boards: [boards],
    // A recording stays as it was recorded.
    isFixed: true,
    transport: player.elements,
    drawers: [app.drawers.board, app.drawers.look],
    panel: [
      aside,
      h("section", { "aria-label": texts.watch.steps }, lines),
      measures,
      message,
      h(
        "details.section",
        { id: "watched" },
        h("summary", {}, h("h2", {}, texts.watch.methods)),
        h("div.section-body", {}, settings, add, again, legend.element),
      ),
    ],
    get tour() {
      return found;
    },
    enter() {
      build();
      record();
    },
    hide() {
      player.toggle(false);
      proving.forget();
      lanes.forEach((lane) => lane.leave());
    },
    show(changed) {
      if (changed.has("view")) return;
      if (changed.has("racers")) {
        build();
        record();
      } else if (["seed", ...QUESTION].some((key) => changed.has(key))) {
        record();
      } else draw();
    },
    keys: player.keys,
    help: player.help,
  };
  return view;
}
