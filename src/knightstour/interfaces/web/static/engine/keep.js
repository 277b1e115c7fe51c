// Keeping the page for later visits, without a network too (keeper.js), and offering a new version of it.

import { h } from "../dom.js";
import { texts } from "../language.js";

/** Send the keeper a word; there is none where storage is refused. */
async function tell(word) {
  const { active } = (await navigator.serviceWorker?.getRegistration()) ?? {};
  active?.postMessage(word);
}

/** Keep the library as well, now that it is there. */
export const keepLibrary = () => tell("all");

/** Forget what is kept, since some of it is not whole: the next visit fetches it again. */
export const forgetKept = () => tell("forget");

function offer(/** @type {ServiceWorker} */ waiting) {
  const take = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("over");
  };
  const button = h("button", { onclick: take }, texts.engine.load);
  document.body.append(h("div.engine-line.engine-offer", { role: "status" }, `${texts.engine.isNew}. `, button));
}

/** Keep the page. A new version is offered, and taken only when the visitor wants it. */
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
