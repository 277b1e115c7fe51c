// Strokes over a board, with mouse, pen or finger: a pointer that goes down on a square and moves over others. A
// pointer that stays makes a tap. This module has no state.

// A pointer that moved less than this, in pixels, makes a tap.
const SLACK = 8;
// A click within this time belongs to the tap or stroke before it. Browsers omit the click after a quick stroke.
const CLICK_MS = 500;

/**
 * Returns a function that tells whether a pointer is down for a stroke.
 * @param {HTMLElement} element
 * @param {object} how
 * @param {(event: {clientX: number, clientY: number}) => DOMPoint} how.pointAt in the units of the picture
 * @param {(point: DOMPoint) => number | null} how.squareAt
 * @param {(point: DOMPoint, square: number) => boolean} how.isReached whether the point is near enough to its middle
 * @param {() => boolean} how.can whether strokes are accepted
 * @param {(square: number) => unknown} how.ontap
 * @param {(square: number) => unknown} how.onbegin
 * @param {(square: number) => unknown} how.onover another square than before
 * @param {(point: DOMPoint) => unknown} how.onmove after each movement
 * @param {(square: number | null) => unknown} how.onend
 */
export function listenToStrokes(element, { pointAt, squareAt, isReached, can, ontap, onbegin, onover, onmove, onend }) {
  /** @type {{square: number, x: number, y: number} | null} */
  let from = null;
  /** @type {number | null} */
  let over = null;
  let isDrawn = false;
  let endedAt = -CLICK_MS;

  const reached = (point) => {
    const square = squareAt(point);
    return square !== null && isReached(point, square) ? square : null;
  };
  const end = (square = /** @type {number | null} */ (null)) => {
    const wasDrawn = from !== null && isDrawn;
    from = null;
    if (wasDrawn) onend(square);
  };

  element.addEventListener("pointerdown", (event) => {
    // A second finger ends the stroke.
    end();
    isDrawn = false;
    if (!event.isPrimary || event.button !== 0) return;
    const square = squareAt(pointAt(event));
    if (square === null || !can()) return;
    from = { square, x: event.clientX, y: event.clientY };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (from === null || !event.isPrimary) return;
    if (!isDrawn) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < SLACK) return;
      isDrawn = true;
      over = from.square;
      onbegin(over);
    }
    // A quick pointer passes squares between two events, so all its positions count.
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const between of passed.length ? passed : [event]) {
      const square = reached(pointAt(between));
      if (square === null || square === over) continue;
      over = square;
      onover(square);
    }
    onmove(pointAt(event));
  });
  element.addEventListener("pointerup", (event) => {
    if (from === null || !event.isPrimary) return;
    const { square } = from;
    endedAt = event.timeStamp;
    if (isDrawn) {
      end(reached(pointAt(event)));
      return;
    }
    from = null;
    ontap(square);
  });
  element.addEventListener("pointercancel", (event) => {
    if (event.isPrimary) end();
  });
  // The click that follows the end of a stroke or a tap.
  element.addEventListener(
    "click",
    (event) => event.timeStamp - endedAt < CLICK_MS && event.stopImmediatePropagation(),
    { capture: true },
  );
  return () => from !== null;
}
