// The workers that answer questions in this very browser, and the questions that wait for one.
//
// There is one at the start. A second one starts with the first search, so that quick questions never wait for it and one
// is ready when the search is given up: that ends its worker. Which questions are searches the library says.

const SEARCH = "search";
const QUICK = "quick";
// What is over before this needs no second worker.
const SHORT_MS = 200;

/**
 * A question that waits, or is being answered.
 * @typedef {object} Task
 * @property {string} name - the path of the API
 * @property {string} body - JSON
 * @property {(response: Response) => void} answer
 * @property {(error: unknown) => void} refuse
 * @property {() => void} leave - called when it is over
 * @property {boolean} isSearch - known when the library has looked at it
 * @property {boolean} isGivenUp - nobody waits for its answer
 * @property {ReadableStreamDefaultController | null} stream
 */

/**
 * A worker: its question, if any, the lane of that, and the timers that belong to it.
 * @typedef {{worker: Worker, task: Task | null, lane: string, timers: number[]}} Hand
 */

export class WorkerPool {
  /** @type {Set<Hand>} */
  #hands = new Set();
  /** @type {Task[]} */
  #waiting = [];
  #isReady = false;
  #reason = "";

  /**
   * make(): a new worker. on: hears how far the start is (0 to 1), that it is over, that it failed and why, and how many
   * questions wait. failure(reason): the body of an answer where nothing can be asked.
   * @param {{make: () => Worker, on: (news: {done?: number, isReady?: boolean, reason?: string, waiting?: number}) => void,
   *   failure: (reason: string) => object}} given
   */
  constructor({ make, on, failure }) {
    this.make = make;
    this.on = on;
    this.failure = failure;
    this.#start();
  }

  /** The answer to a question, as a server's. */
  ask(name, body, /** @type {AbortSignal | undefined} */ signal) {
    return new Promise((resolve, refuse) => {
      const stop = () => this.#giveUp(task);
      /** @type {Task} */
      const task = {
        name,
        body,
        answer: resolve,
        refuse,
        leave: () => signal?.removeEventListener("abort", stop),
        isSearch: false,
        isGivenUp: false,
        stream: null,
      };
      if (signal?.aborted) {
        refuse(signal.reason);
        return;
      }
      signal?.addEventListener("abort", stop, { once: true });
      if (this.#reason) this.#fail(task, this.#reason);
      else {
        this.#waiting.push(task);
        this.#next();
      }
    });
  }

  #start() {
    let worker;
    try {
      worker = this.make();
    } catch (error) {
      // Where a browser lets no page have workers.
      this.#refuse(error instanceof Error ? error.message : String(error));
      return;
    }
    /** @type {Hand} */
    const hand = { worker, task: null, lane: "", timers: [] };
    this.#hands.add(hand);
    hand.worker.onmessage = ({ data }) => this.#hear(hand, data);
    hand.worker.onerror = (event) => this.#lose(hand, event.message ?? "");
  }

  /** Give questions to whoever is free; at most one search at a time. */
  #next() {
    for (const hand of this.#hands) {
      if (hand.task) continue;
      const maySearch = ![...this.#hands].some((other) => other.lane === SEARCH);
      const at = this.#waiting.findIndex(({ isSearch }) => maySearch || !isSearch);
      if (at < 0) break;
      const [task] = this.#waiting.splice(at, 1);
      hand.task = task;
      hand.worker.postMessage({ name: task.name, body: task.body, maySearch });
    }
    const started = this.#isReady ? 0 : [...this.#hands].filter(({ task }) => task).length;
    this.on({ waiting: this.#waiting.length + started });
  }

  #hear(hand, message) {
    const { task } = hand;
    if (message.kind === "stage") {
      if (!this.#isReady) this.on({ done: message.done });
    } else if (message.kind === "ready") {
      this.#isReady = true;
      this.on({ isReady: true });
    } else if (message.kind === "failed") this.#lose(hand, message.reason);
    else if (!task) return;
    else if (message.kind === "turn") this.#watch(hand, message);
    else if (message.kind === "later") {
      task.isSearch = true;
      hand.task = null;
      if (!task.isGivenUp) this.#waiting.unshift(task);
      this.#next();
    } else if (message.kind === "end") {
      task.stream?.close();
      this.#free(hand);
    } else if (task.isGivenUp) return;
    else if (message.kind === "head") {
      const body = new ReadableStream({ start: (controller) => void (task.stream = controller) });
      task.answer(new Response(body, { status: message.status, headers: { "Content-Type": message.type } }));
    } else if (message.kind === "part") task.stream?.enqueue(message.bytes);
  }

  /** A worker has taken a question: a long one gets company, and what takes too long is ended. */
  #watch(hand, { lane, seconds, late }) {
    hand.lane = lane;
    if (this.#isInVain(hand)) {
      this.#end(hand);
      return;
    }
    const end = () => {
      const { task } = hand;
      this.#end(hand);
      if (!task) return;
      if (task.stream) task.stream.error(new TypeError("late"));
      else task.answer(new Response(late, { status: 503, headers: { "Content-Type": "application/json" } }));
    };
    hand.timers.push(setTimeout(end, 1000 * seconds));
    const company = () => this.#hands.size === 1 && this.#startAndGoOn();
    if (lane !== QUICK) hand.timers.push(setTimeout(company, SHORT_MS));
  }

  /** Whether a worker is at a long question whose answer nobody waits for. */
  #isInVain({ task, lane }) {
    return task?.isGivenUp && lane && lane !== QUICK;
  }

  #startAndGoOn() {
    this.#start();
    this.#next();
  }

  #free(hand) {
    hand.task?.leave();
    hand.timers.forEach(clearTimeout);
    Object.assign(hand, { task: null, lane: "", timers: [] });
    this.#next();
  }

  /** End a worker; another one takes its place unless there is one. */
  #end(hand) {
    hand.task?.leave();
    hand.timers.forEach(clearTimeout);
    hand.worker.terminate();
    this.#hands.delete(hand);
    if (!this.#hands.size) this.#start();
    this.#next();
  }

  #giveUp(/** @type {Task} */ task) {
    const error = new DOMException("aborted", "AbortError");
    task.isGivenUp = true;
    const hand = [...this.#hands].find((each) => each.task === task);
    task.stream?.error(error);
    task.stream = null;
    task.refuse(error);
    if (!hand) {
      this.#waiting = this.#waiting.filter((other) => other !== task);
      this.#next();
    }
    // A quick question is answered sooner than another worker starts. Where Python is still starting, let it: it says in
    // which lane the question is before it begins with it.
    else if (this.#isInVain(hand)) this.#end(hand);
  }

  /** A worker failed. Where none ever started, nothing can be asked until the page is loaded again. */
  #lose(hand, reason) {
    const { task } = hand;
    hand.timers.forEach(clearTimeout);
    hand.worker.terminate();
    this.#hands.delete(hand);
    if (task) this.#fail(task, reason);
    if (this.#isReady) {
      if (!this.#hands.size) this.#start();
      this.#next();
      return;
    }
    this.#refuse(reason);
  }

  /** No question can be answered, those that wait and those that come. */
  #refuse(reason) {
    this.#reason = reason || "?";
    for (const waiting of this.#waiting.splice(0)) this.#fail(waiting, reason);
    this.on({ reason: this.#reason, waiting: 0 });
  }

  #fail(/** @type {Task} */ task, reason) {
    task.leave();
    if (task.stream) task.stream.error(new TypeError(reason));
    else task.answer(new Response(JSON.stringify(this.failure(reason)), { status: 503 }));
  }
}
