// A recorded search: its events and its counters.

import * as api from "../../api.js";
import { capital, h, messageOf } from "../../dom.js";
import { latest } from "../../latest.js";
import { typed } from "../../model/methods.js";
import { Replay } from "../../model/replay.js";
import { isClosed } from "../../model/tour.js";
import { makePseudocode, nameOf } from "./legend.js";
import { momentOf, sentenceOf } from "./sentences.js";
import { fill, texts } from "../../language.js";
import { duration, grouped } from "../../numbers.js";

const EVENTS = 20_000;
const SECONDS = 10;

// This counter is shown even if it is 0.
const FIRST = "nodes";

export class Recording {
  replay = new Replay();
  /** @type {(import("../../model/state.js").Result & {dropped?: number}) | null} */
  result = null;
  /** @type {{message: string} | null} */
  error = null;
  isStopped = false;
  isRunning = false;
  /** @type {import("../../model/state.js").Way} */
  way = { method: "", options: {} };
  #request = latest({
    busy: (isBusy) => {
      this.isRunning = isBusy;
    },
    failed: (error) => {
      this.error = error instanceof Error ? error : new Error(messageOf(error));
    },
  });

  constructor(app) {
    this.app = app;
    this.counters = h("dl.counters");
    this.now = h("p.now");
    this.lines = makePseudocode(app.methods);
    // Names of the counters on the screen, and the sentence for the step.
    this.counted = [FIRST];
    this.words = "";
    this.comment = h("div.comment", this.now, this.counters);
  }

  /** Record a search from the beginning, with this method, seed and start. */
  async record(onmore, { way, seed, start }) {
    this.leave();
    this.way = way;
    this.result = null;
    this.error = null;
    this.isStopped = false;
    const replay = (this.replay = new Replay());
    const how = { ...typed(this.app.methods, way), seed, seconds: SECONDS };
    const onbatch = (events) => {
      if (replay !== this.replay) return;
      replay.add(events);
      onmore();
    };
    await this.#request(
      (signal) => api.trace({ ...this.app.state, start }, how, { events: EVENTS, onbatch }, signal),
      (result) => {
        this.result = result;
      },
    );
    if (replay === this.replay && this.isDone && !this.isStopped) onmore();
  }

  /** End the recording; the recorded steps stay. */
  stop() {
    if (!this.isRunning) return;
    this.leave();
    this.isStopped = true;
    this.error = { message: texts.common.stopped };
  }

  /** Cancel the request; the recorded steps stay. */
  leave() {
    this.#request.forget();
  }

  get isDone() {
    return !this.isRunning && (this.result !== null || this.error !== null);
  }

  show(frame) {
    const { board, style, numbers, start, end } = this.app.state;
    const seen = this.replay.at(frame);
    const isEnd = this.isDone && frame >= this.replay.frames;
    const isWhole = seen.isTour;
    const path = seen.path;
    this.app.board.draw({
      board,
      style,
      numbers,
      scene: {
        path,
        closed: isWhole && isClosed(board, path),
        isWhole,
        links: seen.links,
        fresh: seen.fresh,
        candidates: isWhole ? null : seen.candidates,
        ghosts: isWhole ? [] : seen.ghosts,
        retreats: isWhole ? null : seen.retreats,
        knight: !isWhole && path.length ? path[path.length - 1] : null,
        start,
        end,
      },
    });
    this.tell(seen);
    this.app.board.call(
      fill(texts.watch.board, { method: this.way.method, words: this.words || texts.watch.notStarted, n: path.length }),
    );
    const { counters } = this.app.words;
    const counted = Object.keys(counters).filter((key) => seen.counters[key]);
    this.counted = counted.length ? counted : [FIRST];
    this.counters.replaceChildren(
      ...this.counted.map((key) => h("div", nameOf(counters, key), h("dd", grouped(seen.counters[key] ?? 0)))),
    );
    const stage = seen.stage && seen.stage !== this.way.method ? `${seen.stage}: ` : "";
    const words = isEnd ? this.ending() : this.words && `${stage}${this.words}`;
    // A move such as a1-c2 stays on one line.
    this.now.textContent = words && capital(words).replace(/(?<=\d)-(?=[a-z])/g, "\u2011");
  }

  tell(seen) {
    const { sentences } = this.app.words;
    const events = [seen.event, seen.ahead].filter(Boolean);
    this.words = events
      .map((event) => sentenceOf(sentences, event))
      .filter(Boolean)
      .join("; ");
    this.lines.show(seen.stage || this.way.method, seen.event ? momentOf(seen.event)[0] : "");
  }

  ending() {
    if (this.error) return this.error.message;
    if (!this.result) return "";
    const { status, seconds, nodes, reason, dropped } = this.result;
    const words = [fill(texts.watch.ended, { status: texts.common[status], time: duration(seconds) })];
    words.push(fill(texts.watch.nodes, { n: nodes }));
    if (dropped) words.push(fill(texts.watch.firstEvents, { n: EVENTS }));
    if (reason && status !== "found") words.push(reason);
    return words.join(", ");
  }
}
