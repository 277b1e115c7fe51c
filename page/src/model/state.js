// The state of the page: all that is shown, in one object that is never changed in place. Its shape is written down here.

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
 * A method with its options, as they were typed.
 * @typedef {object} Way
 * @property {string} method
 * @property {Record<string, string>} options
 */

/**
 * A puzzle: by level, pattern and seed, by how many squares a Zip names and its seed, or by its numbers
 * [[square, number], ...].
 * @typedef {object} Puzzle
 * @property {string} [level]
 * @property {string} [pattern] "" for none
 * @property {number} [inOrder] how many squares a Zip names
 * @property {number} [seed]
 * @property {[number, number][]} [numbers]
 * @property {boolean} [isMaking] whether it is being made, and not solved
 */

/**
 * What the server answers to a question: docs/service.md says more.
 * @typedef {object} Result
 * @property {"found" | "impossible" | "undecided"} status
 * @property {[number, number][] | null} squares of the tour, [row, col] in order of visit
 * @property {string} reason why there is none, or why it is not known; "" or null for none
 * @property {string} source where the reason is published
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
 * @property {string} style of the drawing, as `draw` has it
 * @property {boolean} numbers whether the steps are numbered
 * @property {number[] | null} tour squares in order of visit
 * @property {number[] | null} played the path of a game
 * @property {string | null} number of the tour among all
 * @property {number | null} beat seconds that somebody took, to be beaten
 * @property {import("./pace.js").Pace | null} pace of a puzzle that somebody has solved, in the link that they sent
 * @property {Way | null} watched the method whose search is watched
 * @property {Puzzle | null} puzzle
 * @property {Result | null} [result] what the server answered; not part of a link
 */

/** What a link leaves out. */
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
  watched: null,
  puzzle: null,
};

/** The fields that say what is asked. */
export const QUESTION = ["board", "closed", "start", "end", "conditions"];

// What each answer holds for: it is dropped when one of these becomes another. A number and a result are those of their
// tour; a game goes on whatever is asked of the same board.
const HOLDS_FOR = {
  tour: QUESTION,
  result: [...QUESTION, "tour"],
  number: [...QUESTION, "tour"],
  played: ["board"],
  beat: [...QUESTION, "puzzle"],
  pace: [...QUESTION, "puzzle"],
  puzzle: ["board", "closed"],
};

/** What a place holds of its own: what is asked, and all that belongs to it. */
export const HELD = [...QUESTION, "puzzle", "tour", "other", "played", "result", "number", "beat", "pace"];

/** Which views hold the same: a puzzle has a board of its own. */
export const heldBy = (view) => (view === "puzzle" ? view : "question");

/**
 * The state after a patch, and the names of the fields that changed. Answers that do not hold any more are dropped, but
 * for those given in the same patch. `isSame(a, b)` compares boards.
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
