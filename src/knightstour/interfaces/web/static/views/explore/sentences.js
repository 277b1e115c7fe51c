// What a step of a search did, and why, as a sentence: the moments and facts of the library's model/sentences.py, put
// into the library's own words, which the server sends.

import { neighbours, squareCount, squareName } from "../../model/board.js";
import { components } from "../../model/replay.js";
import { fill, libraryWords, texts } from "../../language.js";
import { grouped, listed } from "../../numbers.js";

const BY_FEWEST = ["warnsdorff", "rotation"];
// More squares, moves or sizes than these are not listed.
const MAX_LISTED = 4;
const MAX_SIZES = 6;

/** @typedef {import("../../model/state.js").Board} Board */
/** @typedef {[string, Record<string, string>]} Moment a row of the library's SENTENCES, "" for none; and its facts */

/** The sentence of an event, given the view after it; "" where there is none. */
export function sentenceOf(/** @type {Record<string, string>} */ sentences, /** @type {Board} */ board, event, view) {
  const [name, facts] = momentOf(board, event, view);
  return fill(libraryWords("sentences", name, sentences[name] ?? "").words, facts);
}

/**
 * @param {Board} board
 * @returns {Moment}
 */
export function momentOf(board, [kind, squares = [], values = [], method = ""], view) {
  const name = (square) => squareName(board, square);
  const move = (a, b) => `${name(a)}-${name(b)}`;
  if (kind === "visit") return visit(board, squares, view, name);
  if (kind === "candidates") return ahead(board, squares, values, view, name);
  if (kind === "unvisit") return back(squares, view, name);
  if (kind === "cover" || kind === "join" || kind === "repair")
    return exchange(board, kind, squares, values, view, move);
  if (kind === "stage") return ["stage", { method }];
  if (kind === "reverse") {
    const [first, end] = values;
    // What was the end is now where the turned part begins.
    const [pivot, old, now] = [view.path[first - 1], view.path[first], view.path[end - 1]];
    return ["turned", { comes: move(pivot, old), goes: move(pivot, now), square: name(now) }];
  }
  if (kind === "restart") {
    const { length } = view.before;
    return ["restart", { given_up: fill(texts.steps.givenUp, { n: length }) }];
  }
  if (kind === "path") {
    const count = fill(texts.common.squares, { n: view.path.length });
    return view.stage === "genetic" ? ["walk", { count, births: births(view) }] : ["path", { count }];
  }
  if (kind === "tour") return ["tour", { first: name(squares[0]), last: name(squares[squares.length - 1]) }];
  return ["", {}];
}

const births = (view) => grouped(view.counters.births ?? 0);

/** @returns {Moment} */
function visit(board, squares, view, name) {
  const { path, before, stage } = view;
  const square = squares[squares.length - 1];
  const facts = { square: name(square) };
  if (path.length === squares.length) return ["put", { square: name(squares[0]) }];
  if (squares.length > 1) return ["on", { squares: listed(squares.map(name)) }];
  if (path.length === squareCount(board)) return ["last", facts];
  if (before.failed !== null) return ["instead", { ...facts, failed: name(before.failed) }];
  const offered = before.candidates;
  if (!offered?.has(square)) return ["on", { squares: name(square) }];
  if (offered.size === 1) return ["only", facts];
  if (!BY_FEWEST.includes(stage)) return ["tried", { ...facts, squares: listed([...offered.keys()].map(name)) }];
  const degrees = [...offered.values()].sort((a, b) => a - b);
  const degree = offered.get(square);
  const all = { ...facts, ways: fill(texts.steps.ways, { n: degree }), degrees: degrees.join(", ") };
  if (degree > degrees[0]) return ["stray", all];
  return [degrees[1] === degree ? "tie" : "fewest", all];
}

/** @returns {Moment} */
function ahead(board, squares, values, view, name) {
  const { path } = view;
  if (squares.length) {
    return [
      "ahead",
      {
        squares: listed(
          squares.map((square, i) => `${name(square)} (${values[i]})`),
          "disjunction",
        ),
      },
    ];
  }
  if (!path.length || path.length === squareCount(board)) return ["", {}];
  const here = path[path.length - 1];
  const visited = new Set(path);
  const around = neighbours(board)[here];
  const been = around.filter((square) => visited.has(square));
  const some = (few) => (few.length > MAX_LISTED ? fill(texts.steps.around, { n: few.length }) : listed(few.map(name)));
  const words = been.length ? [fill(texts.steps.visited, { squares: some(been), n: been.length })] : [];
  if (been.length < around.length)
    words.push(fill(texts.steps.notHere, { squares: some(around.filter((square) => !visited.has(square))) }));
  return ["stuck", { square: name(here), around: words.join(", ") || texts.steps.noMove }];
}

/** @returns {Moment} */
function back(squares, view, name) {
  const { path, before, stage } = view;
  const count = fill(texts.common.squares, { n: squares.length });
  if (!path.length) return ["emptied", { count }];
  const facts = { count, square: name(path[path.length - 1]) };
  if (stage === "warnsdorff") return ["critical", facts];
  if (before.candidates === null && squares.length === 1) return ["refused", { failed: name(squares[0]) }];
  return ["back", facts];
}

/** @returns {Moment} */
function exchange(board, kind, squares, values, view, move) {
  const parts = components(view.links);
  const made = [...view.links.values()].reduce((sum, others) => sum + others.length, 0) / 2;
  const facts = { parts: partsWords(parts), moves: fill(texts.steps.moves, { n: made }) };
  if (kind === "cover") return cover(board, view, parts, facts, made);
  const pairs = [];
  for (let i = 0; i < squares.length; i += 2) pairs.push([squares[i], squares[i + 1]]);
  const [out] = values;
  const some = (few) =>
    few.length > MAX_LISTED ? fill(texts.steps.moves, { n: few.length }) : listed(few.map(([a, b]) => move(a, b)));
  const [gone, come] = [pairs.slice(0, out), pairs.slice(out)];
  const words = [
    gone.length && fill(texts.steps.out, { moves: some(gone) }),
    come.length && fill(texts.steps.in, { moves: some(come) }),
  ];
  const change = words.filter(Boolean).join(", ");
  if (view.stage === "annealing") {
    const more = pairs.length - 2 * out;
    return [more > 0 ? "better" : more < 0 ? "worse" : "equal", { ...facts, change }];
  }
  if (kind === "join") facts.parts = fill(texts.steps.left, { parts: facts.parts, n: parts.length });
  return [kind, { ...facts, change }];
}

/** @returns {Moment} */
function cover(board, view, parts, facts, made) {
  if (view.stage === "sat") {
    const sizes = parts.map(({ size }) => size).sort((a, b) => a - b);
    const words =
      sizes.length > MAX_SIZES
        ? fill(texts.steps.range, { least: sizes[0], most: sizes[sizes.length - 1] })
        : listed(sizes.map(String));
    const round = grouped(view.counters.covers);
    return [parts.length > 1 ? "round" : "single", { ...facts, round, sizes: words }];
  }
  if (view.stage === "genetic") return ["child", { ...facts, births: births(view) }];
  if (view.stage.startsWith("neural")) {
    const settled = [...view.links.values()].filter((others) => others.length === 2).length;
    const unsettled = squareCount(board) - settled;
    if (!unsettled) return ["rest", facts];
    return ["sweep", { moves: fill(texts.steps.areOn, { n: made }), open: fill(texts.steps.have, { n: unsettled }) }];
  }
  return ["cover", facts];
}

function partsWords(parts) {
  const loops = parts.filter(({ isLoop }) => isLoop).length;
  const paths = parts.length - loops;
  const words = [loops && fill(texts.steps.loops, { n: loops }), paths && fill(texts.steps.paths, { n: paths })];
  return listed(words.filter(Boolean)) || texts.steps.noParts;
}
