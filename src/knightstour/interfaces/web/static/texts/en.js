// What the page says, in English. A text with places to fill is a function. Each group is for one part of the page; a
// test compares the groups of all languages.

import { fixed, grouped, rounded } from "../numbers.js";

const count = (n, one, many = `${one}s`) => `${grouped(n)} ${Number(n) === 1 ? one : many}`;
const joined = (words, joint) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} ${joint} ${words[words.length - 1]}` : words[0];
const dated = (date) => date.toLocaleDateString("en", { day: "numeric", month: "long", timeZone: "UTC" });
const kindOf = (closed) => (closed ? "closed" : "open");

/** Words that many parts need. */
export const common = {
  play: "Play",
  pause: "Pause",
  stop: "Stop",
  cancel: "Cancel",
  close: "Close",
  undo: "Undo",
  redo: "Redo",
  restart: "Restart",
  print: "Print",
  share: "Share",
  source: "Source: ",
  closed: "closed",
  open: "open",
  hole: "hole",
  free: "free",
  found: "found",
  impossible: "impossible",
  undecided: "undecided",
  stopped: "Stopped",
  searchStopped: "The search was stopped",
  squares: (n) => count(n, "square"),
  isHole: (square) => `${square} is a hole`,
  isSquare: (square) => `${square} is a square`,
  noSquare: (name) => `The board has no square “${name}”`,
  step: (step, last) => `Step ${step} of ${last}`,
  seed: (seed) => `seed ${seed}`,
  nodes: (n) => count(n, "node"),
};

/** What is around the views. */
export const page = {
  name: "Knight’s tour",
  toBoard: "To the board",
  views: "Views",
  board: "Board",
  settings: "Settings",
  drop: "Drop the tour to check it",
  title: (view) => `${view} · Knight’s tour`,
  undone: "Undone",
  nothingToUndo: "Nothing to undo",
  redone: "Done again",
  nothingToRedo: "Nothing to do again",
  linkHoldsMore: "This link holds more than the page understands.",
  leftOut: (fields) => `${fields.map((field) => `“${field}”`).join(", ")} is left out; the rest is shown.`,
  noMethod: (method) => `This page has no method “${method}”.`,
  otherMethod: "The tour is found by another one, which fits the question.",
  badLink: "This link cannot be shown.",
  badLinkHelp: "It is still in the address, to be mended. Meanwhile the page shows the chess board.",
  notStarted: "The page could not start.",
  isServing: "Is knightstour serve still running?",
  described: (board, n, what) => `${board}, ${n} squares, ${what}`,
  noTour: "no tour",
  tourFromTo: (closed, first, last) => `${kindOf(closed)} tour from ${first} to ${last}`,
  language: "Language",
  languageOf: (name) => `${name} (as the browser)`,
  more: "More",
  places: { puzzle: "Puzzle", play: "Play", explore: "Explore", check: "Check" },
};

/** The first page. */
export const home = {
  title: "Every square once, and home again.",
  sentence: (n) =>
    `A knight can visit all 64 squares of a chessboard without touching one twice. This is one of ${n} ways.`,
  puzzle: "Puzzle of the day",
  streak: (n) => `${n} days in a row`,
  play: "Play",
  playNote: "Walk a tour yourself, from 5×5 up",
  explore: "Explore",
  exploreNote: "Any board: find a tour, watch the search, count them all, or see why there is none",
};

/** The questions below an answer. */
export const explore = {
  questions: {
    how: "How was it found?",
    why: "Why does no search find one?",
    many: "How many are there?",
    better: "What is it like, and are there better ones?",
  },
  parts: "What to look at",
  short: { watch: "Step by step", compare: "Side by side", count: "In figures", all: "By number", many: "Several" },
};

/** The three puzzles of each day. */
export const daily = {
  today: (date) => dated(date),
  title: "Puzzles of the day",
  names: {
    easy: "Easy",
    hard: "Hard",
    torus: "Torus",
    cylinder: "Cylinder",
    mirrored: "Mirrored",
    turned: "Half turn",
    quarter: "Quarter turn",
  },
  calendar: "The last weeks",
  none: "Solve one of the three each day, and the days in a row are counted here.",
  day: (date, n) => `${dated(date)}: ${count(n, "puzzle")} solved`,
  next: (time) => `New puzzles in ${time}.`,
  share: "Share the result",
};

/** What is said where the server has no answer. */
export const server = {
  gone: "Is knightstour serve still running? Meanwhile you can play, check tours in names of squares or diagrams, replay what was found, and see and print the tour in all styles",
  status: (status) => `the server answered ${status}`,
  silent: "the server does not answer",
  brokeOff: "the answer broke off",
  estimate: "an estimate",
  sample: "a random sample",
  notWith: (what, conditions) => `${what} cannot be asked for with the conditions ${conditions}`,
  takeAway: "take them away, or ask for it exactly or in order",
  notUnique: "This puzzle does not have exactly one solution.",
  makeOwn: "Make your own, and see which squares are in doubt.",
};

/** @typedef {import("../model/state.js").Board & {closed: boolean, ends?: string}} Asked ends: of the tour, in words */

const WRAPS = { cylinder: "cylinder", torus: "torus", mobius: "Möbius strip", klein: "Klein bottle" };

function boardWords({ rows, cols, wrap, holes, leaper }) {
  const words = [`${rows}×${cols}`, WRAPS[wrap] ?? "board"];
  if (holes.length) words.push(`with ${count(holes.length, "hole")}`);
  if (leaper.join() !== "1,2") words.push(`for the (${leaper.join(",")}) leaper`);
  return words.join(" ");
}

/** Boards, and what is asked of them. The ends are names of squares, or null. */
export const board = {
  role: "board",
  words: (board) => boardWords(board),
  outside: "outside",
  outsideNumber: (n) => `outside ${n}`,
  /** "closed tour of the 8×8 board from a1" */
  tour: (/** @type {Asked} */ { closed, ends = "", ...board }) =>
    `${kindOf(closed)} tour of the ${boardWords(board)}${ends}`,
  tours: (/** @type {Asked} */ { closed, ends = "", ...board }) =>
    `${kindOf(closed)} tours of the ${boardWords(board)}${ends}`,
  aTour: (/** @type {Asked} */ { closed, ends = "", ...board }) =>
    `${closed ? "a closed" : "an open"} tour of the ${boardWords(board)}${ends}`,
  noTour: (/** @type {Asked} */ { closed, ends = "", ...board }) =>
    `There is no ${kindOf(closed)} tour of the ${boardWords(board)}${ends}`,
  from: (square) => `from ${square}`,
  to: (square) => `to ${square}`,
  symmetry: (name) => `with symmetry ${name}`,
  given: (words) => `with ${words}`,
  through: (words) => `through ${words}`,
  without: (words) => `without ${words}`,
};

/** Answers in words. */
export const answer = {
  found: (tour) => `Found: ${tour}`,
  undecided: (tour) => `Not decided: is there ${tour}?`,
  closedToo: "It is closed, too: its ends are a move apart.",
};

/** Links that cannot be read. */
export const link = {
  notPath: "this is not a path of the board",
  character: (digit) => `'${digit}' cannot be in a link`,
  tour: "the tour in this link cannot be read",
  tourEnds: "the tour in this link ends before the board is full: is the link complete?",
  tourFits: "the tour in this link does not fit its board: is the link complete?",
  part: (text) => `'${text}' in this link cannot be read`,
  noBoard: (text) => `'${text}' is not a board`,
  tooLarge: (most, rows, cols) => `the page shows boards of up to ${most}x${most} squares, not ${rows}x${cols}`,
  notOfBoard: (text) => `'${text}' says nothing about a board`,
  noMove: "a piece that does not move has no tours",
  holeOutside: "a hole in this link is not on the board",
  noSquares: "the board of this link has no squares",
  noMethod: (text) => `'${text}' is not a method`,
  noSquare: (name) => `the board of this link has no square ${name}`,
  noNumber: (text) => `'${text}' is no number of this board`,
  twice: "a number or a square is twice in the puzzle of this link",
  noPuzzle: (text) => `'${text}' is no puzzle`,
  unknown: (text) => `'${text}' in this link is not understood`,
};

/** A tour on another page. */
export const element = {
  noSquares: "the tour has no squares",
  noSquare: (name) => `the board has no square ${name}`,
  twice: "the tour visits a square twice",
  notAll: "the tour does not visit all squares",
  notShown: "This tour cannot be shown.",
};

/** The buttons that play, step by step. */
export const player = {
  name: "Player",
  step: "Step",
  speed: "Speed",
  first: "To the beginning",
  back: "One step back",
  next: "One step on",
  last: "To the end",
  aSecond: (n) => `${grouped(n)} step${n > 1 ? "s" : ""}/s`,
  saidSpeed: (n) => `${n} steps a second`,
  at: (step, last) => `step ${step} of ${last}`,
  keys: [
    ["Space, k", "play, pause"],
    ["← →", "one step back, one step on"],
    ["Home, End", "to the beginning, to the end"],
    ["+ -", "faster, slower"],
  ],
};

export const replay = {
  begin: "Replay",
  end: "End the replay",
  complete: "The tour is complete",
  waiting: "At the beginning of the tour. Play with the space bar",
  keys: [["p", "replay the tour"]],
  ownKeys: [["Escape", "end the replay"]],
};

/** The section that says what is asked. */
export const setup = {
  title: "Board",
  wraps: {
    none: "No sides",
    cylinder: "Left and right: cylinder",
    torus: "All four: torus",
    mobius: "Left and right, turned over: Möbius strip",
    klein: "All four, turned over: Klein bottle",
  },
  pieces: {
    knight: "Knight (1, 2)",
    zebra: "Zebra (2, 3)",
    camel: "Camel (1, 3)",
    giraffe: "Giraffe (1, 4)",
    antelope: "Antelope (3, 4)",
    other: "Another leaper …",
  },
  boards: {
    chess: "8×8, the chess board",
    smallest: "5×5, the smallest square",
    six: "6×6, with 9,862 closed tours",
    narrow: "3×10, the smallest closed",
    four: "4×8, closed: impossible",
    cross: "A cross",
    frame: "A frame",
    diamond: "A diamond",
    torus: "4×5 torus",
    klein: "6×8 Klein bottle",
    zebra: "10×10 for the zebra",
    wide: "24×40",
    large: "60×60, 3,600 squares",
  },
  rows: "Rows",
  cols: "Columns",
  sides: (most) => `A side has 1 to ${most} squares.`,
  choose: "Choose one …",
  readyMade: "Boards to look at",
  proposed: { chess: "8×8", four: "4×8", cross: "Cross", torus: "Torus", zebra: "Zebra" },
  size: "Size, rows × columns",
  piece: "Piece",
  wrap: "Sides joined",
  oneWay: "Squares one way",
  otherWay: "Squares the other way",
  and: "and",
  kind: "Kind of tour",
  open: "Open",
  openHint: "A walk over all squares",
  closed: "Closed",
  closedHint: "Ends a move from where it began",
  any: "any",
  start: "Start",
  end: "End",
  startsOn: "Starts on",
  endsOn: "Ends on",
  noSquare: (name) =>
    `The board has no square “${name}”. The one at the bottom left is a1, the one at the top left 0,0.`,
  clickSets: "A click on the board sets",
  holes: "Holes",
  holesHint: "Click or drag over squares to take them away or put them back",
  fill: "Fill all holes",
};

export const conditions = {
  title: "Conditions",
  any: "any",
  names: { given: "Given", through: "Through", avoid: "Avoid", symmetry: "Symmetry" },
  short: { given: "given", through: "through", avoid: "avoid", symmetry: "symmetry" },
  givenHint: "The step of a square, from 1: a number, or two with dots between.",
  throughHint: "Moves that the tour must make.",
  avoidHint: "Moves that it must not make.",
  fault: (text, example) => `“${text}” is not understood. Write it as ${example}.`,
  givenExample: "a1=1 or c5=16..19",
};

export const facts = {
  squares: "Squares",
  kind: "Kind",
  ends: "From – to",
  symmetry: "Symmetry",
  turns: "Turns",
  crossings: "Crossings",
  magic: "Magic",
  manySymmetries: (n) => `${n} turns and shifts`,
};

export const improve = {
  wish: "The tour should have",
  go: (seconds) => `Improve for ${seconds} seconds`,
  busy: "Looking for better tours",
  none: (before, what) => `No better tour was found: ${before} ${what}.`,
  better: (before, after, what) => `${before} ${what} before, ${after} now.`,
  few: (what) => `as few ${what} as can be found`,
  many: (what) => `as many ${what} as can be found`,
  names: { SQUARES: "Squares", MOVES: "Moves" },
  hints: {
    SQUARES: "Squares or rectangles, with a plus between them.",
    MOVES: "Moves, with a plus between them.",
  },
};

/** Keys that work anywhere, and the list of all keys. */
export const help = {
  title: "Help",
  keys: [
    ["1 – 4", "Puzzle, Play, Explore, Check"],
    ["s", "the next style of drawing"],
    ["#", "step numbers"],
    ["[ ]", "turn left, turn right"],
    ["m", "mirror"],
    ["c", "copy the link"],
    ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ["?", "this help"],
  ],
  boardKeys: [
    ["arrow keys", "move the cursor"],
    ["Enter, Space", "choose the square under the cursor"],
  ],
  onBoard: "On the board",
  anywhere: "Anywhere",
  what: "A knight’s tour visits every square of a board once, by moves of a knight. It is closed if a last move leads back to the start.",
  places: {
    puzzle: "Three puzzles each day: fill in the numbers of a tour.",
    play: "Lead the knight over every square once.",
    explore: "A tour of any board or the reason why there is none, how it is found, and how many there are.",
    check: "Paste or drop a tour in any notation: is it one?",
  },
  click: "A click on the board sets the start in Explore, moves the knight in Play, and fills in numbers in Puzzle.",
  guide: "The guide: ",
  guideParts: { page: "all views", conditions: "conditions", words: "what the words mean" },
  commandLine: ". At the command line, knightstour --help lists what else there is.",
  single: "Single keys work anywhere on the page",
  numbersOn: "Numbers on",
  numbersOff: "Numbers off",
  turnedLeft: "Turned left",
  turnedRight: "Turned right",
  mirrored: "Mirrored",
};

/** The bar below the board, colours and size. */
export const look = {
  name: "Look",
  style: "Style of the drawing",
  styles: {
    board: "Board",
    line: "Line",
    curve: "Curve",
    steps: "Steps",
    weave: "Weave",
    mosaic: "Mosaic",
    numbers: "Numbers",
    heat: "Heat",
    plotter: "Plotter",
  },
  saidStyle: (name) => `Style ${name}`,
  numbers: "Step numbers",
  left: "Turn left",
  right: "Turn right",
  mirror: "Mirror",
  themes: { auto: "as the system", light: "light", dark: "dark" },
  theme: (name) => `Colours: ${name}`,
  closer: "Show the board larger",
  further: "Show the board smaller",
  whole: "Show the whole board",
  size: "Size of the board",
  times: (scale) => `${rounded(scale, 4)} times as large`,
  isWhole: "The whole board",
  zoomKeys: [
    ["+ −", "show the board larger, smaller (also Ctrl and the wheel, or two fingers)"],
    ["0", "show the whole board"],
    ["Shift and arrow keys", "move a board that is shown larger (also the wheel, or a drag)"],
  ],
};

export const save = {
  title: "Save and share",
  link: "Link",
  asText: "The tour as text",
  formats: { svg: "SVG", png: "PNG", gif: "GIF", html: "Web page", txt: "Text", json: "JSON" },
  saveAs: (format) => `Save as ${format}`,
  usual: "usual",
  sizeLabel: "Size in pixels",
  sizeHint: "Of pictures: the longer side.",
  size: (least, most) => `A picture has ${least} to ${grouped(most)} pixels on its longer side, a whole number.`,
  drawn: "Drawn",
  frame: (done, total) => `, frame ${done} of ${total}`,
  making: (format) => `Making the ${format}`,
  nothing: "Nothing was saved.",
  saved: (name) => `Saved ${name}`,
  aTour: "A knight’s tour",
  notShared: "This browser does not share it. Save it instead.",
  copied: "The link is copied.",
  selected: "Copy the selected link",
  copyLink: "Copy link",
  here: "This link opens on this computer alone. To send the tour, save it as a web page.",
  diagram: "Print the numbers without the line",
};

/** Methods, their options, and the table that compares them. */
export const methods = {
  label: "Method",
  title: "Methods",
  usual: "default",
  workers: "processes that share the work; default one",
  table: "How each method fares",
  answers: "Answers",
  time: "Time",
  nodes: "Nodes",
  compareAll: "Compare all methods",
  hint: (times, seconds) =>
    `Each method is asked for a tour of this board ${times} times, for ${seconds} second at most.`,
  of: (n, all) => `${n} of ${all}`,
  asking: (name) => `Asking ${name}`,
  processor: "Times are processor seconds of one run.",
};

export const proof = {
  conclusion: (words) => `Therefore: ${words}`,
  name: "Proof",
  play: "Play the proof",
  steps: "Steps of the proof",
  show: "Show the proof",
  notDrawn: "Nothing of this proof can be drawn.",
  question: (tour) => `Is there ${tour}?`,
  possible: "the moves of the board",
  said: (step, last, title, words) => `Step ${step} of ${last}. ${title}. ${words}`,
  keys: [[", .", "where there is none: one step of the proof back, one on"]],
};

/** Sequences of the OEIS. */
export const terms = {
  silent: "Its lines do not go so far",
  same: "It shows the same number",
  other: (number) => `It shows ${number}, which is another number`,
  term: (n) => `Term ${n} of `,
  inSequences: (n) => `In ${count(n, "sequence")} of the OEIS`,
};

export const find = {
  title: "Explore",
  drawn: "drawn",
  seed: "Seed",
  seedHint: "The same seed gives the same tour.",
  seedRange: (most) => `A seed is a whole number from 0 to ${grouped(most)}.`,
  another: "Another tour",
  stop: "Stop searching",
  searching: (seconds, most) => `Searching, ${fixed(seconds, 0)} s of ${most} s`,
  longer: (seconds) => `Search for ${seconds} seconds`,
  other: (method) => `Try another method: ${method}`,
  noStart: "No start",
  noEnd: "No end",
  start: (square) => `start ${square}`,
  end: (square) => `end ${square}`,
  isStart: "start",
  isEnd: "end",
  number: (n) => `number ${n}`,
  keys: [["n", "another tour"]],
};

export const watch = {
  title: "Watch",
  notStarted: "not started",
  said: (step, last, words) => `Step ${step} of ${last}: ${words}`,
  race: "Race against another method",
  again: "Again with another seed",
  looking: (tour) => `Looking for ${tour}`,
  recordedRace: (tour) => `Recorded: a race for ${tour}`,
  recordedSearch: (tour) => `Recorded: a search for ${tour}`,
  recorded: "Recorded. Play with the space bar",
  decidedBy: "A race is decided",
  byTime: "By time",
  bySquares: "By squares decided",
  steps: "Step by step",
  methods: "Methods and marks",
  leaveOut: (method) => `Leave out ${method}`,
  board: (method, words, n) => `${method}: ${words}, ${n} squares on the path`,
  ended: (status, time) => `${status} in ${time}`,
  decided: (n, isMore) => `${isMore ? "more than " : ""}${grouped(n)} squares decided`,
  nodes: (n) => `${grouped(n)} nodes`,
  firstEvents: (n) => `the first ${grouped(n)} events were recorded`,
  places: ["first", "second", "third", "fourth"],
  nobody: "Nobody found a tour",
  won: (winners, isByTime, figures) =>
    `${joined(winners, "and")} came first ${isByTime ? "by time" : "by squares decided"}: ${figures}`,
  works: (method) => `How ${method} works`,
  legend: "What the marks and numbers mean",
  candidate: "where it may go next, with the number of ways on from there; the fewest are highlighted",
  ghost: "moves taken back a moment ago",
  retreat: "squares taken back, the more often the darker",
  loops: "loops that have not been joined yet, one colour each",
};

/** What is filled into the library's sentences on the steps of a search. */
export const steps = {
  and: (words) => joined(words, "and"),
  or: (words) => joined(words, "or"),
  squares: (n) => count(n, "square"),
  moves: (n) => count(n, "move"),
  ways: (n) => `${count(n, "way")} on`,
  range: (least, most) => `${least} to ${most}`,
  around: (n) => `${n} squares around it`,
  visited: (squares, n) => `${squares} ${n === 1 ? "is" : "are"} visited`,
  notHere: (squares) => `${squares} may not follow here`,
  noMove: "no move leads on",
  out: (moves) => `out ${moves}`,
  in: (moves) => `in ${moves}`,
  left: (parts, n) => `${parts} ${n === 1 ? "is" : "are"}`,
  parts: (loops, paths) =>
    [...(loops ? [count(loops, "loop")] : []), ...(paths ? [count(paths, "path")] : [])].join(" and ") || "no moves",
  givenUp: (n) => (n ? `${count(n, "square")} ${n === 1 ? "is" : "are"}` : "all moves are"),
  areOn: (n) => `${count(n, "move")} ${n === 1 ? "is" : "are"}`,
  have: (n) => `${count(n, "square")} ${n === 1 ? "has" : "have"}`,
};

export const play = {
  title: "Play",
  lead: "Lead the knight over every square once.",
  prospects: {
    yes: "a tour can be made from there",
    no: "no tour can be made from there",
    unknown: "whether a tour can be made from there is not known",
  },
  game: "Game",
  restarted: "Restarted. Undo brings your game back",
  wasVisited: (square, n) => `${square} was visited as number ${n}`,
  noMove: (square) => `No move leads to ${square}`,
  board: (n, visited) => `${n} squares, ${visited} visited`,
  boardKnight: (n, visited, square) => `${n} squares, ${visited} visited, the knight is on ${square}`,
  stars: (stars, most) => `${stars} of ${most} stars`,
  best: "Your best.",
  next: (level) => `Next level: ${level}`,
  help: "Help",
  hints: "Hints: the ways on from each square",
  hintsOn: "Hints on",
  hintsOff: "Hints off",
  showing: "Showing which moves lead to a tour",
  notShowing: "Not showing it",
  theKnight: "the knight",
  visited: (n) => `visited, number ${n}`,
  canBeVisited: "can be visited",
  waysOn: (n) => `${n} ways on`,
  keys: [
    ["n p", "cursor to the next, the previous square that can be visited"],
    ["u, Backspace", "undo"],
    ["y", "redo"],
    ["r", "restart"],
    ["h", "hints"],
    ["f", "can it still be finished?"],
    ["d", "which moves lead to a tour?"],
    ["t", "type moves"],
  ],
  putAnywhere: "Put the knight on any square.",
  putOn: (square) => `Put the knight on ${square}, where it is to start.`,
  goalFirst: "Closed: the last square must be a move from the first.",
  goalClosed: (square) => `Closed: the last square must be a move from ${square}.`,
  goalAny: "Open: the tour may end on any square.",
  goalEnd: (square) => `Open: the last square must be ${square}.`,
  done: (closed, n) => `Done: ${closed ? "a closed tour" : "a tour"} of all ${n} squares!`,
  noWayBack: "All squares, but no move leads back to the start.",
  wrongEnd: (square) => `All squares, but it does not end on ${square}.`,
  going: (n, all, ways) => `${n} of ${all} squares, ${count(ways, "way")} on`,
  deadEnd: (left) => `A dead end, with ${count(left, "square")} left. Take some moves back.`,
};

/** Beside the board of a game: levels, counts, typed moves, and help. */
export const game = {
  levels: "Levels",
  starsHint: "One star for the tour, one for no undo, one for no help. Records stay in this browser.",
  names: {
    five: "5×5",
    six: "6×6",
    torus: "Torus",
    ring: "Ring",
    cross: "Cross",
    chess: "8×8",
    camel: "Camel",
    zebra: "Zebra",
  },
  about: {
    five: "open: start well",
    six: "open",
    torus: "5×5, closed; all sides are joined",
    ring: "7×7, closed; a hole in the middle",
    cross: "48 squares, closed; no corners",
    chess: "the chess board, closed",
    camel: "leaps 1 and 3, on a 7×7 torus, closed",
    zebra: "leaps 2 and 3, on 10×10, closed",
  },
  count: "Count",
  toGo: (n) => `${count(n, "square")} to go`,
  undos: (n) => count(n, "undo"),
  showCount: "Show what is left, the undos and the time",
  nextSquares: "Next squares",
  typeHint: "Names of squares, such as c4; Enter makes the moves",
  cannotGo: (name) => `The knight cannot go to ${name}.`,
  made: (n) => `${n} made`,
  answers: {
    yes: "Yes, it can be finished.",
    no: "No, it cannot be finished any more.",
    unknown: "Not known: the search took too long.",
  },
  after: {
    yes: (squares) => `Can still be finished after ${squares}.`,
    no: (squares) => `Not after ${squares}.`,
    unknown: (squares) => `Not known after ${squares}.`,
  },
  ask: "Can it still be finished?",
  showHow: "Show me how",
  looking: "Looking …",
  showMoves: "Show which moves lead to a tour",
};

export const all = {
  title: "All tours",
  numberOf: "Number of the tour",
  number: "Number",
  range: (n) => `There are tours number 1 to ${n}`,
  tour: "Tour",
  random: "A uniformly random tour",
  build: "Number all tours",
  building: "Numbering all tours",
  progress: (words) => `${words} so far. This is done once and kept.`,
  percent: (share) => `${fixed(100 * share, 0)} %`,
  previous: "Previous tour",
  next: "Next tour",
  at: (k, n) => `tour ${grouped(k)} of ${grouped(n)}`,
  asking: "Asking for their number",
  opening: "Opening the file of all tours …",
  isNumber: (k) => `Tour number ${grouped(k)}`,
  among: (n, closed, board) =>
    Number(n) === 1
      ? `the only ${kindOf(closed)} tour of the ${boardWords(board)}`
      : `of all ${grouped(n)} ${kindOf(closed)} tours of the ${boardWords(board)}`,
  total: (n, closed) => count(n, `${kindOf(closed)} tour`),
  failed: "The tours could not be numbered.",
  invitation:
    "They are counted and numbered in the background, once. It takes seconds for 36 squares and a minute or two for 64, if they are not too many. You can go on meanwhile.",
  keys: [
    ["← →", "previous, next tour"],
    ["Home, End", "first, last tour"],
    ["r", "a random tour"],
  ],
};

export const histogram = {
  title: "How the tours differ",
  statistic: "Count the tours by",
  go: "Count the tours",
  busy: "Measuring the tours …",
  stopped: "Stopped.",
  joined: "On boards with joined sides, moves have no directions and crossings that could be counted.",
  range: (from, to) => `${from} to ${to}`,
  share: (percent) => `${percent} %`,
  ofTours: "of the tours. Show one",
  all: (mean) => `All tours were counted. The mean is ${fixed(mean, 2)}. Choose a bar to see such a tour.`,
  sample: (samples, n, mean) =>
    `A random sample of ${grouped(samples)} of all ${grouped(n)} tours, so the rarest values may be missing. The mean is ${fixed(mean, 2)}. Choose a bar to see such a tour.`,
  fewest: (value) => `A tour with the fewest: ${value}`,
  most: (value) => `A tour with the most: ${value}`,
};

export const counting = {
  title: "Count",
  what: "What to find out",
  kinds: { count: "Exactly", estimate: "Roughly", plan: "Effort" },
  hints: {
    count: (seconds) => `The exact number. Counts here may take ${seconds} seconds.`,
    estimate: () => "An estimate by random walks, with its error; for boards of any size.",
    plan: () => "What an exact count would take, in memory and time. Nothing is counted.",
  },
  buttons: { count: "Count", estimate: "Estimate", plan: "Show the effort" },
  symmetries: {
    all: "all tours",
    180: "the same after a half turn",
    90: "the same after a quarter turn",
    vertical: "the same mirrored left to right",
    horizontal: "the same mirrored top to bottom",
    diagonal: "the same mirrored in a diagonal",
    antidiagonal: "the same mirrored in the other diagonal",
  },
  which: "Which tours",
  classes: "Count turned and mirrored tours once",
  directed: "Count both directions of a tour",
  question: (tours) => `How many ${tours} are there?`,
  busy: "Counting",
  looking: "Looking",
  stopped: "The count was stopped",
  classesOnce: "turned and mirrored ones counted once",
  bothWays: "both directions counted",
  oneWay: "each in one direction",
  countYourself: "Count it yourself",
  tooMany: "Too many to count here",
  tooManyHelp: "Choose “Roughly” for an estimate, or “Effort” to see what an exact count takes.",
  nothing: "Nothing is known yet",
  about: (number) => `about ${number}`,
  error: (share) => ` ± ${rounded(100 * share, 2)} %`,
  walks: (n) => `from ${grouped(n)} random walks`,
  ended: "the time ended before all walks were made",
  atLeast: (words) => `at least ${words}`,
  by: "By",
  time: "Time",
  memory: "Memory",
  states: "States",
  units: {
    year: (n) => `${n} years`,
    day: (n) => `${n} days`,
    hour: (n) => `${n} hours`,
    minute: (n) => `${n} minutes`,
  },
  refused: "An exact count is out of reach",
  possible: "An exact count is possible",
  keys: [["n", "count"]],
};

export const many = {
  title: "Many",
  name: "Many tours",
  tours: "Tours",
  which: "Which tours",
  random: "At random",
  first: "In order",
  distribution: "Distribution",
  unique: "All different",
  saveSheet: "Save the sheet as SVG",
  draw: "Draw others",
  list: "List them",
  drawing: "Drawing",
  listing: "Listing",
  stopped: "This was stopped",
  found: (n, isAll, isRandom, tours) => {
    const howMany = isAll ? (n ? `All ${grouped(n)}` : "No") : grouped(n);
    return `${howMany} ${isRandom ? "random " : ""}${tours}`;
  },
  choose: "Choose one to see it large",
  label: (n, closed, first, last) => `Tour ${n}, ${kindOf(closed)}, ${first} to ${last}`,
  saved: "The sheet is saved.",
  howMany: "How many",
  range: (most) => `From 1 to ${most}.`,
  press: "Press the button to draw tours of this large board.",
  keys: [["n", "draw others"]],
};

export const compare = {
  title: "Compare",
  firstTour: "First tour",
  secondTour: "Second tour",
  first: "First",
  second: "Second",
  swap: "Swap",
  another: "Another second tour",
  same: "Second like the first",
  looking: "Looking for two tours",
  noSecond: "There is no second tour",
  noneInTime: "No second tour was found in time; there may be one",
  board: (name, first, last) => `${name}, from ${first} to ${last}`,
  facts: "Facts of both tours",
  equal: "The two are the same tour.",
  sameMoves: "The two take the same moves.",
  turned: "One is the other turned or mirrored.",
  differ: "The two differ, however they are turned.",
  common: (n, all) => `${n} of ${all} moves in common`,
  saidCommon: (n) => `${n} moves in common`,
  both: "moves that both take",
  one: "moves of one alone",
  keys: [
    ["n", "another second tour"],
    ["x", "swap"],
  ],
};

export const check = {
  title: "Check",
  name: "Check a tour",
  formats: {
    any: "As the text says",
    grid: "Numbered diagram, from 1",
    grid0: "Numbered diagram, from 0",
    algebraic: "Names of squares",
    squares: "row,col of each square",
    csv: "CSV",
    json: "JSON",
    xy: "X: 1 Y: 1",
    tour: "TSPLIB tour",
  },
  placeholder: "1 6 3 8 …  or  a1 b3 c5 …",
  previous: "Previous tour",
  next: "Next tour",
  unreadable: "This cannot be read as a tour",
  at: (k, n, isMore) => `tour ${k} of ${n}${isMore ? " and more" : ""}`,
  valid: (n, all) => `${grouped(n)} of ${grouped(all)} are tours.`,
  tooLarge: (most) => `It is too large to be shown: a side has at most ${most} squares here.`,
  alone: "The server does not answer: the page has checked this by itself.",
  readAs: (how) => `Read as: ${how}.`,
  wrong: {
    off: ({ number, name }) => `Number ${number}: ${name} is not on the board.`,
    hole: ({ number, name }) => `Number ${number}: ${name} is a hole of the board.`,
    again: ({ number, name, before }) => `Number ${number}: ${name} was visited before, as number ${before}.`,
    noMove: ({ number, name, from }) => `Number ${number}: there is no move from ${from} to ${name}.`,
    left: ({ number, all }) => `Only ${number} of ${all} squares are visited.`,
    missing: ({ number }) => `Number ${number} is missing in the diagram.`,
    twice: ({ number, name, from }) => `Number ${number} is there twice, at ${from} and ${name}.`,
  },
  notTour: "This is not a tour",
  saidNotTour: (words) => `Not a tour: ${words}`,
  invitation: "Paste or drop a tour.",
  right: "Every square once, every step a move.",
  saidRight: (words) => `${words}. It is right`,
  wrongAt: (board, square) => `${board}, wrong at ${square}`,
  wrongNowhere: (board) => `${board}, wrong at no square`,
  paste: "Paste it here, or drop a file anywhere",
  go: "Check",
  chooseFile: "Choose a file …",
  explore: "Explore it",
  format: "Format",
  ofBoard: "It is a tour of the board below",
};

export const puzzle = {
  title: "Puzzle",
  lead: "Fill in the numbers: each next one is a knight’s move away.",
  levels: { easy: "easy", medium: "medium", hard: "hard", expert: "expert" },
  patterns: { none: "None", 180: "Half turn", 90: "Quarter turn", mirror: "Mirror" },
  allTaken: "All your numbers are taken away. Undo brings them back",
  invitation: (board) => `Choose the puzzle of the day, or a new one of this ${board}.`,
  making: "Making the puzzle …",
  chooseNumber: "Choose a number to go on from.",
  whereIs: (number, square, next) => `${number} is on ${square}: where is ${next}?`,
  allFilled: "All squares are filled in, but not each number is a move from the next.",
  left: (n) => `${count(n, "square")} left`,
  board: (kind) => `Puzzle, ${kind}`,
  boardLeft: (kind, n) => `Puzzle, ${kind}, ${count(n, "square")} left`,
  given: "given",
  canBe: (number) => `can be ${number}`,
  wrong: "does not belong there",
  inDoubt: "in doubt",
  hinted: "hint",
  countingUp: "Counting up",
  countingDown: "Counting down",
  keys: [
    ["0 – 9", "write a number where the cursor is (here they do not choose views)"],
    ["Backspace, Delete", "take a number away"],
    ["u, y", "undo, redo"],
    ["r", "restart"],
    ["d", "count up or down"],
    ["f", "check: are there mistakes?"],
    ["h", "hint"],
  ],
  isGiven: (number, square) => `${number} on ${square} is given`,
  numbers: (most) => `Numbers are 1 to ${most} on this board`,
  isAlready: (number, square) => `${number} is on ${square} already`,
};

/** Around a puzzle: its buttons, help, filling in, making and sharing. */
export const solving = {
  game: "Game",
  erase: "Erase",
  count: "Count",
  up: "Up",
  upHint: "Each click writes the next number",
  down: "Down",
  downHint: "Each click writes the number before",
  checkLabel: "Check for mistakes",
  check: "Check",
  hint: "Hint",
  time: "Time",
  showTime: "Show the time",
  givenOf: (n, all) => `${n} of ${all} numbers are given`,
  days: (n) => `${count(n, "day")} in a row solved.`,
  mistakes: (n, squares) => `${count(n, "number")} ${n === 1 ? "does" : "do"} not belong there: ${squares}.`,
  noMistakes: "No mistakes so far.",
  looking: "Looking for the easiest step …",
  takeAway: "Take it away",
  putThere: "Put it there",
  belongs: (number, square) => `${number} belongs on ${square}.`,
  lookAt: (square) => `Look at ${square}.`,
  lookWrong: (square) => `Something is wrong on ${square}.`,
  hintSteps: ["Why?", "The answer"],
  keys: "Digits",
  keypad: "Digits to press",
  noPuzzle: "There is no puzzle yet",
  chooseFirst: "Choose a number to go on from first",
  noneAfter: (number) => `No number comes after ${number}`,
  noneBefore: (number) => `No number comes before ${number}`,
  noMove: (from, to) => `No move leads from ${from} to ${to}`,
  noNumber: (square) => `There is no number on ${square}`,
  isFree: (square) => `${square} is free`,
  ofDay: "Knight’s puzzle of the day",
  ofKnight: "Knight’s puzzle",
  solvedShare: (title, time, hints) => `${title}: solved in ${time}, ${count(hints, "hint")}`,
  yourResult: "Your result is copied.",
  solved: (time, hints) => `Solved in ${time} with ${count(hints, "hint")}!`,
  look: "Look at the tour",
  notCopied: "This browser does not let the page copy. Select the text and copy it.",
  linkCopied: "The link is copied.",
  textCopied: "The text is copied.",
  asText: "The puzzle as text",
  solveIt: "Solve it",
  copyText: "Copy as text",
  copyLink: "Copy link",
  link: "Link",
  own: "Your own puzzle",
  ownHint: "A click writes the next number, or takes one away. Type another number where the cursor is.",
  more: (n) => `, … (${n} squares)`,
  one: "One solution",
  none: "No solution",
  several: "Several solutions",
  unknown: "Not known",
  doubt: (squares) => `In doubt: ${squares}.`,
  tookTooLong: "The search took too long. Give more numbers.",
  lookingForSolutions: "Looking for solutions …",
  choose: "Choose a puzzle",
  level: "Level",
  pattern: "Pattern",
  fresh: "New puzzle",
  make: "Make your own",
  today: "Today’s puzzle",
  another: "Another puzzle",
};

/** What the library says, by its own names: empty here, where its own words serve. */
/** @type {Record<"methods" | "distributions" | "objectives" | "facts" | "sentences" | "counters" | "meanings", Record<string, string>>} */
export const library = { methods: {}, distributions: {}, objectives: {}, facts: {}, sentences: {}, counters: {}, meanings: {} };

export const engine = {
  starting: "The library starts in your browser",
  waiting: "The library starts in your browser; your question waits for it",
  failed: "The library does not start in this browser",
  reload: "Load the page again, or install knightstour and ask there",
  isNew: "There is a new version of this page",
  load: "Load it",
};
