// The facts of the tour on the screen, as one line: its symmetry, its turns and its crossings.

import * as api from "../../api.js";
import { h, messageOf } from "../../dom.js";
import { latest } from "../../latest.js";
import { fill, libraryWords, texts } from "../../language.js";

const MAX_NAMED = 6;

const word = (name) => libraryWords("facts", name, name).words;

/**
 * The symmetry class of a tour. With joined sides a class has no short name: its symmetries are listed, or counted if
 * there are many.
 */
function symmetryWords({ symmetry, symmetries, symmetry_name: name }) {
  if (!symmetries.some((each) => each.includes("shift"))) {
    const words = symmetry.split("+").map(word).join("+");
    return name === symmetry ? words : `${words} (${name})`;
  }
  return symmetries.length > MAX_NAMED
    ? fill(texts.facts.manySymmetries, { n: symmetries.length })
    : symmetries.join(", ");
}

function words(facts) {
  const counts = ["turns", "crossings"].filter((name) => Number.isFinite(facts[name]));
  return [
    fill(texts.facts.symmetry, { words: symmetryWords(facts) }),
    ...counts.map((name) => fill(texts.facts[name], { n: facts[name] })),
    ...(facts.magic && facts.magic !== "no" ? [word(facts.magic)] : []),
  ].join(" · ");
}

export function makeFacts() {
  const element = h("p.soft.small", { id: "facts" });
  const known = new Map();
  let shown = null;

  const answer = latest({
    failed: (error) => {
      element.textContent = messageOf(error);
    },
  });

  async function load(board, tour, signal) {
    const key = JSON.stringify([board, tour]);
    if (!known.has(key)) {
      if (known.size > 200) known.clear();
      known.set(key, words(await api.facts(board, tour, signal)));
    }
    return known.get(key);
  }

  element.show = (board, tour) => {
    element.hidden = !tour;
    if (tour === shown) return;
    shown = tour;
    if (!tour) {
      answer.forget();
      return;
    }
    answer(
      (signal) => load(board, tour, signal),
      (line) => {
        element.textContent = line;
      },
    );
  };
  return element;
}
