// A tour that was won as an ornament, a ribbon that the library draws: to look at, and to keep as a picture.

import * as api from "../../api.js";
import { h } from "../../dom.js";
import { latest } from "../../latest.js";
import { isClosed } from "../../model/tour.js";
import { tourWords } from "../../model/words.js";
import { download } from "../../panels/save.js";
import { themeSeen } from "../../panels/theme.js";
import { texts } from "../../language.js";

export function makeOrnament() {
  let address = "";
  const picture = h("img", { alt: "" });
  const keep = h("button.primary", { type: "button" }, texts.play.keepOrnament);
  const element = h("figure.ornament.card", { hidden: true }, picture, keep);
  // A tour without an ornament, such as a very large one, was won all the same.
  const drawing = latest();

  function show(/** @type {Blob} */ blob, board, order) {
    URL.revokeObjectURL(address);
    address = URL.createObjectURL(blob);
    picture.src = address;
    picture.alt = tourWords(texts.board.tour, { ...board, closed: isClosed(board, order) });
    keep.onclick = () =>
      download(new File([blob], `knights-tour-${board.rows}x${board.cols}.svg`, { type: blob.type }));
    element.hidden = false;
  }

  return {
    element,
    /** Draw this tour. */
    draw(board, order) {
      element.hidden = true;
      const how = { format: "svg", style: "ribbon", theme: themeSeen() };
      drawing(
        (signal) => api.draw(board, order, how, () => {}, signal),
        (blob) => show(blob, board, order),
      );
    },
    forget() {
      drawing.forget();
      element.hidden = true;
    },
  };
}
