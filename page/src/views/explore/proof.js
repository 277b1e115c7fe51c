// The proof on the board that no tour exists: its scenes, step by step.

import * as api from "../../api.js";
import { h, iconButton, messageOf, say, sentence as sentenceOf } from "../../dom.js";
import { isQuestion, possible, symbol } from "../../drawing/proof.js";
import { latest } from "../../latest.js";
import { asked } from "../../panels/answer.js";
import { tourWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";

// Proofs that needed less than this are requested immediately, others on demand.
const AT_ONCE = 0.5;
const SECONDS = 20;

/** @typedef {import("../../drawing/proof.js").Scene} Scene */

/** ondraw(): the board must be drawn again, with `shown`. */
export function makeProof(app, ondraw) {
  /** @type {{scene: Scene, beat: number}[]} */
  let frames = [];
  let place = 0;
  /** @type {import("../../model/state.js").Result | null} */
  let result = null;

  const back = iconButton("back", texts.player.back, () => go(place - 1));
  const next = iconButton("next", texts.player.next, () => go(place + 1));
  next.classList.add("primary");
  const count = h("span.count", { "aria-hidden": "true" });
  const bar = h("div.transport-bar", { role: "group", "aria-label": texts.proof.steps }, back, next, count);
  const title = h("h2.proof-title", { lang: "en" });
  const sentence = h("p.proof-sentence", { lang: "en" });
  const question = h("p.proof-question");
  const conclusion = h("p.proof-conclusion", { hidden: true });
  const legend = h("ul.proof-legend");
  const wish = h("button", { onclick: () => load() }, texts.proof.show);
  const trouble = h("p.soft.small", { hidden: true });
  const shownPart = h("div.proof-steps", { hidden: true }, bar, title, question, sentence, conclusion, legend);
  const element = h("section.proof", { hidden: true, "aria-label": texts.proof.name }, wish, trouble, shownPart);
  element.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -frames.length, End: frames.length }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    go(place + step);
    event.preventDefault();
    event.stopPropagation();
  });

  function load() {
    trouble.hidden = true;
    answer((signal) => api.prove(app.state, SECONDS, signal), begin);
  }

  const answer = latest({
    busy: (isBusy) => {
      wish.disabled = isBusy;
    },
    failed(error) {
      trouble.textContent = messageOf(error);
      trouble.hidden = false;
    },
  });

  function begin({ scenes = [] }) {
    // A theorem without squares adds nothing to the reason above.
    if (!scenes.some((scene) => scene.marks.length || scene.lines.length)) {
      trouble.textContent = texts.proof.notDrawn;
      trouble.hidden = (result?.seconds ?? 0) < AT_ONCE;
      wish.hidden = true;
      return;
    }
    frames = scenes.flatMap((scene) =>
      Array.from({ length: Math.max(1, scene.beats.length + 1) }, (_, beat) => ({ scene, beat })),
    );
    place = 0;
    wish.hidden = true;
    shownPart.hidden = false;
    bar.hidden = frames.length < 2;
    draw();
  }

  /** The sentence of the current step; a chain has a sentence of its own, and one for each link. */
  const words = ({ scene, beat }) => (beat ? scene.beats[beat - 1] : scene.sentence);

  function draw() {
    const shown = frames[place];
    title.textContent = shown.scene.title;
    question.hidden = !isQuestion(shown);
    question.textContent = fill(texts.proof.question, { tour: tourWords(texts.board.aTour, asked(app.state)) });
    sentence.textContent = words(shown);
    conclusion.hidden = place < frames.length - 1;
    conclusion.textContent = sentenceOf(
      fill(texts.proof.conclusion, { words: tourWords(texts.board.noTour, asked(app.state)) }),
    );
    count.textContent = `${place + 1} / ${frames.length}`;
    back.disabled = place === 0;
    next.disabled = place === frames.length - 1;
    const parts = isQuestion(shown) ? [possible()] : entries(shown);
    // The labels of the scenes are the library's.
    legend.lang = isQuestion(shown) ? document.documentElement.lang : "en";
    legend.replaceChildren(...parts.map((part) => h("li", symbol(part), h("span", part.label))));
    ondraw();
  }

  function go(target) {
    const old = place;
    place = Math.min(frames.length - 1, Math.max(0, target));
    if (place === old) return;
    const hadFocus = document.activeElement;
    draw();
    // A disabled button would lose the focus.
    if (hadFocus instanceof HTMLButtonElement && hadFocus.disabled) (place ? back : next).focus();
    say(
      fill(texts.proof.said, {
        step: place + 1,
        last: frames.length,
        title: frames[place].scene.title,
        words: words(frames[place]),
      }),
    );
  }

  function clear() {
    answer.forget();
    [frames, place] = [[], 0];
    shownPart.hidden = true;
    trouble.hidden = true;
    wish.hidden = false;
    wish.disabled = false;
  }

  return {
    element,
    /** The visible part of the proof: {scene, beat}, or null. */
    get shown() {
      return frames[place] ?? null;
    },
    show(state) {
      const found = state.result?.status === "impossible" ? state.result : null;
      if (found === result) return;
      clear();
      result = found;
      element.hidden = !found;
      wish.hidden = found !== null && found.seconds < AT_ONCE;
      if (found && found.seconds < AT_ONCE) load();
    },
    keys: { ".": () => frames.length && go(place + 1), ",": () => frames.length && go(place - 1) },
    get help() {
      return texts.proof.keys;
    },
  };
}

/** The first mark or line of each label in use. */
function entries({ scene, beat }) {
  const found = new Map();
  for (const part of [...scene.marks, ...scene.lines]) {
    const key = `${part.role} ${part.label}`;
    if (part.beat <= beat && !found.has(key)) found.set(key, part);
  }
  return [...found.values()];
}
