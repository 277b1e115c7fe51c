// The section with the levels: each a button, with the stars and the best time of this browser.

import { h } from "../../dom.js";
import { keptRecord } from "../../model/kept.js";
import { levelOf, LEVELS, MAX_STARS, recordKey, starSigns } from "../../model/levels.js";
import { clock } from "../../model/puzzle.js";
import { foundWords, makeShelf } from "./shelf.js";
import { shelfOf } from "../../model/shelf.js";
import { fill, texts } from "../../language.js";

/**
 * onchoose(level): the user chose a level. The element's `show(state)` marks the current level, and shows the records.
 */
export function makeLevels(onchoose) {
  const records = LEVELS.map(() => h("span.record"));
  const finds = LEVELS.map(() => h("span"));
  const shelf = makeShelf(() => element.show(now));
  /** @type {any} */
  let now = LEVELS[0];
  const buttons = LEVELS.map((level, i) =>
    h(
      "button.level",
      { onclick: () => onchoose(level) },
      h("span.level-name", texts.game.names[level.name]),
      records[i],
      h("span.soft.small", texts.game.about[level.name], finds[i]),
    ),
  );
  const element = h("div.section-body", h("div.levels", buttons), h("p.soft.small", texts.game.starsHint), shelf);
  return Object.assign(element, {
    show(state) {
      now = state;
      shelf.show(state);
      const which = levelOf(state);
      for (const [i, level] of LEVELS.entries()) {
        const record = keptRecord(recordKey({ ...level, start: null, end: null }));
        buttons[i].setAttribute("aria-pressed", String(i === which));
        const tours = shelfOf(level);
        finds[i].textContent = tours.count ? ` · ${foundWords(tours)}` : "";
        records[i].replaceChildren(...(record ? [starsShown(record.stars), ` ${clock(record.seconds)}`] : []));
      }
    },
  });
}

export const starsShown = (stars) =>
  h(
    "span",
    h("span.stars", { "aria-hidden": "true" }, starSigns(stars)),
    h("span.hidden-label", fill(texts.play.stars, { stars, most: MAX_STARS })),
  );
