// Count: how many tours there are, exactly or by an estimate; or what a count would take.

import * as api from "../../api.js";
import { squareCount } from "../../model/board.js";
import { because, capital, field, h, icon, menu, segmented, sentence, stopFor, terms } from "../../dom.js";
import { latest } from "../../latest.js";
import { QUESTION } from "../../model/state.js";
import { asked, makeProgress, waiting } from "../../panels/answer.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";
import { duration, fixed, grouped, rounded } from "../../numbers.js";

// Boards of up to this many squares are counted whole: that takes a moment.
const SMALL = 25;
const SECONDS = 30;
// What others are given: a number that is known comes at once.
const AT_ONCE = 2;
const SYMMETRIES = ["", "180", "90", "vertical", "horizontal", "diagonal", "antidiagonal"];

const UNITS = { year: 31_557_600, day: 86_400, hour: 3600, minute: 60 };

/** A large number as people write it: 2.95 × 10²². */
function inPowers(log10) {
  const power = Math.floor(log10);
  const digits = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return power < 6 ? grouped(Math.round(10 ** log10)) : `${fixed(10 ** (log10 - power), 2)} × 10${digits}`;
}

const inBytes = (bytes) => {
  const unit = Math.min(5, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${rounded(bytes / 1000 ** unit, 2)} ${["B", "kB", "MB", "GB", "TB", "PB"][unit]}`;
};

function inTime(seconds) {
  const unit = Object.entries(UNITS).find(([, size]) => seconds >= 2 * size);
  if (!unit) return duration(seconds);
  const [name, size] = unit;
  return fill(texts.counting.units[name], { n: inPowers(Math.log10(seconds / size)) });
}

export function makeCountView(app) {
  let kind = "count";
  // Whether somebody sees an answer, so that another kind of it is asked for at once.
  let isAsked = false;
  // How long the last count may take.
  let patience = SECONDS;
  // Whether the number that is shown was looked up, so that it can be counted.
  let isPublished = false;
  /** @type {HTMLElement | null} */
  let figure = null;
  const progress = makeProgress();

  const kinds = segmented(texts.counting.what, Object.entries(texts.counting.kinds), kind, (name) => {
    kind = name;
    isPublished = false;
    show();
    if (isAsked) run();
  });
  const hint = h("p.soft.small");
  const forget = () => reset();
  const symmetries = SYMMETRIES.map((name) => [name, texts.counting.symmetries[name || "all"]]);
  const symmetry = menu(symmetries, "", forget);
  const classes = h("input", { type: "checkbox", onchange: forget });
  const directed = h("input", { type: "checkbox", onchange: forget });
  const symmetryField = field(texts.counting.which, symmetry);
  const classesField = h("label.check", classes, h("span", texts.counting.classes));
  const directedField = h("label.check", directed, h("span", texts.counting.directed));
  const go = h("button.primary", { onclick: () => run(!isPublished) }, icon("count"), h("span"));
  const [stop, swap] = stopFor(go, () => answer.stop());

  function show() {
    hint.textContent = fill(texts.counting.hints[kind], { seconds: SECONDS });
    symmetryField.hidden = classesField.hidden = kind === "estimate";
    directedField.hidden = kind === "plan";
    go.querySelector("span").textContent = isPublished ? texts.counting.countYourself : texts.counting.buttons[kind];
  }

  function reset() {
    answer.forget();
    isAsked = isPublished = false;
    show();
    ask();
  }

  const ask = () => app.announce(h("p.soft", fill(texts.counting.question, { tours: plural() })));

  const plural = () => tourWords(texts.board.tours, asked(app.state));

  function busy(isBusy) {
    // What is asked unasked leaves the button there.
    swap(isBusy && patience >= SECONDS);
  }

  /**
   * @param {boolean} known whether a published number will do, where counting takes long
   * @param {number} seconds
   */
  function run(known = true, seconds = SECONDS) {
    isAsked = true;
    patience = seconds;
    const chosen =
      kind === "estimate"
        ? {}
        : { symmetry: symmetry.value || app.state.conditions?.symmetry || null, up_to_symmetry: classes.checked };
    const ways = {
      ...(kind === "plan" ? {} : { directed: directed.checked, seconds }),
      ...(kind === "count" ? { known } : {}),
    };
    const words = kind === "plan" ? texts.counting.looking : texts.counting.busy;
    // The number that is known stays in sight.
    progress.tell(words);
    const kept = known ? null : figure;
    app.announce(kept ? [kept, progress] : waiting(words));
    const asked = { ...chosen, ...ways };
    const onpart = (part) => {
      if (!progress.isConnected) app.announce([kept, progress]);
      progress.tell(words, part);
    };
    answer(
      (signal) => api.number(kind, app.state, asked, onpart, signal),
      (found) => {
        // What is not known at once is counted when somebody asks for it.
        if (patience < SECONDS && found.count === null) ask();
        else app.announce(...{ count: counted, estimate: estimated, plan: planned }[kind](found));
      },
    );
  }

  const answer = latest({
    busy,
    failed(error) {
      if (patience < SECONDS) ask();
      else app.complain(error);
    },
    stopped: () => app.announce(h("p.verdict.open", `${texts.counting.stopped}.`), texts.counting.stopped),
  });

  /** What was counted, in words. */
  function what({ directed: isDirected, symmetry: name, up_to_symmetry: areClasses }) {
    const words = [plural()];
    if (name) words.push(texts.counting.symmetries[name]);
    if (areClasses) words.push(texts.counting.classesOnce);
    if (isDirected !== undefined) words.push(isDirected ? texts.counting.bothWays : texts.counting.oneWay);
    return capital(words.join(", "));
  }

  function counted(found) {
    if (found.count === null) {
      const { tooMany: words, tooManyHelp: help } = texts.counting;
      return [[h("p.verdict.open", words), ...because(found), h("p.soft.small", help)], `${words}. ${help}`];
    }
    const number = grouped(found.count);
    isPublished = found.is_published;
    show();
    const small = isPublished ? null : h("p.soft.small.how", `${what(found)} · ${duration(found.seconds)}`);
    figure = h("p.verdict.figure", number);
    return [[figure, ...because(found), small], `${number} ${plural()}`];
  }

  function estimated(found) {
    if (found.mean === null && found.log10_mean === null) {
      return [[h("p.verdict.open", texts.counting.nothing), ...because(found)], texts.counting.nothing];
    }
    const number = found.mean === 0 ? "0" : fill(texts.counting.about, { number: inPowers(found.log10_mean) });
    const error =
      found.relative_error === null
        ? ""
        : fill(texts.counting.error, { share: rounded(100 * found.relative_error, 2) });
    const walks = fill(texts.counting.walks, { n: found.samples });
    const how = [what(found), walks, ...(found.limited ? [texts.counting.ended] : [])].join(" · ");
    const small = h("p.soft.small.how", how);
    return [[h("p.verdict.figure", number + error), ...because(found), small], `${number}${error} ${plural()}`];
  }

  function planned(found) {
    const least = (words) => (found.is_least ? fill(texts.counting.atLeast, { words }) : words);
    const rows = [[texts.counting.by, h("span", { lang: "en" }, found.way)]];
    if (found.seconds !== null) {
      rows.push(
        [texts.counting.time, least(inTime(found.seconds))],
        [texts.counting.memory, least(inBytes(found.bytes))],
      );
      if (found.states) rows.push([texts.counting.states, least(inPowers(Math.log10(found.states)))]);
    }
    const words = found.is_refused ? texts.counting.refused : texts.counting.possible;
    const instead = found.is_refused ? found.instead : [];
    return [
      [
        h(found.is_refused ? "p.verdict.open" : "p.verdict.good", words),
        terms("facts", rows),
        ...because(found),
        ...instead.map((text) => h("p.soft.small", { lang: "en" }, sentence(text))),
      ],
      words,
    ];
  }

  show();
  return {
    title: texts.counting.title,
    actions: [go, stop],
    panel: [
      h(
        "section.section-body",
        { "aria-label": texts.counting.title },
        kinds,
        hint,
        symmetryField,
        classesField,
        directedField,
      ),
    ],
    hide() {
      answer.forget();
      isAsked = false;
    },
    show(changed) {
      if (QUESTION.some((key) => changed.has(key))) {
        reset();
        run(true, squareCount(app.state.board) <= SMALL ? SECONDS : AT_ONCE);
      }
      app.drawTour();
    },
    keys: { n: () => run(!isPublished) },
    help: texts.counting.keys,
  };
}
