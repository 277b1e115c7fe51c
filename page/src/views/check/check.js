// Check: paste or drop a tour, and see whether it is valid, or its first wrong step.

import * as api from "../../api.js";
import { makeDrawer } from "../../panels/drawers.js";
import { boardFromJson, boardToJson, MAX_SIDE, squareName } from "../../model/board.js";
import { capital, complaint, field, h, icon, iconButton, menu, sentence } from "../../dom.js";
import { latest } from "../../latest.js";
import { textOf } from "../../model/origin.js";
import { QUESTION } from "../../model/state.js";
import { makeReplay } from "../../panels/replay.js";
import { fromPairs, isClosed } from "../../model/tour.js";
import { boardWords, tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";
import tables from "../../model/tables.json" with { type: "json" };

const FORMATS = ["", ...tables.formats];

/** The library counts steps from 0 and adds the number; the board shows numbers. */
const fromOne = (fault) => fault.replaceAll(/step \d+ \((number \d+)\)/g, "$1");

export function makeCheckView(app) {
  let tours = [];
  let at = 0;
  // Whether the text contains further tours.
  let isMore = false;
  // The picture of an invalid tour: the path up to the wrong step, and that step.
  /** @type {ReturnType<typeof faultOf> | null} */
  let fault = null;
  // Whether the state changes because of the text, and not because of another user action.
  let isReading = false;

  const text = h("textarea", {
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: texts.check.placeholder,
    onpaste: () => setTimeout(() => check()),
  });
  const formats = FORMATS.map((name) => [name, texts.check.formats[name || "any"]]);
  const format = menu(formats, "", () => text.value.trim() && check());
  const same = h("input", { type: "checkbox" });
  const file = h("input.hidden-label", {
    type: "file",
    id: "check-file",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: async () => {
      if (file.files[0]) await check(await textOf(file.files[0]));
      file.value = "";
    },
  });
  const previous = iconButton("back", texts.all.previous, () => show(at - 1));
  const next = iconButton("next", texts.all.next, () => show(at + 1));
  const place = h("span");
  const which = h("div.number-row", { hidden: true }, previous, place, next);
  const verdict = h("div");

  function check(given = text.value) {
    text.value = given;
    reply.forget();
    // The previous tour does not belong to the new text.
    put({ tour: null });
    forget();
    if (!given.trim()) return;
    const board = same.checked ? boardToJson(app.state.board) : null;
    reply(
      (signal) => api.check(given, format.value || null, board, signal),
      (found) => {
        tours = found.tours ?? [];
        isMore = found.more;
        // Show the first invalid tour.
        const wrong = tours.findIndex((tour) => !tour.valid);
        show(Math.max(wrong, 0));
      },
    );
  }

  const reply = latest({
    failed(error) {
      app.announce(h("p.verdict.no", `${texts.check.unreadable}.`), texts.check.unreadable);
      verdict.replaceChildren(complaint(error));
    },
  });

  function show(k) {
    at = k;
    const tour = tours[k];
    if (!tour) return;
    which.hidden = tours.length < 2;
    place.textContent = fill(texts.check.at, { k: k + 1, n: tours.length, isMore });
    const used = document.activeElement;
    previous.disabled = k === 0;
    next.disabled = k === tours.length - 1;
    // At either end the focus moves to the other button, since the pressed one is disabled.
    if (used === next && next.disabled) previous.focus();
    if (used === previous && previous.disabled) next.focus();
    const valid = tours.filter((other) => other.valid).length;
    verdict.replaceChildren(
      ...[
        tours.length > 1 && fill(texts.check.valid, { n: valid, all: tours.length }),
        tour.read_as && fill(texts.check.readAs, { how: tour.read_as.join(", ") }),
      ]
        .filter(Boolean)
        .map((words) => h("p.soft", words)),
    );
    const board = tour.shape ? boardFromJson(tour.shape) : null;
    const isLarge = board !== null && (board.rows > MAX_SIDE || board.cols > MAX_SIDE);
    const order = board && !isLarge && tour.squares ? fromPairs(board, tour.squares) : null;
    const anyEnds = { start: null, end: null, conditions: null };
    if (!board || !order) put({ tour: null });
    else if (tour.valid) put({ board, tour: order, closed: tour.closed, ...anyEnds });
    else put({ board, tour: null, ...anyEnds }, faultOf(order, tour.step));
    const note = isLarge ? h("p.soft.small", fill(texts.check.tooLarge, { most: MAX_SIDE })) : null;
    if (tour.valid) tellTour(board, tour.closed, note);
    else {
      const words = sentence(fromOne(tour.fault));
      app.announce(
        [h("p.verdict.no", texts.check.notTour), h("p.reason", { lang: "en" }, words), note],
        fill(texts.check.saidNotTour, { words }),
      );
    }
  }

  /**
   * @param {Partial<import("../../model/state.js").State>} patch
   * @param {ReturnType<typeof faultOf> | null} wrong
   */
  function put(patch, wrong = null) {
    fault = wrong;
    isReading = true;
    app.update(patch);
    isReading = false;
    // A fault is drawn even if nothing else has changed, and disables the buttons that turn the board.
    app.show(new Set());
  }

  function forget() {
    tours = [];
    fault = null;
    which.hidden = true;
    verdict.replaceChildren();
    app.announce(h("p.verdict", texts.check.invitation));
  }

  function tellTour(board, closed, note = null) {
    const words = capital(tourWords(texts.board.aTour, { ...board, closed }));
    app.announce(
      [h("p.verdict.good", words), h("p.soft.small", texts.check.right), note],
      fill(texts.check.saidRight, { words }),
    );
  }

  function faultOf(order, step) {
    const path = order.slice(0, step ?? order.length);
    const wrong = order[step] ?? null;
    return {
      path,
      fault: wrong,
      start: path[0],
      ghosts: wrong === null || !path.length ? [] : [[path[path.length - 1], wrong]],
    };
  }

  function draw() {
    const { board, style, numbers } = app.state;
    if (replay.draw()) return;
    if (!fault) {
      app.drawTour();
      return;
    }
    app.board.draw({ board, style, numbers, scene: fault });
    app.board.call(
      fault.fault === null
        ? fill(texts.check.wrongNowhere, { board: boardWords(board) })
        : fill(texts.check.wrongAt, { board: boardWords(board), square: squareName(board, fault.fault) }),
    );
  }

  const replay = makeReplay(app, draw);
  const explore = h("button", { onclick: () => app.update({ view: "find" }) }, icon("find"), texts.check.explore);
  const reading = makeDrawer("reading", texts.check.format, [
    field(texts.check.format, format),
    h("label.check", same, h("span", texts.check.ofBoard)),
  ]);
  const view = {
    title: texts.check.title,
    drawers: [app.drawers.board, reading, app.drawers.look],
    actions: [
      field(texts.check.paste, text),
      h("button.primary", { onclick: () => check() }, icon("check"), texts.check.go),
      h("button", { onclick: () => file.click() }, texts.check.chooseFile),
      replay.button,
      explore,
    ],
    panel: [h("section.section-body", { "aria-label": texts.check.name }, file, which, verdict), app.facts],
    check,
    enter: forget,
    /** The fault contains names of squares, which turning the board would change. */
    get isFixed() {
      return fault !== null;
    },
    transport: [replay.element],
    hide() {
      reply.forget();
      replay.end();
    },
    show(changed) {
      replay.show();
      explore.hidden = !app.state.tour;
      if (!isReading && QUESTION.some((key) => changed.has(key))) {
        const { board, tour } = app.state;
        // The checked tour was turned.
        if (tour && tours.length) tellTour(board, isClosed(board, tour));
        else forget();
      }
      draw();
    },
    get keys() {
      return replay.keys;
    },
    get help() {
      return replay.help;
    },
  };
  return view;
}
