// A button that saves the picture of a tour that was finished: the ribbon, or the board of cells, which the library draws.

import * as api from "../api.js";
import { h, icon } from "../dom.js";
import { latest } from "../latest.js";
import { download } from "./save.js";
import { themeSeen } from "./theme.js";
import { texts } from "../language.js";

/** order(): the squares of the tour. */
export function makeKeepPicture(app, order) {
  const drawing = latest({ failed: (error, isStopped) => isStopped || app.complain(error) });
  return h("button", { onclick: keep }, icon("print"), texts.common.keepPicture);

  function keep() {
    const { board } = app.state;
    const how = { format: "svg", style: board.shape ? "board" : "ribbon", theme: themeSeen() };
    const name = `knights-tour-${board.shape?.replace(":", "-") ?? `${board.rows}x${board.cols}`}.svg`;
    drawing(
      (signal) => api.draw(board, order(), how, () => {}, signal),
      (blob) => download(new File([blob], name, { type: blob.type })),
    );
  }
}
