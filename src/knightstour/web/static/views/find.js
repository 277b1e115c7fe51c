// Find: say what is wanted, and see the tour or the reason why there is none, at once.

import * as api from "../api.js";
import { boardWords, makeBoard, squareCount, squareName } from "../model/board.js";
import { because, capital, debounce, duration, field, grouped, h, icon, say, sentence } from "../dom.js";
import { isSeed, QUESTION } from "../model/link.js";
import { makeImprove } from "../panels/improve.js";
import { makeMethodPicker, typed } from "../panels/methodpicker.js";
import { fromPairs, isClosed } from "../model/tour.js";

const ASKED = [...QUESTION, "method", "options", "seed"];
const SECONDS = 10;

export const withArticle = (words) => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;

/** The question as a sentence would say it, without an article. */
export function questionWords({ board, closed, start, end }) {
  const words = [closed ? "closed tour" : "open tour", `of the ${boardWords(board)}`];
  if (start !== null) words.push(`from ${squareName(board, start)}`);
  if (end !== null) words.push(`to ${squareName(board, end)}`);
  return words.join(" ");
}

/** The same of several tours. */
export const pluralWords = (state) => questionWords(state).replace(" tour ", " tours ");

/** What an open tour has besides: as a picture and facts show it, it is closed if its ends are a move apart. */
export function closedToo({ board, closed, tour }) {
  if (closed || !tour || !isClosed(board, tour)) return null;
  return h("p.soft.small", {}, "It is closed, too: its ends are a move apart.");
}

/** The answer as elements, and as one sentence. */
export function answerOf(result, state, methods) {
  const asked = questionWords(state);
  const how = [
    result.method,
    duration(result.seconds),
    `${grouped(result.nodes)} node${result.nodes === 1 ? "" : "s"}`,
  ];
  if (methods[result.method]?.varies) how.push(`seed ${result.seed}`);
  const small = h("p.soft.small.how", {}, how.join(" · "));
  if (result.status === "found") {
    return [[h("p.verdict", {}, capital(asked)), closedToo(state), small], `Found: ${asked}`];
  }
  const isProved = result.status === "impossible";
  const text = isProved ? `There is no ${asked}` : `Not decided: is there ${withArticle(asked)}?`;
  const reason = result.reason ? sentence(result.reason) : "";
  return [
    [
      h(isProved ? "p.verdict.no" : "p.verdict.open", {}, text),
      ...because(result),
      small,
    ],
    `${text}. ${reason}`,
  ];
}

export function makeFindView(app) {
  let controller = null;
  let tool = "start";
  let ticking = 0;

  const picker = makeMethodPicker(app.methods, app.state, (patch) => app.update(patch));
  const improve = makeImprove(app);
  const seed = h("input", {
    type: "number",
    min: 0,
    inputmode: "numeric",
    placeholder: "drawn",
    max: Number.MAX_SAFE_INTEGER,
    onchange: () => {
      const number = seed.value === "" ? null : Number(seed.value);
      const fits = number === null ? seed.validity.valid : isSeed(number);
      seed.setAttribute("aria-invalid", String(!fits));
      seedNote.hidden = fits;
      if (fits) app.update({ seed: number });
    },
  });
  const seedNote = h(
    "p.notice.bad.small",
    { hidden: true, role: "alert" },
    `A seed is a whole number from 0 to ${grouped(Number.MAX_SAFE_INTEGER)}.`,
  );
  const again = h("button.primary.wide", { type: "button", onclick: another }, icon("dice"), "Another tour");
  const stop = h(
    "button.wide",
    { type: "button", hidden: true, onclick: () => controller?.abort() },
    icon("close"),
    "Stop searching",
  );
  const method = h(
    "details.section",
    { id: "method" },
    h("summary", {}, h("h2", {}, "Method"), h("span.summary-words")),
    h("div.section-body", {}, picker, field("Seed", seed, "The same seed gives the same tour."), seedNote),
  );

  /** Ask the server; the last question counts. */
  async function ask(how) {
    controller?.abort();
    const mine = (controller = new AbortController());
    const { state } = app;
    busy(true);
    try {
      const result = await api.solve(
        state,
        { ...how, ...typed(app.methods, how), seconds: SECONDS },
        mine.signal,
      );
      if (mine !== controller) return;
      const tour = result.squares ? fromPairs(state.board, result.squares) : null;
      app.update({ tour, result });
      draw(true);
      report();
    } catch (error) {
      if (mine !== controller) return;
      if (api.isAborted(error)) app.announce(h("p.verdict.open", {}, "The search was stopped."), "The search was stopped");
      else app.complain(error);
    } finally {
      if (mine === controller) busy(false);
    }
  }
  const askSoon = debounce(150, () => ask(app.state));

  function forget() {
    askSoon.cancel();
    controller?.abort();
    controller = null;
    busy(false);
  }

  /** Methods that construct always give the same tour, so another one is searched for. */
  function another() {
    const { state } = app;
    const row = app.methods[state.method];
    const varies = row?.varies && state.method !== "auto";
    const name = varies ? state.method : squareCount(state.board) <= 144 ? "rotation" : "merge";
    ask({ method: name, options: varies ? state.options : {}, seed: Math.floor(Math.random() * 2 ** 32) });
  }

  function busy(isBusy) {
    clearInterval(ticking);
    const hadFocus = document.activeElement === stop;
    stop.hidden = true;
    if (hadFocus) (again.disabled ? app.board.element : again).focus();
    app.board.element.setAttribute("aria-busy", String(isBusy));
    document.body.classList.toggle("is-searching", isBusy);
    if (!isBusy) return;
    const began = performance.now();
    ticking = setInterval(() => {
      const seconds = (performance.now() - began) / 1000;
      if (seconds < 0.4) return;
      stop.hidden = false;
      app.announce(
        h(
          "p.verdict.open",
          {},
          h("span.spinner", { "aria-hidden": "true" }),
          `Searching, ${seconds.toFixed(0)} s of ${SECONDS} s`,
        ),
      );
    }, 200);
  }

  function report() {
    const { state } = app;
    if (state.result) app.announce(...answerOf(state.result, state, app.methods));
    // A tour from elsewhere: where it begins was not asked for.
    else {
      const words = questionWords({ ...state, start: null, end: null });
      app.announce([h("p.verdict", {}, capital(words)), closedToo(state)]);
    }
  }

  function draw(isNew = false) {
    app.drawTour({ isNew });
  }

  const view = {
    title: "Find",
    icon: "find",
    panel: [
      app.setup,
      h("section.actions", { "aria-label": "Search" }, again, stop),
      method,
      app.facts,
      improve,
      app.save,
    ],
    enter: () => view.useTool(tool),
    hide() {
      forget();
      // The board is shared: elsewhere a finger that goes over it scrolls.
      app.board.element.classList.remove("is-painting");
    },
    show(changed) {
      picker.show(app.state);
      improve.show(app.state);
      // Not while somebody is writing there: an answer may come meanwhile.
      if (document.activeElement !== seed) {
        seed.value = app.state.seed ?? "";
        seed.setAttribute("aria-invalid", "false");
        seedNote.hidden = true;
      }
      method.querySelector(".summary-words").textContent = app.state.method;
      again.disabled = app.state.result?.status === "impossible";
      if (ASKED.some((key) => changed.has(key))) {
        // An answer that is under way belongs to the question before.
        forget();
        if (!(changed.has("tour") && app.state.tour)) askSoon();
        else report();
      }
      draw();
    },
    useTool(name) {
      tool = name;
      app.board.element.classList.toggle("is-painting", tool === "holes");
      app.setup.tools.choose(tool);
    },
    isPainting: () => tool === "holes",
    onsquare(square) {
      const { board, start, end, closed } = app.state;
      if (board.holes.includes(square)) {
        say(`${squareName(board, square)} is a hole`);
        return;
      }
      const key = tool === "end" && !closed ? "end" : "start";
      const other = key === "start" ? "end" : "start";
      const old = key === "start" ? start : end;
      const value = old === square ? null : square;
      const patch = { [key]: value };
      if (value !== null && app.state[other] === value) patch[other] = null;
      app.update(patch);
      say(value === null ? `No ${key}` : `${key} ${squareName(board, square)}`);
      // Whoever sets the start first wants to set the end next.
      if (key === "start" && old === null && !closed && end === null) view.useTool("end");
    },
    onpaint(square, isHole) {
      const { board, start, end } = app.state;
      const holes = isHole ? [...board.holes, square] : board.holes.filter((hole) => hole !== square);
      if (holes.length === board.rows * board.cols) return;
      app.update({
        board: makeBoard({ ...board, holes }),
        start: start === square ? null : start,
        end: end === square ? null : end,
      });
      say(`${squareName(board, square)} ${isHole ? "is a hole" : "is a square"}`);
    },
    describe(square) {
      const { board, tour, start, end } = app.state;
      const words = [squareName(board, square)];
      if (board.holes.includes(square)) words.push("hole");
      if (square === start) words.push("start");
      if (square === end) words.push("end");
      const step = tour?.indexOf(square) ?? -1;
      if (step >= 0) words.push(`number ${step + 1}`);
      return words.join(", ");
    },
    keys: { n: another },
    help: { n: "another tour" },
  };
  return view;
}
