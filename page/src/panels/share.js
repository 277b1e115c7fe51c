// Links to the page's state, and copies of texts.

import { h } from "../dom.js";
import { texts } from "../language.js";

/** Whether links to this server work on this computer only. */
export const isHere = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** The full link to this page with a text after '#'. */
export const linkTo = (text) => `${location.origin}${location.pathname}#${text}`;

/** Write to the clipboard. Return `done`, or a sentence about the failure. */
export async function copied(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    return done;
  } catch {
    return texts.solving.notCopied;
  }
}

/** Copy a text, and report in a note the outcome and the text. */
export async function copyTo(/** @type {HTMLElement} */ note, text, done) {
  const isNear = isHere(location.hostname) ? ` ${texts.save.here}` : "";
  note.replaceChildren(h("p.soft.small", await copied(text, done), isNear), h("pre.address", text));
}
