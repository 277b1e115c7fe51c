// The views, the places that they belong to, and what the page knows of each; app.js makes them and shows one.

import { makeCheckView } from "./check/check.js";
import { makeAllView } from "./explore/all.js";
import { makeCountView } from "./explore/count.js";
import { makeFindView } from "./explore/find.js";
import { makeWatchView } from "./explore/watch.js";
import { makePlayView } from "./play/play.js";
import { makePuzzleView } from "./puzzle/puzzle.js";

/**
 * What a view is made of; most of it is optional. What is beside its board: drawers, after other choices; transport;
 * actions, its main buttons; panel. boards: in the place of the one. enter, hide: the view comes and goes; entered: it has
 * been drawn; show(changed): these fields of the state are new. The rest is asked for by the board, keys, drops and the
 * menu of the page.
 * @typedef {{title: string, words: string, scene: object, address: string}} Sheet
 * @typedef {import("../drawing/boardview.js").Hands & Own} View
 * @typedef {object} Own
 * @property {string} title
 * @property {string} [lead]
 * @property {HTMLElement[]} panel
 * @property {import("../panels/drawers.js").Drawer[]} [drawers]
 * @property {HTMLElement[]} [choices]
 * @property {HTMLElement[]} [transport]
 * @property {HTMLElement[]} [boards]
 * @property {HTMLElement[]} [actions]
 * @property {HTMLElement[]} [again] of Explore: another tour, and the end of that search
 * @property {Sheet | null} [sheet] what of it is printed; null: as it is seen
 * @property {boolean} [isFixed] whether the tour that is seen cannot be turned
 * @property {number[] | null} [tour] the one that is seen, if it is not that of the state
 * @property {() => unknown} [enter]
 * @property {() => unknown} [entered]
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

/** The places, in the order of the bar, each with the view that it begins with. */
export const PLACES = { puzzle: "puzzle", play: "play", explore: "find", check: "check" };

/** The place that a view belongs to. */
export const placeOf = (view) => (view in PLACES ? view : "explore");
