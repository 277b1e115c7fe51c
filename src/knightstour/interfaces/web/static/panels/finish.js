// What is said of a tour that was finished, the same in Puzzle and Play: how, in figures; to share, to keep, and what is next.

import { h, icon } from "../dom.js";
import { isHere } from "../model/addresses.js";
import { makeKeepPicture } from "./keeppicture.js";
import { copied } from "./share.js";
import { texts } from "../language.js";

/**
 * @typedef {object} Finished
 * @property {string} verdict
 * @property {[string | Node, string][]} figures each with what it counts
 * @property {Node | null} [row] more of the card
 * @property {() => string[]} lines what is copied
 * @property {string} copied what is said then
 * @property {HTMLElement | null} next the way on
 * @property {(Node | null)[]} [more] further buttons
 */

/** order(): the squares of the tour. */
export function makeFinish(app, order) {
  const note = h("div", { role: "status" });
  const keepPicture = makeKeepPicture(app, order);
  const button = h("button.primary", { type: "button", onclick: () => share() }, icon("link"), texts.daily.share);
  /** @type {Finished | null} */
  let shown = null;

  async function share() {
    if (!shown) return;
    const text = shown.lines().join("\n");
    const how = await copied(text, shown.copied);
    const isNear = isHere(location.hostname) ? ` ${texts.save.here}` : "";
    note.replaceChildren(h("p.soft.small", {}, how, isNear), h("pre.address", {}, text));
  }

  /** The elements; the button to share is in sight without scrolling on a small phone. */
  function parts(/** @type {Finished} */ finished) {
    shown = finished;
    const { verdict, figures, row = null, next, more = [] } = finished;
    const cells = figures.map(([value, label]) => h("div", {}, h("dd", {}, value), h("dt", {}, label)));
    return [
      h("p.verdict.good", {}, verdict),
      figures.length ? h("div.card", {}, h("dl.figures", {}, cells), row) : null,
      h("div.row", {}, button, next, keepPicture, more),
      note,
    ];
  }

  return { parts, share, forget: () => note.replaceChildren() };
}
