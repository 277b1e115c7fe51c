// Explore: what its views share, which are the conditions and the method, another tour, and the questions below an answer.

import { makeConditions } from "../../panels/conditions.js";
import { makeDrawer } from "../../panels/drawers.js";
import { texts } from "../../language.js";
import { makeQuestions } from "./questions.js";

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
