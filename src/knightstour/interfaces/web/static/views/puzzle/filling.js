// Filling in numbers: by clicks that go on from a number, by drags, and by digits that are typed.

import { h, say } from "../../dom.js";
import { texts } from "../../language.js";

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

  /** A square was chosen, by click or Enter. */
  function choose(square) {
    const { game, picked, step } = now;
    if (!game) return say(texts.solving.noPuzzle);
    typed.square = null;
    if (app.state.board.holes.includes(square)) return say(texts.common.isHole(name(square)));
    if (isMaking()) return toggle(square);
    // The knight may still be walking the tour.
    if (game.isSolved && now.progress?.isDone) return undefined;
    if (game.at(square) !== null) return pick(square);
    if (picked === null) return say(texts.solving.chooseFirst);
    const number = game.next(game.at(picked), step);
    if (number === null) return say(texts.solving[step > 0 ? "noneAfter" : "noneBefore"](game.at(picked)));
    if (!game.reached(picked).includes(square)) return refuse(texts.solving.noMove(name(picked), name(square)));
    return write(square, number);
  }

  /** Say why nothing is written, to those who see, too. */
  function refuse(reason) {
    app.announce(h("p.verdict", {}, `${reason}.`), reason);
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
    now.picked = now.game?.follow(square, now.step) ?? null;
    report();
    draw();
  }

  /** A drag came over a square: it is filled in if a move leads there, and passed over if not. */
  function dragOver(square) {
    const { game, picked, step } = now;
    if (!game || picked === null) return;
    const number = game.next(game.at(picked), step);
    if (number !== null && game.at(square) === null && game.reached(picked).includes(square)) write(square, number);
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
    return after(square);
  }

  function clear(square = app.board.cursor) {
    const { game } = now;
    if (!game) return;
    typed.square = null;
    if (game.given.has(square)) {
      refuse(texts.puzzle.isGiven(game.given.get(square), name(square)));
      return;
    }
    const number = game.own.get(square);
    if (number === undefined) {
      say(texts.solving.noNumber(name(square)));
      return;
    }
    game.write(square, null);
    if (now.picked === square) now.picked = game.places.get(game.next(number, -now.step)) ?? null;
    after(null, texts.solving.isFree(name(square)));
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
