// The player's input in a puzzle: taps, strokes, and numbers typed digit by digit at the cursor.

// Digits typed within this time make one number.
const TYPING_MS = 1500;

/**
 * @param {object} given
 * @param {import("../../drawing/boardview.js").BoardView} given.board
 * @param {import("./puzzle.js").Now} given.now
 * @param {(event: Parameters<typeof import("../../model/solving.js").reduce>[1]) => void} given.act
 */
export function makeHand({ board, now, act }) {
  const nothing = { square: /** @type {number | null} */ (null), text: "", at: 0 };
  let typed = nothing;

  /** Write a digit: several digits on one square, in quick succession, are one number. */
  function type(digit) {
    const { game } = now;
    if (!game) return;
    const square = board.cursor;
    const isMore = typed.square === square && performance.now() - typed.at < TYPING_MS;
    const text = isMore && Number(typed.text + digit) <= game.count ? typed.text + digit : digit;
    const isWritten = text !== digit && game.own.get(square) === Number(typed.text);
    typed = { square, text, at: performance.now() };
    board.element.focus();
    board.moveCursor(square);
    // The first digit alone was incomplete.
    if (isWritten && game.why(square, Number(text))) act({ type: "undo" });
    act({ type: "write", square, number: Number(text), isMore: isWritten });
  }

  function tap(square) {
    typed = nothing;
    act({ type: "tap", square });
  }

  function erase() {
    typed = nothing;
    act({ type: "clear", square: board.cursor });
  }

  /** The cursor follows, so that digits are written at the end of the stroke. */
  function move(type, square) {
    typed = nothing;
    board.cursor = square;
    act({ type, square });
  }

  /** @type {import("../../drawing/boardview.js").Stroke} */
  const stroke = {
    begin: (square) => move("begin", square),
    over: (square) => move("over", square),
    end: (square) => act({ type: "end", square }),
    from: () => now.state?.picked ?? null,
  };

  return { tap, type, erase, stroke };
}
