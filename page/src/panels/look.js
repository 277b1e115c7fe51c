// The bar below the board: style, step numbers, and rotations.

import { squareName, squareNamed } from "../model/board.js";
import { STYLES } from "../drawing/layers.js";
import { h, icon, s, say, segmented } from "../dom.js";
import { canTurn, turned } from "../model/tour.js";
import { fill, texts } from "../language.js";

// Small pictures of the styles.
const PICTURES = {
  board: "M3 3h9v9H3zM12 12h9v9h-9z",
  curve: "M4 19C6 2 11 2 12 12s6 10 8-7",
  ribbon: "M3 9h7M14 9h7M3 15h18M9 3v18M15 3v9M15 18v3",
};

const wordButton = (name, label, onclick) => h("button", { onclick }, icon(name), label);

export function makeLook(app) {
  const choices = STYLES.map((key) => {
    const name = texts.look.styles[key];
    const picture = s(
      "svg",
      { class: `icon style-${key}`, "aria-hidden": "true", viewBox: "0 0 24 24" },
      s("path", { d: PICTURES[key] }),
    );
    return [key, h("span.style-choice", picture, h("span", name)), name];
  });
  const styles = segmented(texts.look.style, choices, "board", (style) => app.update({ style }), { isHidden: true });
  const numbers = wordButton("numbers", texts.look.numbers, () => app.update({ numbers: !app.state.numbers }));
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

  element.turn = (name, label) => {
    const { board, tour, played, start, end } = app.state;
    if (!canTurn(board, name) || app.view.isFixed || app.state.conditions) return;
    const { board: image, take } = turned(board, name);
    const move = (order) => (order ? order.map(take) : null);
    say(label);
    const place = (square) => (square === null ? null : squareNamed(image, squareName(image, take(square))));
    app.update({
      board: image,
      tour: move(tour),
      played: move(played),
      start: place(start),
      end: place(end),
      result: app.state.result,
      number: null,
    });
  };

  element.nextStyle = () => {
    const style = STYLES[(STYLES.indexOf(app.state.style) + 1) % STYLES.length];
    app.update({ style });
    say(fill(texts.look.saidStyle, { name: texts.look.styles[style] }));
  };

  element.show = ({ style, numbers: isOn, board, conditions }) => {
    styles.choose(style);
    numbers.setAttribute("aria-pressed", String(isOn));
    for (const button of turns)
      button.disabled = app.view.isFixed || Boolean(conditions) || !canTurn(board, button.turn);
  };
  return element;
}
