// The views, in the order of the menu, and what the page knows of each; app.js makes them and shows one.

import { makeAllView } from "./explore/all.js";
import { makeCheckView } from "./check/check.js";
import { makeCompareView } from "./explore/compare.js";
import { makeCountView } from "./explore/count.js";
import { makeFindView } from "./explore/find.js";
import { makeManyView } from "./explore/many.js";
import { makePlayView } from "./play/play.js";
import { makePuzzleView } from "./puzzle/puzzle.js";
import { makeWatchView } from "./explore/watch.js";

/**
 * What a view is made of; most of it is optional. panel: what is beside the board; transport: below it; boards: in its
 * place. enter, hide: the view comes and goes; show(changed): these fields of the state are new. The rest is asked for
 * by the board, keys, drops and the menu of the page.
 * @typedef {object} View
 * @property {string} title
 * @property {string} [lead]
 * @property {string} icon
 * @property {HTMLElement[]} panel
 * @property {HTMLElement[]} [transport]
 * @property {HTMLElement[]} [boards]
 * @property {boolean} [hasNoBoard]
 * @property {boolean} [isFixed] whether the tour that is seen cannot be turned
 * @property {number[] | null} [tour] the one that is seen, if it is not that of the state
 * @property {{place: (slot: HTMLElement) => unknown}} [actions]
 * @property {() => unknown} [enter]
 * @property {() => unknown} [hide]
 * @property {(changed: Set<string>) => unknown} show
 * @property {() => unknown} [undo]
 * @property {() => unknown} [redo]
 * @property {(square: number) => unknown} [onsquare]
 * @property {(square: number, isOn: boolean, isMore: boolean) => unknown} [onpaint]
 * @property {() => unknown} [onpainted]
 * @property {(square: number) => string} [describe]
 * @property {() => boolean} [isPainting]
 * @property {(square: number, isTouch: boolean) => boolean} [canDrag]
 * @property {(square: number) => unknown} [onpick]
 * @property {(square: number) => unknown} [onover]
 * @property {(square: number) => unknown} [ondrop]
 * @property {(digit: string) => unknown} [ondigit]
 * @property {(tool: string) => unknown} [useTool]
 * @property {(text: string) => unknown} [check]
 * @property {Record<string, () => unknown>} [keys]
 * @property {string[][]} [help]
 */

/** @type {Record<string, (app: import("../app.js").App) => View>} */
export const VIEWS = {
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
