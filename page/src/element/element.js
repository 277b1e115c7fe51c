// <knights-tour board="8x8" tour="...">: the tour of an HTML file, with its player, in a shadow DOM, which isolates its
// style. It sends no requests. embed.py writes the attributes.

import { BoardView } from "../drawing/boardview.js";
import { decodePath, decodeState, encodeState } from "../model/link.js";
import { tourWords } from "../model/words.js";
import { isClosed } from "../model/tour.js";
import { retrace } from "../panels/player.js";
import { capital, h } from "../dom.js";
import { texts, useTexts } from "../language.js";

const SPEED = 3;

/**
 * Show the tours of this page, in its language. The parts come from files: style sheet, icons as SVG symbols, and texts
 * of other languages.
 * @param {{style: string, icons: string, texts: Record<string, Partial<import("../language.js").Texts>>}} parts
 */
export function show({ style, icons, texts: others }) {
  const [language] = document.documentElement.lang.toLowerCase().split("-");
  if (language in others) useTexts(language, others[language]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  for (const place of document.querySelectorAll("knights-tour")) {
    const root = place.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.innerHTML = icons;
    root.append(boxOf(Object.fromEntries(Array.from(place.attributes, ({ name, value }) => [name, value]))));
  }
}

/**
 * Create the tour and its player from attributes: board and tour in the notation of links; engine: the address of a
 * page.
 * @param {Record<string, string>} attributes
 */
function boxOf({ board: size, tour, look: style, numbers, speed, engine }) {
  const { board } = decodeState(size);
  const order = decodePath(board, tour);
  const closed = isClosed(board, order);
  const title = capital(tourWords(texts.board.tour, { ...board, closed }));
  const view = new BoardView({ label: title });
  const player = retrace(
    { board, order },
    {
      isSeen: () => true,
      onscene: (scene) => view.draw({ board, scene, style, numbers: numbers !== undefined }),
      speed: Number(speed ?? SPEED),
    },
  );
  player.seek(player.last);
  const box = h(
    "div.tour-box",
    { role: "group", "aria-label": title },
    view.element,
    h("div.transport", player.elements),
  );
  if (engine) {
    const address = new URL(engine);
    address.hash = encodeState({ board, closed, tour: order });
    box.append(h("a.on-page", { href: address.href, target: "_blank", rel: "noopener" }, texts.element.open));
  }
  return box;
}
