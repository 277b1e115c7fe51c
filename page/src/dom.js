// Elements, screen readers, timers: helpers for all modules of the page.

import { texts } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** parts: attributes (optional) and children. */
function fill(element, parts) {
  const [first, ...rest] = parts;
  const [attributes, children] = first?.constructor === Object ? [first, rest] : [{}, parts];
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in PROPERTIES) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const PROPERTIES = { value: 1, checked: 1, disabled: 1, hidden: 1, textContent: 1, max: 1, min: 1 };

/** An HTML element: h("button.primary", {onclick}, "Play"), h("p", "Play"). */
export function h(tag, ...parts) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (name === "button") element.setAttribute("type", "button");
  if (classes.length) element.className = classes.join(" ");
  return fill(element, parts);
}

export function s(tag, ...parts) {
  return fill(document.createElementNS(SVG, tag), parts);
}

export function icon(name) {
  const use = s("use");
  use.setAttribute("href", `#i-${name}`);
  return s("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" }, use);
}

/** A button with an icon and, if space permits, a text; `label` is its accessible name. */
export function iconButton(name, label, onclick, attributes = {}) {
  return h("button.icon-button", { "aria-label": label, title: label, onclick, ...attributes }, icon(name));
}

let count = 0;
export const freshId = (prefix) => `${prefix}-${++count}`;

export function field(label, input, hint = "") {
  input.id ||= freshId("field");
  const note = hint ? h("small", { id: `${input.id}-hint` }, hint) : null;
  if (note) input.setAttribute("aria-describedby", note.id);
  return h("div.field", h("label", { for: input.id }, label), input, note);
}

/** A text field without the browser's corrections. */
export const textInput = (attributes) =>
  h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });

/** The note below invalid fields. */
export const faultNote = (words = "") => h("p.notice.bad.small", { hidden: true, role: "alert" }, words);

/**
 * Mark a field as valid or invalid, and show or hide its note. Return `fits`.
 * @param {HTMLElement} input
 * @param {boolean} fits
 * @param {HTMLElement | null} note
 */
export function markField(input, fits, note = null) {
  input.setAttribute("aria-invalid", String(!fits));
  if (note) note.hidden = fits;
  return fits;
}

/** A stop button for the work of `go`, and a function that shows stop during the work and go otherwise. */
export function stopFor(go, onclick) {
  const stop = h("button", { hidden: true, onclick }, icon("close"), texts.common.stop);
  function busy(isBusy) {
    const hadFocus = document.activeElement === stop;
    go.hidden = isBusy;
    stop.hidden = !isBusy;
    if (hadFocus && !isBusy) go.focus();
  }
  return [stop, busy];
}

/** The reason of a result and its published source, if known, in English. */
export const because = ({ reason, source }) => [
  reason ? h("p.reason", { lang: "en" }, sentence(reason).replace(/(?<=\d)x(?=\d)/g, "×")) : null,
  reason && document.documentElement.lang !== "en" ? h("p.soft.small", texts.common.inEnglish) : null,
  source ? h("p.source", texts.common.source, h("cite", { lang: "en" }, source)) : null,
];

/** A choice of a few options, side by side; calls onchange(value). Arrow keys move within it, as in any radio group. */
export function segmented(legend, choices, value, onchange, { isHidden = false } = {}) {
  const name = freshId("choice");
  const group = h("fieldset.segmented", h(isHidden ? "legend.hidden-label" : "legend", legend));
  const row = h("div.segments");
  for (const [key, text, title] of choices) {
    const input = h("input", {
      type: "radio",
      name,
      value: key,
      checked: key === value,
      onchange: () => onchange(key),
    });
    const label = typeof text === "string" ? h("span", text) : text;
    row.append(h("label.segment", { title }, input, label));
  }
  group.append(row);
  group.choose = (key) => {
    for (const input of row.querySelectorAll("input")) input.checked = input.value === key;
  };
  return group;
}

/** A list of terms, each with its value. */
export const terms = (kind, rows) =>
  h(
    `dl.${kind}`,
    rows.map(([name, value]) => h("div", h("dt", name), h("dd", value))),
  );

export function menu(choices, value, onchange) {
  const select = h("select", { onchange: () => onchange(select.value) });
  for (const [key, text] of choices) select.append(h("option", { value: key }, text));
  select.value = value;
  return select;
}

/** Announce a sentence to screen readers. Sentences in quick succession replace each other. */
export const say = (() => {
  let timer = 0;
  return (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const region = document.getElementById("live");
      // An exported HTML file is silent.
      if (!region) return;
      // A repeated sentence would not be a change, so screen readers would ignore it.
      region.textContent = region.textContent === text ? `${text}\u00a0` : text;
    }, 120);
  };
})();

/**
 * Return a function that runs `wait` milliseconds after its latest call, with the arguments of that call; `cancel`
 * drops a pending call.
 * @template {unknown[]} Given
 * @param {number} wait
 * @param {(...given: Given) => unknown} run
 */
export function debounce(wait, run) {
  let timer = 0;
  const later = (/** @type {Given} */ ...given) => {
    clearTimeout(timer);
    timer = setTimeout(run, wait, ...given);
  };
  return Object.assign(later, { cancel: () => clearTimeout(timer) });
}

/** Whether the focus is in a text field, where more input may follow. */
export const isTyping = () =>
  document.activeElement?.matches("input:not([type=radio], [type=checkbox], [type=range]), textarea") ?? false;

export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
// The name of a square, such as a1, keeps its lower case at the beginning of a sentence.
const SQUARE = /^[a-z]{1,3}\d+\b/;
export const capital = (words) => (SQUARE.test(words) ? words : `${words[0].toUpperCase()}${words.slice(1)}`);
/** Words as a sentence: with a capital and a full stop. */
export const sentence = (words) => `${capital(words)}${/[.?!…]$/.test(words) ? "" : "."}`;

/**
 * An error for the user; lang: language of the text, if it differs from the page's.
 * @typedef {{message: string, note?: string, help?: string, lang?: string | null}} Trouble
 */

export const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/**
 * A box with the error, its reason and its remedy, each as a sentence.
 * @param {unknown} thrown a Trouble, such as an ApiError; any other value is shown as text
 */
export function complaint(thrown) {
  const isTrouble = typeof thrown === "object" && thrown !== null && "message" in thrown;
  const error = /** @type {Trouble} */ (isTrouble ? thrown : { message: messageOf(thrown) });
  return h(
    "div.notice.bad",
    { lang: error.lang },
    h("p", h("strong", sentence(error.message))),
    error.note ? h("p", sentence(error.note)) : null,
    error.help ? h("p.soft", sentence(error.help)) : null,
  );
}
