// Check: paste or drop a tour, and see whether it is one, or which step is wrong.

import * as api from "./api.js";
import { boardFromJson, boardToJson, boardWords, MOST_SIDE, squareName } from "./board.js";
import { complaint, field, grouped, h, icon, menu } from "./dom.js";
import { fromPairs } from "./tour.js";

const FORMATS = [
  ["", "Told by the text"],
  ["grid", "Numbered diagram, from 1"],
  ["grid0", "Numbered diagram, from 0"],
  ["algebraic", "Names of squares"],
  ["squares", "row,col of each square"],
  ["csv", "CSV"],
  ["json", "JSON"],
  ["xy", "X: 1 Y: 1"],
  ["tour", "TSPLIB tour"],
];

export function makeCheckView(app) {
  let tours = [];
  let at = 0;
  let controller = new AbortController();

  const text = h("textarea", {
    rows: 10,
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "1 6 3 8 …  or  a1 b3 c5 …",
    onpaste: () => setTimeout(() => check()),
  });
  const format = menu(FORMATS, "", () => text.value.trim() && check());
  const same = h("input", { type: "checkbox" });
  const file = h("input.hidden-label", {
    type: "file",
    id: "check-file",
    tabindex: -1,
    "aria-hidden": "true",
    onchange: async () => {
      if (file.files[0]) await check(await file.files[0].text());
      file.value = "";
    },
  });
  const which = h("div.number-row", { hidden: true });
  const verdict = h("div");

  async function check(given = text.value) {
    text.value = given;
    controller.abort();
    const mine = (controller = new AbortController());
    verdict.replaceChildren();
    which.hidden = true;
    if (!given.trim()) return;
    const board = same.checked ? boardToJson(app.state.board) : null;
    try {
      const told = await api.check(given, format.value || null, board, mine.signal);
      if (mine !== controller) return;
      tours = told.tours ?? [];
      at = 0;
      // The first that is wrong is what somebody who checks wants to see.
      const wrong = tours.findIndex((tour) => !tour.valid);
      show(wrong >= 0 ? wrong : 0, told.more);
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) {
        app.tell(h("p.verdict.no", {}, "This cannot be read as a tour."), "This cannot be read as a tour");
        verdict.replaceChildren(complaint(error));
      }
    }
  }

  function show(k, isMore = false) {
    at = k;
    const tour = tours[k];
    if (!tour) return;
    which.hidden = tours.length < 2;
    which.replaceChildren(
      h(
        "button.icon-button",
        { type: "button", "aria-label": "Previous tour", disabled: k === 0, onclick: () => show(k - 1, isMore) },
        icon("back"),
      ),
      h("span", {}, `tour ${k + 1} of ${tours.length}${isMore ? " and more" : ""}`),
      h(
        "button.icon-button",
        {
          type: "button",
          "aria-label": "Next tour",
          disabled: k === tours.length - 1,
          onclick: () => show(k + 1, isMore),
        },
        icon("next"),
      ),
    );
    const valid = tours.filter((other) => other.valid).length;
    if (tours.length > 1)
      verdict.replaceChildren(h("p.soft", {}, `${grouped(valid)} of ${grouped(tours.length)} are tours.`));
    if (!tour.valid) {
      const words = `${tour.fault[0].toUpperCase()}${tour.fault.slice(1)}`;
      app.tell([h("p.verdict.no", {}, "This is not a tour"), h("p.reason", {}, words)], `Not a tour: ${words}`);
      drawFault(tour);
      return;
    }
    const board = boardFromJson(tour.shape);
    const words = `${tour.closed ? "A closed tour" : "An open tour"} of the ${boardWords(board)}`;
    if (board.rows <= MOST_SIDE && board.cols <= MOST_SIDE) app.take(board, fromPairs(board, tour.squares));
    app.tell(
      [h("p.verdict.good", {}, words), h("p.soft.small", {}, "Every square once, every step a move.")],
      `${words}. It is right`,
    );
  }

  /** What was read, up to the step that is wrong, if the server tells it. */
  function drawFault({ shape, squares, step }) {
    if (!shape || !squares || shape.rows > MOST_SIDE || shape.cols > MOST_SIDE) {
      app.board.draw({ board: app.state.board, scene: {} });
      return;
    }
    const board = boardFromJson(shape);
    app.update({ board, tour: null });
    const order = fromPairs(board, squares);
    const path = order.slice(0, step ?? order.length);
    const fault = step !== null && step !== undefined && order[step] !== undefined ? order[step] : null;
    app.board.draw({
      board,
      style: app.state.style,
      scene: {
        path,
        fault,
        start: path[0],
        ghosts: fault === null || !path.length ? [] : [[path[path.length - 1], fault]],
      },
    });
    app.board.call(`${boardWords(board)}, wrong at ${fault === null ? "no square" : squareName(board, fault)}`);
  }

  const view = {
    title: "Check",
    icon: "check",
    panel: [
      h(
        "section.section.flat",
        { "aria-label": "Check a tour" },
        h("h2", {}, "Is it a tour?"),
        field("Paste it here, or drop a file anywhere", text),
        field("Format", format),
        h("label.check", {}, same, h("span", {}, "It is a tour of the board below")),
        h(
          "div.buttons",
          {},
          h("button.primary", { type: "button", onclick: () => check() }, icon("check"), "Check"),
          h("button", { type: "button", onclick: () => file.click() }, "Choose a file …"),
        ),
        file,
        which,
        verdict,
      ),
      app.setup,
      app.facts,
      app.save,
    ],
    check,
    enter() {
      app.tell(h("p.verdict", {}, "Paste or drop a tour."));
    },
    hide: () => controller.abort(),
    show(changed) {
      if (app.state.tour || changed.has("board")) app.drawTour();
      else if (changed.has("style") || changed.has("numbers"))
        app.board.draw({ style: app.state.style, numbers: app.state.numbers });
    },
    onsquare: () => {},
    tell: (square) => app.views.find.tell(square),
  };
  return view;
}
