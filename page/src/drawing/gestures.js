// Looking closer at a board, and at another part of it: with the wheel, by dragging, and with two fingers. It knows no
// state but the zoom.

import { ignoreClicks } from "./stroke.js";

// A pointer that moved less than this, in pixels, was not meant to move.
const SLACK = 5;
// How much larger one line of a wheel makes everything, and how many pixels such a line has.
const WHEEL = 0.002;
const LINE = 16;

/**
 * @param {HTMLElement} element
 * @param {object} how
 * @param {import("../model/zoom.js").Zoom} how.zoom
 * @param {(isTouch: boolean) => boolean} how.isTaken whether the pointer that went down does something else there
 */
export function listenToGestures(element, { zoom, isTaken }) {
  /** @type {Map<number, {x: number, y: number}>} the pointers that are down */
  const pointers = new Map();
  // Where a pointer went down that may move the board, and whether it did.
  /** @type {{x: number, y: number} | null} */
  let from = null;
  let hasMoved = false;

  const across = ({ x, y }) => {
    const box = element.getBoundingClientRect();
    return [(x - box.left) / box.width, (y - box.top) / box.height];
  };

  element.addEventListener(
    "wheel",
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
      const [right, down] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
      if (event.ctrlKey || event.metaKey) {
        // A touchpad sends two fingers that part as a wheel with Ctrl.
        event.preventDefault();
        const [x, y] = across(event);
        zoom.by(Math.exp(-event.deltaY * unit * (Math.abs(event.deltaY) < 10 ? 5 : 1) * WHEEL), x, y);
      } else if (zoom.isZoomed) {
        const box = element.getBoundingClientRect();
        // At the edge of the board the page goes on.
        if (zoom.move((right * unit) / box.width, (down * unit) / box.height)) event.preventDefault();
      }
    },
    { passive: false },
  );

  // With two fingers the board moves and not the page; and with one if there is more of the board to see.
  element.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length > 1) event.preventDefault();
    },
    { passive: false },
  );

  element.addEventListener("pointerdown", (event) => {
    if (event.isPrimary) pointers.clear();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    hasMoved = pointers.size > 1;
    const isFree = event.button === 0 && event.isPrimary && zoom.isZoomed && !isTaken(event.pointerType === "touch");
    from = isFree ? { x: event.clientX, y: event.clientY } : null;
  });

  element.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const box = element.getBoundingClientRect();
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      pinch(before, now, other, box);
    } else if (from && pointers.size === 1) {
      if (!hasMoved && Math.hypot(now.x - from.x, now.y - from.y) < SLACK) return;
      if (!hasMoved) element.setPointerCapture(event.pointerId);
      hasMoved = true;
      element.classList.add("is-moving");
      zoom.move((before.x - now.x) / box.width, (before.y - now.y) / box.height);
    }
    pointers.set(event.pointerId, now);
  });

  /** One of two fingers came from `before` to `now`: what is between both stays there. */
  function pinch(before, now, other, box) {
    const [apart, parted] = [before, now].map((place) => Math.hypot(place.x - other.x, place.y - other.y));
    const [mid, moved] = [before, now].map((place) => ({ x: (place.x + other.x) / 2, y: (place.y + other.y) / 2 }));
    zoom.by(parted / Math.max(1, apart), ...across(mid));
    zoom.move((mid.x - moved.x) / box.width, (mid.y - moved.y) / box.height);
  }

  const end = (event) => {
    pointers.delete(event.pointerId);
    from = null;
    element.classList.remove("is-moving");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  ignoreClicks(element, () => {
    const wasDrag = hasMoved;
    hasMoved = false;
    return wasDrag;
  });
}
