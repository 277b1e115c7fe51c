// The buttons that show a board larger; there where its squares are small, and wherever it is larger already.

import { h, iconButton, say } from "../dom.js";
import { rounded } from "../numbers.js";
import { fill, texts } from "../language.js";

// A phone, upright or on its side.
const NARROW = matchMedia("(max-width: 35.99rem), (max-height: 29.99rem)");
// Boards with more squares along a side have squares of less than some 24 pixels, which a finger hardly hits.
const MAX_SQUARES = { narrow: 14, wide: 25 };

export function makeZoom(app) {
  const { zoom } = app;
  const closer = iconButton("plus", texts.look.closer, () => press("closer"));
  const further = iconButton("minus", texts.look.further, () => press("further"));
  const whole = iconButton("whole", texts.look.whole, () => press("whole"));
  const element = h("div.zoom", { role: "group", "aria-label": texts.look.size }, closer, further, whole);

  /** One of the steps of a zoom, for a button or key; says how large the board then is. */
  function press(step) {
    const pressed = [closer, further, whole].find((button) => button === document.activeElement);
    zoom[step]();
    say(
      zoom.isZoomed ? fill(texts.look.times, { scale: rounded(Number(zoom.scale.toFixed(1)), 4) }) : texts.look.isWhole,
    );
    if (!pressed || (!pressed.disabled && !element.hidden)) return;
    // Whoever came by key goes on from the other button, or from the board.
    if (element.hidden) app.board.element.focus();
    else (closer.disabled ? further : closer).focus();
  }

  function show() {
    const { rows, cols } = app.state.board;
    const isLarge = Math.max(rows, cols) > (NARROW.matches ? MAX_SQUARES.narrow : MAX_SQUARES.wide);
    element.hidden = !isLarge && !zoom.isZoomed;
    further.disabled = whole.disabled = !zoom.isZoomed;
    closer.disabled = zoom.scale >= zoom.most;
  }

  zoom.listen(show);
  NARROW.addEventListener("change", show);
  const move = (right, down) => zoom.isZoomed && zoom.move(right / 4, down / 4);
  return Object.assign(element, {
    show,
    keys: {
      "+": () => press("closer"),
      "=": () => press("closer"),
      "-": () => press("further"),
      0: () => press("whole"),
    },
    // With Shift.
    arrows: {
      ArrowLeft: () => move(-1, 0),
      ArrowRight: () => move(1, 0),
      ArrowUp: () => move(0, -1),
      ArrowDown: () => move(0, 1),
    },
  });
}
