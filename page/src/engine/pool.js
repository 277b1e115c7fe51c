// The workers that process requests in this browser, and the waiting requests. One worker runs at the start. The first
// search starts a second one, so that quick requests never wait for a search, and a worker is ready when a search is
// cancelled, which ends its worker. The library reports which requests are searches.

const SEARCH = "search";
const QUICK = "quick";
// Requests that finish within this time need no second worker.
const SHORT_MS = 200;

/**
 * A request that waits or runs.
 * @typedef {object} Task
 * @property {string} name - the path of the API
 * @property {string} body - JSON
 * @property {(response: Response) => void} answer
 * @property {(error: unknown) => void} refuse
 * @property {() => void} leave - called at the end
 * @property {boolean} isSearch - set after the library has examined the request
 * @property {boolean} isGivenUp - the caller has cancelled
 * @property {ReadableStreamDefaultController | null} stream
 */

/**
 * A worker: its request, if any, the lane of the request, and its timers.
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
   * make(): creates a worker. on: receives the progress of the start (0 to 1), its end or its error, and the number of
   * waiting requests. failure(reason): the response body if no worker can start.
   * @param {{make: () => Worker, on: (news: {done?: number, isReady?: boolean, reason?: string, waiting?: number}) => void,
   *   failure: (reason: string) => object}} given
   */
  constructor({ make, on, failure }) {
    this.make = make;
    this.on = on;
    this.failure = failure;
    this.#start();
  }

  /** A response in the format of a server's. */
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
      // Some browsers do not allow workers.
      this.#refuse(error instanceof Error ? error.message : String(error));
      return;
    }
    /** @type {Hand} */
    const hand = { worker, task: null, lane: "", timers: [] };
    this.#hands.add(hand);
    hand.worker.onmessage = ({ data }) => this.#hear(hand, data);
    hand.worker.onerror = (event) => this.#lose(hand, event.message ?? "");
  }

  /** Pass requests to free workers; at most one search runs. */
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

  /** Handle the start of a request: a long one starts a second worker, and a request beyond its limit ends. */
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

  /** Whether a worker runs a long request that was cancelled. */
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

  /** End a worker; a new one replaces it unless another is left. */
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
    // A quick request ends sooner than another worker starts. While Python is starting, wait: the worker reports the
    // lane before it begins.
    else if (this.#isInVain(hand)) this.#end(hand);
  }

  /** Handle the failure of a worker. If none has ever started, all requests fail until the page is reloaded. */
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
