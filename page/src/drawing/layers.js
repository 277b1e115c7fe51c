// Converts a scene (fields: see boardview.js) to SVG elements, layer by layer.

import { s } from "../dom.js";
import { hasKnots, knotParts } from "./knot.js";
import { CELL, centre, curvedPath, isFlat, LOOP_COLOURS, middle, movesPath, straightPath } from "./lines.js";
import { proofParts } from "./proof.js";
import { squareCount } from "../model/board.js";
import { hasLayers, shapeOf } from "../model/cells.js";
import { isKnight } from "../model/pieces.js";
import { components } from "../model/replay.js";

// The available styles.
export const STYLES = ["board", "curve", "ribbon"];
// Styles with a board and its names; other styles draw the path alone. "numbers" is a sheet of paper without the line.
export const FRAMED = ["board", "numbers"];
// A knight that looks to the left, in a box of 100.
const KNIGHT =
  "M26 90C26 70 45 64 47 49C41 55 35 55 31 60C28 65 22 67 17 63C12 60 13 53 17 47C22 39 25 33 31 27L29 13" +
  "C34 15 38 18 41 21C62 19 77 36 80 60C81 71 80 81 79 90ZM36 37A3.4 3.4 0 1 0 36.1 37Z";

// The layers of a scene, from bottom to top.
export const LAYERS = ["tint", "quiet", "proof", "trail", "text", "marks", "knight"];

/**
 * Return the elements of each layer of LAYERS. seen: {board, scene, style, numbers, steps}; steps contains the elements
 * reused between pictures: the Steps tint and text, the Stretches rim, trail and joints.
 */
export function layersOf(seen) {
  const { path = [], closed = false, links = null } = seen.scene;
  // No line is drawn between layers, so numbers show the order of squares.
  if (hasLayers(seen.board)) seen = { ...seen, numbers: true };
  return {
    tint: tints(seen),
    quiet: ghosts(seen),
    proof: proofParts(seen.board, seen.scene.proof ?? null),
    trail: [...(links?.size ? loops(seen, links) : trail(seen, path, closed)), ...chain(seen)],
    text: [...texts(seen, path), ...walls(seen), ...diagram(seen)],
    marks: marks(seen, path, closed),
    knight: knight(seen),
  };
}

function tints(seen) {
  const { path = [], retreats = null, doubtful = [], hinted = null, isShaded = false } = seen.scene;
  const parts = doubtful.map((square) => rect(seen, square, { class: "doubtful" }));
  if (hinted !== null) parts.push(rect(seen, hinted, { class: "hinted" }));
  const { board, steps } = seen;
  if (isShaded && path.length) {
    const make = (square) => rect(seen, square, { class: "visited" });
    parts.push(steps.tint.show(path, `visited ${board.cols}`, make));
  }
  if (retreats?.size) {
    const most = Math.max(4, ...retreats.values());
    for (const [square, times] of retreats) {
      parts.push(rect(seen, square, { class: "retreat", "fill-opacity": (0.08 + (0.37 * times) / most).toFixed(3) }));
    }
  }
  return parts;
}

export function rect(seen, square, attributes) {
  const [cx, cy] = middle(seen.board, square);
  const outline = shapeOf(seen.board)?.outline;
  if (outline?.length === 6) {
    const points = outline.map(([x, y]) => `${cx + x * CELL},${cy + y * CELL}`).join(" ");
    return s("polygon", { points, ...attributes });
  }
  const [x, y] = [cx - CELL / 2, cy - CELL / 2];
  return s("rect", { x, y, width: CELL, height: CELL, ...attributes });
}

/** A plate within a square: round under the player's numbers, else with corners. */
function plate(seen, square, name, isRound = false) {
  if (isRound) {
    const [cx, cy] = middle(seen.board, square);
    return s("circle", { class: name, cx, cy, r: 0.39 * CELL });
  }
  const [x, y] = centre(seen.board, square).map((place) => (place - 0.5) * CELL + 3);
  return s("rect", { class: name, x, y, width: CELL - 6, height: CELL - 6, rx: 5 });
}

function chain(seen) {
  const { chain = [], ell = null } = seen.scene;
  const parts = chain.length ? [s("path", { class: "chain", d: movesPath(seen.board, chain) })] : [];
  if (ell) {
    // Its long side first: two squares, then one.
    const [from, to] = ell.map((square) => middle(seen.board, square));
    const corner = Math.abs(to[0] - from[0]) > CELL ? [to[0], from[1]] : [from[0], to[1]];
    parts.push(s("path", { class: "ell", d: `M${[...from, ...corner, ...to].join(" ")}` }));
  }
  return parts;
}

/** The parts of a square, with a short animation if it was just written or rejected. */
function moved(seen, square, parts) {
  const { popped = null, refused = null } = seen.scene;
  const motion = square === refused ? "refused" : square === popped ? "popped" : "";
  return motion ? [s("g", { class: motion }, ...parts)] : parts;
}

/** The numbers of a puzzle, and a question mark on doubtful squares. */
function diagram(seen) {
  const { diagram = new Map(), doubtful = [] } = seen.scene;
  const words = [...diagram];
  for (const square of doubtful) if (!diagram.has(square)) words.push([square, { text: "?", kind: "doubt" }]);
  return words.flatMap(([square, { text, kind }]) => {
    const size = CELL * Math.min(0.44, 1.5 / text.length);
    const [x, y] = middle(seen.board, square);
    const name = kind.replace("-", " ");
    const number = s("text", { class: `entry ${name}`, x, y: y + 0.355 * size, "font-size": size }, text);
    if (kind.startsWith("ring")) return [s("circle", { class: name, cx: x, cy: y, r: CELL * 0.37 }), number];
    if (kind === "doubt") return [number];
    const parts = [plate(seen, square, `plate ${kind}`, kind !== "given"), number];
    return moved(seen, square, parts);
  });
}

function walls(seen) {
  const { walls = [] } = seen.scene;
  const side = shapeOf(seen.board) ? CELL / Math.sqrt(3) : CELL;
  const d = walls.map((wall) => {
    const [[x, y], [u, v]] = wall.map((square) => middle(seen.board, square));
    const far = Math.hypot(u - x, v - y);
    const half = (far > 1.1 * CELL ? 0.5 * CELL : side) / 2;
    const [across, down] = [((y - v) / far) * half, ((u - x) / far) * half].map((part) => Math.round(100 * part) / 100);
    const [at, below] = [(x + u) / 2 - across, (y + v) / 2 - down];
    return `M${at} ${below}l${2 * across} ${2 * down}`;
  });
  return d.length ? [s("path", { class: "wall", d: d.join("") })] : [];
}

function ghosts(seen) {
  const { ghosts = [] } = seen.scene;
  return ghosts.map(([a, b], i) => {
    const opacity = (0.15 + (0.75 * (i + 1)) / ghosts.length).toFixed(2);
    return s("path", { class: "ghost", d: straightPath(seen.board, [a, b]), "stroke-opacity": opacity });
  });
}

function loops(seen, links) {
  const fresh = seen.scene.fresh ?? [];
  const parts = components(links).map(({ moves, lowest }) =>
    s("path", { class: `loop loop-${(lowest * 5) % LOOP_COLOURS}`, d: movesPath(seen.board, moves) }),
  );
  if (fresh.length) parts.push(s("path", { class: "fresh", d: movesPath(seen.board, fresh) }));
  return parts;
}

function trail(seen, path, closed) {
  if (path.length < 2) return [];
  if (seen.style === "ribbon" && seen.scene.isWhole && hasKnots(seen.board))
    return knotParts(seen.board, path, closed, seen.scene.isNew);
  if (isGrowing(seen, path)) return growingTrail(seen, path);
  const draw = seen.style === "curve" ? curvedPath : straightPath;
  const d = draw(seen.board, path, closed);
  const trail = s("path", { class: "trail", d });
  if (seen.scene.isNew) {
    // A pen draws it once; style/wishes.css omits the animation under reduced motion.
    trail.setAttribute("pathLength", "1");
    trail.classList.add("is-drawn");
  }
  const parts = [trail];
  if (seen.style === "board" && !seen.numbers) {
    parts.push(s("path", { class: "joints", d: path.map((square) => point(seen, square)).join("") }));
  }
  return parts;
}

// Growing paths of at least this length are drawn in stretches.
const LONG = 256;

/** Curves have no stretches, since the shape of a move depends on its neighbours. */
const isGrowing = ({ scene, style }, { length }) => length >= LONG && !scene.isWhole && style !== "curve";

function growingTrail({ board, style, numbers, steps }, path) {
  const kind = `${board.rows} ${board.cols} ${board.wrap} ${board.leaps}`;
  const line = (name) =>
    steps[name].show(path, kind, (part) => s("path", { class: name, d: straightPath(board, part) }));
  const dots = (part) => s("path", { class: "joints", d: part.map((square) => point({ board }, square)).join("") });
  const parts = [line("trail")];
  return style === "board" && !numbers ? [...parts, steps.joints.show(path, kind, dots)] : parts;
}

/** A line of length 0, which a round pen draws as a point. */
function point(seen, square) {
  return `M${middle(seen.board, square).join(" ")}h0`;
}

function dot(seen, square, radius) {
  const [x, y] = middle(seen.board, square);
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}

function texts(seen, path) {
  const isNumbers = seen.style === "numbers";
  if (!path.length || (!isNumbers && !seen.numbers)) return [];
  const count = squareCount(seen.board);
  const longest = String(count).length;
  // Over a path each number has a disc.
  const hasDiscs = !isNumbers;
  const size = CELL * (hasDiscs ? Math.min(0.34, 0.95 / longest) : Math.min(0.42, 1.5 / longest));
  const make = (square, i) => {
    const [x, y] = middle(seen.board, square);
    return s("text", { class: "number", x, y: y + 0.355 * size, "font-size": size }, String(i + 1));
  };
  const parts = [seen.steps.text.show(path, `${hasDiscs} ${seen.board.cols} ${count}`, make)];
  if (hasDiscs) {
    const d = path.map((square) => point(seen, square)).join("");
    parts.unshift(s("path", { class: "disc-rim", d }), s("path", { class: "disc", d }));
  }
  return parts;
}

function marks(seen, path, closed) {
  const { start = null, end = null, candidates = null, legal = null, fault = null, isWhole = false } = seen.scene;
  const { faults = [], picked = null } = seen.scene;
  const parts = [];
  if (legal) {
    parts.push(...legal.map((square) => s("path", { class: "legal", d: dot(seen, square, candidates ? 14 : 8) })));
  }
  if (candidates) {
    const least = Math.min(...candidates.values());
    for (const [square, ways] of candidates) {
      const [x, y] = middle(seen.board, square);
      const isBest = ways === least;
      if (!legal) parts.push(s("circle", { class: isBest ? "candidate best" : "candidate", cx: x, cy: y, r: 14 }));
      parts.push(s("text", { class: isBest ? "ways best" : "ways", x, y: y + 5.5, "font-size": 16 }, String(ways)));
    }
  }
  const [first, last] = isWhole ? [path[0], path[path.length - 1]] : [start, end];
  const [hasFrame, hasNumbers] = [FRAMED.includes(seen.style), seen.style === "numbers" || seen.numbers];
  if (!isWhole || (!hasNumbers && (hasFrame || !closed) && seen.style !== "ribbon")) {
    const mark = (name, square, r) => {
      const [cx, cy] = middle(seen.board, square);
      parts.push(s("circle", { class: name, cx, cy, r }));
    };
    if (first !== null && first !== undefined) mark("start", first, 8);
    if (last !== null && last !== undefined && last !== first && !(isWhole && closed && end === null))
      mark("end", last, 6.56);
  }
  parts.push(...ways(seen, path));
  if (fault !== null) parts.push(rect(seen, fault, { class: "fault" }));
  for (const square of faults) {
    const [x, y] = middle(seen.board, square);
    const d = `M${x - 0.4 * CELL} ${y + 0.4 * CELL}l${0.8 * CELL} ${-0.8 * CELL}`;
    parts.push(...moved(seen, square, [rect(seen, square, { class: "fault" }), s("path", { class: "crossed", d })]));
  }
  if (picked !== null) {
    const { diagram } = seen.scene;
    const ring = plate(seen, picked, "picked", diagram?.get(picked)?.kind !== "given");
    parts.push(...moved(seen, picked, [ring, ...badge(seen, picked)]));
  }
  return parts;
}

// Approximate number of direction arrows on a tour.
const ARROWS = 12;

/** Arrow heads on some moves of a whole tour, including the first, to show the direction. */
function ways({ board, scene, style, numbers }, path) {
  const isShown = scene.isWhole && !numbers && (style === "board" || style === "line");
  if (!isShown || path.length < 3) return [];
  const every = Math.max(3, Math.round(path.length / ARROWS));
  const size = 0.13 * CELL;
  let d = "";
  for (let i = 0; i + 1 < path.length; i += every) {
    const [x0, y0] = middle(board, path[i]);
    const [x1, y1] = middle(board, path[i + 1]);
    const length = Math.hypot(x1 - x0, y1 - y0);
    // A move over a joined side has no midpoint on the board.
    if (!isFlat(board, path[i], path[i + 1])) continue;
    const [u, v] = [(x1 - x0) / length, (y1 - y0) / length];
    // Away from the middle, where other moves often cross.
    const [x, y] = [x0 + 0.38 * (x1 - x0) + u * size, y0 + 0.38 * (y1 - y0) + v * size];
    const [bx, by] = [x - 2 * u * size, y - 2 * v * size];
    d += `M${[x, y, bx - v * size, by + u * size, bx + v * size, by - u * size].map((n) => Math.round(n * 10) / 10).join(" ")}z`;
  }
  return d ? [s("path", { class: "ways-on", d })] : [];
}

function knight(seen) {
  const { knight = null } = seen.scene;
  return knight === null ? [] : [knightOn(seen, knight)];
}

function badge(seen, square) {
  if (!isKnight(seen.board.leaps)) return [];
  const [x, y] = middle(seen.board, square).map((place, i) => place + (i ? -0.3 : 0.3) * CELL);
  const scale = (0.3 * CELL) / 100;
  const transform = `translate(${x - 47 * scale} ${y - 52 * scale}) scale(${scale})`;
  return [
    s("circle", { class: "badge", cx: x, cy: y, r: 0.2 * CELL }),
    s("path", { class: "badge-knight", d: KNIGHT, transform }),
  ];
}

function knightOn(seen, knight) {
  const [x, y] = middle(seen.board, knight);
  if (!isKnight(seen.board.leaps)) return s("circle", { class: "knight", cx: x, cy: y, r: CELL * 0.3 });
  const scale = (CELL * 0.92) / 100;
  const place = `translate(${x - 47 * scale} ${y - 52 * scale}) scale(${scale})`;
  return s("path", { class: "knight", d: KNIGHT, transform: place });
}
