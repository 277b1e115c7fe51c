// The page: one state, shown by several views. Whatever changes the state does so through `update`, which writes the address
// and lets all parts show it.

import * as api from "./api.js";
import { boardWords, makeBoard, sameBoard, squareCount } from "./model/board.js";
import { useRamp } from "./drawing/colours.js";
import { BoardView, STYLES } from "./drawing/boardview.js";
import { complaint, debounce, h, icon, say, sentence } from "./dom.js";
import { makeFacts } from "./panels/facts.js";
import { listenToKeys, makeHelp } from "./panels/keys.js";
import { decodeState, DEFAULTS, encodeState, LinkError, QUESTION } from "./model/link.js";
import { makeLook } from "./panels/look.js";
import { makeSave } from "./panels/save.js";
import { makeSetup } from "./panels/setup.js";
import { makeTheme } from "./panels/theme.js";
import { isClosed } from "./model/tour.js";
import { makeAllView } from "./views/all.js";
import { makeCheckView } from "./views/check.js";
import { makeCompareView } from "./views/compare.js";
import { makeCountView } from "./views/count.js";
import { makeFindView } from "./views/find.js";
import { makeManyView } from "./views/many.js";
import { makePlayView } from "./views/play.js";
import { makePuzzleView } from "./views/puzzle.js";
import { makeWatchView } from "./views/watch.js";

const VIEWS = {
  find: makeFindView,
  watch: makeWatchView,
  play: makePlayView,
  all: makeAllView,
  count: makeCountView,
  many: makeManyView,
  compare: makeCompareView,
  check: makeCheckView,
  puzzle: makePuzzleView,
};
const $ = (id) => document.getElementById(id);

// What each answer holds for: it is dropped when one of these becomes another. A number and a result are those of their
// tour; a game goes on whatever is asked of the same board.
const HOLDS_FOR = {
  tour: QUESTION,
  other: QUESTION,
  result: [...QUESTION, "tour"],
  number: [...QUESTION, "tour"],
  played: ["board"],
  puzzle: ["board", "closed"],
};

class App {
  state = { ...DEFAULTS, closed: true, board: makeBoard(), result: null };
  views = {};
  methods = {};
  #written = "";

  async begin() {
    const [methods, laws, objectives, { ramp }] = await Promise.all(
      ["methods", "laws", "objectives", "drawing"].map((name) => api.table(name)),
    );
    Object.assign(this, { methods, laws, objectives });
    useRamp(ramp);
    const known = { views: Object.keys(VIEWS), styles: Object.keys(STYLES) };
    this.load = (hash) => decodeState(hash, known);
    // One board is shared by the views that show one.
    this.board = new BoardView({
      label: "Board",
      onsquare: (square) => this.view.onsquare?.(square),
      onpaint: (square, isOn) => this.view.onpaint?.(square, isOn),
      oncursor: (square) => this.view.describe && say(this.view.describe(square)),
      isPainting: () => this.view.isPainting?.() ?? false,
      isTaken: (square) => this.state.board.holes.includes(square),
    });
    this.setup = makeSetup(
      (patch) => this.update(patch),
      (tool) => this.views.find.useTool(tool),
    );
    this.look = makeLook(this);
    this.facts = makeFacts();
    this.save = makeSave(this);
    $("look").replaceChildren(this.look);
    this.help = makeHelp(this);
    $("top-tools").replaceChildren(
      makeTheme(() => this.show(new Set(["style"]))),
      this.help.button,
    );
    document.body.append(this.help.dialog);
    for (const [name, make] of Object.entries(VIEWS)) this.views[name] = make(this);
    $("views").replaceChildren(
      ...Object.entries(this.views).map(([name, view]) =>
        h(
          "li",
          {},
          h(
            "button.view-button",
            { type: "button", "data-view": name, onclick: () => this.update({ view: name }) },
            icon(view.icon),
            h("span", {}, view.title),
          ),
        ),
      ),
    );
    listenToKeys(this);
    this.#listenToDrops();
    addEventListener("hashchange", (event) => {
      const { hash } = new URL(event.newURL);
      if (hash.slice(1) !== this.#written) this.#open(hash);
    });
    this.#open(location.hash);
    document.documentElement.dataset.ready = "yes";
  }

  get view() {
    return this.views[this.state.view];
  }

  /** The tour that is seen, or null: a view may show another one than that which was found. */
  get tour() {
    return "tour" in this.view ? this.view.tour : this.state.tour;
  }

  /** Show what an address says. */
  #open(hash) {
    this.#written = hash.slice(1);
    let next = { ...this.state };
    for (const answer of Object.keys(HOLDS_FOR)) next[answer] = null;
    let error = null;
    if (hash.length > 1) {
      try {
        next = { ...this.load(hash), result: null };
        if (!(next.method in this.methods)) next.method = "auto";
      } catch (problem) {
        if (!(problem instanceof LinkError)) throw problem;
        error = {
          message: "This link cannot be shown.",
          note: sentence(problem.message),
          help: "The page shows the chess board instead.",
        };
        next = { ...DEFAULTS, closed: true, board: makeBoard(), result: null };
      }
    }
    this.#enter(next, error);
  }

  #enter(next, error = null) {
    const before = this.shown;
    if (before) before.hide?.();
    this.state = next;
    this.shown = this.view;
    for (const button of document.querySelectorAll(".view-button")) {
      button.setAttribute("aria-current", button.dataset.view === next.view ? "page" : "false");
    }
    document.body.dataset.view = next.view;
    document.title = `${this.view.title} · Knight’s tour`;
    $("boards").replaceChildren(...(this.view.boards ?? [this.board.element]));
    $("transport").replaceChildren(...(this.view.transport ?? []));
    $("panel").replaceChildren(...this.view.panel);
    this.setup.open = this.view === this.views.find;
    this.setup.tools.hidden = this.view !== this.views.find;
    this.setup.ends.hidden = [this.views.all, this.views.puzzle].includes(this.view);
    this.announce(null);
    this.board.draw({ board: next.board, scene: {}, style: next.style, numbers: next.numbers });
    this.view.enter?.();
    this.show(new Set(Object.keys(next)));
    $("notice").replaceChildren(...(error ? [complaint(error)] : []));
    if (error) say(`${error.message} ${error.note}`);
  }

  /** Change the state. Answers that do not hold any more are dropped, but for those given in the same patch. */
  update(patch) {
    const changed = new Set(Object.keys(patch).filter((key) => patch[key] !== this.state[key]));
    if (changed.has("board") && sameBoard(patch.board, this.state.board)) changed.delete("board");
    if (!changed.size) return;
    const next = { ...this.state, ...patch };
    for (const [answer, causes] of Object.entries(HOLDS_FOR)) {
      if (answer in patch || next[answer] === null || !causes.some((cause) => changed.has(cause))) continue;
      next[answer] = null;
      changed.add(answer);
    }
    if (QUESTION.some((key) => changed.has(key))) {
      $("notice").replaceChildren();
      this.announce(null);
    }
    if (changed.has("view")) {
      this.#enter(next);
      return;
    }
    this.state = next;
    this.show(changed);
  }

  /** Bring all parts up to date with what changed. */
  show(changed) {
    this.setup.show(this.state);
    this.look.show(this.state);
    this.view.show(changed);
    this.facts.show(this.state.board, this.tour);
    this.save.show(this.state.board, this.tour);
    this.#write();
  }

  #write = debounce(60, () => {
    this.#written = encodeState(this.state);
    if (location.hash !== `#${this.#written}`) history.replaceState(null, "", `#${this.#written}`);
  });

  get address() {
    return `${location.origin}${location.pathname}#${encodeState(this.state)}`;
  }

  /** The sentence below the board, or a list of elements and nulls; `spoken` is what screen readers hear of it. */
  announce(content, spoken = "") {
    $("answer").replaceChildren(...[content].flat().filter(Boolean));
    if (spoken) say(spoken);
  }

  complain(error) {
    this.announce(complaint(error), error.message);
  }

  /** Draw the shared board with the tour on it. */
  drawTour(extra = {}) {
    const { board, tour, style, numbers, start, end } = this.state;
    const whole = tour && { path: tour, closed: isClosed(board, tour), isWhole: true };
    const scene = { start, end, ...whole, ...extra };
    this.board.draw({ board, scene, style, numbers });
    this.board.call(this.description());
  }

  description() {
    const { board, tour } = this.state;
    const what = tour
      ? `${isClosed(board, tour) ? "closed" : "open"} tour from ${this.board.name(tour[0])} to ${this.board.name(tour[tour.length - 1])}`
      : "no tour";
    return `${boardWords(board)}, ${squareCount(board)} squares, ${what}`;
  }

  #listenToDrops() {
    const cover = $("drop");
    let depth = 0;
    const hasFile = (event) =>
      [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
    addEventListener("dragenter", (event) => {
      if (!hasFile(event)) return;
      depth += 1;
      cover.hidden = false;
    });
    addEventListener("dragleave", () => {
      depth = Math.max(0, depth - 1);
      cover.hidden = depth === 0;
    });
    addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
    addEventListener("drop", async (event) => {
      depth = 0;
      cover.hidden = true;
      if (!hasFile(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      const text = file ? await file.text() : event.dataTransfer.getData("text/plain");
      this.update({ view: "check" });
      this.views.check.check(text);
    });
  }
}

// As a link it would replace the address, which holds all that is shown.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  $("stage").focus();
});

const app = new App();
app.begin().catch((error) => {
  $("answer").replaceChildren(
    complaint({
      message: "The page could not start.",
      note: error.message,
      help: "Is knightstour serve still running?",
    }),
  );
});
