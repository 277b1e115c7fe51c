// The state of the page, in one object that is never changed in place, and its type.

/**
 * A board. Square s is row * cols + col, row 0 at the top.
 * @typedef {object} Board
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} holes square numbers, rising
 * @property {null | "cylinder" | "torus" | "mobius" | "klein"} wrap
 * @property {import("./pieces.js").Leap[]} leaps of the piece, see pieces.js
 * @property {string} [shape] of a board of cells, which has one row: "4x4x4", "hex:6"
 */

/**
 * A method with its options, as text.
 * @typedef {object} Way
 * @property {string} method
 * @property {Record<string, string>} options
 */

/**
 * A puzzle: by level, pattern and seed; by a Zip's number of ordered squares and its seed; or by its numbers [[square,
 * number], ...].
 * @typedef {object} Puzzle
 * @property {string} [level]
 * @property {string} [pattern] "" for none
 * @property {number} [inOrder] number of ordered squares of a Zip
 * @property {number} [seed]
 * @property {[number, number][]} [numbers]
 * @property {boolean} [isMaking] whether the user creates it instead of solving it
 */

/**
 * The server's result for a problem; see docs/service.md.
 * @typedef {object} Result
 * @property {"found" | "impossible" | "undecided"} status
 * @property {[number, number][] | null} squares of the tour, [row, col] in order of visit
 * @property {string} reason reason why no tour exists or the problem is undecided; "" or null if unknown
 * @property {string} source publication of the reason
 * @property {string} method
 * @property {number} seconds
 * @property {number} nodes
 * @property {number} seed
 */

/**
 * @typedef {object} State
 * @property {string} view a name of VIEWS in views/table.js
 * @property {Board} board
 * @property {boolean} closed
 * @property {number | null} start
 * @property {number | null} end
 * @property {import("./conditions.js").Conditions | null} conditions
 * @property {string} method
 * @property {Record<string, string>} options of the method
 * @property {number | null} seed chosen by the server if null
 * @property {string} style of the drawing, a style of `draw`
 * @property {boolean} numbers whether the steps are numbered
 * @property {number[] | null} tour squares in order of visit
 * @property {number[] | null} played the path of a game
 * @property {string | null} number of the tour among all
 * @property {number | null} beat time to beat, in seconds
 * @property {import("./pace.js").Pace | null} pace pace of the sender of a solved puzzle
 * @property {Puzzle | null} puzzle
 * @property {Result | null} [result] the server's result; not part of a link
 */

/** The values that links omit. */
export const DEFAULTS = {
  view: "find",
  closed: false,
  start: null,
  end: null,
  conditions: null,
  method: "auto",
  options: {},
  seed: null,
  style: "board",
  numbers: false,
  tour: null,
  played: null,
  number: null,
  beat: null,
  pace: null,
  puzzle: null,
};

export const QUESTION = ["board", "closed", "start", "end", "conditions"];

// The fields that each result depends on: it is dropped when one of them changes. A number and a result depend on their
// tour; a game continues for any problem on the same board.
const HOLDS_FOR = {
  tour: QUESTION,
  result: [...QUESTION, "tour"],
  number: [...QUESTION, "tour"],
  played: ["board"],
  beat: [...QUESTION, "puzzle"],
  pace: [...QUESTION, "puzzle"],
  puzzle: ["board", "closed"],
};

/** The fields that each place stores separately: the problem, and all fields that depend on it. */
export const HELD = [...QUESTION, "puzzle", "tour", "played", "result", "number", "beat", "pace"];

/** Key of the fields that a view stores: Puzzle has a board of its own. */
export const heldBy = (view) => (view === "puzzle" ? view : "question");

/**
 * Return the state after a patch, and the names of the changed fields. Results that no longer hold are dropped, except
 * the results in the patch. `isSame(a, b)` compares boards.
 * @param {State} state
 * @param {Partial<State>} patch
 * @returns {{next: State, changed: Set<string>}}
 */
export function patched(state, patch, isSame) {
  const changed = new Set(Object.keys(patch).filter((key) => patch[key] !== state[key]));
  if (changed.has("board") && isSame(patch.board, state.board)) changed.delete("board");
  const next = { ...state, ...patch };
  for (const [answer, causes] of Object.entries(HOLDS_FOR)) {
    if (answer in patch || next[answer] === null || !causes.some((cause) => changed.has(cause))) continue;
    next[answer] = null;
    changed.add(answer);
  }
  return { next, changed };
}
