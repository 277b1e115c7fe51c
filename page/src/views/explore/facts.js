// The section with the facts of the tour that is shown.

import * as api from "../../api.js";
import { squareCount, squareName } from "../../model/board.js";
import { complaint, h, terms } from "../../dom.js";
import { latest } from "../../latest.js";
import { kindWord } from "../../model/words.js";
import { fill, libraryWords, texts } from "../../language.js";
import { grouped } from "../../numbers.js";

const known = new Map();

/** The facts of a tour from the library, asked once for each. */
export async function factsOf(board, order, signal) {
  const key = JSON.stringify([board, order]);
  if (!known.has(key)) {
    if (known.size > 200) known.clear();
    known.set(key, await api.facts(board, order, signal));
  }
  return known.get(key);
}

const MAX_NAMED = 6;

const word = (name) => libraryWords("facts", name, name).words;

/** The class of a tour's symmetries. On joined sides it has no short name: they are listed, or counted if many. */
function symmetryWords({ symmetry, symmetries, symmetry_name: name }) {
  if (!symmetries.some((each) => each.includes("shift"))) {
    const words = symmetry.split("+").map(word).join("+");
    return name === symmetry ? words : `${words} (${name})`;
  }
  return symmetries.length > MAX_NAMED
    ? fill(texts.facts.manySymmetries, { n: symmetries.length })
    : symmetries.join(", ");
}

/** Rows of [name, value] that are shown of a tour's facts. */
export function factRows(board, order, facts) {
  const name = (square) => squareName(board, square);
  const number = (value) => (value === null || value === undefined ? "—" : grouped(value));
  return [
    [texts.facts.squares, number(squareCount(board))],
    [texts.facts.kind, kindWord(facts.closed)],
    [texts.facts.ends, `${name(order[0])} – ${name(order[order.length - 1])}`],
    [texts.facts.symmetry, symmetryWords(facts)],
    [texts.facts.turns, number(facts.turns)],
    [texts.facts.crossings, number(facts.crossings)],
    [texts.facts.magic, facts.magic ? word(facts.magic) : "—"],
  ];
}

export function makeFacts() {
  const body = h("div.section-body");
  const element = h("div", { id: "facts" }, body);
  let shown = null;

  const answer = latest({ failed: (error) => body.replaceChildren(complaint(error)) });
  const load = (board, tour) =>
    answer(
      (signal) => factsOf(board, tour, signal),
      (facts) => body.replaceChildren(terms("facts", factRows(board, tour, facts))),
    );

  element.show = (board, tour) => {
    element.hidden = !tour;
    if (tour === shown) return;
    shown = tour;
    if (tour) load(board, tour);
    else answer.forget();
  };
  return element;
}
