// Puzzle: fill in the missing numbers of a tour, or create such a puzzle.

import * as api from "../../api.js";
import { linkTo } from "../../panels/share.js";
import { makeBoard, sameBoard, squareName, squareNamed } from "../../model/board.js";
import { h, say } from "../../dom.js";
import { makeDrawer } from "../../panels/drawers.js";
import { clearEll } from "../../drawing/lines.js";
import { isKnight } from "../../model/pieces.js";
import { makeHand } from "./hand.js";
import { makeMaking } from "./making.js";
import { makeNewPuzzle } from "./newpuzzle.js";
import { keepDay, keepGame, keptGame, listenToGames } from "../../model/kept.js";
import { latest } from "../../latest.js";
import { dailies, dailyOf, daysAfter, puzzleLink } from "../../model/daily.js";
import { noted } from "../../model/pace.js";
import { Game, ruleOf } from "../../model/puzzle.js";
import { reduce, start } from "../../model/solving.js";
import { answerOf, waiting } from "../../panels/answer.js";
import { prepareNumbers } from "../../panels/finish.js";
import { makeExistence } from "../../panels/existence.js";
import { chime, tick as sound } from "../../panels/sound.js";
import { makeAid } from "./aid.js";
import { makeCalendar, makeDailies, of } from "./calendar.js";
import { makeDesk } from "./desk.js";
import { makeResult } from "./result.js";

import { boardWords, questionWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";

/**
 * A puzzle during its solution.
 * @typedef {object} Now
 * @property {import("../../model/solving.js").Solving | null} state - the game, which each event replaces
 * @property {Game | null} game - the current numbers
 * @property {{asked: any, level: string, solution: Map<number, number>, hints: any[] | null} | null} known - what the
 *     server's data; the solution is a number for each square, hints are in solving order if present
 * @property {any} progress - the time, the help and the numbers, as model/kept.js keeps them
 * @property {{faults?: number[], doubtful?: number[]}} marks - crossed-out or shaded squares
 * @property {number | null} hinted - the square of the hint
 */

/** Whether the state is still the default: only then the puzzle's board may replace the board. */
const isUntouched = ({ board, closed, start, end, conditions, played, puzzle }) =>
  sameBoard(board, makeBoard()) && closed && [start, end, conditions, played, puzzle].every((each) => each === null);

export function makePuzzleView(app) {
  /** @type {Now} */
  const now = {
    state: null,
    get game() {
      return now.state?.game ?? null;
    },
    known: null,
    progress: null,
    marks: {},
    hinted: null,
  };
  // The current puzzle, and the key of its stored game.
  let shown;
  let key = "";
  let ticking = 0;

  const isMaking = () => Boolean(shown?.isMaking);
  const isPlaying = () => now.game !== null && !isMaking();
  const name = (square) => squareName(app.state.board, square);
  const link = (puzzle = app.state.puzzle) => puzzleLink({ ...app.state, puzzle });
  const address = (puzzle) => linkTo(link(puzzle));

  const desk = makeDesk({
    undo: () => act({ type: "undo" }),
    redo: () => act({ type: "redo" }),
    erase: () => hand.erase(),
    restart: () => act({ type: "restart" }),
    check: () => aid.showMistakes(),
    hint: () => aid.askHint(),
    type: (digit) => hand.type(digit),
    share: () => result.share(),
  });
  const making = makeMaking({
    onanswer(words, doubtful) {
      now.marks = { doubtful };
      app.announce(h("p.verdict", `${words}.`));
      draw();
    },
    onplay: () => app.update({ puzzle: { numbers: shown.numbers } }),
    link: () => address({ numbers: shown.numbers }),
  });

  /** The day of this puzzle and its index; null if it is not a daily puzzle. */
  const daily = () => dailyOf(app.state);
  // The day of opening: a puzzle that is solved after midnight still counts for it.
  let opened = new Date();

  const open = (patch) => app.update({ start: null, end: null, conditions: null, tour: null, ...patch });
  const another = makeNewPuzzle(open);
  const three = makeDailies(open);
  const calendar = makeCalendar();
  const hand = makeHand({ board: app.board, now, act });
  const aid = makeAid({ app, now, name, act, keep, draw });
  const result = makeResult({
    app,
    now,
    daily,
    address,
    note: desk.note,
    open: (puzzle) => open(of(puzzle)),
    another: another.fresh,
    calendar,
  });

  const existence = makeExistence(() => shown || invite());

  // ---------------------------------------------------------------- choice of the puzzle

  /** Show the available actions while there is no puzzle, or that the board has no tour. */
  function invite() {
    const asked = { ...app.state, start: null, end: null, conditions: null, result: null };
    const refutation = existence.refutation(asked);
    const [words, spoken] = refutation
      ? answerOf(refutation, asked)
      : [[h("p.verdict", fill(texts.puzzle.invitation, { board: boardWords(asked.board) }))], ""];
    app.announce([...words, h("div.buttons", another.today())], spoken);
  }

  function load() {
    leave();
    shown = app.state.puzzle;
    Object.assign(now, { state: null, known: null, hinted: null, marks: {} });
    desk.note.replaceChildren();
    const { board, closed } = app.state;
    if (!shown) {
      invite();
      return;
    }
    if (isMaking()) {
      now.state = start(new Game(board, closed, new Map()), shown.numbers, true);
      making.check(board, closed, shown.numbers);
      return;
    }
    app.announce(waiting(texts.puzzle.making, "p.soft"));
    const { numbers } = shown;
    answer((signal) => (numbers ? api.givenPuzzle : api.puzzle)(app.state, signal), begin);
  }

  const answer = latest({ failed: (error) => app.complain(error) });

  function begin({ asked, level: found, solution, hints = null }) {
    const { board } = app.state;
    const answer = new Map(solution.flat().map((number, square) => [square, number]));
    now.known = { asked, level: found, solution: answer, hints };
    key = link();
    const given = new Map();
    for (const square of answer.keys()) {
      if (name(square) in asked.given) given.set(square, asked.given[name(square)]);
    }
    const square = (word) => /** @type {number} */ (squareNamed(board, word));
    const order = (asked.visit_order ?? []).map(square);
    const walls = (asked.walls ?? []).map((wall) => wall.split("-").map(square));
    if (order.length) given.set(order[0], 1);
    resume(given, order, walls);
    opened = new Date();
    prepareNumbers(app.state);
    ticking = setInterval(tick, 1000);
  }

  /** Continue the puzzle with the stored numbers. */
  function resume(given, order, walls) {
    const { board, closed } = app.state;
    now.progress = keptGame(key);
    Object.assign(now, { hinted: null, marks: {} });
    now.state = start(new Game(board, closed, given, [], { order, walls }), now.progress.own);
    report();
    draw();
  }

  // Another tab continued this puzzle, so update this one.
  listenToGames(() => {
    const { game, progress } = now;
    if (!game || !isPlaying() || app.view !== view) return;
    const { own, isDone } = keptGame(key);
    const isSame = JSON.stringify(own) === JSON.stringify([...game.own]) && isDone === progress.isDone;
    if (!isSame) resume(game.given, game.order, game.walls);
  });

  /** Store the game, and cancel requests. */
  function leave() {
    clearInterval(ticking);
    answer.forget();
    aid.cancel();
    making.cancel();
    existence.stop();
  }

  function keep() {
    if (now.game && isPlaying()) keepGame(key, { ...now.progress, own: [...now.game.own] });
  }

  function tick() {
    if (document.hidden) return;
    calendar.tick();
    if (now.progress.isDone) return;
    now.progress.seconds += 1;
    showTime();
    if (now.progress.seconds % 5 === 0) keep();
  }

  // ---------------------------------------------------------------- changes, with pictures and sounds

  /**
   * Apply an event to the puzzle: store, announce and draw the changes.
   * @param {Parameters<typeof reduce>[1]} event
   */
  function act(event) {
    const before = now.state;
    if (!before) {
      say(texts.solving.noPuzzle);
      return;
    }
    const state = reduce(before, event);
    if (state === before) return;
    now.state = state;
    if (state.isWritten && !isMaking()) sound();
    if (state.game !== before.game) after(event);
    else if (state.refused?.reason) app.announce(h("p.verdict", `${state.refused.reason}.`), state.refused.reason);
    else report();
    if (isPlaying() || state.game === before.game) draw({ hasMotion: true });
  }

  function after({ type }) {
    const { game, marked } = /** @type {NonNullable<Now["state"]>} */ (now.state);
    now.marks = {};
    now.hinted = null;
    const spoken =
      type === "restart"
        ? texts.puzzle.allTaken
        : type === "clear"
          ? fill(texts.solving.isFree, { square: name(app.board.cursor) })
          : marked === null
            ? null
            : describe(marked);
    if (isMaking()) {
      shown = { numbers: [...game.own], isMaking: true };
      making.check(app.state.board, app.state.closed, shown.numbers);
      say(spoken ?? "");
      app.update({ puzzle: shown }, { isMore: true });
      return;
    }
    if (!now.progress.isDone) now.progress.pace = noted(now.progress.pace, game.own.values(), now.progress.seconds);
    if (game.isSolved && !now.progress.isDone) {
      now.progress.isDone = true;
      chime();
      const { date, which } = daily() ?? {};
      if (date) keepDay(date, which, date < daysAfter(opened, 0));
      report();
      keep();
      isFinishing = true;
      return;
    }
    report(spoken);
    keep();
  }

  function nextNumber() {
    if (!now.state || !isPlaying()) return null;
    const { game, picked, step } = now.state;
    const next = picked === null ? null : game.next(/** @type {number} */ (game.at(picked)), step);
    return next === null || game.places.has(next) ? null : next;
  }

  /** @param {string | null} [spoken] */
  function report(spoken = null) {
    if (!now.state || isMaking()) return;
    const { game, picked } = now.state;
    if (now.progress.isDone && game.isSolved) {
      result.showSolved();
      return;
    }
    const next = nextNumber();
    let text = texts.puzzle.chooseNumber;
    if (picked !== null && next !== null)
      text = game.order.length
        ? fill(texts.puzzle.whereOn, { square: name(picked) })
        : fill(texts.puzzle.whereIs, { number: game.at(picked), square: name(picked), next });
    if (game.left === 0) text = game.order.length ? texts.puzzle.allOn : texts.puzzle.allFilled;
    // The rule is shown until the first number is written.
    const rule = game.own.size ? "" : ruleOf(game);
    const left = rule || (game.left ? fill(texts.puzzle.left, { n: game.left }) : "");
    const said = [spoken, [text, rule].filter(Boolean).join(" ")].filter(Boolean).join(". ");
    app.announce([h("p.verdict", text), h("p.soft.rule", left)], said);
  }

  /** Draw a solved puzzle as its tour: the board is the picture. */
  function solvedScene() {
    return { path: result.order(), closed: app.state.closed, isWhole: true };
  }

  const showTime = () => desk.showTime(isPlaying() ? now.progress.seconds : null);

  // Whether the puzzle was solved just now, so that a pen draws the knot.
  let isFinishing = false;

  /** hasMotion: whether the square of the last event moves. */
  function draw({ hasMotion = false } = {}) {
    const { game, picked = null, marked = null, refused = null } = now.state ?? {};
    const { board } = app.state;
    const isSolved = isPlaying() && Boolean(now.progress?.isDone && game?.isSolved);
    const isNew = isFinishing && isSolved;
    isFinishing = false;
    const next = nextNumber();
    const legal = game && picked !== null && next !== null ? game.reached(picked) : [];
    const isFirst = game && picked !== null && legal.length > 0 && !game.own.size;
    const faults = refused && game?.at(refused.square) === null ? [refused.square] : [];
    app.board.draw({
      board,
      style: isSolved ? (board.shape ? "line" : "ribbon") : "board",
      numbers: false,
      scene: {
        ...(isSolved
          ? { ...solvedScene(), isNew }
          : { diagram: game?.diagram(isMaking() ? "given" : "own", next, legal), chain: game?.moves ?? [] }),
        picked: isPlaying() && !isSolved ? picked : null,
        // An example of a knight's move.
        ell:
          isFirst && isKnight(board.leaps)
            ? clearEll(board, picked, legal, (square) => game.at(square) !== null)
            : null,
        hinted: now.hinted,
        walls: game?.walls ?? [],
        ...now.marks,
        faults: [...(now.marks.faults ?? []), ...faults],
        popped: hasMotion ? marked : null,
        refused: hasMotion ? (refused?.square ?? null) : null,
      },
    });
    const kind = questionWords(app.state);
    app.board.call(game ? fill(texts.puzzle.boardLeft, { kind, n: game.left }) : fill(texts.puzzle.board, { kind }));
    const level = isPlaying() ? (now.known?.level ?? null) : null;
    desk.show({ state: app.state, solving: now.state, level, isMaking: isMaking(), day: daily()?.date ?? null });
    desk.tools.hidden ||= isSolved;
    desk.bar.hidden ||= isSolved;
    desk.keypad.classList.toggle("is-over", isSolved);
    making.hidden = !isMaking();
    three.show(daily());
    app.lead(isSolved ? "" : desk.words.textContent);
    showTime();
  }

  function describe(square) {
    const { board } = app.state;
    const { game, picked = null } = now.state ?? {};
    if (board.holes.includes(square)) return `${name(square)}, ${texts.common.hole}`;
    if (!game) return name(square);
    const number = game.at(square);
    const place = game.order.indexOf(square) + 1;
    const parts = [
      name(square),
      ...(place ? [fill(texts.puzzle.inOrder, { n: place })] : []),
      number === null ? texts.common.free : `${number}${game.given.has(square) ? `, ${texts.puzzle.given}` : ""}`,
    ];
    const next = nextNumber();
    if (number === null && next !== null && picked !== null && game.reached(picked).includes(square))
      parts.push(fill(texts.puzzle.canBe, { number: next }));
    if (now.marks.faults?.includes(square)) parts.push(texts.puzzle.wrong);
    if (now.marks.doubtful?.includes(square)) parts.push(texts.puzzle.inDoubt);
    if (square === now.hinted) parts.push(texts.puzzle.hinted);
    return parts.join(", ");
  }

  const more = makeDrawer("more", texts.page.more, [desk.more, another.element]);
  const press = (button) => () => {
    const { disabled, hidden } = desk.buttons[button];
    if (!disabled && !hidden) desk.buttons[button].click();
  };

  const view = {
    title: texts.puzzle.title,
    lead: texts.puzzle.lead,
    // A puzzle cannot be turned, so that it is the same for all players.
    isFixed: true,
    tour: null,
    get sheet() {
      const { game } = now;
      const diagram = game?.diagram(isMaking() ? "given" : "own");
      const scene = { diagram, chain: game?.moves ?? [], walls: game?.walls ?? [] };
      return game && { title: result.title(), words: result.caption(), scene, address: address() };
    },
    choices: [three],
    drawers: [app.drawers.board, more],
    actions: [desk.bar, desk.tools],
    panel: [desk.keypad, desk.note, making],
    undo: () => act({ type: "undo" }),
    redo: () => act({ type: "redo" }),
    enter() {
      shown = undefined;
      calendar.show();
      more.body.prepend(calendar.element);
      if (isUntouched(app.state)) app.update(of(dailies(new Date())[0]), { isMore: true });
    },
    hide() {
      keep();
      leave();
      app.drawers.board.button.hidden = false;
      now.state = null;
    },
    show(changed) {
      const wasMaking = isMaking();
      // The board can be chosen only for an own puzzle.
      app.drawers.board.button.hidden = !app.state.puzzle?.isMaking;
      const isOther = shown === undefined || app.state.puzzle !== shown;
      if (isOther && wasMaking && !app.state.puzzle) {
        // With another board or kind of tour, an own puzzle keeps its valid numbers.
        const numbers = changed.has("board") ? [] : shown.numbers;
        app.update({ puzzle: { numbers, isMaking: true } });
        return;
      }
      if (isOther) {
        keep();
        load();
      }
      draw();
    },
    onsquare: hand.tap,
    ondigit: hand.type,
    get stroke() {
      return isPlaying() && !now.game?.isSolved ? hand.stroke : undefined;
    },
    describe,
    keys: {
      Backspace: hand.erase,
      Delete: hand.erase,
      u: press("undo"),
      y: press("redo"),
      r: press("restart"),
      h: press("hint"),
      f: press("check"),
    },
    help: texts.puzzle.keys,
  };
  return view;
}
