// Drags over a board, with mouse, pen or finger: from a square on which one may begin, over others, to the one where it
// ends. It knows no state.

/**
 * @param {HTMLElement} element
 * @param {object} how
 * @param {(event: {clientX: number, clientY: number}) => DOMPoint} how.pointAt in the units of the picture
 * @param {(point: DOMPoint) => number | null} how.squareAt
 * @param {(square: number, isTouch: boolean) => boolean} how.can whether a drag may begin there
 * @param {SVGElement} how.carried what goes along with the pointer
 * @param {(square: number) => unknown} how.onbegin
 * @param {(square: number) => unknown} how.onover another square than before
 * @param {() => unknown} how.onend
 * @param {(square: number) => unknown} how.ondrop another square than the first, where the drag has ended
 */
export function listenToDrags(element, { pointAt, squareAt, can, carried, onbegin, onover, onend, ondrop }) {
  // Where the drag began, or null; the square it is over, and whether it has left the first one.
  /** @type {number | null} */
  let from = null;
  /** @type {number | null} */
  let over = null;
  let origin = new DOMPoint();
  let hasLeft = false;

  const end = () => {
    from = null;
    carried.removeAttribute("transform");
    onend();
  };

  // A finger that begins a drag does not scroll the page.
  element.addEventListener(
    "touchstart",
    (event) => {
      const square = event.touches.length === 1 ? squareAt(pointAt(event.touches[0])) : null;
      if (square !== null && can(square, true)) event.preventDefault();
    },
    { passive: false },
  );
  element.addEventListener("pointerdown", (event) => {
    hasLeft = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const point = pointAt(event);
    const square = squareAt(point);
    if (square === null || !can(square, event.pointerType === "touch")) return;
    [from, over, origin] = [square, square, point];
    element.setPointerCapture(event.pointerId);
    onbegin(square);
  });
  element.addEventListener("pointermove", (event) => {
    if (from === null) return;
    // Between two events a quick pointer passes squares: all positions on its way count.
    for (const between of event.getCoalescedEvents?.() ?? [event]) {
      const point = pointAt(between);
      const square = squareAt(point);
      hasLeft ||= square !== from;
      if (hasLeft) carried.setAttribute("transform", `translate(${point.x - origin.x} ${point.y - origin.y})`);
      if (square !== null && square !== over) onover(square);
      over = square;
    }
  });
  element.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const square = squareAt(pointAt(event));
    const isElsewhere = square !== null && square !== from;
    end();
    if (isElsewhere) ondrop(square);
  });
  element.addEventListener("pointercancel", end);
  // A mouse sends a click at the end of a drag.
  element.addEventListener(
    "click",
    (event) => {
      if (hasLeft) event.stopImmediatePropagation();
      hasLeft = false;
    },
    { capture: true },
  );
}
