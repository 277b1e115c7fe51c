// The bar below the board: the style of the drawing, numbers, and turning the tour round.

import { sameBoard, squareName, squareNamed } from "../model/board.js";
import { STYLES } from "../drawing/layers.js";
import { complaint, h, icon, s, say, segmented } from "../dom.js";
import { canTurn, turned } from "../model/tour.js";
import { fill, texts } from "../language.js";

// Small pictures of the styles.
const PICTURES = {
  board: "M3 3h9v9H3zM12 12h9v9h-9z",
  line: "M4 20 9 5l5 11L20 4",
  curve: "M4 19C6 2 11 2 12 12s6 10 8-7",
  steps: "M4 20 8 9M8 9l4 5M12 14l8-10",
  ribbon: "M3 9h7M14 9h7M3 15h18M9 3v18M15 3v9M15 18v3",
  mosaic: "M3 3h9L3 12zM21 3v9L12 12zM12 12v9H3zM21 21h-6l6-6z",
  numbers: "M6.5 5v14M4.5 7l2-2M13 8a3 3 0 0 1 6 0c0 3.5-6 6-6 11h6.5",
  heat: "M4 4h5v16H4zM9.5 4h5v16h-5zM15 4h5v16h-5z",
  plotter: "M4 20l2-6L17 3l4 4L10 18zM14 6l4 4",
};

const PROPOSED = ["board", "line", "curve", "ribbon", "numbers"];

const wordButton = (name, label, onclick) => h("button", { onclick }, icon(name), label);

export function makeLook(app) {
  // Those that are proposed; a link may ask for any other.
  const names = PROPOSED.filter((key) => key in app.styles);
  const nameOf = (key) => texts.look.styles[key] ?? key;
  const choices = Object.keys(app.styles).map((key) => {
    const name = nameOf(key);
    const picture = s(
      "svg",
      { class: `icon style-${key}`, "aria-hidden": "true", viewBox: "0 0 24 24" },
      s("path", { d: PICTURES[key] ?? PICTURES.line }),
    );
    return [key, h("span.style-choice", picture, h("span", name)), name];
  });
  const styles = segmented(texts.look.style, choices, "board", (style) => app.update({ style }), { isHidden: true });
  const numbers = wordButton("numbers", texts.look.numbers, () => app.update({ numbers: !app.state.numbers }));
  const note = h("div.look-note", { role: "status" });
  const turns = [
    ["left", texts.look.left, 270],
    ["right", texts.look.right, 90],
    ["mirror", texts.look.mirror, "vertical"],
  ].map(([name, label, turn]) =>
    Object.assign(
      wordButton(name, label, () => element.turn(turn, label)),
      { turn },
    ),
  );
  const element = h(
    "div.look-bar",
    { role: "group", "aria-label": texts.look.name },
    styles,
    h("div.look-tools", numbers, ...turns),
  );
  Object.assign(element, { note });

  /** @type {unknown} */
  let said = null;

  element.turn = (name, label) => {
    const { board, tour, other, played, start, end } = app.state;
    if (!canTurn(board, name) || app.view.isFixed || app.state.conditions) return;
    const { board: image, take } = turned(board, name);
    const move = (order) => (order ? order.map(take) : null);
    say(label);
    if (app.state.view === "compare" && sameBoard(image, board)) {
      // Two tours are compared by turning one of them.
      app.update({ other: move(other) });
      return;
    }
    const place = (square) => (square === null ? null : squareNamed(image, squareName(image, take(square))));
    app.update({
      board: image,
      tour: move(tour),
      other: move(other),
      played: move(played),
      start: place(start),
      end: place(end),
      result: app.state.result,
      number: null,
    });
  };

  element.nextStyle = () => {
    const style = names[(names.indexOf(app.state.style) + 1) % names.length];
    app.update({ style });
    say(fill(texts.look.saidStyle, { name: nameOf(style) }));
  };

  element.show = ({ style, numbers: isOn, board, conditions }) => {
    // Why the tour is a plain line in this style.
    const trouble = STYLES.includes(style) ? null : app.servedLines.trouble;
    if (trouble !== said) note.replaceChildren(...(trouble ? [complaint(trouble)] : []));
    said = trouble;
    styles.choose(style);
    for (const input of styles.querySelectorAll("input")) {
      input.closest("label").hidden = !names.includes(input.value) && input.value !== style;
    }
    numbers.setAttribute("aria-pressed", String(isOn));
    for (const button of turns)
      button.disabled = app.view.isFixed || Boolean(conditions) || !canTurn(board, button.turn);
  };
  return element;
}
