// Count: the number of tours, in one line: a known number or an estimate immediately, an exact count on request.

import * as api from "../../api.js";
import { squareCount } from "../../model/board.js";
import { because, h, icon, stopFor } from "../../dom.js";
import { latest } from "../../latest.js";
import { QUESTION } from "../../model/state.js";
import { asked, makeProgress, waiting } from "../../panels/answer.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";
import { duration, fixed, grouped, rounded } from "../../numbers.js";

// Boards up to this size are counted automatically.
const SMALL = 25;
const SECONDS = 30;
// Time limit of an automatic count, in seconds.
const AT_ONCE = 2;

/** A large number in powers of ten: 2.95 × 10²². */
function inPowers(log10) {
  const power = Math.floor(log10);
  const digits = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return power < 6 ? grouped(Math.round(10 ** log10)) : `${fixed(10 ** (log10 - power), 2)} × 10${digits}`;
}

export function makeCountView(app) {
  const progress = makeProgress();
  // The visible figure, which stays during a count.
  /** @type {HTMLElement | null} */
  let figure = null;
  // Whether the visible number is an exact count.
  let isCounted = false;
  const go = h("button.primary", { onclick: () => count() }, icon("count"), texts.counting.count);
  const [stop, swap] = stopFor(go, () => answer.stop());

  const plural = () => tourWords(texts.board.tours, asked(app.state));
  const line = (number, note = "") => h("p.verdict.figure", number, h("span.figure-note", ` ${plural()}${note}`));

  /** Show a known number or an estimate; count small boards. */
  function begin() {
    figure = null;
    isCounted = false;
    const { state } = app;
    const isSmall = squareCount(state.board) <= SMALL;
    app.announce(waiting(texts.counting.busy));
    answer(
      async (signal) => {
        const how = { known: true, seconds: isSmall ? SECONDS : AT_ONCE };
        const known = await api.count(state, how, () => {}, signal);
        if (known.count !== null) return () => showCount(known);
        if (state.conditions) return () => showQuestion();
        const estimate = await api.estimate(state, AT_ONCE, signal);
        return () => showEstimate(estimate);
      },
      (show) => show(),
    );
  }

  function count() {
    const kept = figure;
    const words = texts.counting.busy;
    progress.tell(words);
    app.announce([kept, progress]);
    isCounted = false;
    answer(
      async (signal) => {
        const onpart = (part) => progress.tell(words, part);
        const found = await api.count(app.state, { known: false, seconds: SECONDS }, onpart, signal);
        return () => (found.count === null ? showTooMany(kept, found) : showCount(found));
      },
      (show) => show(),
    );
  }

  const answer = latest({
    busy: (isBusy) => {
      swap(isBusy);
      if (!isBusy) go.hidden = isCounted;
    },
    failed: (error) => app.complain(error),
    stopped: () => app.announce([figure, h("p.verdict.open", `${texts.counting.stopped}.`)], texts.counting.stopped),
  });

  const showQuestion = () => app.announce(h("p.soft", fill(texts.counting.question, { tours: plural() })));

  function showCount(found) {
    const number = grouped(found.count);
    isCounted = !found.is_published;
    figure = line(number);
    const small = found.is_published
      ? null
      : h("p.soft.small.how", fill(texts.counting.counted, { time: duration(found.seconds) }));
    app.announce([figure, ...because(found), small], `${number} ${plural()}`);
  }

  function showEstimate(found) {
    if (found.mean === null && found.log10_mean === null) {
      showQuestion();
      return;
    }
    const number = found.mean === 0 ? "0" : fill(texts.counting.about, { number: inPowers(found.log10_mean) });
    const { relative_error: share } = found;
    const error = share === null ? "" : fill(texts.counting.error, { share: rounded(100 * share, 2) });
    figure = line(`${number}${error}`);
    const how = h("p.soft.small.how", fill(texts.counting.walks, { n: found.samples }));
    app.announce([figure, ...because(found), how], `${number}${error} ${plural()}`);
  }

  function showTooMany(kept, found) {
    const { tooMany: words } = texts.counting;
    app.announce([kept, h("p.verdict.open", words), ...because(found)], words);
  }

  return {
    title: texts.counting.title,
    actions: [go, stop],
    panel: [],
    hide: () => answer.forget(),
    show(changed) {
      if (QUESTION.some((key) => changed.has(key))) {
        begin();
      }
      app.drawTour();
    },
    keys: { n: () => go.hidden || count() },
    help: texts.counting.keys,
  };
}
