// One board on the screen: draws a scene as SVG, and reports which square is clicked, painted or chosen by key.
//
// The fields of a scene, all optional:
//   path, closed      squares in order of visit; whether a move leads back
//   links             a cover: Map square -> targets of its moves (instead of a path)
//   fresh             [[a, b], ...] new moves
//   candidates        Map square -> degree, legal: the squares that can be clicked
//   ghosts            [[a, b], ...] moves taken back, oldest first;  retreats: Map square -> times taken back
//   start, end        marks;  knight: square;  fault: square
//   isShaded          whether the squares of the path are shaded;  isSliding: whether the knight slides to its square
//   popped, refused   the square of a new number; a rejected square, which shakes
//   diagram           Map square -> {text, kind}: numbers of a puzzle, "given", "own", or "next" for a possible next square
//   chain             [[a, b], ...] moves between numbers of a puzzle;  ell: [a, b], a highlighted knight's move
//   doubtful, faults  shaded squares; crossed-out squares;  picked, hinted: square
//   proof             {scene, beat}: a scene of a proof, as proof.js draws it

import { cellAt, cellBeside } from "../model/cells.js";
import { h, isCalm, s, say } from "../dom.js";
import { groundOf, marginOf, namesOf } from "./ground.js";
import { FRAMED, LAYERS, layersOf, rect } from "./layers.js";
import { CELL, isFlat, middle, sizeOf } from "./lines.js";
import { roomFor } from "./proof.js";
import { listenToStrokes } from "./stroke.js";
import { hold, Steps, Stretches } from "./steps.js";
import { texts } from "../language.js";

// The part of a square's width, around its middle, that accepts a stroke.
const REACH = 0.44;
const SLIDE_MS = 190;
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * from(): the square from which a line leads to the pointer.
 * @typedef {object} Stroke
 * @property {(square: number) => unknown} begin
 * @property {(square: number) => unknown} over
 * @property {(square: number | null) => unknown} end
 * @property {() => number | null} from
 */

/**
 * onsquare(square): a click, or Enter. isPainting(): whether a stroke paints. onpaint(square, isOn, isMore): a stroke
 * paints a square; isOn is the inverse of the first square, isMore is false for the first square. onpainted(): the
 * stroke has ended. describe(square): the spoken description.
 * @typedef {object} Hands
 * @property {(square: number) => unknown} [onsquare]
 * @property {() => boolean} [isPainting]
 * @property {(square: number, isOn: boolean, isMore: boolean) => unknown} [onpaint]
 * @property {() => unknown} [onpainted]
 * @property {Stroke} [stroke] handler of strokes; without it a finger scrolls the page
 * @property {(square: number) => string} [describe]
 */

export class BoardView {
  // Before the first drawing there are no squares.
  /** @type {import("../model/state.js").Board} */
  #board = { rows: 0, cols: 0, holes: [], wrap: null, leaps: [[1, 2]] };
  /** @type {Record<string, any>} */
  #scene = {};
  #style = "board";
  #numbers = false;
  #cursor = 0;
  /** @type {Record<string, SVGElement>} */
  #layers = {};
  // Elements of a growing path that are reused.
  #steps = {
    tint: new Steps(),
    text: new Steps(),
    trail: new Stretches(),
    joints: new Stretches(),
  };
  #framed = "";
  /** @type {{isOn: boolean, seen: Set<number>} | null} */
  #painting = null;
  #hasFocus = false;
  #isBare = false;
  #room = 0;
  /** @type {Animation | null} */
  #sliding = null;
  // The complete picture.
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  // Whether a pointer is drawing; the knight then moves without sliding.
  #isStroked = () => false;

  /** @type {(() => Hands) | null} */
  #hands = null;

  /**
   * label: accessible name of the board. hands(): the current handlers of clicks, drags and keys.
   * @param {object} options
   * @param {string} options.label
   * @param {(() => Hands) | null} [options.hands]
   */
  constructor({ label, hands = null }) {
    this.#hands = hands;
    this.svg = s("svg", { class: "board", "aria-hidden": "true", focusable: "false" });
    // The line to the pointer is above the trail.
    const above = LAYERS.indexOf("trail") + 1;
    for (const name of ["ground", ...LAYERS.slice(0, above), "pull", ...LAYERS.slice(above), "names", "cursor"]) {
      this.#layers[name] = s("g", { class: `layer-${name}` });
      this.svg.append(this.#layers[name]);
    }
    this.element = h(
      "div.board-box",
      hands ? { tabindex: 0, role: "application", "aria-roledescription": texts.board.role } : { role: "img" },
      this.svg,
    );
    this.element.classList.toggle("is-live", hands !== null);
    this.call(label);
    if (!hands) return;
    this.#listen();
    this.#isStroked = listenToStrokes(this.element, {
      pointAt: (event) => this.#pointAt(event),
      squareAt: (point) => this.#squareAt(point),
      isReached: (point, square) => this.#isReached(point, square),
      can: () => this.#isPainting || hands().stroke !== undefined,
      ontap: (square) => this.#choose(square),
      onbegin: (square) => (this.#isPainting ? this.#beginPainting(square) : hands().stroke?.begin(square)),
      onover: (square) => (this.#painting ? this.#paint(square) : hands().stroke?.over(square)),
      onmove: (point) => this.#pull(point),
      onend: (square) => {
        this.#layers.pull.replaceChildren();
        if (this.#painting) this.#endPainting();
        else hands().stroke?.end(square);
      },
    });
  }

  call(label) {
    this.element.setAttribute("aria-label", label);
  }

  get #isPainting() {
    return this.#hands?.().isPainting?.() ?? false;
  }

  #isHole(square) {
    return this.#board.holes.includes(square);
  }

  #tell() {
    const words = this.#hands?.().describe?.(this.#cursor);
    if (words) say(words);
  }

  /** Whether a drag paints now. */
  get isPainted() {
    return this.#painting !== null;
  }

  get cursor() {
    return this.#cursor;
  }

  set cursor(square) {
    this.#cursor = square;
    this.#drawCursor();
  }

  /** Draw the given parts; omitted parts stay unchanged. */
  draw({ board = this.#board, scene = this.#scene, style = this.#style, numbers = this.#numbers } = {}) {
    const isNew = board !== this.#board;
    // Only whole tours are drawn without the board.
    const isBare = !FRAMED.includes(style) && Boolean(scene.isWhole);
    const room = roomFor(scene.proof?.scene);
    const isRestyled = isNew || style !== this.#style || isBare !== this.#isBare || room !== this.#room;
    [this.#isBare, this.#room] = [isBare, room];
    const before = isNew ? null : (this.#scene.knight ?? null);
    [this.#board, this.#scene, this.#style, this.#numbers] = [board, scene, style, numbers];
    if (isNew && this.#cursor >= board.rows * board.cols) this.#cursor = 0;
    if (isRestyled) this.#drawGround();
    this.element.classList.toggle("takes-strokes", Boolean(this.#hands?.().stroke));
    this.#frame();
    this.#drawScene();
    if (scene.isSliding && before !== null) this.#slideFrom(before);
    if (isNew) this.#drawCursor();
  }

  // ---------------------------------------------------------------- drawing

  #drawGround() {
    const [across, down] = sizeOf(this.#board);
    const [left, top] = [marginOf(this.#isBare || this.#board.shape), marginOf(true)];
    const [width, height] = [(across + this.#room) * CELL + left + top, down * CELL + left + top];
    this.#whole = { x: -left, y: -top, width, height };
    this.element.style.setProperty("--aspect", `${width / height}`);
    this.svg.setAttribute("data-style", this.#style);
    this.svg.style.setProperty("--thin", String(Math.min(1, 0.25 + Math.max(across, down) / 10.67)));
    this.svg.toggleAttribute("data-bare", this.#isBare);
    this.svg.toggleAttribute("data-wrapped", this.#board.wrap !== null);
    this.#layers.ground.replaceChildren(...groundOf(this.#board));
  }

  /** Set the part of the plane that the picture shows, with the names of rows and columns at its sides. */
  #frame() {
    const { x, y, width, height } = this.#whole;
    const framed = `${x} ${y} ${width} ${height}`;
    // Setting the same value would lay out the drawing again.
    if (this.#framed === `${framed} ${this.#isBare}`) return;
    this.#framed = `${framed} ${this.#isBare}`;
    this.svg.setAttribute("viewBox", framed);
    this.#layers.names.replaceChildren(...(this.#isBare ? [] : namesOf(this.#board)));
  }

  #drawScene() {
    const [board, scene, style, numbers, steps] = [this.#board, this.#scene, this.#style, this.#numbers, this.#steps];
    const parts = layersOf({ board, scene, style, numbers, steps });
    for (const name of LAYERS) hold(this.#layers[name], parts[name]);
  }

  /** Slide the knight to its square, unless a stroke leads it, or the move crosses a joined side. */
  #slideFrom(before) {
    const { knight = null } = this.#scene;
    if (knight === before) return;
    this.#sliding?.cancel();
    if (knight === null || this.#isStroked() || isCalm() || !isFlat(this.#board, before, knight)) return;
    const [[x0, y0], [x1, y1]] = [middle(this.#board, before), middle(this.#board, knight)];
    const away = `translate(${x0 - x1}px, ${y0 - y1}px)`;
    const how = { duration: SLIDE_MS, easing: "ease-out" };
    this.#sliding = this.#layers.knight.animate([{ transform: away }, { transform: "none" }], how);
  }

  #drawCursor() {
    if (!this.#hands || !this.#board.cols) return;
    const ring = rect({ board: this.#board }, this.#cursor, { class: "cursor" });
    this.#layers.cursor.replaceChildren(...(this.#hasFocus ? [ring] : []));
  }

  // ---------------------------------------------------------------- pointer and keys

  #pointAt(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  #squareAt(point) {
    if (this.#board.shape) return cellAt(this.#board, point.x / CELL, point.y / CELL);
    const [r, c] = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
    const { rows, cols } = this.#board;
    return r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : null;
  }

  /** A square accepts a stroke that comes near enough to its middle. */
  #isReached(point, square) {
    const [x, y] = middle(this.#board, square);
    return Math.hypot(point.x - x, point.y - y) <= REACH * CELL;
  }

  #pull(point) {
    const from = this.#painting ? null : (this.#hands?.().stroke?.from() ?? null);
    const d = from === null ? "" : `M${middle(this.#board, from).join(" ")}L${point.x} ${point.y}`;
    this.#layers.pull.replaceChildren(...(d ? [s("path", { class: "pull", d })] : []));
  }

  #choose(square) {
    if (this.#isPainting) {
      this.#beginPainting(square);
      this.#endPainting();
      return;
    }
    this.#cursor = square;
    this.#drawCursor();
    this.#hands?.().onsquare?.(square);
  }

  #listen() {
    const { element } = this;
    element.addEventListener("click", (event) => {
      const square = this.#squareAt(this.#pointAt(event));
      if (square !== null) this.#choose(square);
    });
    element.addEventListener("focus", () => {
      // The ring is for keyboard users; a click needs no mark.
      this.#hasFocus = element.matches(":focus-visible");
      this.#drawCursor();
      this.#tell();
    });
    element.addEventListener("blur", () => {
      this.#hasFocus = false;
      this.#drawCursor();
    });
    element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #beginPainting(square) {
    this.#painting = { isOn: !this.#isHole(square), seen: new Set() };
    this.#paint(square);
    this.element.focus({ preventScroll: true });
  }

  #endPainting() {
    if (!this.#painting) return;
    this.#painting = null;
    this.#hands?.().onpainted?.();
  }

  #paint(square) {
    const painting = this.#painting;
    if (!painting || painting.seen.has(square)) return;
    painting.seen.add(square);
    this.#hands?.().onpaint?.(square, painting.isOn, painting.seen.size > 1);
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols } = this.#board;
    const step = ARROWS[event.key];
    if (step && this.#board.shape) this.moveCursor(cellBeside(this.#board, this.#cursor, step));
    else if (step) {
      const r = Math.min(rows - 1, Math.max(0, Math.floor(this.#cursor / cols) + step[0]));
      const c = Math.min(cols - 1, Math.max(0, (this.#cursor % cols) + step[1]));
      this.moveCursor(r * cols + c);
    } else if (event.key === "Enter" || event.key === " ") {
      const hands = this.#hands?.();
      if (this.#isPainting) hands?.onpaint?.(this.#cursor, !this.#isHole(this.#cursor), false);
      else hands?.onsquare?.(this.#cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the cursor to a square, show it, and announce its content. */
  moveCursor(square) {
    this.#cursor = square;
    this.#hasFocus = true;
    this.#drawCursor();
    this.#tell();
  }
}
