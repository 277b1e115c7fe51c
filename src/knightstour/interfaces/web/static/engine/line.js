// The line that says how far the library is that runs in this browser, while it starts; and what is wrong if it does not.

import { h } from "../dom.js";
import { texts } from "../language.js";

const line = h("p.engine-line", { role: "status" });
let done = 0.05;
let waiting = 0;

/** Show news of the workers (pool.js). */
export function showEngine(/** @type {{done?: number, isReady?: boolean, reason?: string, waiting?: number}} */ news) {
  done = news.isReady ? 1 : (news.done ?? done);
  waiting = news.waiting ?? waiting;
  if (done === 1 && !news.reason) {
    line.remove();
    return;
  }
  if (!line.isConnected) document.body.append(line);
  if (news.reason) line.replaceChildren(`${texts.engine.failed}. ${texts.engine.reload}.`);
  else {
    const bar = h("progress", { max: 1, value: done, "aria-label": texts.engine.starting });
    line.replaceChildren(waiting ? texts.engine.waiting : texts.engine.starting, " ", bar);
  }
}
