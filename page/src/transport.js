// Sends requests to the library: to the server of the page, or, if the page is a folder of files, to the library in
// workers of this browser. Both return a Response.

import { readyAnswer } from "./engine/answers.js";
import { WorkerPool } from "./engine/pool.js";
import { forgetKept, keepLibrary, keepPage, showEngine } from "./engine/keep.js";
import { texts } from "./language.js";

/** Whether the library is available: on a server, or loaded in this browser. */
export const isLibraryReady = () => ["server", "browser"].includes(document.documentElement.dataset.engine ?? "");

/** @typedef {{method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal}} Options */

/** Whether the library runs in this browser: `make page` writes this line into the page. */
export const isHere = document.querySelector('meta[name="engine"]')?.getAttribute("content") === "here";

const state = (name) => {
  document.documentElement.dataset.engine = name;
};

/** @type {WorkerPool | null} */
let pool = null;

// On a metered connection the library is loaded only for a question that requires it.
const { saveData = false, type = "" } = /** @type {any} */ (navigator).connection ?? {};
const isMetered = saveData || type === "cellular";

/** The workers; they start after the first drawing of the page, or with the first request that requires them. */
function workers() {
  pool ??= new WorkerPool({
    make: () => new Worker(new URL("engine/worker.js", document.baseURI), { type: "module" }),
    on(news) {
      if (news.isReady) {
        state("browser");
        keepLibrary();
      }
      if (news.reason) forgetKept();
      showEngine(news);
    },
    failure: (reason) => ({ error: texts.engine.failed, note: reason, help: texts.engine.reload }),
  });
  return pool;
}

const asJson = (value) => new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } });

/** @param {string} path @param {Options} options */
async function sendHere(path, { body, signal }) {
  const ready = await readyAnswer(path, body === undefined ? undefined : JSON.parse(body));
  signal?.throwIfAborted();
  if (ready !== undefined) return asJson(ready);
  return workers().ask(path, body ?? "{}", signal);
}

/** @param {string} path @param {Options} options */
async function sendToServer(path, options) {
  const response = await fetch(`api/${path}`, options);
  state("server");
  return response;
}

/**
 * Send a request.
 * @param {string} path
 * @param {Options} options
 * @returns {Promise<Response>}
 */
export const send = (path, options) => (isHere ? sendHere : sendToServer)(path, options);

if (isHere) {
  // The first picture comes first, because starting the library occupies a slow machine.
  const quiet = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 300));
  const begin = () =>
    quiet(() => {
      if (!isMetered) workers();
      keepPage();
    });
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}
