// Explore: the shared parts of its views: the drawers, another tour, a line about further settings of a link, and the
// sections below a result: the search, and the number of tours. The sections open in place. Their parts
// are views with an address each.

import { h, segmented } from "../../dom.js";
import { effortWords } from "../../panels/answer.js";
import { conditionWords } from "../../model/conditions.js";
import { DEFAULTS } from "../../model/state.js";
import { fill, texts } from "../../language.js";

/** The parts of Explore except its views. */
export function makeExplore(/** @type {import("../../app.js").App} */ app) {
  const { again = [] } = app.views.find;
  const { board, look } = app.drawers;
  const { element, open, show } = makeQuestions(app);
  const carried = makeCarried((patch) => app.update(patch));
  return {
    questions: element,
    carried: carried.element,
    drawers: [board, look],
    /**
     * Enter a view: set the question that contains it, or null, and the content before its buttons.
     * @param {string} view
     * @param {boolean} isHere whether it belongs to Explore
     */
    enter(view, isHere) {
      const inside = open(view);
      element.hidden = !isHere;
      carried.enter(isHere);
      // The button for another tour keeps its position while a question is open.
      again[0].className = inside ? "is-beside" : "primary";
      return { inside, first: inside ? again : [] };
    },
    show(/** @type {import("../../model/state.js").State} */ state) {
      show(state);
      carried.show(state);
      again[0].hidden = state.result?.status === "impossible";
    },
  };
}

/** A line about the method, the options, the seed and the conditions of a link, with a button to remove them. */
function makeCarried(onask) {
  const words = h("span");
  const { method, options, seed, conditions } = DEFAULTS;
  const drop = h("button.quiet", { onclick: () => onask({ method, options, seed, conditions }) }, texts.explore.drop);
  const element = h("p.small.carried", words, " ", drop);
  let isHere = false;
  return {
    element,
    enter(/** @type {boolean} */ isExplore) {
      isHere = isExplore;
    },
    show({ method, options, seed, conditions }) {
      const parts = [
        ...(method === DEFAULTS.method ? [] : [fill(texts.explore.method, { method })]),
        ...Object.entries(options).map(([name, value]) => `${name} ${value}`),
        ...(seed === null ? [] : [fill(texts.common.seed, { seed: String(seed) })]),
        ...(conditions ? [conditionWords(conditions)] : []),
      ];
      element.hidden = !isHere || !parts.length;
      words.textContent = fill(texts.explore.carried, { words: parts.join(", ") });
    },
  };
}

const PARTS = { how: ["watch"], many: ["count", "all"] };

function makeQuestions(app) {
  const questions = Object.entries(PARTS).map(([name, parts]) => {
    const choices = parts.map((part) => [part, texts.explore.short[part]]);
    const choice = segmented(texts.explore.parts, choices, "", (view) => app.update({ view }), { isHidden: true });
    choice.hidden = parts.length < 2;
    const body = h("div.question-body", { id: `question-${name}`, hidden: true }, choice);
    const button = h(
      "button",
      {
        "aria-expanded": "false",
        "aria-controls": body.id,
        onclick: () => app.update({ view: body.hidden ? parts[0] : "find" }),
      },
      texts.explore.questions[name],
    );
    return { parts, choice, body, button, element: h("section.question", h("h2", button), body) };
  });
  const element = h(
    "div.questions",
    questions.map((each) => each.element),
  );
  const [how] = questions;
  const effort = h("p.soft.small.how");
  how.choice.after(effort);

  return {
    element,
    /**
     * Open the question of a view; return the container of its parts, or null.
     * @param {string} view
     * @returns {HTMLElement | null}
     */
    open(view) {
      /** @type {HTMLElement | null} */
      let place = null;
      for (const { parts, choice, body, button } of questions) {
        const isOpen = parts.includes(view);
        body.hidden = !isOpen;
        button.setAttribute("aria-expanded", String(isOpen));
        if (!isOpen) continue;
        choice.choose(view);
        place = body;
      }
      return place;
    },
    show(/** @type {import("../../model/state.js").State} */ { result }) {
      how.button.textContent = texts.explore.questions[result?.status === "impossible" ? "why" : "how"];
      effort.hidden = !result;
      effort.textContent = result && effortWords(result, app.methods);
    },
  };
}
