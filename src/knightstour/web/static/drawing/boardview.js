// One board on the screen: draws a scene as SVG, and reports which square is clicked, painted or chosen by key.
//
// A scene is what is to be seen, all of it optional:
//   path, closed      squares in order of visit; whether a move leads back
//   links             a cover: Map square -> squares its moves lead to (then there is no path)
//   fresh             [[a, b], ...] moves that just came
//   candidates        Map square -> degree, legal: the squares that may be clicked now
//   ghosts            [[a, b], ...] moves taken back, oldest first;  retreats: Map square -> times taken back
//   start, end        marks;  knight: square;  fault: square
//   diagram           Map square -> {text, kind}: numbers of a puzzle, "given" or "own"
//   chain             [[a, b], ...] moves between numbers of a puzzle
//   doubtful, faults  squares that are shaded; squares that are crossed out;  picked, hinted: square
//   shared            for each move of the path whether it is drawn as shared

import { columnName, squareName } from "../model/board.js";
import { inkOn, LOOP_COLOURS, stepColour } from "./colours.js";
import { h, s } from "../dom.js";
import { CELL, curvedPath, movesPath, straightPath } from "./lines.js";
import { components } from "../model/replay.js";

export const STYLES = {
  board: "Board",
  line: "Line",
  curve: "Curve",
  numbers: "Numbers",
  heat: "Heat",
  plotter: "Plotter",
};

// Styles with a board and its names; the others are the path alone.
const FRAMED = ["board", "numbers", "heat"];
const MARGIN = 22;
// A knight that looks to the left, in a box of 100.
const KNIGHT =
  "M26 90C26 70 45 64 47 49C41 55 35 55 31 60C28 65 22 67 17 63C12 60 13 53 17 47C22 39 25 33 31 27L29 13" +
  "C34 15 38 18 41 21C62 19 77 36 80 60C81 71 80 81 79 90ZM36 37A3.4 3.4 0 1 0 36.1 37Z";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class BoardView {
  #board = null;
  #scene = {};
  #style = "board";
  #numbers = false;
  #cursor = 0;
  #layers = {};
  #painting = null;
  #hasFocus = false;
  #isBare = false;

  /**
   * label: what the board is called. onsquare(square): a click, or Enter. onpaint(square, isOn): squares that a drag goes
   * over, if given; isOn is what the first one was not. oncursor(square): the cursor came there. describe(square): a sentence
   * on a square for screen readers.
   */
  constructor({
    label,
    onsquare = null,
    onpaint = null,
    oncursor = null,
    isPainting = () => false,
    isTaken = () => false,
  }) {
    this.onsquare = onsquare;
    this.onpaint = onpaint;
    this.oncursor = oncursor;
    this.isPainting = isPainting;
    this.isTaken = isTaken;
    this.svg = s("svg", { class: "board", "aria-hidden": "true", focusable: "false" });
    for (const name of ["ground", "tint", "quiet", "trail", "text", "marks", "knight", "cursor"]) {
      this.#layers[name] = s("g", { class: `layer-${name}` });
      this.svg.append(this.#layers[name]);
    }
    const isLive = onsquare !== null;
    this.element = h(
      "div.board-box",
      isLive ? { tabindex: 0, role: "application", "aria-roledescription": "board" } : { role: "img" },
      this.svg,
    );
    this.element.classList.toggle("is-live", isLive);
    this.call(label);
    if (isLive) this.#listen();
  }

  /** What the board is called from now on. */
  call(label) {
    this.element.setAttribute("aria-label", label);
  }

  get cursor() {
    return this.#cursor;
  }

  set cursor(square) {
    this.#cursor = square;
    this.#drawCursor();
  }

  /** Draw this from now on; what is left out stays as it is. */
  draw({ board = this.#board, scene = this.#scene, style = this.#style, numbers = this.#numbers } = {}) {
    const isNew = board !== this.#board;
    // The line alone is for whole tours: on the way there, and where there is none, the board is needed.
    const isBare = !FRAMED.includes(style) && (style === "plotter" || Boolean(scene.isWhole));
    const isRestyled = isNew || style !== this.#style || isBare !== this.#isBare;
    this.#isBare = isBare;
    [this.#board, this.#scene, this.#style, this.#numbers] = [board, scene, style, numbers];
    if (isNew && this.#cursor >= board.rows * board.cols) this.#cursor = 0;
    if (isRestyled) this.#drawGround();
    this.#drawScene();
    if (isNew) this.#drawCursor();
  }

  // ---------------------------------------------------------------- drawing

  #drawGround() {
    const { rows, cols } = this.#board;
    const [width, height] = [cols * CELL, rows * CELL];
    const hasNames = !this.#isBare;
    const margin = hasNames ? MARGIN : 10;
    this.svg.setAttribute("viewBox", `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`);
    this.element.style.setProperty("--aspect", `${(width + 2 * margin) / (height + 2 * margin)}`);
    this.svg.setAttribute("data-style", this.#style);
    this.svg.toggleAttribute("data-bare", this.#isBare);
    this.svg.toggleAttribute("data-wrapped", this.#board.wrap !== null);
    const holes = new Set(this.#board.holes);
    const cells = { light: "", dark: "", hole: "" };
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        // The square a1, at the bottom left, is dark.
        const kind = holes.has(r * cols + c) ? "hole" : (rows - 1 - r + c) % 2 ? "light" : "dark";
        cells[kind] += `M${c * CELL} ${r * CELL}h${CELL}v${CELL}h${-CELL}z`;
      }
    }
    const parts = Object.entries(cells).map(([kind, d]) => s("path", { class: `squares-${kind}`, d }));
    parts.push(s("path", { class: "frame", d: this.#style === "plotter" ? this.#plotterLines() : this.#frame() }));
    if (this.#board.wrap) parts.push(...this.#joinedSides());
    if (hasNames) parts.push(...this.#names());
    this.#layers.ground.replaceChildren(...parts);
  }

  /** The border and crosses on the holes, as the first pen of a plotter draws them. */
  #plotterLines() {
    const { rows, cols, holes } = this.#board;
    const crosses = holes.map((square) => {
      const [x, y] = this.#middle(square);
      return `M${x - 10} ${y - 10}l20 20m-20 0l20 -20`;
    });
    return `M0 0h${cols * CELL}v${rows * CELL}H0z${crosses.join("")}`;
  }

  /** The border: every side between a square and what is no square. */
  #frame() {
    const { rows, cols } = this.#board;
    const holes = new Set(this.#board.holes);
    const isSquare = (r, c) => r >= 0 && r < rows && c >= 0 && c < cols && !holes.has(r * cols + c);
    let d = "";
    for (let r = 0; r <= rows; r++) {
      for (let c = 0; c <= cols; c++) {
        if (isSquare(r, c) !== isSquare(r - 1, c)) d += `M${c * CELL} ${r * CELL}h${CELL}`;
        if (isSquare(r, c) !== isSquare(r, c - 1)) d += `M${c * CELL} ${r * CELL}v${CELL}`;
      }
    }
    return d;
  }

  /** Dashes along the sides that are joined; on a Moebius strip or Klein bottle arrows say that one is turned over. */
  #joinedSides() {
    const { rows, cols, wrap } = this.#board;
    const [width, height] = [cols * CELL, rows * CELL];
    const sides = [`M0 0v${height}`, `M${width} 0v${height}`];
    if (wrap === "torus" || wrap === "klein") sides.push(`M0 0h${width}`, `M0 ${height}h${width}`);
    const parts = [s("path", { class: "joined", d: sides.join("") })];
    if (wrap === "mobius" || wrap === "klein") {
      const middle = height / 2;
      parts.push(
        s("path", { class: "turned", d: `M-6 ${middle + 5}l6 -10l6 10M${width - 6} ${middle - 5}l6 10l6 -10` }),
      );
    }
    return parts;
  }

  #names() {
    const { rows, cols } = this.#board;
    // On large boards every fifth name only, or they would run into each other.
    const every = Math.max(rows, cols) > 26 ? 5 : 1;
    const size = Math.max(rows, cols) > 26 ? 26 : 13;
    const names = [];
    for (let c = 0; c < cols; c++) {
      if ((c + 1) % every) continue;
      names.push(
        s(
          "text",
          { class: "name", x: (c + 0.5) * CELL, y: rows * CELL + MARGIN - 6, "font-size": size },
          columnName(c),
        ),
      );
    }
    for (let r = 0; r < rows; r++) {
      if ((rows - r) % every) continue;
      names.push(
        s(
          "text",
          { class: "name", x: -MARGIN / 2, y: (r + 0.5) * CELL + size / 3, "font-size": size },
          String(rows - r),
        ),
      );
    }
    return names;
  }

  #drawScene() {
    const { path = [], closed = false, links = null } = this.#scene;
    const layers = this.#layers;
    layers.tint.replaceChildren(...this.#tints());
    layers.quiet.replaceChildren(...this.#ghosts());
    layers.trail.replaceChildren(
      ...(links?.size ? this.#loops(links) : this.#trail(path, closed)),
      ...this.#chain(),
    );
    layers.text.replaceChildren(...this.#texts(path), ...this.#diagram());
    layers.marks.replaceChildren(...this.#marks(path, closed));
    layers.knight.replaceChildren(...this.#knight());
  }

  #tints() {
    const { path = [], retreats = null, doubtful = [], hinted = null } = this.#scene;
    const parts = doubtful.map((square) => this.#rect(square, { class: "doubtful" }));
    if (hinted !== null) parts.push(this.#rect(hinted, { class: "hinted" }));
    if (this.#style === "heat") {
      const { length } = path;
      parts.push(...path.map((square, i) => this.#rect(square, { fill: stepColour(i, length) })));
    }
    if (retreats?.size) {
      const most = Math.max(4, ...retreats.values());
      for (const [square, times] of retreats) {
        parts.push(this.#rect(square, { class: "retreat", "fill-opacity": (0.08 + (0.37 * times) / most).toFixed(3) }));
      }
    }
    return parts;
  }

  #rect(square, attributes) {
    const { cols } = this.#board;
    const [x, y] = [(square % cols) * CELL, Math.floor(square / cols) * CELL];
    return s("rect", { x, y, width: CELL, height: CELL, ...attributes });
  }

  /** A rectangle within a square. */
  #plate(square, name) {
    const { cols } = this.#board;
    const [x, y] = [(square % cols) * CELL + 3, Math.floor(square / cols) * CELL + 3];
    return s("rect", { class: name, x, y, width: CELL - 6, height: CELL - 6, rx: 5 });
  }

  #chain() {
    const { chain = [] } = this.#scene;
    return chain.length ? [s("path", { class: "chain", d: movesPath(this.#board, chain) })] : [];
  }

  /** The numbers of a puzzle, and a question mark where they are in doubt. */
  #diagram() {
    const { diagram = new Map(), doubtful = [] } = this.#scene;
    const words = [...diagram];
    for (const square of doubtful) if (!diagram.has(square)) words.push([square, { text: "?", kind: "doubt" }]);
    return words.flatMap(([square, { text, kind }]) => {
      const size = CELL * Math.min(0.44, 1.5 / text.length);
      const [x, y] = this.#middle(square);
      const number = s("text", { class: `entry ${kind}`, x, y: y + 0.355 * size, "font-size": size }, text);
      return kind === "given" ? [this.#plate(square, "plate"), number] : [number];
    });
  }

  #ghosts() {
    const { ghosts = [] } = this.#scene;
    return ghosts.map(([a, b], i) => {
      const opacity = (0.15 + (0.75 * (i + 1)) / ghosts.length).toFixed(2);
      return s("path", { class: "ghost", d: straightPath(this.#board, [a, b]), "stroke-opacity": opacity });
    });
  }

  #loops(links) {
    const fresh = this.#scene.fresh ?? [];
    const parts = components(links).map(({ moves, lowest }) =>
      s("path", { class: `loop loop-${(lowest * 5) % LOOP_COLOURS}`, d: movesPath(this.#board, moves) }),
    );
    if (fresh.length) parts.push(s("path", { class: "fresh", d: movesPath(this.#board, fresh) }));
    return parts;
  }

  #trail(path, closed) {
    if (path.length < 2) return [];
    const { shared = null } = this.#scene;
    if (shared) return this.#sharedTrail(path, closed, shared);
    if (this.#style === "heat" && this.#numbers) return [];
    const draw = this.#style === "curve" ? curvedPath : straightPath;
    const d = draw(this.#board, path, closed);
    const trail = s("path", { class: "trail", d });
    if (this.#scene.isNew) {
      // Drawn by a pen, once; style.css leaves that out where motion is not wanted.
      trail.setAttribute("pathLength", "1");
      trail.classList.add("is-drawn");
    }
    const parts = this.#style === "heat" ? [s("path", { class: "rim", d }), trail] : [trail];
    if (this.#style === "board" && !this.#numbers) {
      parts.push(s("path", { class: "joints", d: path.map((square) => this.#point(square)).join("") }));
    }
    return parts;
  }

  /** The moves that another tour takes too, and over them those of this one alone. */
  #sharedTrail(path, closed, shared) {
    return ["same", "own"].flatMap((kind) => {
      const isShown = (i) => shared[i] === (kind === "same");
      const d =
        this.#style === "curve"
          ? curvedPath(this.#board, path, closed, isShown)
          : movesPath(
              this.#board,
              shared.flatMap((_, i) => (isShown(i) ? [[path[i], path[(i + 1) % path.length]]] : [])),
            );
      const trail = s("path", { class: `trail ${kind}`, d });
      return this.#style === "heat" ? [s("path", { class: `rim ${kind}`, d }), trail] : [trail];
    });
  }

  /** A line of no length, which a round pen draws as a point. */
  #point(square) {
    return `M${this.#middle(square).join(" ")}h0`;
  }

  #dot(square, radius) {
    const [x, y] = this.#middle(square);
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  }

  #middle(square) {
    const { cols } = this.#board;
    return [((square % cols) + 0.5) * CELL, (Math.floor(square / cols) + 0.5) * CELL];
  }

  #texts(path) {
    const [isNumbers, isHeat] = [this.#style === "numbers", this.#style === "heat"];
    if (!path.length || (!isNumbers && !this.#numbers) || this.#style === "plotter") return [];
    const { length } = path;
    const longest = String(length).length;
    // Over a path each number is on a disc of its own.
    const hasDiscs = !isNumbers && !isHeat;
    const size = CELL * (hasDiscs ? Math.min(0.34, 0.95 / longest) : Math.min(0.42, 1.5 / longest));
    const parts = path.map((square, i) => {
      const [x, y] = this.#middle(square);
      const fill = isHeat ? inkOn(stepColour(i, length)) : null;
      return s("text", { class: "number", x, y: y + 0.355 * size, "font-size": size, fill }, String(i + 1));
    });
    if (hasDiscs) {
      const d = path.map((square) => this.#point(square)).join("");
      parts.unshift(s("path", { class: "disc-rim", d }), s("path", { class: "disc", d }));
    }
    return parts;
  }

  #marks(path, closed) {
    const { start = null, end = null, candidates = null, legal = null, fault = null, isWhole = false } = this.#scene;
    const { faults = [], picked = null } = this.#scene;
    const parts = [];
    if (legal)
      parts.push(...legal.map((square) => s("path", { class: "legal", d: this.#dot(square, candidates ? 14 : 8) })));
    if (candidates) {
      const least = Math.min(...candidates.values());
      for (const [square, ways] of candidates) {
        const [x, y] = this.#middle(square);
        const isBest = ways === least;
        if (!legal) parts.push(s("circle", { class: isBest ? "candidate best" : "candidate", cx: x, cy: y, r: 14 }));
        parts.push(s("text", { class: isBest ? "ways best" : "ways", x, y: y + 5.5, "font-size": 16 }, String(ways)));
      }
    }
    const [first, last] = isWhole ? [path[0], path[path.length - 1]] : [start, end];
    const [hasFrame, hasNumbers] = [FRAMED.includes(this.#style), this.#style === "numbers" || this.#numbers];
    if (!isWhole || (!hasNumbers && (hasFrame || !closed) && this.#style !== "plotter")) {
      const mark = (name, square, r) => {
        const [cx, cy] = this.#middle(square);
        parts.push(s("circle", { class: name, cx, cy, r }));
      };
      if (first !== null && first !== undefined) mark("start", first, 8);
      if (last !== null && last !== undefined && last !== first && !(isWhole && closed && end === null))
        mark("end", last, 6.56);
    }
    if (fault !== null) parts.push(this.#rect(fault, { class: "fault" }));
    for (const square of faults) {
      const [x, y] = this.#middle(square);
      const d = `M${x - 0.4 * CELL} ${y + 0.4 * CELL}l${0.8 * CELL} ${-0.8 * CELL}`;
      parts.push(this.#rect(square, { class: "fault" }), s("path", { class: "crossed", d }));
    }
    if (picked !== null) parts.push(this.#plate(picked, "picked"));
    return parts;
  }

  #knight() {
    const { knight = null } = this.#scene;
    if (knight === null) return [];
    const [x, y] = this.#middle(knight);
    const scale = (CELL * 0.92) / 100;
    const place = `translate(${x - 47 * scale} ${y - 52 * scale}) scale(${scale})`;
    return [s("path", { class: "knight", d: KNIGHT, transform: place })];
  }

  #drawCursor() {
    if (!this.#board || !this.onsquare) return;
    const ring = this.#rect(this.#cursor, { class: "cursor" });
    this.#layers.cursor.replaceChildren(...(this.#hasFocus ? [ring] : []));
  }

  // ---------------------------------------------------------------- pointer and keys

  #squareAt(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [r, c] = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
    const { rows, cols } = this.#board;
    return r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : null;
  }

  #listen() {
    const { element } = this;
    element.addEventListener("pointerdown", (event) => {
      const square = this.#squareAt(event);
      if (event.button !== 0 || square === null) return;
      if (this.isPainting()) {
        this.#painting = { isOn: !this.isTaken(square), seen: new Set() };
        element.setPointerCapture(event.pointerId);
        this.#paint(square);
        event.preventDefault();
        element.focus({ preventScroll: true });
      }
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.#painting) return;
      // Between two events a quick pointer passes squares: all positions on its way count.
      for (const between of event.getCoalescedEvents?.() ?? [event]) {
        const square = this.#squareAt(between);
        if (square !== null) this.#paint(square);
      }
    });
    const stop = () => {
      this.#painting = null;
    };
    element.addEventListener("pointerup", stop);
    element.addEventListener("pointercancel", stop);
    element.addEventListener("click", (event) => {
      const square = this.#squareAt(event);
      if (square === null || this.isPainting()) return;
      this.#cursor = square;
      this.#drawCursor();
      this.onsquare(square);
    });
    element.addEventListener("focus", () => {
      // A ring is for those who came by key; a click shows where it was anyway.
      this.#hasFocus = element.matches(":focus-visible");
      this.#drawCursor();
      this.oncursor?.(this.#cursor);
    });
    element.addEventListener("blur", () => {
      this.#hasFocus = false;
      this.#drawCursor();
    });
    element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #paint(square) {
    if (this.#painting.seen.has(square)) return;
    this.#painting.seen.add(square);
    this.onpaint(square, this.#painting.isOn);
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols } = this.#board;
    const step = ARROWS[event.key];
    if (step) {
      const r = Math.min(rows - 1, Math.max(0, Math.floor(this.#cursor / cols) + step[0]));
      const c = Math.min(cols - 1, Math.max(0, (this.#cursor % cols) + step[1]));
      this.moveCursor(r * cols + c);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.isPainting()) this.onpaint(this.#cursor, !this.isTaken(this.#cursor));
      else this.onsquare(this.#cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Put the cursor on a square, show it, and say what is there. */
  moveCursor(square) {
    this.#cursor = square;
    this.#hasFocus = true;
    this.#drawCursor();
    this.oncursor?.(square);
  }

  name(square) {
    return squareName(this.#board, square);
  }
}
