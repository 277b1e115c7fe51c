// Send the knot: a square picture of a finished tour with a caption, to another app or as a file.

import { h, icon } from "../dom.js";
import { hasKnots, paintKnot } from "../drawing/knot.js";
import { download, sizeWord } from "./save.js";
import { themeSeen } from "./menu.js";
import { texts } from "../language.js";

const SIZE = 1080;
// The margin and size of the knot, and the baselines of both lines, from the top.
const [MARGIN, KNOT] = [140, 800];
const [TITLE_Y, WORDS_Y] = [960, 1020];

/** @typedef {{board: import("../model/state.js").Board, order: number[], closed: boolean}} Drawn */

async function pictureOf(/** @type {Drawn} */ { board, order, closed }, [title, words]) {
  const canvas = new OffscreenCanvas(SIZE, SIZE);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { backgroundColor: paper, color: ink } = getComputedStyle(document.documentElement);
  const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif") || "serif";
  context.fillStyle = paper;
  context.fillRect(0, 0, SIZE, SIZE);
  const place = { x: MARGIN, y: MARGIN / 2, size: KNOT };
  paintKnot(context, { board, order, closed }, { ...place, theme: themeSeen(), paper, ink });
  context.fillStyle = ink;
  context.textAlign = "center";
  context.font = `600 46px ${serif}`;
  context.fillText(title, SIZE / 2, TITLE_Y, SIZE - MARGIN);
  context.font = `36px ${serif}`;
  context.fillText(words, SIZE / 2, WORDS_Y, SIZE - MARGIN);
  const blob = await canvas.convertToBlob();
  return new File([blob], `knights-tour-${sizeWord(/** @type {any} */ (board))}.png`, { type: blob.type });
}

/**
 * The button. drawn(): the tour; words(): a title, a subtitle, and the address for the picture.
 * @param {() => Drawn} drawn
 * @param {() => {title: string, line: string, address: string}} words
 * @param {(error: unknown) => void} failed
 */
export function makeSend(drawn, words, failed) {
  async function send() {
    const { title, line, address } = words();
    const file = await pictureOf(drawn(), [title, line]);
    const shared = { files: [file], text: address };
    if (!navigator.canShare?.(shared)) {
      download(file);
      return;
    }
    // The user may close the system's dialog.
    await navigator.share(shared).catch((error) => {
      if (error.name !== "AbortError") download(file);
    });
  }

  const label = h("span");
  const button = h("button.primary", { onclick: () => send().catch(failed) }, icon("send"), label);
  const show = () => {
    label.textContent = hasKnots(drawn().board) ? texts.finish.send : texts.finish.sendPicture;
  };
  return Object.assign(button, { show });
}
