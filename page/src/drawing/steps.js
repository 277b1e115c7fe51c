// Elements for each step of a path, or for each stretch of it. Elements of the unchanged part are reused between
// pictures, since creating thousands of them would exceed the time of a frame.

import { s } from "../dom.js";

function alike(path, other) {
  const most = Math.min(path.length, other.length);
  let count = 0;
  while (count < most && path[count] === other[count]) count += 1;
  return count;
}

export class Steps {
  #group = s("g");
  #path = [];
  #kind = "";

  /**
   * Return the group of the elements of all steps. kind: everything else that the elements depend on, as a text;
   * make(square, step): creates the element of a step, from 0.
   * @param {number[]} path
   * @param {string} kind
   * @param {(squares: any, step: number) => SVGElement} make
   */
  show(path, kind, make) {
    const kept = this.kept(kind === this.#kind ? alike(path, this.#path) : 0);
    if (kept === 0) this.#group.replaceChildren();
    while (this.#group.childElementCount > kept) this.#group.lastChild.remove();
    this.#group.append(
      ...this.parts(path)
        .slice(kept)
        .map((part, i) => make(part, kept + i)),
    );
    this.#path = path.slice();
    this.#kind = kind;
    return this.#group;
  }

  /** Number of elements that are kept if this number of squares is unchanged. */
  kept(/** @type {number} */ squares) {
    return squares;
  }

  /** The input of each element. @returns {unknown[]} */
  parts(/** @type {number[]} */ path) {
    return path;
  }
}

// Moves of a stretch. Longer stretches cover more of the board, which is repainted with them; shorter stretches need
// more elements.
const STRETCH = 48;

/**
 * A path in stretches, one element each; the end of a stretch is the start of the next, and only the last one grows.
 */
export class Stretches extends Steps {
  /** @override */
  kept(/** @type {number} */ squares) {
    return Math.floor(Math.max(0, squares - 1) / STRETCH);
  }

  /** @override */
  parts(/** @type {number[]} */ path) {
    const count = Math.ceil((path.length - 1) / STRETCH);
    return Array.from({ length: Math.max(0, count) }, (_, i) => path.slice(i * STRETCH, (i + 1) * STRETCH + 1));
  }
}

/** Set the children of a group; existing elements are not touched. */
export function hold(/** @type {SVGElement} */ group, /** @type {SVGElement[]} */ elements) {
  const wanted = new Set(elements);
  for (const child of [...group.children]) if (!wanted.has(/** @type {SVGElement} */ (child))) child.remove();
  elements.forEach((element, i) => {
    if (group.children[i] !== element) group.insertBefore(element, group.children[i] ?? null);
  });
}
