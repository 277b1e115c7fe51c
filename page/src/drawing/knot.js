// A tour as a knot: one strand of straight moves with small round corners, which goes over and under itself in turn. At
// each crossing the upper strand is drawn again with a rim, halfway to the neighbouring crossings.
//
// The strand is cut into bins of equal length. Each bin is three SVG paths: its line, the rims of its upper crossings,
// and the upper strands there. So one list of paths serves the board, small pictures, a canvas and the pen that draws.

import { CELL, centre, moveParts, sizeOf, straightPath } from "./lines.js";
import { s } from "../dom.js";
import { squareCount } from "../model/board.js";

/** @typedef {{x: number, y: number, u: number}} Point in squares; u: the number of moves from the start of the tour */
/** @typedef {{points: Point[], isLoop: boolean}} Strand */
/**
 * A crossing of a strand with another one. cosine: cosine of the angle between both; before, after: lengths of the
 * redrawn part if the strand is on top; rimBefore, rimAfter: the same for its rim.
 * @typedef {{strand: number, u: number, crossing: number, cosine: number, isUpper: boolean, before: number, after: number,
 *   rimBefore: number, rimAfter: number}} Visit
 */
/** @typedef {{line: string, rims: string, uppers: string, shade: number, isEnd: boolean}} Bin */
/** @typedef {{bins: Bin[], pen: string}} Knot */

// In squares: the width of the band, and of its rim where it goes over another strand.
const BAND = 0.145;
const RIM = 1.75 * BAND;
// Length of a corner before its square, as a part of the move, and its number of straight pieces.
const CORNER = 0.24;
const CORNER_PIECES = 8;
// Maximum length of the redrawn upper strand at a crossing, in moves; its rim ends a little earlier.
const FARTHEST = 0.25;
const OVERLAP = 0.018;
const MOVE = Math.sqrt(5);
const MAX_BINS = 128;
// Crossings on larger boards are too small to be visible.
const MAX_SQUARES = 900;
// The colours along a tour; first and last are the same.
const PALETTES = {
  light: ["#1b4a7a", "#5c2c85", "#96264e", "#b85424", "#1b4a7a"],
  dark: ["#7aaae0", "#ba8ee8", "#f08cac", "#f6b678", "#7aaae0"],
};

/** Whether tours of a board are drawn as knots: boards of squares in one layer that are not too large. */
export const hasKnots = (/** @type {import("../model/state.js").Board} */ board) =>
  !board.shape && squareCount(board) <= MAX_SQUARES;

/** The tour as strands: one, or on a board with joined sides several, which end at the edge. */
function strandsOf(board, order, closed) {
  const start = centre(board, order[0]);
  /** @type {Point[]} */
  let points = [{ x: start[0], y: start[1], u: 0 }];
  const all = [points];
  for (let i = 1; i < order.length + (closed ? 1 : 0); i++) {
    const parts = moveParts(board, order[i - 1], order[i % order.length]);
    const lengths = parts.map(([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1]));
    const whole = lengths.reduce((sum, length) => sum + length, 0);
    let passed = 0;
    for (const [k, [from, to]] of parts.entries()) {
      if (k > 0) all.push((points = [{ x: from[0], y: from[1], u: i - 1 + passed / whole }]));
      passed += lengths[k];
      points.push({ x: to[0], y: to[1], u: i - 1 + passed / whole });
    }
  }
  if (!closed) return all.map((each) => ({ points: each, isLoop: false }));
  if (all.length === 1) return [{ points: points.slice(0, -1), isLoop: true }];
  // The last strand leads to the first one.
  const last = /** @type {Point[]} */ (all.pop());
  all[0] = [...last, ...all[0].slice(1).map((point) => ({ ...point, u: point.u + order.length }))];
  return all.map((each) => ({ points: each, isLoop: false }));
}

const between = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, u: a.u + (b.u - a.u) * t });

/** The same strand with round corners; a loop ends where it begins, one round later. */
function rounded({ points, isLoop }, moves) {
  const n = points.length;
  const at = (i) => ({ ...points[(i + n) % n], u: points[(i + n) % n].u + moves * Math.floor(i / n) });
  /** @type {Point[]} */
  const found = isLoop ? [] : [points[0]];
  for (let i = isLoop ? 0 : 1; i < (isLoop ? n : n - 1); i++) {
    const [before, here, after] = [at(i - 1), at(i), at(i + 1)];
    const [from, to] = [before, after].map((other) => {
      const reach = Math.min(CORNER / Math.abs(other.u - here.u), 0.5);
      return between(here, other, reach);
    });
    for (let k = 0; k <= CORNER_PIECES; k++) {
      const t = k / CORNER_PIECES;
      found.push(between(between(from, here, t), between(here, to, t), t));
    }
  }
  found.push(isLoop ? { ...found[0], u: found[0].u + moves } : points[n - 1]);
  return found;
}

/** The crossing of the segments a to b and c to d: parts of both, and the cosine of their angle; null without one. */
function crossingOf(a, b, c, d) {
  const [x1, y1, x2, y2] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y];
  const turn = x1 * y2 - y1 * x2;
  if (Math.abs(turn) < 1e-12) return null;
  const t = ((c.x - a.x) * y2 - (c.y - a.y) * x2) / turn;
  const v = ((c.x - a.x) * y1 - (c.y - a.y) * x1) / turn;
  if (t < 0 || t >= 1 || v < 0 || v >= 1) return null;
  return [t, v, Math.abs(x1 * x2 + y1 * y2) / Math.hypot(x1, y1) / Math.hypot(x2, y2)];
}

/** All crossings as visits, two of each, in the order of the strands. Only segments in the same squares are compared. */
function visitsOf(strands) {
  /** @type {Map<string, {strand: number, i: number}[]>} */
  const near = new Map();
  /** @type {Visit[]} */
  const visits = [];
  let crossings = 0;
  /** @returns {[Point, Point]} */
  const ends = ({ strand, i }) => [strands[strand][i], strands[strand][i + 1]];
  const isNext = (one, other) => {
    const count = strands[one.strand].length - 1;
    const apart = Math.abs(one.i - other.i);
    return one.strand === other.strand && (apart < 2 || apart === count - 1);
  };
  for (const [strand, points] of strands.entries()) {
    for (let i = 0; i + 1 < points.length; i++) {
      const here = { strand, i };
      const [a, b] = ends(here);
      for (let x = Math.floor(Math.min(a.x, b.x)); x <= Math.max(a.x, b.x); x++) {
        for (let y = Math.floor(Math.min(a.y, b.y)); y <= Math.max(a.y, b.y); y++) {
          const key = `${x} ${y}`;
          const others = near.get(key) ?? [];
          for (const other of others) {
            const found = isNext(here, other) ? null : crossingOf(a, b, ...ends(other));
            if (!found) continue;
            const [t, v, cosine] = found;
            const place = between(a, b, t);
            // A pair of segments may meet in several squares; it crosses in one of them.
            if (Math.floor(place.x) !== x || Math.floor(place.y) !== y) continue;
            const [c, d] = ends(other);
            const blank = { crossing: crossings++, isUpper: false, before: 0, after: 0, rimBefore: 0, rimAfter: 0 };
            visits.push({ strand, u: place.u, cosine, ...blank });
            visits.push({ strand: other.strand, u: between(c, d, v).u, cosine, ...blank });
          }
          near.set(key, [...others, here]);
        }
      }
    }
  }
  return visits.sort((a, b) => a.strand - b.strand || a.u - b.u);
}

/** Alternate upper and lower visits along each strand, and set the length of the redrawn upper part. */
function weave(visits, strands, loops, moves) {
  const uppers = new Map();
  let wasUpper = false;
  for (const visit of visits) {
    const first = uppers.get(visit.crossing);
    visit.isUpper = first === undefined ? !wasUpper : !first;
    uppers.set(visit.crossing, first ?? visit.isUpper);
    wasUpper = visit.isUpper;
  }
  for (const [k, visit] of visits.entries()) {
    const points = strands[visit.strand];
    const [first, last] = [points[0].u, points[points.length - 1].u];
    const [before, after] = [visits[k - 1], visits[k + 1]];
    let [low, high] = [first - 1, last + 1];
    if (before?.strand === visit.strand) low = before.u;
    else if (loops[visit.strand]) low = (visits.findLast(({ strand }) => strand === visit.strand)?.u ?? last) - moves;
    if (after?.strand === visit.strand) high = after.u;
    else if (loops[visit.strand]) high = (visits.find(({ strand }) => strand === visit.strand)?.u ?? first) + moves;
    visit.before = Math.min((visit.u - low) / 2, FARTHEST);
    visit.after = Math.min((high - visit.u) / 2, FARTHEST);
    // The rim must reach this far to cut the whole width of the lower strand.
    const whole = (BAND / 2 + (RIM / 2) * visit.cosine) / Math.sqrt(1 - visit.cosine ** 2) / MOVE;
    visit.rimBefore = Math.min(Math.max(visit.before, whole), visit.u - low);
    visit.rimAfter = Math.min(Math.max(visit.after, whole), high - visit.u);
  }
}

const shown = (x) => Math.round(x * CELL * 100) / 100;

/** The `d` of a strand between two positions; a loop continues at its end. */
function cut(points, from, to, isLoop, moves) {
  const first = points[0].u;
  const last = points[points.length - 1].u;
  if (isLoop && to > last && from < last)
    return cut(points, from, last, false, moves) + cut(points, first, to - moves, false, moves).replace("M", "L");
  if (isLoop && from < first)
    return cut(points, from + moves, last, false, moves) + cut(points, first, to, false, moves).replace("M", "L");
  if (isLoop && from >= last) return cut(points, from - moves, to - moves, false, moves);
  const [begin, end] = [Math.max(from, first), Math.min(to, last)];
  if (begin >= end) return "";
  const found = [];
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i], points[i + 1]];
    if (b.u <= begin || a.u >= end || b.u === a.u) continue;
    if (!found.length) found.push(between(a, b, Math.max(0, (begin - a.u) / (b.u - a.u))));
    found.push(between(a, b, Math.min(1, (end - a.u) / (b.u - a.u))));
  }
  return found.map(({ x, y }, i) => `${i ? "L" : "M"}${shown(x)} ${shown(y)}`).join("");
}

/** The strands of a tour with round corners, their loop flags, and their crossings. */
export function woven(board, order, closed) {
  const sharp = strandsOf(board, order, closed);
  const strands = sharp.map((strand) => rounded(strand, order.length));
  const loops = sharp.map(({ isLoop }) => isLoop);
  const visits = visitsOf(strands);
  weave(visits, strands, loops, order.length);
  return { strands, loops, visits };
}

/**
 * The knot of a tour.
 * @returns {Knot}
 */
export function knotOf(board, order, closed) {
  const moves = order.length - (closed ? 0 : 1);
  const { strands, loops, visits } = woven(board, order, closed);
  const count = Math.min(moves, MAX_BINS);
  const bins = Array.from({ length: count }, (_, k) => {
    const [from, to] = [(k * moves) / count, ((k + 1) * moves) / count];
    // A strand from the last moves to the first ones extends beyond the end of the tour.
    const line = strands
      .flatMap((points, i) =>
        (loops[i] ? [0] : [0, order.length]).map((round) =>
          cut(points, from + round - OVERLAP, to + round + OVERLAP, loops[i], order.length),
        ),
      )
      .join("");
    const isEnd = !closed && strands.length === 1 && (k === 0 || k === count - 1);
    return { line, rims: "", uppers: "", shade: k / count, isEnd };
  });
  for (const { strand, u, isUpper, before, after, rimBefore, rimAfter } of visits) {
    if (!isUpper) continue;
    const bin =
      bins[Math.min(count - 1, Math.floor(((((u % order.length) + order.length) % order.length) / moves) * count))];
    const piece = (from, to) => cut(strands[strand], u - from, u + to, loops[strand], order.length);
    bin.rims += piece(rimBefore - OVERLAP, rimAfter - OVERLAP);
    bin.uppers += piece(before + OVERLAP, after + OVERLAP);
  }
  const pen = strands.length === 1 ? cut(strands[0], 0, moves, loops[0], order.length) : "";
  return { bins, pen };
}

/** A colour of the palette, "rgb(...)"; shade: the place on the tour from 0 to 1. */
function colourAt(shade, theme) {
  const palette = PALETTES[theme];
  const place = Math.min(shade, 0.9999) * (palette.length - 1);
  const [from, to] = [0, 1].map((more) =>
    palette[Math.floor(place) + more].match(/\w\w/g)?.map((part) => parseInt(part, 16)),
  );
  return `rgb(${from?.map((part, i) => Math.round(part + ((to?.[i] ?? part) - part) * (place % 1))).join(" ")})`;
}

// The latest knot of the board, since every change of the page draws it again.
let last = { key: "", knot: /** @type {Knot} */ ({ bins: [], pen: "" }) };

function lastKnot(board, order, closed) {
  const key = JSON.stringify([board, order, closed]);
  if (key !== last.key) last = { key, knot: knotOf(board, order, closed) };
  return last.knot;
}

/**
 * The knot as SVG elements. times: for each bin when it is drawn, as a part of the whole time; without it all is there.
 * @param {Knot} knot
 * @param {number[] | null} times
 */
function elementsOf({ bins, pen }, times = null) {
  const parts = ["line", "rims", "uppers"].flatMap((name) =>
    bins.map((bin, k) => {
      if (!bin[name]) return null;
      const part = s("path", { class: `knot knot-${name}`, d: bin[name] });
      if (name === "line" && bin.isEnd) part.setAttribute("stroke-linecap", "round");
      part.style.setProperty("--on-light", colourAt(bin.shade, "light"));
      part.style.setProperty("--on-dark", colourAt(bin.shade, "dark"));
      if (times) {
        part.classList.add("is-new");
        part.style.setProperty("--at", String(times[k]));
        part.style.setProperty("--part", String(1 / bins.length));
        if (name === "line") part.setAttribute("pathLength", "1");
      }
      return part;
    }),
  );
  if (times && pen) {
    const tip = s("circle", { class: "knot-pen", r: BAND * CELL });
    tip.style.setProperty("offset-path", `path("${pen}")`);
    parts.push(tip);
  }
  return parts.filter((part) => part !== null);
}

/** The knot of the tour on the large board; isNew: a pen draws it once. */
export function knotParts(board, order, closed, isNew = false) {
  const knot = lastKnot(board, order, closed);
  return elementsOf(knot, isNew ? knot.bins.map(({ shade }) => shade) : null);
}

/**
 * A small picture of a knot. times: for each move of the tour when it is drawn, as a part of the whole time.
 * @param {import("../model/state.js").Board} board
 * @param {number[]} order
 * @param {boolean} closed
 * @param {number[] | null} times
 */
export function smallKnot(board, order, closed, times = null) {
  const { bins } = knotOf(board, order, closed);
  const part = ({ shade }) => times?.[Math.floor(shade * times.length)] ?? 0;
  // Keep the strand away from the edge unless sides are joined.
  const inset = board.wrap ? 0 : 0.3 * CELL;
  const [width, height] = sizeOf(board).map((side) => side * CELL - 2 * inset);
  const box = `${inset} ${inset} ${width} ${height}`;
  const attributes = { class: "small-knot", viewBox: box, "aria-hidden": "true" };
  return s("svg", attributes, ...elementsOf({ bins, pen: "" }, times && bins.map(part)));
}

/** Paint a knot on a canvas, in a square of this size. If the board has no knots, it is a line in the colour of the ink. */
export function paintKnot(context, { board, order, closed }, { x, y, size, theme, paper, ink }) {
  const [width, height] = sizeOf(board).map((side) => side * CELL);
  const scale = size / Math.max(width, height);
  context.save();
  context.translate(x + (size - width * scale) / 2, y + (size - height * scale) / 2);
  context.scale(scale, scale);
  context.lineJoin = "round";
  if (!hasKnots(board)) {
    context.lineWidth = (CELL * BAND) / 2;
    context.strokeStyle = ink;
    context.stroke(new Path2D(straightPath(board, order, closed)));
    context.restore();
    return;
  }
  const { bins } = knotOf(board, order, closed);
  for (const name of ["line", "rims", "uppers"]) {
    for (const bin of bins) {
      context.lineCap = name === "line" && bin.isEnd ? "round" : "butt";
      context.lineWidth = CELL * (name === "rims" ? RIM : BAND);
      context.strokeStyle = name === "rims" ? paper : colourAt(bin.shade, theme);
      context.stroke(new Path2D(bin[name]));
    }
  }
  context.restore();
}
