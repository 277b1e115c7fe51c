// Play: lead the knight by hand.

import { degree, squareCount, squareName } from "../../model/board.js";
import { h, icon, say, sentence } from "../../dom.js";
import { makeDrawer } from "../../panels/drawers.js";
import { keepRecord, keepRound, keptRound } from "../../model/kept.js";
import { freshRound, levelOf, LEVELS, MAX_STARS, recordKey, starSigns, starsOf } from "../../model/levels.js";
import { linkTo } from "../../panels/share.js";
import { encodeState } from "../../model/link.js";
import { isLeap, reduce, start, ways } from "../../model/playing.js";
import { clock } from "../../model/puzzle.js";
import { QUESTION } from "../../model/state.js";
import { isClosed } from "../../model/tour.js";
import { questionWords } from "../../model/words.js";
import { answerOf } from "../../panels/answer.js";
import { beatFigure, beatWords, makeFinish, prepareNumbers } from "../../panels/finish.js";
import { makeExistence } from "../../panels/existence.js";
import { makeForesight } from "./foresight.js";
import { makeLevels, starsShown } from "./levels.js";
import { makeTally } from "./tally.js";
import { goalWords, isWon, startWords, verdictOf } from "./words.js";
import { fill, texts } from "../../language.js";

export function makePlayView(app) {
  let game = start(app.state, app.state.played ?? []);
  // The path of the player's moves. Turning the board, or a link, replaces it.
  /** @type {number[] | null} */
  let led = null;
  // Whether the view was just entered: a new path then comes from a link, not from turning the board.
  let isEntered = false;
  let hasHints = false;
  // Whether the tour was finished just now, so that a pen draws the knot.
  let isFinishing = false;
  // Whether the won game was the best so far.
  let isRecord = false;

  /** @returns {number[]} */
  const path = () => app.state.played ?? [];
  const legal = () => ways(game);
  const isFull = () => path().length === squareCount(app.state.board);

  const undo = h("button", { onclick: takeBack }, icon("undo"), texts.common.undo);
  const redo = h("button", { onclick: goOn }, icon("redo"), texts.common.redo);
  const restartWords = h("span");
  const restart = h("button", { onclick: restartGame }, icon("first"), restartWords);
  const hints = h("input", {
    type: "checkbox",
    onchange: () => {
      hasHints = hints.checked;
      if (hasHints && path().length) noteHelp();
      draw();
    },
  });
  const tally = makeTally(() => act({ type: "second" }));
  const levels = makeLevels(choose);
  const finish = makeFinish(app, path, () => levels.show(app.state));
  const foresight = makeForesight({
    place: () => ({ state: app.state, order: path() }),
    onleap: (order) => act({ type: "leap", path: order, round: { ...game.round, isWhole: false } }),
    onback: (order) => act({ type: "leap", path: order, round: { ...game.round, undos: game.round.undos + 1 } }),
    onhelp: noteHelp,
  });

  const helps = makeDrawer("helps", texts.play.help, [
    h("label.check", hints, h("span", texts.play.hints)),
    tally.choice,
  ]);
  const existence = makeExistence(() => path().length || report());

  // ---------------------------------------------------------------- counts

  const roundKey = () => {
    const { board, closed, start, end } = app.state;
    return JSON.stringify([board, closed, start, end, path()]);
  };

  function noteHelp() {
    act({ type: "help" });
  }

  /** Store the record of a won game if the player made all moves. */
  function keepIt() {
    const { round } = game;
    if (round.isWhole) isRecord = keepRecord(recordKey(app.state), { stars: starsOf(round), seconds: timeOf(round) });
    levels.show(app.state);
  }

  /** The time of a won game: a link cannot contain 0 seconds. */
  const timeOf = ({ seconds }) => Math.max(1, seconds);

  function choose({ board, closed }) {
    app.update({ board, closed, start: null, end: null });
    app.reveal(null);
    app.board.element.focus({ preventScroll: true });
  }

  // ---------------------------------------------------------------- moves

  /**
   * Apply an event to the game: show the changes, and store the counts.
   * @param {Parameters<typeof reduce>[1]} event
   */
  function act(event) {
    const before = game;
    game = reduce(game, { isHelped: hasHints, ...event });
    if (game.path !== before.path) {
      set(game.path);
      return;
    }
    if (game.round !== before.round) keepRound(roundKey(), game.round);
    if (event.type === "second") {
      tally.show({ round: game.round });
      return;
    }
    const { refused } = game;
    if (refused) app.announce(h("p.verdict.no", sentence(refused.reason)), refused.reason);
    if (refused || before.refused || event.type === "restart") draw(refused !== null);
  }

  function restartGame() {
    const isStarted = path().length > 0;
    act({ type: "restart" });
    if (isStarted) say(texts.play.restarted);
  }

  function set(order) {
    foresight.forget();
    led = order.length ? order : null;
    const isDone = isWon(app.state, order);
    isFinishing = isDone;
    app.update({ played: led });
    if (led) prepareNumbers(app.state);
    isRecord = false;
    if (isDone) {
      app.update({ tour: order });
      keepIt();
    }
    finish.forget();
    keepRound(roundKey(), game.round);
    report();
    if (order.length && !isFull() && !legal()?.length) foresight.lookBack();
  }

  function takeBack() {
    act({ type: "undo" });
  }

  function goOn() {
    act({ type: "redo" });
  }

  /** Continue with a path from elsewhere: the same game on a turned board, or the path of a link. */
  function takeUp() {
    const isTurned = !isEntered && led !== null && led.length === path().length;
    const counted = path().length ? keptRound(roundKey()) : freshRound();
    const round = isTurned ? game.round : (counted ?? { ...freshRound(), isWhole: false });
    led = app.state.played;
    game = start(app.state, path(), round);
  }

  function cycle(by) {
    const options = legal() ?? [];
    if (!options.length) return;
    const at = options.indexOf(app.board.cursor);
    app.board.element.focus();
    app.board.moveCursor(options[at < 0 ? 0 : (at + by + options.length) % options.length]);
  }

  /** hasMotion: whether a rejected square shakes. */
  function draw(hasMotion = false) {
    const { board, style, numbers, start, end, closed } = app.state;
    const order = path();
    const visited = new Set(order);
    const options = legal() ?? [];
    const isWhole = isFull();
    const isLoop = isWhole && isClosed(board, order);
    const isShown = isWhole && (!closed || isLoop);
    const isDone = isWon(app.state, order);
    app.board.draw({
      board,
      // A won tour becomes a knot; on boards of cells it stays a line.
      style: isDone && style === "board" ? (board.shape ? "line" : "ribbon") : style,
      numbers: numbers && !isDone,
      scene: {
        path: order,
        closed: isLoop,
        isWhole: isShown,
        isNew: isFinishing,
        legal: options,
        candidates: hasHints && order.length ? new Map(options.map((s) => [s, degree(board, s, visited)])) : null,
        isShaded: !isShown,
        isSliding: true,
        knight: order.length && !isShown ? order[order.length - 1] : null,
        start: isDone ? null : order.length ? order[0] : start,
        end: isDone ? null : end,
        faults: game.refused ? [game.refused.square] : [],
        refused: hasMotion ? (game.refused?.square ?? null) : null,
      },
    });
    app.board.call(
      order.length
        ? fill(texts.play.boardKnight, {
            n: squareCount(board),
            visited: order.length,
            square: squareName(board, order[order.length - 1]),
          })
        : fill(texts.play.board, { n: squareCount(board), visited: 0 }),
    );
    undo.hidden = redo.hidden = isDone;
    restartWords.textContent = isDone ? texts.play.again : texts.common.restart;
    undo.disabled = !order.length && !isLeap(game);
    redo.disabled = !game.undone.length;
    restart.disabled = !order.length && !game.round.undos;
    foresight.allow(order.length > 0 && !isWhole, isDone);
    const left = squareCount(board) - order.length;
    tally.show({ round: game.round, left, isRunning: order.length > 0 && !isDone, isDone });
  }

  function report() {
    const order = path();
    const goal = goalWords(app.state, order);
    app.lead(isWon(app.state, order) ? "" : `${beatWords(app.state.beat)}${view.lead} ${goal}`);
    if (!order.length) {
      const refutation = existence.refutation(app.state);
      if (refutation) app.announce(...answerOf(refutation, app.state));
      else app.announce(h("p.verdict", startWords(app.state)), `${startWords(app.state)} ${goal}`);
      return;
    }
    const [words, kind] = verdictOf(app.state, order, legal()?.length ?? 0);
    const here = squareName(app.state.board, order[order.length - 1]);
    const isCounted = isWon(app.state, order) && game.round.isWhole;
    const spoken = isCounted ? ` ${fill(texts.play.stars, { stars: starsOf(game.round), most: MAX_STARS })}.` : "";
    const parts = isWon(app.state, order) ? finish.parts(finished(words)) : [h(`p.verdict${kind}`, words)];
    app.announce(parts, `${here}. ${words}${spoken}`);
  }

  /** The card of a won game: counts, if the player made all moves; the next level. */
  function finished(verdict) {
    const { round } = game;
    const { board, closed } = app.state;
    const seconds = timeOf(round);
    const time = clock(seconds);
    const stars = starsOf(round);
    const level = levelOf(app.state);
    const next = level < 0 ? null : LEVELS[level + 1];
    const how = round.isWhole ? { view: "play", beat: seconds } : { tour: path() };
    const link = linkTo(encodeState({ board, closed, ...how }));
    const title = [texts.finish.name, questionWords(app.state)];
    /** @type {[string | Node, string][]} */
    const figures = [
      [starsShown(stars), isRecord ? texts.play.best : texts.finish.stars],
      [time, texts.finish.time],
      [String(round.undos), fill(texts.finish.undos, { n: round.undos })],
      ...beatFigure(app.state.beat, seconds),
    ];
    return {
      verdict,
      figures: round.isWhole ? figures : [],
      lines: (number) => [
        [...title, ...(round.isWhole ? [time, starSigns(stars)] : [])].join(" · "),
        ...(number ? [number] : []),
        link,
      ],
      sent: () => ({
        title: title.join(" · "),
        line: round.isWhole ? `${time} · ${starSigns(stars)}` : "",
        address: link,
      }),
      isOwn: round.isWhole,
      copied: texts.save.copied,
      next:
        next &&
        h("button", { onclick: () => choose(next) }, fill(texts.play.next, { level: texts.game.names[next.name] })),
    };
  }

  const view = {
    title: texts.play.title,
    lead: texts.play.lead,
    /** Only a finished game is a tour. */
    get tour() {
      const { board, closed } = app.state;
      return isFull() && (!closed || isClosed(board, path())) ? path() : null;
    },
    get sheet() {
      const { start, end } = app.state;
      if (view.tour) return undefined;
      const [order, { address }] = [path(), app];
      const scene = { path: order, start: order[0] ?? start, end };
      return { title: questionWords(app.state), words: `${view.lead} ${goalWords(app.state, order)}`, scene, address };
    },
    drawers: [makeDrawer("levels", texts.game.levels, [levels]), app.drawers.board, helps, app.drawers.look],
    actions: [
      h("div.row", { role: "group", "aria-label": texts.play.game }, undo, redo, restart),
      ...foresight.actions,
    ],
    panel: [foresight.answers, tally.element, app.facts],
    enter() {
      isEntered = true;
      // The request whether a game can be finished has no conditions.
      if (app.state.conditions) app.update({ conditions: null, tour: app.state.tour }, { isMore: true });
    },
    hide() {
      foresight.forget();
      finish.forget();
      existence.stop();
      tally.stop();
      game = { ...game, refused: null };
    },
    undo: takeBack,
    redo: goOn,
    show(changed) {
      const isAnother = changed.has("played") && app.state.played !== led;
      if (isAnother || changed.has("board")) {
        finish.forget();
        takeUp();
      } else if (changed.has("start")) game = { ...game, asked: { ...game.asked, start: app.state.start } };
      const isOther = isAnother || QUESTION.some((key) => changed.has(key));
      if (isOther) {
        foresight.forget();
        report();
      }
      isEntered = false;
      levels.show(app.state);
      draw();
    },
    onsquare: (square) => act({ type: "tap", square }),
    stroke: {
      begin: (square) => act({ type: "begin", square }),
      over: (square) => act({ type: "over", square }),
      end: (square) => act({ type: "end", square }),
      from: () => path()[path().length - 1] ?? null,
    },
    describe(square) {
      const { board } = app.state;
      const order = path();
      const words = [squareName(board, square)];
      const step = order.indexOf(square);
      const options = legal();
      if (board.holes.includes(square)) words.push(texts.common.hole);
      else if (step === order.length - 1 && step >= 0) words.push(texts.play.theKnight);
      else if (step >= 0) words.push(fill(texts.play.visited, { n: step + 1 }));
      else if (!options || options.includes(square)) {
        words.push(texts.play.canBeVisited);
        if (hasHints) words.push(fill(texts.play.waysOn, { n: degree(board, square, new Set(order)) }));
      } else words.push(texts.common.free);
      return words.join(", ");
    },
    keys: {
      u: takeBack,
      Backspace: takeBack,
      y: goOn,
      r: restartGame,
      h: () => {
        hints.click();
        say(hasHints ? texts.play.hintsOn : texts.play.hintsOff);
      },
      f: () => foresight.ask(),
      n: () => cycle(1),
      p: () => cycle(-1),
    },
    help: texts.play.keys,
  };
  return view;
}
