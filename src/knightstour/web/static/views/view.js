// What the page knows of its views, written down; app.js makes them and shows one.

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

export {};
