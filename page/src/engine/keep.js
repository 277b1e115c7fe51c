// Stores the page for later visits, also offline (keeper.js), and offers new versions. Shows the progress of the
// library's start in this browser, or its error.

import { h } from "../dom.js";
import { texts } from "../language.js";

/** Send a message to the service worker, if storage is allowed. */
async function tell(word) {
  const { active } = (await navigator.serviceWorker?.getRegistration()) ?? {};
  active?.postMessage(word);
}

/** Cache the library as well, once it is loaded. */
export const keepLibrary = () => tell("all");

/** Delete incomplete files, so that the next visit fetches them again. */
export const forgetKept = () => tell("forget");

function offer(/** @type {ServiceWorker} */ waiting) {
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("over");
  };
  const button = h("button", { onclick: take }, texts.engine.load);
  document.body.append(h("div.engine-line.engine-offer", { role: "status" }, `${texts.engine.isNew}. `, button));
}

/** Cache the page. A new version is offered, and installed only on request. */
export async function keepPage() {
  if (!navigator.serviceWorker) return;
  const kept = await navigator.serviceWorker.register("keeper.js").catch(() => null);
  if (!kept) return;
  const isNews = () => Boolean(navigator.serviceWorker.controller);
  if (kept.waiting && isNews()) offer(kept.waiting);
  kept.addEventListener("updatefound", () => {
    const { installing } = kept;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed" && isNews()) offer(installing);
    });
  });
}

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
