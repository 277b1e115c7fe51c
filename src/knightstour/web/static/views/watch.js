// Watch: a search, or several side by side, step by step, forwards and backwards.

import * as api from "../api.js";
import { BoardView } from "../drawing/boardview.js";
import { capital, complaint, duration, freshId, grouped, h, icon, iconButton, isCalm, menu, say } from "../dom.js";
import { MOST_RACERS, QUESTION } from "../model/link.js";
import { makeMethodPicker, typed } from "../panels/methodpicker.js";
import { Replay } from "../model/replay.js";
import { fromPairs, isClosed } from "../model/tour.js";
import { answerOf, questionWords, withArticle } from "./find.js";

const EVENTS = 20_000;
const SECONDS = 10;
const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000];
const DEFAULT = [{ method: "warnsdorff", options: {} }];

const COUNTERS = [
  ["moves", "moves"],
  ["taken_back", "taken back"],
  ["dead_ends", "dead ends"],
  ["reversals", "turned round"],
  ["joins", "joins"],
  ["repairs", "repairs"],
  ["restarts", "restarts"],
  ["critical_points", "critical points"],
  ["nodes", "nodes"],
];

const KIND_WORDS = {
  visit: "goes on",
  unvisit: "a dead end, back",
  reverse: "turns its end round",
  join: "two loops become one",
  repair: "repairs",
  cover: "small loops cover the board",
  restart: "begins again",
  path: "has a path",
  tour: "the tour",
  stage: "begins",
};

/** One racer: its method, its board, its recording and its counters. onchange(): it has another method or options. */
class Lane {
  constructor(app, racer, onchange, ondrop) {
    this.app = app;
    this.racer = racer;
    this.board = new BoardView({ label: racer.method });
    this.badge = h("span.badge", { hidden: true });
    this.counters = h("dl.counters");
    this.now = h("p.soft.small.now");
    this.title = h("h2", { id: freshId("lane") });
    this.element = h(
      "section.lane",
      { "aria-labelledby": this.title.id },
      h("div.lane-head", {}, this.title, this.badge),
      this.board.element,
      this.counters,
      this.now,
    );
    this.drop = iconButton("close", "Leave out", ondrop);
    const change = (next) => {
      this.racer = next;
      this.name();
      onchange();
    };
    const isOffered = (name, row) => row.watchable !== false || name === racer.method;
    this.settings = h("div.lane-settings", {}, makeMethodPicker(app.methods, racer, change, { isOffered }), this.drop);
    this.name();
    this.reset();
  }

  name() {
    const { method } = this.racer;
    this.title.textContent = method;
    this.drop.title = `Leave out ${method}`;
    this.drop.setAttribute("aria-label", this.drop.title);
  }

  focus() {
    this.settings.querySelector("select").focus();
  }

  reset() {
    this.controller?.abort();
    this.replay = new Replay();
    this.result = null;
    this.error = null;
    this.isRecording = false;
  }

  async record(onmore) {
    this.reset();
    const mine = (this.controller = new AbortController());
    const replay = this.replay;
    this.isRecording = true;
    const { state } = this.app;
    const how = { ...typed(this.app.methods, this.racer), seed: state.seed ?? 1, seconds: SECONDS };
    try {
      const result = await api.trace(
        state,
        how,
        {
          events: EVENTS,
          onbatch: (events) => {
            if (mine !== this.controller) return;
            replay.add(events);
            onmore();
          },
        },
        mine.signal,
      );
      if (mine !== this.controller) return;
      this.result = result;
    } catch (error) {
      if (mine !== this.controller || api.isAborted(error)) return;
      this.error = error;
    }
    this.isRecording = false;
    onmore();
  }

  get isDone() {
    return !this.isRecording && (this.result !== null || this.error !== null);
  }

  show(frame, place) {
    const { board, style, numbers, start, end } = this.app.state;
    const seen = this.replay.at(frame);
    const isEnd = this.isDone && frame >= this.replay.frames;
    const isWhole = seen.isTour;
    const path = seen.path;
    this.board.draw({
      board,
      style,
      numbers,
      scene: {
        path,
        closed: isWhole && isClosed(board, path),
        isWhole,
        links: seen.links,
        fresh: seen.fresh,
        candidates: isWhole ? null : seen.candidates,
        ghosts: isWhole ? [] : seen.ghosts,
        retreats: isWhole ? null : seen.retreats,
        knight: !isWhole && path.length ? path[path.length - 1] : null,
        start,
        end,
      },
    });
    this.board.call(
      `${this.racer.method}: ${KIND_WORDS[seen.kind] ?? "not started"}, ${path.length} squares on the path`,
    );
    const counted = COUNTERS.filter(([key]) => seen.counters[key]);
    const rows = counted.length ? counted : [["moves", "moves"]];
    this.counters.replaceChildren(
      ...rows.map(([key, name]) => h("div", {}, h("dt", {}, name), h("dd", {}, grouped(seen.counters[key] ?? 0)))),
    );
    const stage = seen.stage && seen.stage !== this.racer.method ? `${seen.stage}: ` : "";
    this.now.textContent = isEnd ? this.ending() : seen.kind ? `${stage}${KIND_WORDS[seen.kind] ?? seen.kind}` : "";
    this.badge.hidden = !isEnd || !this.result;
    if (isEnd && this.result) {
      const isFound = this.result.status === "found";
      this.badge.textContent = isFound ? (place ?? "found") : this.result.status;
      this.badge.className = `badge ${isFound ? "good" : "bad"}`;
    }
  }

  ending() {
    if (this.error) return this.error.message;
    const { status, seconds, nodes, reason, dropped } = this.result;
    const words = [`${status} in ${duration(seconds)}, ${grouped(nodes)} nodes`];
    if (dropped) words.push(`the first ${grouped(EVENTS)} events were recorded`);
    if (reason && status !== "found") words.push(reason);
    return words.join("; ");
  }
}

export function makeWatchView(app) {
  let lanes = [];
  let frame = 0;
  let isPlaying = false;
  let speed = 20;
  let last = 0;
  let owed = 0;
  // Whether the end was seen: before that nothing shows how the search or the race ended. Then the tour, if any.
  let isTold = false;
  let found = null;
  // The proof that there is nothing to be found, if there is one, and the search for it.
  let proof = null;
  let proving = null;

  const boards = h("div.lanes");
  const settings = h("div.lane-list");
  const message = h("div");
  const play = iconButton("play", "Play", () => toggle());
  const scrub = h("input.scrub", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "Step",
    oninput: () => seek(Number(scrub.value)),
  });
  const count = h("span.count", { "aria-hidden": "true" });
  const speeds = menu(
    SPEEDS.map((n) => [String(n), `${grouped(n)} step${n > 1 ? "s" : ""}/s`]),
    String(speed),
    (value) => {
      speed = Number(value);
    },
  );
  speeds.setAttribute("aria-label", "Speed");
  const transport = [
    h(
      "div.transport-bar",
      { role: "group", "aria-label": "Player" },
      iconButton("first", "To the beginning", () => seek(0)),
      iconButton("back", "One step back", () => seek(frame - 1)),
      play,
      iconButton("next", "One step on", () => seek(frame + 1)),
      iconButton("last", "To the end", () => seek(frames())),
    ),
    h("div.scrub-bar", {}, scrub, count),
    h("div.speed-bar", {}, speeds),
  ];
  play.classList.add("primary");

  const frames = () => Math.max(0, ...lanes.map((lane) => lane.replay.frames));
  const isRecorded = () => lanes.every((lane) => lane.isDone);
  const isOver = () => isRecorded() && frame >= frames();

  function toggle(isOn = !isPlaying) {
    if (isOn && isOver()) {
      frame = 0;
      draw();
    }
    isPlaying = isOn;
    play.replaceChildren(icon(isOn ? "pause" : "play"));
    play.setAttribute("aria-label", isOn ? "Pause" : "Play");
    play.title = isOn ? "Pause" : "Play";
    if (isOn) {
      last = performance.now();
      owed = 0;
      requestAnimationFrame(tick);
    }
  }

  function tick(now) {
    if (!isPlaying || app.view !== view) return;
    // A page in the background gets no frames; it does not catch up on all of them at once.
    owed += (Math.min(now - last, 250) / 1000) * speed;
    last = now;
    const steps = Math.floor(owed);
    if (steps > 0) {
      owed -= steps;
      frame = Math.min(frames(), frame + steps);
      draw();
      if (isOver()) {
        toggle(false);
        say(verdict());
        return;
      }
    }
    requestAnimationFrame(tick);
  }

  function seek(target) {
    toggle(false);
    frame = Math.min(frames(), Math.max(0, target));
    draw();
    const [lane] = lanes;
    const words = isOver() ? verdict() : (KIND_WORDS[lane.replay.at(frame).kind] ?? "not started");
    say(`Step ${frame} of ${frames()}: ${words}`);
  }

  /** Places in the order of steps to the tour; equals share one. */
  function places() {
    const arrived = lanes.filter((lane) => lane.result?.status === "found" && lane.isDone);
    const steps = [...new Set(arrived.map((lane) => lane.replay.frames + (lane.result.dropped ?? 0)))].sort(
      (a, b) => a - b,
    );
    return new Map(
      arrived.map((lane) => [
        lane,
        ["first", "second", "third", "fourth"][steps.indexOf(lane.replay.frames + (lane.result.dropped ?? 0))],
      ]),
    );
  }

  function verdict() {
    const [{ result, error }] = lanes;
    if (lanes.length === 1) return error ? error.message : answerOf(result, app.state, app.methods)[1];
    const won = places();
    const winner = [...won].filter(([, place]) => place === "first").map(([lane]) => lane.racer.method);
    return winner.length ? `${winner.join(" and ")} came first` : "Nobody found a tour";
  }

  function draw() {
    const { rows, cols } = app.state.board;
    boards.classList.toggle("is-wide", cols > 24 || cols >= 2 * rows);
    const won = lanes.length > 1 ? places() : new Map();
    lanes.forEach((lane) => lane.show(frame, won.get(lane)));
    const end = frames();
    scrub.max = end;
    scrub.value = frame;
    scrub.setAttribute("aria-valuetext", `step ${frame} of ${end}`);
    count.textContent = `${grouped(frame)} / ${grouped(end)}`;
    if (!isTold && isOver()) tellEnd();
  }

  function tellEnd() {
    isTold = true;
    report(verdict());
    const best = lanes.find((lane) => lane.result?.squares)?.result;
    if (!best) return;
    found = fromPairs(app.state.board, best.squares);
    app.update({ tour: found, result: best });
  }

  /** Below the boards, unless it is proved there that there is nothing to be found. */
  function report(words) {
    if (!proof) app.announce(h("p.verdict", {}, capital(words)));
  }

  const racers = () => lanes.map((lane) => lane.racer);

  /** One lane for each racer. Those that are there stay, or whoever just changed one by key would lose the place. */
  function build() {
    const wanted = app.state.racers ?? DEFAULT;
    for (const lane of lanes) {
      if (wanted.includes(lane.racer)) continue;
      lane.reset();
      lane.element.remove();
      lane.settings.remove();
    }
    lanes = wanted.map((racer) => lanes.find((lane) => lane.racer === racer) ?? makeLane(racer));
    boards.className = `lanes of-${lanes.length}`;
    for (const lane of lanes) lane.drop.hidden = lanes.length === 1;
    add.hidden = lanes.length >= MOST_RACERS;
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
    "Race against another method",
  );

  function record() {
    frame = 0;
    toggle(false);
    message.replaceChildren();
    isTold = false;
    found = null;
    proof = null;
    const wanted = withArticle(questionWords(app.state));
    report(`looking for ${wanted}`);
    lookForProof();
    const onmore = () => {
      if (app.view !== view) return;
      if (isRecorded()) finish(wanted);
      draw();
    };
    lanes.forEach((lane) => lane.record(onmore));
    draw();
    if (!isCalm()) toggle(true);
  }

  function finish(wanted) {
    const errors = lanes.filter((lane) => lane.error);
    message.replaceChildren(...errors.map((lane) => complaint(lane.error)));
    report(`recorded: ${lanes.length > 1 ? "a race" : "a search"} for ${wanted}`);
    if (!isPlaying) say("Recorded. Play with the space bar");
  }

  /** Methods that search go on looking for what is not there: meanwhile the page shows the reason. */
  async function lookForProof() {
    proving?.abort();
    const mine = (proving = new AbortController());
    try {
      const result = await api.solve(app.state, { method: "auto", options: {}, seconds: 2 }, mine.signal);
      if (mine !== proving || result.status !== "impossible") return;
      proof = result;
      app.announce(...answerOf(result, app.state, app.methods));
    } catch (error) {
      // The methods say what is wrong with the question.
      if (!(error instanceof api.ApiError) && !api.isAborted(error)) throw error;
    }
  }

  const again = h(
    "button.wide",
    {
      type: "button",
      onclick: () => {
        app.update({ seed: Math.floor(Math.random() * 2 ** 32) });
      },
    },
    icon("dice"),
    "Again with another seed",
  );

  const view = {
    title: "Watch",
    icon: "watch",
    boards: [boards],
    // A recording stays as it was recorded.
    isFixed: true,
    transport,
    panel: [
      h(
        "section.section.flat",
        { "aria-label": "Methods to watch" },
        h("h2", {}, "Methods"),
        settings,
        add,
        again,
        message,
        legend(),
      ),
      app.setup,
      app.facts,
      app.save,
    ],
    get tour() {
      return found;
    },
    enter() {
      build();
      record();
    },
    hide() {
      toggle(false);
      proving?.abort();
      lanes.forEach((lane) => lane.controller?.abort());
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
    keys: {
      " ": () => toggle(),
      k: () => toggle(),
      ArrowLeft: () => seek(frame - 1),
      ArrowRight: () => seek(frame + 1),
      Home: () => seek(0),
      End: () => seek(frames()),
      "+": () => change(1),
      "-": () => change(-1),
    },
    help: {
      "Space, k": "play, pause",
      "← →": "one step back, one step on",
      "Home, End": "to the beginning, to the end",
      "+ -": "faster, slower",
    },
  };

  function change(by) {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by));
    speed = SPEEDS[at];
    speeds.value = String(speed);
    say(`${speed} steps a second`);
  }
  return view;
}

function legend() {
  const row = (mark, text) => h("li", {}, h(`span.key.${mark}`, { "aria-hidden": "true" }), text);
  return h(
    "details.inner",
    {},
    h("summary", {}, "What the marks mean"),
    h(
      "ul.legend",
      {},
      row("key-candidate", "where it may go next, with the number of ways on from there; the fewest are highlighted"),
      row("key-ghost", "moves taken back a moment ago"),
      row("key-retreat", "squares taken back, the more often the darker"),
      row("key-loops", "loops that have not been joined yet, one colour each"),
    ),
  );
}
