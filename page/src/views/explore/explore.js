// Explore: what its views share, which are the conditions and the method, another tour, and the questions below an answer. These
// open in place: how it was found, how many there are, and what it is like. What the first two show are views of their own,
// with an address each.

import { h, segmented } from "../../dom.js";
import { effortWords } from "../../panels/answer.js";
import { makeConditions } from "../../panels/conditions.js";
import { makeDrawer } from "../../panels/drawers.js";
import { texts } from "../../language.js";

/** What there is of Explore besides its views, which are made before. */
export function makeExplore(/** @type {import("../../app.js").App} */ app) {
  const { method, again = [] } = app.views.find;
  const conditions = makeConditions((patch) => app.update(patch));
  const { words } = conditions;
  const drawer = makeDrawer("conditions", texts.conditions.title, [conditions, method ?? null], { words });
  const { board, look } = app.drawers;
  const { element, like, open, show } = makeQuestions(app);
  return {
    questions: element,
    drawers: [board, drawer, look],
    /**
     * A view is entered: the question that it is shown in, or null, and what comes before its buttons.
     * @param {string} view
     * @param {boolean} isHere whether it belongs to Explore
     */
    enter(view, isHere) {
      const inside = open(view);
      element.hidden = !isHere;
      // Play shows them too, among its own.
      if (isHere) like.append(app.facts);
      // Another tour stays where it is while a question is open.
      again[0].className = inside ? "is-beside" : "primary";
      return { inside, first: inside ? again : [] };
    },
    show(/** @type {import("../../model/state.js").State} */ state) {
      conditions.show(state);
      show(state);
      again[0].hidden = state.result?.status === "impossible";
    },
  };
}

const PARTS = { how: ["watch", "compare"], many: ["count", "all"] };

/** `like` is where the facts of the tour itself belong, in the view that finds it. */
function makeQuestions(app) {
  const slot = h("div.question-body", { id: "question-like", hidden: true });
  const questions = Object.entries(PARTS).map(([name, parts]) => {
    const choice = segmented(
      texts.explore.parts,
      parts.map((part) => [part, texts.explore.short[part]]),
      "",
      (view) => app.update({ view }),
      { isHidden: true },
    );
    const body = h("div.question-body", { id: `question-${name}`, hidden: true }, choice);
    const button = opener(name, body, () => app.update({ view: body.hidden ? parts[0] : "find" }));
    return { name, parts, choice, body, button, element: h("section.question", h("h2", button), body) };
  });
  const likeButton = opener("like", slot, () => {
    openLike(slot.hidden);
    if (app.state.view !== "find") app.update({ view: "find" });
  });
  const likeElement = h("section.question", h("h2", likeButton), slot);
  const element = h(
    "div.questions",
    questions.map((each) => each.element),
    likeElement,
  );

  const effort = h("p.soft.small.how");
  questions[0].choice.after(effort);

  function opener(name, body, onclick) {
    return h("button", { "aria-expanded": "false", "aria-controls": body.id, onclick }, texts.explore.questions[name]);
  }

  function openLike(isOpen) {
    slot.hidden = !isOpen;
    likeButton.setAttribute("aria-expanded", String(isOpen));
  }

  return {
    element,
    like: slot,
    /**
     * Open the question of a view; the place where its parts belong, null for none.
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
        openLike(false);
      }
      return place;
    },
    show(/** @type {import("../../model/state.js").State} */ { result, tour }) {
      const [how] = questions;
      how.button.textContent = texts.explore.questions[result?.status === "impossible" ? "why" : "how"];
      likeElement.hidden = !tour;
      effort.hidden = !result;
      effort.textContent = result && effortWords(result, app.methods);
    },
  };
}
