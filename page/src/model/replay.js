// A recorded search, played forwards and backwards.
//
// The library's trace supplies the events (docs/methods.md). A frame is the board after one event that changes it,
// together with the candidates and counts that follow immediately, and with the invisible "stage" before it. The user
// sees a frame as one step. To go back, the nearest earlier snapshot is played forwards, so a frame costs at most EVERY
// events.

const EVERY = 400;
const GHOSTS = 12;

const COUNTED = ["nodes", "dead_ends", "taken_back", "restarts", "reversals", "covers", "joins", "repairs"];

const isQuiet = (event) => event[0] === "candidates" || event[0] === "count";

export class View {
  constructor() {
    this.path = [];
    this.links = new Map();
    this.candidates = null;
    this.counters = Object.fromEntries(COUNTED.map((name) => [name, 0]));
    this.stage = "";
    this.isTour = false;
    // The event of the latest change, and the event after it.
    this.event = null;
    this.ahead = null;
    // Recently reverted moves, oldest first, and the number of reverts of each square.
    this.ghosts = [];
    this.retreats = new Map();
    // Counts by name, of earlier stages and of the current stage.
    this.earlier = {};
    this.now = {};
    // Moves of the latest join, to highlight.
    this.fresh = [];
  }

  copy() {
    return Object.assign(new View(), structuredClone({ ...this }));
  }

  apply(event) {
    const [kind, squares = [], values = [], name = ""] = event;
    if (kind === "count") {
      this.now[name] = values[0] ?? 0;
      this.counters[name] = (this.earlier[name] ?? 0) + this.now[name];
      return;
    }
    if (kind === "candidates") {
      this.candidates = new Map(squares.map((square, i) => [square, values[i]]));
      this.ahead = event;
      return;
    }
    this.event = event;
    this.ahead = null;
    this.candidates = null;
    this.fresh = [];
    if (kind === "visit") {
      this.links = new Map();
      this.path.push(...squares);
      this.enter(squares.length);
      if (this.ghosts.length) this.ghosts = this.ghosts.slice(1);
    } else if (kind === "unvisit") {
      for (const square of squares) {
        this.path.pop();
        this.retreats.set(square, (this.retreats.get(square) ?? 0) + 1);
        if (this.path.length) this.ghosts.push([this.path[this.path.length - 1], square]);
      }
      this.ghosts = this.ghosts.slice(-GHOSTS);
      this.counters.taken_back += squares.length;
      this.counters.dead_ends += 1;
    } else if (kind === "reverse") {
      const [first, end] = values;
      const part = this.path.slice(first, end).reverse();
      this.path.splice(first, part.length, ...part);
      this.enter(1);
      this.counters.reversals += 1;
      this.ghosts = [];
    } else if (kind === "join" || kind === "repair") {
      this.exchange(squares, values[0] ?? 0);
      this.counters[kind === "join" ? "joins" : "repairs"] += 1;
    } else {
      this.path = [];
      this.links = new Map();
      this.ghosts = [];
      if (kind === "cover") {
        this.exchange(squares, 0);
        this.counters.covers += 1;
      } else if (kind === "path" || kind === "tour") this.path = [...squares];
      else if (kind === "restart") this.counters.restarts += 1;
      else if (kind === "stage") {
        this.stage = name;
        for (const [key, value] of Object.entries(this.now)) this.earlier[key] = (this.earlier[key] ?? 0) + value;
        this.now = {};
        this.retreats = new Map();
      }
      this.isTour = kind === "tour";
    }
  }

  // Nodes that the method has not reported yet.
  enter(nodes) {
    this.now.nodes = (this.now.nodes ?? 0) + nodes;
    this.counters.nodes += nodes;
  }

  exchange(squares, out) {
    for (let i = 0; i < squares.length; i += 2) {
      const pair = squares.slice(i, i + 2);
      for (const [x, y] of [pair, pair.toReversed()]) {
        const others = this.links.get(x) ?? [];
        if (i < 2 * out) others.splice(others.indexOf(y), 1);
        else others.push(y);
        this.links.set(x, others);
      }
      if (i >= 2 * out && out) this.fresh.push(pair);
    }
  }
}

export class Replay {
  #events = [];
  // Number of events up to and including each frame.
  #ends = [];
  #snapshots = [{ events: 0, view: new View() }];
  #view = new View();
  #done = 0;

  get frames() {
    return this.#ends.length;
  }

  add(events) {
    for (const event of events) {
      const isAfterStage = this.#events[this.#events.length - 1]?.[0] === "stage";
      this.#events.push(event);
      if ((isQuiet(event) || isAfterStage) && this.#ends.length)
        this.#ends[this.#ends.length - 1] = this.#events.length;
      else this.#ends.push(this.#events.length);
    }
  }

  /** The board after a frame, counted from 1; 0 is the empty board. The same View is updated in each call. */
  at(frame) {
    const target = frame > 0 ? this.#ends[Math.min(frame, this.frames) - 1] : 0;
    if (target < this.#done) {
      let nearest = this.#snapshots.length - 1;
      while (this.#snapshots[nearest].events > target) nearest--;
      this.#view = this.#snapshots[nearest].view.copy();
      this.#done = this.#snapshots[nearest].events;
    }
    while (this.#done < target) {
      this.#view.apply(this.#events[this.#done++]);
      const last = this.#snapshots[this.#snapshots.length - 1];
      if (this.#done - last.events >= EVERY) this.#snapshots.push({ events: this.#done, view: this.#view.copy() });
    }
    return this.#view;
  }
}

/**
 * Return the connected components of a cover: for each its moves [[a, b], ...] and its lowest square. Most components
 * are loops and paths, but squares may have more than two moves during a search.
 */
export function components(links) {
  const seen = new Set();
  const parts = [];
  for (const first of [...links.keys()].sort((a, b) => a - b)) {
    if (seen.has(first) || !links.get(first).length) continue;
    const moves = [];
    const waiting = [first];
    seen.add(first);
    while (waiting.length) {
      const square = waiting.pop();
      for (const other of links.get(square)) {
        if (square < other) moves.push([square, other]);
        if (seen.has(other)) continue;
        seen.add(other);
        waiting.push(other);
      }
    }
    parts.push({ moves, lowest: first });
  }
  return parts;
}
