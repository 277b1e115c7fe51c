// Many: several tours at once as small pictures, drawn at random or listed in order.

import * as api from "../../api.js";
import { squareCount, squareName } from "../../model/board.js";
import {
  because,
  capital,
  complaint,
  debounce,
  field,
  h,
  icon,
  isTyping,
  menu,
  s,
  segmented,
  stopFor,
} from "../../dom.js";
import { rect, STYLES } from "../../drawing/layers.js";
import { CELL, curvedPath, straightPath } from "../../drawing/lines.js";
import { lineParts } from "../../drawing/servedlines.js";
import { latest } from "../../latest.js";
import { QUESTION } from "../../model/state.js";
import { isClosed } from "../../model/tour.js";
import { asked as question, waiting } from "../../panels/answer.js";
import { download } from "../../panels/save.js";
import { themeSeen } from "../../panels/theme.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";
import { libraryWords } from "../../library.js";

const MOST = 500;
// Larger boards are drawn when the button is pressed.
const UNASKED = 400;
const SECONDS = 20;
const BLANKS = 6;

export function makeManyView(app) {
  let orders = [];
  let seed = null;
  let isRandom = true;

  const list = h("ul.sheet", { "aria-label": texts.many.tours });
  // Until there are tours, the boards that they will be drawn on.
  const blank = h("div.sheet.is-blank", { "aria-hidden": "true" });
  const boards = h("div.sheet-box", {}, list, blank);
  const kinds = segmented(
    texts.many.which,
    [
      ["random", texts.many.random],
      ["first", texts.many.first],
    ],
    "random",
    (name) => {
      isRandom = name === "random";
      show();
      run();
    },
  );
  const count = h("input", {
    type: "number",
    min: 1,
    max: MOST,
    value: 12,
    inputmode: "numeric",
    onchange: () => run(),
  });
  const distribution = menu(
    Object.keys(app.distributions).map((name) => [name, name]),
    "backbite",
    () => {
      show();
      run();
    },
  );
  const hint = h("p.soft.small");
  const unique = h("input", { type: "checkbox", checked: true, onchange: () => run() });
  const chance = h(
    "details.section",
    {},
    h("summary", {}, h("h2", {}, texts.many.distribution)),
    h(
      "div.section-body",
      {},
      field(texts.many.distribution, distribution),
      hint,
      h("label.check", {}, unique, h("span", {}, texts.many.unique)),
    ),
  );
  const again = h("button.primary", { type: "button", onclick: () => run() }, icon("dice"), h("span"));
  const [stop, swap] = stopFor(again, () => answer.stop());
  const save = h("button.wide", { type: "button", hidden: true, onclick: saveSheet }, texts.many.saveSheet);
  const note = h("div", { role: "status" });

  function show() {
    chance.hidden = !isRandom;
    const { words, lang } = libraryWords(
      "distributions",
      distribution.value,
      app.distributions[distribution.value].summary,
    );
    hint.textContent = `${capital(words)}.`;
    hint.lang = lang ?? "";
    again.querySelector("span").textContent = isRandom ? texts.many.draw : texts.many.list;
  }

  const asked = () => Math.min(MOST, Math.max(1, Math.round(Number(count.value)) || 12));

  function busy(isBusy) {
    swap(isBusy);
    list.setAttribute("aria-busy", String(isBusy));
  }

  function forget() {
    pictures.forget();
    answer.forget();
    orders = [];
    list.replaceChildren();
    showBlank();
    save.hidden = true;
  }

  function showBlank() {
    const { board } = app.state;
    blank.replaceChildren(...Array.from({ length: Math.min(BLANKS, asked()) }, () => thumb(board)));
  }

  function run() {
    const n = asked();
    count.value = n;
    note.replaceChildren();
    if (!orders.length) showBlank();
    app.announce(waiting(isRandom ? texts.many.drawing : texts.many.listing));
    answer(
      (signal) =>
        isRandom
          ? api.sample(app.state, { n, distribution: distribution.value, unique: unique.checked }, signal)
          : api.enumerate(app.state, { n, seconds: SECONDS }, signal),
      (found) => {
        ({ orders, seed = null } = found);
        draw();
        report(found);
      },
    );
  }

  const answer = latest({
    busy,
    failed(error, isStopped) {
      blank.replaceChildren();
      if (isStopped) app.announce(h("p.verdict.open", {}, `${texts.many.stopped}.`), texts.many.stopped);
      else app.complain(error);
    },
  });
  const runSoon = debounce(150, run);

  function report(found) {
    const words = capital(
      tourWords(texts.many.found, question(app.state), {
        n: orders.length,
        isAll: found.is_complete ?? false,
        isRandom,
      }),
    );
    app.announce(
      [
        h(orders.length ? "p.verdict" : "p.verdict.no", {}, words),
        ...because(found),
        orders.length
          ? h(
              "p.soft.small.how",
              {},
              [texts.many.choose, ...(seed === null ? [] : [fill(texts.common.seed, { seed: String(seed) })])].join(
                " · ",
              ),
            )
          : null,
      ],
      words,
    );
  }

  /** Small pictures, each a button that shows its tour. */
  function draw() {
    const { board, style } = app.state;
    const path = style === "curve" ? curvedPath : straightPath;
    const isMosaic = style === "mosaic" && board.wrap === null;
    note.replaceChildren();
    blank.replaceChildren();
    list.replaceChildren(
      ...orders.map((order, k) => {
        const closed = isClosed(board, order);
        const [row, col] = [Math.floor(order[0] / board.cols), order[0] % board.cols];
        const picture = thumb(
          board,
          s("path", { d: path(board, order, closed), class: `thumb-path${isMosaic ? " is-mosaic" : ""}` }),
          closed ? null : s("circle", { cx: (col + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 9, class: "start" }),
        );
        const [first, last] = [order[0], order[order.length - 1]].map((square) => squareName(board, square));
        const label = fill(texts.many.label, { n: k + 1, closed, first, last });
        const choose = () => app.update({ view: "find", tour: order }, { isStep: true });
        return h("li", {}, h("button.thumb-button", { type: "button", "aria-label": label, onclick: choose }, picture));
      }),
    );
    save.hidden = !orders.length;
    pictures.forget();
    if (orders.length && !isMosaic && !STYLES.includes(style)) serve();
  }

  /** Put the lines of a style that the page has no drawing of into the small pictures: the library draws them. */
  function serve() {
    const { board, style } = app.state;
    pictures(
      async (signal) => (await api.sheet(board, orders, { style, theme: "light" }, signal)).text(),
      (text) => {
        const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
        const served = documentElement.querySelectorAll(":scope > svg");
        for (const [k, picture] of list.querySelectorAll(".thumb").entries()) {
          picture.setAttribute("data-style", style);
          picture.querySelector(".thumb-path").replaceWith(...lineParts(served[k], new Set(app.lineColours)));
        }
      },
    );
  }

  const pictures = latest({ failed: (error, isStopped) => isStopped || note.replaceChildren(complaint(error)) });

  async function saveSheet() {
    const { board, style } = app.state;
    try {
      const sheet = await api.sheet(board, orders, { style, theme: themeSeen() });
      download(new File([sheet], `tours-${board.rows}x${board.cols}.svg`, { type: sheet.type }));
      note.replaceChildren(h("p.soft", {}, texts.many.saved));
    } catch (error) {
      note.replaceChildren(complaint(error));
    }
  }

  show();
  return {
    title: texts.many.title,
    actions: [again, stop],
    isFixed: true,
    tour: null,
    boards: [boards],
    hasNoBoard: true,
    panel: [
      h(
        "section.section-body",
        { "aria-label": texts.many.name },
        kinds,
        field(texts.many.howMany, count, fill(texts.many.range, { most: MOST })),
        chance,
        save,
        note,
      ),
    ],
    hide() {
      runSoon.cancel();
      pictures.forget();
      answer.forget();
    },
    show(changed) {
      if (QUESTION.some((key) => changed.has(key))) {
        forget();
        if (squareCount(app.state.board) > UNASKED) app.announce(h("p.soft", {}, texts.many.press));
        else if (isTyping()) runSoon();
        else run();
      } else if (changed.has("style")) draw();
    },
    keys: { n: () => run() },
    help: texts.many.keys,
  };
}

/** A small picture of a board, with what is drawn on it. */
function thumb(board, ...drawn) {
  const [width, height] = [board.cols * CELL, board.rows * CELL];
  return s(
    "svg",
    { viewBox: `-4 -4 ${width + 8} ${height + 8}`, "aria-hidden": "true", class: "thumb" },
    s("rect", { width, height, class: "thumb-ground" }),
    ...board.holes.map((hole) => rect({ board }, hole, { class: "thumb-hole" })),
    ...drawn,
  );
}
