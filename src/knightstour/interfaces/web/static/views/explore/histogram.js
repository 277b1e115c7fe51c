// The section that shows how many tours have each value of a statistic, and a tour with the value that is chosen.

import * as api from "../../api.js";
import { complaint, debounce, field, h, menu, say, stopFor } from "../../dom.js";
import { libraryWords } from "../../library.js";
import { grouped, rounded } from "../../numbers.js";
import { waiting } from "../../panels/answer.js";
import { texts } from "../../language.js";

// Up to this many tours are all measured, which takes a second or two; of more a sample is.
const MOST_MEASURED = 100_000n;
const SAMPLES = 20_000;
const SECONDS = 20;
// More values than this are put together in classes.
const MOST_BARS = 24;
// A slider that is drawn passes many tours: only those that stay are measured.
const REST = 150;

/**
 * Bars for the values of a census: {from, to, tours, number}, the values from `from` to `to`, which `tours` tours have,
 * or how many of a sample; number: of such a tour, with the value that most of them have, or null.
 * @param {{value: number, tours: string | number, hits?: number, number?: string}[]} values rising
 */
function barsOf(values, most = MOST_BARS) {
  if (!values.length) return [];
  const first = values[0].value;
  const width = values.length <= most ? 1 : Math.ceil((values[values.length - 1].value - first + 1) / most);
  const bars = new Map();
  for (const { value, tours, hits, number = null } of values) {
    const from = first + Math.floor((value - first) / width) * width;
    const here = hits ?? Number(tours);
    const bar = bars.get(from) ?? { from, to: from + width - 1, tours: 0, number: null, largest: 0 };
    bars.set(from, bar);
    bar.tours += here;
    if (number !== null && here > bar.largest) Object.assign(bar, { number, largest: here });
  }
  return [...bars.values()].map(({ largest, ...bar }) => bar);
}

/** go(number): show the tour with this number. */
export function makeHistogram(app, go) {
  /** @type {{name: string, summary: string, needs_closed: boolean}[]} */
  let statistics = [];
  let controller = new AbortController();
  let measuring = new AbortController();
  /** @type {bigint | null} how many tours there are */
  let count = null;
  /** @type {ReturnType<typeof barsOf> | null} */
  let shown = null;
  /** @type {{from: number, to: number, button: HTMLButtonElement}[]} */
  let bars = [];

  const choice = h("div.section-part");
  const meaning = h("p.soft.small");
  let chosen = "turns";
  const again = h("button", { type: "button", onclick: () => ask() }, texts.histogram.go);
  const [stop, busy] = stopFor(again, () => controller.abort());
  const note = h("div", { role: "status" });
  const list = h("ol.histogram", { "aria-label": texts.histogram.title });
  const ends = h("div.buttons");
  const result = h("div.section-part", { hidden: true }, list, ends);
  const element = h(
    "details.section",
    { id: "histogram", hidden: true, ontoggle: () => element.open && begin() },
    h("summary", {}, h("h2", {}, texts.histogram.title)),
    h("div.section-body", {}, choice, again, stop, note, result),
  );

  // The library's own words are sentences, too long for a menu: it has their names, and what they count is below.
  const wordsOf = ({ name, summary }) => libraryWords("objectives", name, summary);
  const nameOf = (row) => (wordsOf(row).lang ? row.name : wordsOf(row).words);

  /** Ask what has not been asked yet, if somebody can see it. */
  async function begin() {
    if (!element.open || count === null || shown) return;
    if (app.state.board.wrap !== null) {
      choice.hidden = again.hidden = stop.hidden = true;
      note.replaceChildren(h("p.soft", {}, texts.histogram.joined));
      return;
    }
    const mine = controller;
    try {
      if (!statistics.length) statistics = await api.table("statistics", mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) note.replaceChildren(complaint(error));
      return;
    }
    if (mine !== controller) return;
    const rows = statistics.filter((row) => app.state.closed || !row.needs_closed);
    if (!rows.some((row) => row.name === chosen)) chosen = rows[0].name;
    const pairs = rows.map((row) => [row.name, nameOf(row)]);
    choice.hidden = false;
    choice.replaceChildren(field(texts.histogram.statistic, menu(pairs, chosen, choose)), meaning);
    choose(chosen);
  }

  function choose(name) {
    chosen = name;
    const row = statistics.find((each) => each.name === name);
    if (!row) return;
    const { words, lang } = wordsOf(row);
    meaning.hidden = lang === null;
    meaning.textContent = words;
    meaning.lang = lang ?? "";
    ask();
  }

  async function ask() {
    forget();
    if (count === null) return;
    const mine = controller;
    const { state } = app;
    const isSample = count > MOST_MEASURED;
    const how = { statistic: chosen, seconds: SECONDS };
    const sampled = { ...how, samples: SAMPLES, seed: 1 };
    busy(true);
    note.replaceChildren(waiting(texts.histogram.busy, "p.soft"));
    try {
      const census = await api.census(state, isSample ? sampled : how, mine.signal);
      // Where the tours were counted together, none was made that could be shown: a sample has some.
      if (census.values.some((row) => row.number === undefined)) {
        const drawn = await api.census(state, sampled, mine.signal);
        const numbers = new Map(drawn.values.map(({ value, number }) => [value, number]));
        for (const row of census.values) row.number ??= numbers.get(row.value);
      }
      if (mine !== controller) return;
      busy(false);
      again.hidden = true;
      put(census);
    } catch (error) {
      if (mine !== controller) return;
      busy(false);
      note.replaceChildren(api.isAborted(error) ? h("p.soft", {}, texts.histogram.stopped) : complaint(error));
    }
  }

  function put({ values, samples, mean }) {
    const found = barsOf(values);
    shown = found;
    const words = samples === null ? texts.histogram.all(mean) : texts.histogram.sample(samples, count, mean);
    note.replaceChildren(h("p.soft.small", {}, words));
    say(words);
    const largest = Math.max(...found.map((bar) => bar.tours));
    bars = found.map(({ from, to, tours, number }) => {
      const value = from === to ? grouped(from) : texts.histogram.range(grouped(from), grouped(to));
      const figure = samples === null ? grouped(tours) : texts.histogram.share(rounded((100 * tours) / samples, 2));
      const filled = h("span");
      filled.style.inlineSize = `${(100 * tours) / largest}%`;
      const button = h(
        "button",
        {
          type: "button",
          disabled: number === null,
          onclick: () => go(BigInt(number)),
        },
        h("span.value", {}, value),
        h("span.hidden-label", {}, ": "),
        h("span.bar", {}, filled),
        h("span.figure", {}, figure),
        h("span.hidden-label", {}, ` ${texts.histogram.ofTours}`),
      );
      return { from, to, button };
    });
    list.replaceChildren(...bars.map(({ button }) => h("li", {}, button)));
    const end = (row, words) =>
      h(
        "button",
        { type: "button", disabled: row.number === undefined, onclick: () => go(BigInt(row.number)) },
        words(grouped(row.value)),
      );
    ends.replaceChildren(end(values[0], texts.histogram.fewest), end(values[values.length - 1], texts.histogram.most));
    result.hidden = false;
    measure();
  }

  /** Mark the bar of the tour that the board shows. */
  const measure = debounce(REST, async () => {
    measuring.abort();
    const mine = (measuring = new AbortController());
    const { board, tour } = app.state;
    if (!shown || !tour) return;
    try {
      const found = (await api.measure(board, tour, [chosen], mine.signal))[chosen];
      if (mine !== measuring) return;
      for (const { from, to, button } of bars) {
        if (from <= found && found <= to) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      }
    } catch {
      // A bar that is not marked is no reason to complain: the tour is there.
    }
  });

  function forget() {
    controller.abort();
    measuring.abort();
    measure.cancel();
    controller = new AbortController();
    shown = null;
    bars = [];
    result.hidden = true;
    note.replaceChildren();
  }

  return Object.assign(element, {
    /** There are n tours, all numbered. */
    ready(n) {
      if (n === count) return;
      count = n;
      element.hidden = n === 0n;
      begin();
    },
    /** Another question: nothing is known of it yet. */
    end() {
      forget();
      busy(false);
      count = null;
      element.hidden = true;
    },
    /** The board shows another tour. */
    mark: () => shown && measure(),
  });
}
