// The page: one state and several views. `update` changes the state, writes the address and updates all parts.

import * as api from "./api.js";
import { sameBoard } from "./model/board.js";
import { BoardView } from "./drawing/boardview.js";
import { STYLES } from "./drawing/layers.js";
import { complaint, debounce, h, iconButton, say, sentence } from "./dom.js";
import { makeFacts } from "./views/explore/facts.js";
import { makeDrawer, makeDrawers } from "./panels/drawers.js";
import { listenToKeys, listenToWhatIsBrought, makeHelp } from "./panels/keys.js";
import { linkTo } from "./panels/share.js";
import { dailies } from "./model/daily.js";
import { encodeState } from "./model/link.js";
import { listenToTrouble } from "./model/storage.js";
import { DEFAULTS, HELD, heldBy, patched, QUESTION } from "./model/state.js";
import { makeLanguage, makeMore, makeTheme, useLanguage } from "./panels/menu.js";
import { makeLook } from "./panels/look.js";
import { markPlace, showPlaces, tellPlaces } from "./panels/places.js";
import { makeSave } from "./panels/save.js";
import { makeSetup } from "./panels/setup.js";
import { makeSound } from "./panels/sound.js";
import { isClosed } from "./model/tour.js";
import { beginningOf, CHESS, nameParts, opened } from "./panels/opening.js";
import { makeExplore } from "./views/explore/explore.js";
import { PLACES, placeOf, VIEWS } from "./views/table.js";
import { described } from "./model/words.js";
import { fill, texts } from "./language.js";

/** @param {string} id of an element of index.html */
function $(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`#${id}`);
  return element;
}

// Fields that the page fills in automatically.
const ANSWERS = ["tour", "result", "number"];
// A change of one of these fields is a step in the browser's history.
const STEPS = [...QUESTION, "method", "options", "seed", "view", "puzzle"];

export class App {
  /** @type {import("./model/state.js").State} */
  state = { ...DEFAULTS, ...CHESS };
  /** @type {Record<string, import("./views/table.js").View>} */
  views = {};
  /** @type {import("./views/table.js").View | null} */
  #entered = null;
  #written = "";
  // Whether the next address is a new entry of the browser's history.
  #isStep = false;
  // The address keeps an invalid link until the problem changes, so that the user can correct it.
  #isBroken = false;
  // State of the other places, by group: Puzzle has a board of its own.
  #held = {};

  /**
   * methods: the library's table; words: names of the sentences and counters of a recorded search.
   * @param {Record<"methods" | "words", Record<string, any>>} tables
   */
  constructor({ methods, words }) {
    this.methods = methods;
    this.words = words;
    // The views share this board.
    this.board = new BoardView({ label: texts.page.board, hands: () => this.view });
    this.board.element.dataset.board = "";
    $("boards").append(this.board.element);
    this.setup = makeSetup((patch) => this.update(patch));
    this.look = makeLook(this);
    this.facts = makeFacts();
    this.save = makeSave(this);
    this.help = makeHelp(this);
    const theme = makeTheme(() => this.show(new Set(["style"])));
    const more = makeMore([makeLanguage(), theme, makeSound(), this.help.button]);
    $("top-tools").replaceChildren(more);
    document.body.append(this.help.dialog);
    this.drawers = {
      board: makeDrawer("setup", texts.setup.title, [this.setup], { words: this.setup.words, isNamed: false }),
      look: makeDrawer("look", texts.look.name, [this.look, this.save]),
    };
    this.#row = makeDrawers($("drawers"));
    for (const [name, make] of Object.entries(VIEWS)) this.views[name] = make(this);
    for (const view of Object.values(this.views)) view.describe ??= this.views.find.describe;
    this.explore = makeExplore(this);
    $("notice").before(this.explore.carried);
    $("side").append(this.explore.questions);
    showPlaces($("views"), (view) => this.update({ view }));
  }

  /** @type {ReturnType<typeof makeDrawers>} */
  #row;

  /** Show the state of the address, and listen. */
  begin() {
    listenToKeys(this);
    listenToTrouble((trouble) => {
      const close = iconButton("close", texts.common.close, () => note.remove());
      const note = h("div.notice.bad.row", h("p", texts.kept[trouble]), close);
      $("notice").before(note);
      say(texts.kept[trouble]);
    });
    listenToWhatIsBrought($("drop"), (text) => this.#read(text));
    // Links and the Back button fire this event.
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

  /** The visible tour, or null: a view may show a tour other than the state's. */
  get tour() {
    return (this.view.tour === undefined ? this.state.tour : this.view.tour) ?? null;
  }

  #open(hash) {
    this.#write.cancel();
    this.#written = hash.slice(1);
    this.#isStep = false;
    // The help covers the page.
    const isHelp = hash === "#help";
    const known = { views: [...Object.keys(VIEWS), ...Object.keys(PLACES)], styles: STYLES };
    const here = { next: this.state, error: null, isBroken: false };
    const { next, error, isBroken } = isHelp ? here : opened(hash, known, this.methods);
    this.#isBroken = isBroken;
    this.#enter(next, error);
    if (isHelp) this.help.open();
  }

  /**
   * @param {import("./model/state.js").State} next
   * @param {import("./dom.js").Trouble | null} error
   */
  #enter(next, error = null) {
    const before = this.#entered;
    if (placeOf(this.state.view) !== placeOf(next.view)) scrollTo(0, 0);
    const focused = document.activeElement;
    before?.hide?.();
    this.state = next;
    this.#entered = this.view;
    const place = placeOf(next.view);
    markPlace(place);
    document.body.dataset.part = next.view;
    document.title = fill(texts.page.title, { view: this.view.title });
    this.#layOut(place);
    this.announce(null);
    this.board.draw({ board: next.board, scene: {}, style: next.style, numbers: next.numbers });
    this.view.enter?.();
    this.show(new Set(Object.keys(this.state)));
    $("notice").replaceChildren(...(error ? [complaint(error)] : []));
    if (error) say([sentence(error.message), error.note].filter(Boolean).join(" "));
    // After a move by keyboard the focus goes to the place, or to the view's name if the place is gone.
    if (focused && focused !== document.activeElement && focused !== document.body) {
      const isThere = focused.isConnected && focused.checkVisibility();
      const there = isThere ? focused : document.querySelector('a[data-view][aria-current="page"]');
      /** @type {HTMLElement} */ (there).focus({ preventScroll: true });
    }
  }

  /** Move the parts of the view to their containers. A view of a question in Explore appears inside that question. */
  #layOut(/** @type {string} */ place) {
    const { view, explore } = this;
    const { inside, first } = explore.enter(this.state.view, place === "explore");
    $("transport").replaceChildren(...(view.transport ?? []));
    $("action").replaceChildren(...first, ...(view.actions ?? []));
    $("panel").replaceChildren(...view.panel);
    this.#row.show(view.drawers ?? explore.drawers, view.choices);
    if (inside) inside.append($("now"), $("panel"));
    else $("drawers").after($("now"), $("panel"));
    this.lead(view.lead ?? "");
  }

  /**
   * Change the state. Results that no longer hold are dropped, unless the patch contains them. isStep: whether the
   * browser's Back button returns to the previous state; it always does for another problem or view. isMore: whether
   * the change belongs to the previous step, such as a drag over several squares.
   */
  update(patch, { isStep = false, isMore = false } = {}) {
    const { next, changed } = patched(this.state, patch, sameBoard);
    if (!changed.size) return;
    if ([...changed].some((key) => !ANSWERS.includes(key))) this.#isBroken = false;
    if ((isStep || STEPS.some((key) => changed.has(key))) && !isMore) this.#isStep = true;
    if (QUESTION.some((key) => changed.has(key))) {
      $("notice").replaceChildren();
      this.announce(null);
    }
    if (changed.has("view")) {
      this.#enter(this.#moved(next, patch));
      return;
    }
    this.state = next;
    this.show(changed);
  }

  /** Return the state in another place: the stored state of that place, with the patch applied. */
  #moved(next, patch) {
    const [from, to] = [heldBy(this.state.view), heldBy(next.view)];
    if (from === to) return next;
    const pick = (state) => Object.fromEntries(HELD.map((key) => [key, state[key]]));
    this.#held[from] = pick(this.state);
    return { ...next, ...(this.#held[to] ?? pick({ ...DEFAULTS, ...CHESS, ...beginningOf(next.view) })), ...patch };
  }

  show(changed) {
    this.setup.show(this.state);
    this.look.show(this.state);
    this.explore.show(this.state);
    this.view.show(changed);
    // The stage depends on the shape of the board.
    document.body.style.setProperty("--aspect", this.board.element.style.getPropertyValue("--aspect"));
    this.#mark();
    this.facts.show(this.state.board, this.tour);
    this.save.show(this.tour);
    // Until the address is written, it belongs to the previous state; scripts that drive the page wait for this mark.
    document.documentElement.dataset.unwritten = "yes";
    this.#write();
  }

  #write = debounce(60, () => {
    delete document.documentElement.dataset.unwritten;
    const text = encodeState(this.state);
    if (heldBy(this.state.view) === "question") tellPlaces($("views"), text);
    // Do not overwrite a link that was opened before the page received the event.
    if (this.#isBroken || location.hash.slice(1) !== this.#written) return;
    const isStep = this.#isStep;
    this.#isStep = false;
    // The bare address shows the daily puzzles, so that it can be bookmarked.
    if (location.hash === `#${text}` || (!location.hash && text === dailies(new Date())[0].link)) return;
    if (isStep) history.pushState(null, "", `#${text}`);
    else history.replaceState(null, "", `#${text}`);
    this.#written = location.hash.slice(1);
  });

  get address() {
    return linkTo(encodeState(this.state));
  }

  /** Whether the user has pressed a button of the result. */
  get isAnswering() {
    return $("answer").contains(document.activeElement);
  }

  lead(text) {
    if ($("lead").textContent !== text) $("lead").textContent = text;
  }

  /** Show the sentence below the board, or a list of elements and nulls; screen readers read `spoken`. */
  announce(content, spoken = "") {
    $("answer").replaceChildren(...[content].flat().filter(Boolean));
    this.#mark();
    if (spoken) say(spoken);
  }

  reveal(/** @type {import("./panels/drawers.js").Drawer | null} */ drawer) {
    this.#row.open(drawer);
  }

  #isWaiting = false;

  wait(isWaiting = true) {
    this.#isWaiting = isWaiting;
    this.#mark();
  }

  /** Mark the kind of result, for scripts that drive the page. */
  #mark() {
    const answer = $("answer");
    const known = this.state.result?.status ?? (this.tour ? "found" : "undecided");
    answer.dataset.answer = this.#isWaiting || answer.querySelector(".spinner") ? "pending" : known;
  }

  complain(error) {
    this.announce(complaint(error), error.message);
  }

  drawTour(extra = {}) {
    const { board, tour, style, numbers, start, end } = this.state;
    const scene = { start, end, ...(tour && { path: tour, closed: isClosed(board, tour), isWhole: true }), ...extra };
    this.board.draw({ board, scene, style, numbers });
    this.board.call(this.description());
  }

  description() {
    return described(this.state.board, this.state.tour);
  }

  /** Check reads dropped and pasted text. */
  #read(/** @type {string} */ text) {
    this.update({ view: "check" });
    this.views.check.check?.(text);
  }
}

// As a link it would replace the address, which holds the state.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  $("stage").focus();
});

async function begin() {
  const [methods, words] = await Promise.all([api.table("methods"), api.table("words"), useLanguage()]);
  nameParts();
  new App({ methods, words }).begin();
}

begin().catch((error) => {
  const said = { message: texts.page.notStarted, note: error.message, help: texts.page.isServing };
  $("answer").replaceChildren(complaint(said));
});
