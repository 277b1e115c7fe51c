// The views, their places and their properties for the page; app.js creates the views and shows one.

import { makeCheckView } from "./check/check.js";
import { makeAllView } from "./explore/all.js";
import { makeCountView } from "./explore/count.js";
import { makeFindView } from "./explore/find.js";
import { makeWatchView } from "./explore/watch.js";
import { makePlayView } from "./play/play.js";
import { makePuzzleView } from "./puzzle/puzzle.js";

/**
 * The parts of a view, mostly optional. Around its board: drawers, after other choices; transport; actions, its main
 * buttons; panel. enter, hide: called when the view opens and closes; show(changed): called with the changed fields of the state. The other members are used by the board,
 * keys, drops and the menu of the page.
 * @typedef {{title: string, words: string, scene: object, address: string}} Sheet
 * @typedef {import("../drawing/boardview.js").Hands & Own} View
 * @typedef {object} Own
 * @property {string} title
 * @property {string} [lead]
 * @property {HTMLElement[]} panel
 * @property {import("../panels/drawers.js").Drawer[]} [drawers]
 * @property {HTMLElement[]} [choices]
 * @property {HTMLElement[]} [transport]
 * @property {HTMLElement[]} [actions]
 * @property {HTMLElement[]} [again] in Explore: another tour, and the button that ends its search
 * @property {Sheet | null} [sheet] the printed content; null: the view as shown
 * @property {boolean} [isFixed] whether the visible tour cannot be turned
 * @property {number[] | null} [tour] the visible tour, if it differs from the state
 * @property {() => unknown} [enter]
 * @property {() => unknown} [hide]
 * @property {(changed: Set<string>) => unknown} show
 * @property {() => unknown} [undo]
 * @property {() => unknown} [redo]
 * @property {(digit: string) => unknown} [ondigit]
 * @property {(text: string) => unknown} [check]
 * @property {Record<string, () => unknown>} [keys]
 * @property {string[][]} [help]
 */

/** @type {Record<string, (app: import("../app.js").App) => View>} */
export const VIEWS = {
  puzzle: makePuzzleView,
  play: makePlayView,
  find: makeFindView,
  watch: makeWatchView,
  count: makeCountView,
  all: makeAllView,
  check: makeCheckView,
};

/** The places, in the order of the bar, each with its first view. */
export const PLACES = { puzzle: "puzzle", play: "play", explore: "find", check: "check" };

export const placeOf = (view) => (view in PLACES ? view : "explore");
