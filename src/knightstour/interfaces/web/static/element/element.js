// <knights-tour board="8x8" tour="...">: a tour with its player in a file of HTML or a notebook, in a box of its own (shadow
// DOM), so that the style around it and its own do not meet. interfaces/web/embed.py writes the attributes.

import { useRamp } from "../drawing/colours.js";
import { complaint, h, messageOf } from "../dom.js";
import { linkOn, makeTourPlayer, readTour, titleOf } from "./tourplayer.js";
import { texts, useTexts } from "../language.js";

const TAG = "knights-tour";
const ATTRIBUTES = ["board", "tour", "look", "numbers", "speed", "step", "engine"];

/**
 * What the page has in files of its own: style sheet, icons as SVG symbols, colours, and texts of other languages.
 */
let parts = { style: "", icons: "", ramp: [], texts: {} };
// One sheet for all elements of a page.
const sheet = new CSSStyleSheet();

export class KnightsTour extends HTMLElement {
  static observedAttributes = ATTRIBUTES;
  #root = this.attachShadow({ mode: "open" });
  /** @type {ReturnType<typeof makeTourPlayer> | null} */
  #player = null;
  #isDrawing = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    this.#drawSoon();
  }

  disconnectedCallback() {
    this.#player?.pause();
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (name === "step" && this.#player) this.step = Number(after);
    else this.#drawSoon();
  }

  /** The step that is shown: 0 is the first square alone. */
  get step() {
    return this.#player?.step ?? 0;
  }

  set step(step) {
    if (!this.#player || Number.isNaN(step)) return;
    if (step !== this.#player.step) this.#player.show(step);
  }

  play() {
    this.#player?.play();
  }

  pause() {
    this.#player?.pause();
  }

  /** Attributes often change together: they are drawn once. */
  #drawSoon() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    this.#player?.pause();
    this.#player = null;
    const box = h("div.tour-box");
    const icons = h("div", { hidden: true });
    icons.innerHTML = parts.icons;
    this.#root.replaceChildren(icons, box);
    try {
      const tour = readTour({ board: this.getAttribute("board") ?? "8x8", tour: this.getAttribute("tour") ?? "" });
      const engine = this.getAttribute("engine");
      const link = engine && linkOn(engine, tour);
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", titleOf(tour));
      const player = makeTourPlayer({
        tour,
        look: this.getAttribute("look") ?? undefined,
        numbers: this.hasAttribute("numbers"),
        speed: Number(this.getAttribute("speed")) || undefined,
        onstep: (step) => this.dispatchEvent(new CustomEvent("step", { detail: { step }, bubbles: true })),
      });
      this.#player = player;
      const [board, ...controls] = player.elements;
      box.append(board, h("div.transport", controls));
      if (link) box.append(h("a.on-page", { href: link, target: "_blank", rel: "noopener" }, texts.element.open));
      const step = this.getAttribute("step");
      player.show(step === null ? player.last : Number(step) || 0);
      if (this.hasAttribute("autoplay")) player.autoplay();
    } catch (error) {
      box.append(complaint({ message: texts.element.notShown, note: messageOf(error) }));
    }
  }
}

/** Let pages have such elements; several scripts that ask for it share one. They speak the language of the page around. */
export function define(given) {
  if (customElements.get(TAG)) return;
  const [language] = document.documentElement.lang.toLowerCase().split("-");
  parts = given;
  if (language in parts.texts) useTexts(language, parts.texts[language]);
  useRamp(parts.ramp);
  sheet.replaceSync(parts.style);
  customElements.define(TAG, KnightsTour);
}
