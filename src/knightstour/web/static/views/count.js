// Count: how many tours there are, exactly or by an estimate; or what a count would take.

import * as api from "../api.js";
import { squareCount } from "../model/board.js";
import { because, capital, duration, field, grouped, h, icon, menu, segmented, sentence, stopFor } from "../dom.js";
import { QUESTION } from "../model/state.js";
import { makeActions } from "../panels/actions.js";
import { pluralWords } from "../panels/answer.js";
import { termsOf } from "../panels/terms.js";

// Boards of up to this many squares are counted unasked: that takes a moment.
const SMALL = 25;
const SECONDS = 30;
const SYMMETRIES = [
  ["", "all tours"],
  ["180", "the same after a half turn"],
  ["90", "the same after a quarter turn"],
  ["vertical", "the same mirrored left to right"],
  ["horizontal", "the same mirrored top to bottom"],
  ["diagonal", "the same mirrored in a diagonal"],
  ["antidiagonal", "the same mirrored in the other diagonal"],
];

/** A large number as people write it: 2.95 × 10²². */
export function inPowers(log10) {
  const power = Math.floor(log10);
  const digits = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return power < 6 ? grouped(Math.round(10 ** log10)) : `${(10 ** (log10 - power)).toFixed(2)} × 10${digits}`;
}

const inBytes = (bytes) => {
  const unit = Math.min(5, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${Number((bytes / 1000 ** unit).toPrecision(2))} ${["B", "kB", "MB", "GB", "TB", "PB"][unit]}`;
};

function inTime(seconds) {
  /** @type {[string, number][]} */
  const units = [
    ["year", 31_557_600],
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [name, size] = units.find((unit) => seconds >= 2 * unit[1]) ?? [];
  return name ? `${inPowers(Math.log10(seconds / size))} ${name}s` : duration(seconds);
}

export function makeCountView(app) {
  let kind = "count";
  let controller = null;

  const kinds = segmented(
    "What to find out",
    [
      ["count", "Exactly"],
      ["estimate", "Roughly"],
      ["plan", "Effort"],
    ],
    kind,
    (name) => {
      kind = name;
      show();
      if (controller) run();
    },
  );
  const hints = {
    count: `The exact number. Counts here may take ${SECONDS} seconds.`,
    estimate: "An estimate by random walks, with its error; for boards of any size.",
    plan: "What an exact count would take, in memory and time. Nothing is counted.",
  };
  const hint = h("p.soft.small");
  const forget = () => reset();
  const symmetry = menu(SYMMETRIES, "", forget);
  const classes = h("input", { type: "checkbox", onchange: forget });
  const directed = h("input", { type: "checkbox", onchange: forget });
  const symmetryField = field("Which tours", symmetry);
  const classesField = h("label.check", {}, classes, h("span", {}, "Count turned and mirrored tours once"));
  const directedField = h("label.check", {}, directed, h("span", {}, "Count both directions of a tour"));
  const go = h("button.primary.wide", { type: "button", onclick: () => run() }, icon("count"), h("span"));
  const [stop, swap] = stopFor(go, () => controller?.abort());

  function show() {
    hint.textContent = hints[kind];
    symmetryField.hidden = classesField.hidden = kind === "estimate";
    directedField.hidden = kind === "plan";
    go.querySelector("span").textContent = { count: "Count", estimate: "Estimate", plan: "Show the effort" }[kind];
  }

  function reset() {
    controller?.abort();
    controller = null;
    busy(false);
    app.announce(h("p.soft", {}, `How many ${plural()} are there?`));
  }

  const plural = () => pluralWords(app.state);

  function busy(isBusy) {
    swap(isBusy);
    document.body.classList.toggle("is-searching", isBusy);
  }

  async function run() {
    controller?.abort();
    const mine = (controller = new AbortController());
    const chosen =
      kind === "estimate"
        ? {}
        : { symmetry: symmetry.value || app.state.conditions?.symmetry || null, up_to_symmetry: classes.checked };
    const ways = kind === "plan" ? {} : { directed: directed.checked, seconds: SECONDS };
    busy(true);
    app.announce(
      h("p.verdict.open", {}, h("span.spinner", { "aria-hidden": "true" }), kind === "plan" ? "Looking" : "Counting"),
    );
    try {
      const found = await api.number(kind, app.state, { ...chosen, ...ways }, mine.signal);
      if (mine === controller) app.announce(...{ count: counted, estimate: estimated, plan: planned }[kind](found));
    } catch (error) {
      if (mine !== controller) return;
      if (api.isAborted(error))
        app.announce(h("p.verdict.open", {}, "The count was stopped."), "The count was stopped");
      else app.complain(error);
    } finally {
      if (mine === controller) busy(false);
    }
  }

  /** What was counted, in words. */
  function what({ directed: isDirected, symmetry: name, up_to_symmetry: areClasses }) {
    const words = [plural()];
    if (name) words.push(SYMMETRIES.find(([key]) => key === name)[1]);
    if (areClasses) words.push("turned and mirrored ones counted once");
    if (isDirected !== undefined) words.push(isDirected ? "both directions counted" : "each in one direction");
    return capital(words.join(", "));
  }

  function counted(found) {
    if (found.count === null) {
      const words = "Too many to count here";
      const help = "Choose “Roughly” for an estimate, or “Effort” to see what an exact count takes.";
      return [[h("p.verdict.open", {}, words), ...because(found), h("p.soft.small", {}, help)], `${words}. ${help}`];
    }
    const number = grouped(found.count);
    const small = h("p.soft.small.how", {}, `${what(found)} · ${duration(found.seconds)}`);
    const terms = termsOf(app.state, found, controller?.signal);
    return [[h("p.verdict.figure", {}, number), ...because(found), small, terms], `${number} ${plural()}`];
  }

  function estimated(found) {
    if (found.mean === null && found.log10_mean === null) {
      return [[h("p.verdict.open", {}, "Nothing is known yet"), ...because(found)], "Nothing is known yet"];
    }
    const number = found.mean === 0 ? "0" : `about ${inPowers(found.log10_mean)}`;
    const error = found.relative_error === null ? "" : ` ± ${(100 * found.relative_error).toPrecision(2)} %`;
    const small = h("p.soft.small.how", {}, `${what(found)} · from ${grouped(found.samples)} random walks`);
    return [[h("p.verdict.figure", {}, number + error), ...because(found), small], `${number}${error} ${plural()}`];
  }

  function planned(found) {
    const least = found.is_least ? "at least " : "";
    const rows = [["By", found.way]];
    if (found.seconds !== null) {
      rows.push(["Time", least + inTime(found.seconds)], ["Memory", least + inBytes(found.bytes)]);
      if (found.states) rows.push(["States", least + inPowers(Math.log10(found.states))]);
    }
    const words = found.is_refused ? "An exact count is out of reach" : "An exact count is possible";
    const instead = found.is_refused ? found.instead : [];
    return [
      [
        h(found.is_refused ? "p.verdict.open" : "p.verdict.good", {}, words),
        h(
          "dl.facts",
          {},
          rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        ),
        ...because(found),
        ...instead.map((text) => h("p.soft.small", {}, sentence(text))),
      ],
      words,
    ];
  }

  const actions = makeActions(go, stop);
  show();
  return {
    title: "Count",
    lead: "How many tours a board has, in figures.",
    actions,
    icon: "count",
    panel: [
      h(
        "section.section.flat",
        { "aria-label": "Count" },
        h("h2", {}, "How many tours?"),
        kinds,
        hint,
        symmetryField,
        classesField,
        directedField,
        actions,
      ),
      app.setup,
      app.conditions,
    ],
    hide() {
      controller?.abort();
      controller = null;
      busy(false);
    },
    show(changed) {
      if (QUESTION.some((key) => changed.has(key))) {
        reset();
        if (squareCount(app.state.board) <= SMALL) run();
      }
      app.drawTour();
    },
    onsquare: () => {},
    describe: (square) => app.views.find.describe(square),
    keys: { n: () => run() },
    help: { n: "count" },
  };
}
