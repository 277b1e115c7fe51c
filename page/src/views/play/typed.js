// Moves that are typed: names of squares, one or several.

import { squareNamed } from "../../model/board.js";
import { faultNote, field, h, say, textInput } from "../../dom.js";
import { fill, texts } from "../../language.js";

/** board(): the board of the game. onmove(square): whether the knight went there. */
export function makeTyped(board, onmove) {
  const input = textInput({ placeholder: "c4 d6", maxlength: 400, enterkeyhint: "go" });
  const note = faultNote();

  function go() {
    const words = input.value
      .trim()
      .split(/[\s,;-]+/)
      .filter(Boolean);
    note.hidden = true;
    for (const [i, word] of words.entries()) {
      const square = squareNamed(board(), word);
      if (square !== null && onmove(square)) continue;
      // What could not be done stays to be mended.
      input.value = words.slice(i).join(" ");
      note.textContent =
        square === null ? `${fill(texts.common.noSquare, { name: word })}.` : fill(texts.game.cannotGo, { name: word });
      note.hidden = false;
      return;
    }
    if (words.length) say(fill(texts.game.made, { n: words.length }));
    input.value = "";
  }

  const form = h(
    "form.typed",
    {
      onsubmit: (event) => {
        event.preventDefault();
        go();
      },
    },
    field(texts.game.nextSquares, input, texts.game.typeHint),
    note,
  );
  return { element: form, focus: () => input.focus() };
}
