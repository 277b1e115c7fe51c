// Filling in numbers: by clicks that go on from a number, by drags, and by digits that are typed.

import { h, say } from "../../dom.js";
import { tick } from "../../panels/sound.js";
import { fill, texts } from "../../language.js";

// Digits typed within this time make one number.
const TYPING_MS = 1500;

/**
 * now: the puzzle as it is being solved, which views/puzzle.js describes. after(square, spoken): something changed there.
 * @param {object} given
 * @param {import("../../app.js").App} given.app
 * @param {import("./puzzle.js").Now} given.now
 * @param {(square: number) => string} given.name
 * @param {() => boolean} given.isMaking
 * @param {(square?: number | null, spoken?: string | null) => unknown} given.after
 * @param {() => void} given.report
 * @param {() => void} given.draw
 */
export function makeFilling({ app, now, name, isMaking, after, report, draw }) {
  /** @type {{square: number | null, text: string, at: number}} */
  let typed = { square: null, text: "", at: 0 };

  // The last square of the chain that a drag came to.
  /** @type {number | null} */
  let over = null;

  /** A square was chosen, by click or Enter. */
  function choose(square) {
    const { game, picked, step } = now;
    if (!game) return say(texts.solving.noPuzzle);
    typed.square = null;
    if (app.state.board.holes.includes(square)) return say(fill(texts.common.isHole, { square: name(square) }));
    if (isMaking()) return toggle(square);
    // The knight may still be walking the tour.
    if (game.isSolved && now.progress?.isDone) return undefined;
    if (game.at(square) !== null) return pick(square);
    if (picked === null) return say(texts.solving.chooseFirst);
    const number = game.next(game.at(picked), step);
    if (number === null)
      return say(fill(texts.solving[step > 0 ? "noneAfter" : "noneBefore"], { number: game.at(picked) }));
    if (!game.reached(picked).includes(square))
      return refuse(fill(texts.solving.noMove, { from: name(picked), to: name(square) }));
    return write(square, number);
  }

  /** Say why nothing is written, to those who see, too. */
  function refuse(reason) {
    app.announce(h("p.verdict", `${reason}.`), reason);
    draw();
  }

  /** In a puzzle that is being made a click writes the next number, or takes one away. */
  function toggle(square) {
    const { game, picked } = now;
    if (!game) return;
    const last = picked === null ? 0 : (game.at(picked) ?? 0);
    game.write(square, game.at(square) === null ? game.missing(last + 1) : null);
    after(square);
  }

  function pick(square) {
    over = square;
    now.picked = now.game?.follow(square, now.step) ?? null;
    report();
    draw();
  }

  /** A drag came over a square: it is filled in if a move leads there, taken away on the way back, else passed over. */
  function dragOver(square) {
    const { game, picked, step } = now;
    if (!game || picked === null) return;
    const [here, there] = [over === null ? null : game.at(over), game.at(square)];
    if (over !== null && here !== null && there !== null) {
      // A drag that only passes a number on its way to another does not go there.
      if (![game.next(here, 1), game.next(here, -1)].includes(there)) return;
      const isBack = there === game.next(here, -step) && game.own.has(over);
      if (isBack) game.write(over, null);
      over = square;
      if (isBack) after(square);
      return;
    }
    // A drag writes from the number that it is on; on its way back over given numbers it is not there.
    if (over !== null && over !== picked) return;
    const number = game.next(game.at(picked), step);
    if (number === null || there !== null || !game.reached(picked).includes(square)) return;
    over = square;
    write(square, number);
  }

  /** Count up (1) or down (-1) from now on. */
  function turn(way) {
    now.step = way;
    if (now.picked !== null) pick(now.picked);
  }

  function write(square, number, isMore = false) {
    const { game } = now;
    const reason = game?.why(square, number);
    if (reason) return refuse(reason);
    game?.write(square, number, isMore);
    tick();
    return after(square);
  }

  function clear(square = app.board.cursor) {
    const { game } = now;
    if (!game) return;
    typed.square = null;
    if (game.given.has(square)) {
      refuse(fill(texts.puzzle.isGiven, { number: game.given.get(square), square: name(square) }));
      return;
    }
    const number = game.own.get(square);
    if (number === undefined) {
      say(fill(texts.solving.noNumber, { square: name(square) }));
      return;
    }
    game.write(square, null);
    if (now.picked === square) now.picked = game.places.get(game.next(number, -now.step)) ?? null;
    after(null, fill(texts.solving.isFree, { square: name(square) }));
  }

  /** A digit was typed: several on one square, in quick succession, are one number. */
  function type(digit) {
    const { game } = now;
    if (!game) return;
    const square = app.board.cursor;
    const isMore = typed.square === square && performance.now() - typed.at < TYPING_MS;
    const text = isMore && Number(typed.text + digit) <= game.count ? typed.text + digit : digit;
    const isWritten = text !== digit && game.own.get(square) === Number(typed.text);
    typed = { square, text, at: performance.now() };
    app.board.element.focus();
    app.board.moveCursor(square);
    const reason = game.why(square, Number(text));
    if (reason && isWritten) {
      // The first digit alone was not what was meant.
      game.undo();
      after(null);
    }
    write(square, Number(text), isWritten);
  }

  return { choose, pick, dragOver, turn, write, clear, type };
}
