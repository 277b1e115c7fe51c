// All tours: each has a number, from 1 to their count. A slider, a field, and a uniformly random choice.

import * as api from "../../api.js";
import { squareCount } from "../../model/board.js";
import { complaint, h, icon, iconButton, markField, say, sentence } from "../../dom.js";
import { latest } from "../../latest.js";
import { fromPairs } from "../../model/tour.js";
import { closedToo, makeProgress, waiting } from "../../panels/answer.js";
import { makeReplay } from "../../panels/replay.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";
import { grouped } from "../../numbers.js";

// Boards up to this size are numbered automatically.
const SMALL = 30;
// Positions of the slider; with more tours, each position represents several.
const POSITIONS = 1_000_000n;

export function makeAllView(app) {
  let count = 0n;
  // The wanted number; while one is being fetched, only the latest is remembered.
  /** @type {bigint | null} */
  let wanted = null;
  let isFetching = false;
  let isStopped = false;

  const number = h("input.big-number", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    "aria-label": texts.all.numberOf,
    onchange: () => {
      const digits = number.value.replace(/[\s,.'_]/g, "");
      const fits = /^\d+$/.test(digits) && BigInt(digits) >= 1n && BigInt(digits) <= count;
      markField(number, fits);
      if (fits) go(BigInt(digits));
      else tellRange();
    },
  });
  const slider = h("input.scrub", {
    type: "range",
    min: 0,
    step: 1,
    value: 0,
    "aria-label": texts.all.tour,
    oninput: () => go(fromSlider(Number(slider.value))),
    onkeydown: (event) => {
      // One step of the slider may be thousands of tours; keys step by one tour.
      const by = { ArrowLeft: -1n, ArrowDown: -1n, ArrowRight: 1n, ArrowUp: 1n }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      step(by);
    },
  });
  const total = h("p.total");
  const random = h("button.primary", { onclick: drawRandom }, icon("dice"), texts.all.random);
  const build = h("button.primary", { onclick: begin }, texts.all.build);
  const progress = makeProgress((words) => fill(texts.all.progress, { words }));
  const cancel = h("button", { hidden: true, onclick: stop }, icon("close"), texts.common.cancel);
  const note = h("div.space-note");
  const bar = h(
    "div.number-row",
    { role: "group", "aria-label": texts.all.number, hidden: true },
    iconButton("back", texts.all.previous, () => step(-1n)),
    number,
    iconButton("next", texts.all.next, () => step(1n)),
  );
  const track = h("div.scrub-bar", { hidden: true }, slider);
  const controls = h("div.space-controls", { hidden: true }, total);

  /** The last position of the slider; at least 1, since numbers are divided by it. */
  const last = () => (count > POSITIONS ? POSITIONS : count > 1n ? count - 1n : 1n);
  const fromSlider = (position) => 1n + ((count - 1n) * BigInt(position)) / last();

  function point(k) {
    slider.max = Number(last());
    slider.value = count > 1n ? Number(((k - 1n) * last()) / (count - 1n)) : 0;
    slider.setAttribute("aria-valuetext", fill(texts.all.at, { k, n: count }));
    number.value = grouped(k);
    markField(number, true);
  }

  function tellRange() {
    const words = fill(texts.all.range, { n: grouped(count) });
    app.announce(h("p.verdict.no", `${words}.`), words);
  }

  function step(by) {
    if (!count) return;
    const now = wanted ?? BigInt(app.state.number ?? 1);
    const next = now + by;
    if (next >= 1n && next <= count) go(next);
  }

  const fetching = latest({
    busy(isBusy) {
      isFetching = isBusy;
    },
    failed(error) {
      wanted = null;
      app.complain(error);
    },
  });

  function go(k) {
    wanted = k;
    point(k);
    if (!isFetching) fetching(fetchWanted);
  }

  async function fetchWanted(signal) {
    while (wanted !== null) {
      const k = wanted;
      const { squares } = await patient(() => api.unrank(app.state, k, signal));
      if (signal.aborted) return;
      if (wanted === k) wanted = null;
      put(k, squares);
    }
  }

  /** The first opening of a large file can exceed the server's limit: report this and try again. */
  async function patient(ask) {
    const words = texts.all.opening;
    const timer = setTimeout(() => app.announce(waiting(words), words), 700);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status !== 500) throw error;
      return await ask();
    } finally {
      clearTimeout(timer);
    }
  }

  function put(k, squares) {
    app.update({ number: String(k), tour: fromPairs(app.state.board, squares) });
    report(k);
  }

  function report(k) {
    const words = fill(texts.all.isNumber, { k });
    app.announce(
      [
        h("p.verdict", words),
        h("p.soft.small", tourWords(texts.all.among, { ...app.state.board, closed: app.state.closed }, { n: count })),
        closedToo(app.state),
      ],
      words,
    );
  }

  const asking = latest({ failed: (error) => app.complain(error) });

  function drawRandom() {
    if (!count) return;
    asking(
      (signal) => patient(() => api.randomTour(app.state, signal)),
      (reply) => {
        wanted = null;
        point(BigInt(reply.number));
        put(BigInt(reply.number), reply.squares);
      },
    );
  }

  const numbering = latest({
    failed(error) {
      lay({});
      note.replaceChildren(complaint(error));
    },
  });

  /** Show the tours if they are numbered; small boards are numbered automatically. */
  const look = () =>
    numbering(
      (signal) => api.spaceBuild(app.state, 0, () => {}, signal),
      ({ count: text, note: needs }) => {
        if (text !== null) ready(BigInt(text));
        else if (squareCount(app.state.board) <= SMALL && !isStopped) begin();
        else invite(needs);
      },
    );

  function invite(needs) {
    lay({ canBuild: true });
    note.replaceChildren(h("p.soft", texts.all.invitation));
    if (needs) note.append(h("p.soft", { lang: "en" }, sentence(needs)));
  }

  /** Number all tours; leaving the view or changing the problem stops it. */
  function begin() {
    isStopped = false;
    lay({ isBuilding: true });
    note.replaceChildren(progress);
    tellProgress({});
    numbering(
      (signal) => api.spaceBuild(app.state, null, (part) => signal.aborted || tellProgress(part), signal),
      ({ count: text }) => ready(BigInt(text)),
    );
  }

  function stop() {
    numbering.forget();
    // After this, small boards are not numbered automatically again.
    isStopped = true;
    invite(null);
    build.focus();
  }

  function lay({ isReady = false, isBuilding = false, canBuild = false }) {
    bar.hidden = track.hidden = controls.hidden = random.hidden = !isReady;
    cancel.hidden = !isBuilding;
    build.hidden = !canBuild;
    note.replaceChildren();
  }

  /** @param {{done?: number | null, made?: string, seconds?: number}} part an event of the work */
  function tellProgress(part) {
    say(progress.tell(texts.all.building, part));
  }

  function ready(n) {
    count = n;
    lay({ isReady: n !== 0n });
    if (n === 0n) {
      app.announce(
        h("p.verdict.no", `${tourWords(texts.board.noTour, { ...app.state.board, closed: app.state.closed })}.`),
      );
      return;
    }
    total.textContent = fill(texts.all.total, { n, closed: app.state.closed });
    say(total.textContent);
    const { tour } = app.state;
    // If a link contains both a tour and a number, the tour is shown and its number is computed.
    if (!tour) goToGiven();
    else
      asking(
        (signal) => patient(() => api.rank(app.state, tour, signal)).catch(() => null),
        (reply) => {
          // The user may have changed the problem meanwhile.
          if (app.state.tour !== tour) return;
          if (!reply) return goToGiven();
          app.update({ number: reply.number });
          point(BigInt(reply.number));
          report(reply.number);
        },
      );
  }

  /** Show the tour with the number in the link, or the first one. */
  function goToGiven() {
    const { number: given } = app.state;
    const isThere = given !== null && BigInt(given) <= count && BigInt(given) >= 1n;
    if (given !== null && !isThere) {
      app.update({ number: null });
      point(1n);
      tellRange();
      return;
    }
    wanted = isThere ? BigInt(given) : 1n;
    point(wanted);
    fetching(fetchWanted);
  }

  function restart() {
    fetching.forget();
    asking.forget();
    count = 0n;
    wanted = null;
    isStopped = false;
    lay({});
    note.replaceChildren(waiting(texts.all.asking, "p.soft"));
    look();
  }

  const draw = () => replay.draw() || app.drawTour();

  const replay = makeReplay(app, draw);
  const keys = {
    ArrowLeft: () => step(-1n),
    ArrowRight: () => step(1n),
    r: drawRandom,
    Home: () => count && go(1n),
    End: () => count && go(count),
  };
  const view = {
    title: texts.all.title,
    actions: [random, build, cancel, replay.button],
    transport: [bar, track, replay.element],
    panel: [h("section.section-body", { "aria-label": texts.all.title }, controls, note), app.facts],
    enter() {
      const { start, end, conditions } = app.state;
      // Numbers refer to all tours, without ends and conditions.
      if (start !== null || end !== null || conditions)
        app.update(
          { start: null, end: null, conditions: null, tour: app.state.tour, number: app.state.number },
          { isMore: true },
        );
      restart();
    },
    hide() {
      for (const each of [numbering, fetching, asking]) each.forget();
      replay.end();
    },
    show(changed) {
      replay.show();
      if ((changed.has("board") || changed.has("closed")) && !changed.has("view")) restart();
      // These tours have no numbers, since conditions change the problem.
      else if (app.state.conditions) app.update({ view: "find" });
      else if (changed.has("tour") && app.state.number === null && count) ready(count);
      draw();
    },
    get keys() {
      return { ...keys, ...replay.keys };
    },
    get help() {
      return [...texts.all.keys, ...replay.help];
    },
  };
  return view;
}
