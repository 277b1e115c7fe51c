// Puzzle: fill in the numbers of a tour that follow from those that are given; or make such a puzzle.

import * as api from "../api.js";
import { boardWords, makeBoard, sameBoard, squareName } from "../model/board.js";
import { capital, h, icon, iconButton, plural, say, segmented, sentence } from "../dom.js";
import { copied, makeMaking } from "../panels/making.js";
import { keepDay, keepGame, keptGame, streak } from "../model/kept.js";
import { encodeState } from "../model/link.js";
import { clock, Game, puzzleOfDay, tenths } from "../model/puzzle.js";
import { makeNewPuzzle } from "../panels/newpuzzle.js";

// Digits typed within this time make one number.
const TYPING_MS = 1500;

/** Whether nobody has asked for anything yet: only then another board may take the place of this one. */
const isUntouched = ({ board, closed, start, end, conditions, played, puzzle }) =>
  sameBoard(board, makeBoard()) && closed && [start, end, conditions, played, puzzle].every((each) => each === null);

export function makePuzzleView(app) {
  // The puzzle that is shown, the game on it, and what is known of it: {asked, level, solution: Map square -> number}.
  let shown;
  let game = null;
  let known = null;
  let progress = null;
  let key = "";
  let controller = null;
  // The square that the next number goes on from, and whether numbers count up or down from it.
  let picked = null;
  let step = 1;
  let marks = {};
  let hinted = null;
  let typed = { square: null, text: "", at: 0 };
  let ticking = 0;
  let hasTimer = true;

  const isMaking = () => Boolean(shown?.isMaking);
  const isPlaying = () => game !== null && !isMaking();
  const name = (square) => squareName(app.state.board, square);
  const link = (puzzle = app.state.puzzle) => {
    const { board, closed } = app.state;
    return encodeState({ board, closed, view: "puzzle", puzzle });
  };
  const address = (puzzle) => `${location.origin}${location.pathname}#${link(puzzle)}`;

  // ---------------------------------------------------------------- buttons and fields

  const undo = iconButton("undo", "Undo", () => after(game.undo()[0]));
  const redo = iconButton("redo", "Redo", () => after(game.redo()[0]));
  const erase = iconButton("erase", "Erase", () => clear());
  const restart = iconButton("first", "Restart", () => {
    game.restart();
    picked = null;
    after(null, "All your numbers are taken away. Undo brings them back");
  });
  const direction = segmented(
    "Count",
    [
      ["1", "Up", "Each click writes the next number"],
      ["-1", "Down", "Each click writes the number before"],
    ],
    "1",
    (value) => turn(Number(value)),
    { isHidden: true },
  );
  const check = h(
    "button",
    { type: "button", "aria-label": "Check for mistakes", onclick: () => showMistakes() },
    icon("check"),
    "Check",
  );
  const hint = h("button", { type: "button", onclick: () => askHint() }, icon("help"), "Hint");
  const time = h("output.count", { "aria-label": "Time" });
  const tools = h(
    "div.tools",
    { role: "group", "aria-label": "Game" },
    h("div.tools", {}, undo, redo, erase, restart),
    direction,
    h("div.tools", {}, check, hint, time),
  );
  const words = h("p.words");
  const days = h("p.soft.small");
  const timer = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      hasTimer = timer.checked;
      showTime();
    },
  });
  const timerLabel = h("label.check", {}, timer, h("span", {}, "Show the time"));
  const print = h("button", { type: "button", onclick: () => window.print() }, icon("print"), "Print");
  const share = h("button", { type: "button", onclick: () => shareIt() }, icon("link"), "Share");
  const note = h("div", { role: "status" });
  const about = h(
    "section.section.flat",
    { "aria-label": "Puzzle" },
    h("h2", {}, "Puzzle"),
    words,
    days,
    timerLabel,
    h("div.buttons", {}, share, print),
    note,
  );
  const making = makeMaking({
    onanswer(words, doubtful) {
      marks = { doubtful };
      app.announce(h("p.verdict", {}, `${words}.`));
      draw();
    },
    onplay: () => app.update({ puzzle: { numbers: shown.numbers } }),
    link: () => address({ numbers: shown.numbers }),
  });

  // ---------------------------------------------------------------- which puzzle

  const isToday = () => {
    const { board, closed, puzzle } = puzzleOfDay(new Date());
    return sameBoard(board, app.state.board) && closed === app.state.closed && link(puzzle) === link();
  };

  async function load() {
    leave();
    shown = app.state.puzzle;
    [game, known, picked, hinted, marks] = [null, null, null, null, {}];
    note.replaceChildren();
    const { board, closed } = app.state;
    if (!shown) {
      const invitation = `Choose the puzzle of the day, or a new one of this ${boardWords(board)}.`;
      app.announce(h("p.verdict", {}, invitation));
      return;
    }
    if (isMaking()) {
      game = new Game(board, closed, new Map(), shown.numbers);
      making.check(board, closed, shown.numbers);
      return;
    }
    controller = new AbortController();
    const mine = controller;
    app.announce(h("p.soft", {}, h("span.spinner"), "Making the puzzle …"));
    try {
      const found = await (shown.numbers ? api.givenPuzzle : api.puzzle)(app.state, mine.signal);
      if (mine === controller) begin(found);
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) app.complain(error);
    }
  }

  function begin({ asked, level: found, solution }) {
    const { board, closed } = app.state;
    known = { asked, level: found, solution: new Map(solution.flat().map((number, square) => [square, number])) };
    key = link();
    progress = keptGame(key);
    const given = new Map();
    for (const square of known.solution.keys()) {
      if (name(square) in asked.given) given.set(square, asked.given[name(square)]);
    }
    game = new Game(
      board,
      closed,
      given,
      progress.own.filter(([square]) => !given.has(square)),
    );
    ticking = setInterval(tick, 1000);
    report();
    draw();
  }

  /** Keep the game, and stop what was asked. */
  function leave() {
    clearInterval(ticking);
    controller?.abort();
    controller = null;
    making.cancel();
  }

  function keep() {
    if (isPlaying()) keepGame(key, { ...progress, own: [...game.own] });
  }

  function tick() {
    if (document.hidden || progress.isDone) return;
    progress.seconds += 1;
    showTime();
    if (progress.seconds % 5 === 0) keep();
  }

  // ---------------------------------------------------------------- filling in

  /** A square was chosen, by click or Enter. */
  function choose(square) {
    if (!game) return say("There is no puzzle yet");
    typed.square = null;
    if (app.state.board.holes.includes(square)) return say(`${name(square)} is a hole`);
    if (isMaking()) return toggle(square);
    if (game.at(square) !== null) return pick(square);
    if (picked === null) return say("Choose a number to go on from first");
    const number = game.next(game.at(picked), step);
    if (number === null) return say(`No number comes ${step > 0 ? "after" : "before"} ${game.at(picked)}`);
    if (!game.reached(picked).includes(square)) return refuse(`No move leads from ${name(picked)} to ${name(square)}`);
    return write(square, number);
  }

  /** Say why nothing is written, to those who see, too. */
  function refuse(reason) {
    app.announce(h("p.verdict", {}, `${reason}.`), reason);
    draw();
  }

  /** In a puzzle that is being made a click writes the next number, or takes one away. */
  function toggle(square) {
    const number = game.at(square);
    const last = picked === null ? 0 : (game.at(picked) ?? 0);
    const next = number === null ? game.missing(last + 1) : null;
    game.write(square, next);
    after(square);
  }

  function pick(square) {
    picked = game.follow(square, step);
    report();
    draw();
  }

  /** A drag came over a square: it is filled in if a move leads there, and passed over if not. */
  function dragOver(square) {
    const number = picked === null ? null : game.next(game.at(picked), step);
    if (number !== null && game.at(square) === null && game.reached(picked).includes(square)) write(square, number);
  }

  function turn(way) {
    step = way;
    if (picked === null) return;
    pick(picked);
  }

  function write(square, number, isMore = false) {
    const reason = game.why(square, number);
    if (reason) return refuse(reason);
    game.write(square, number, isMore);
    return after(square);
  }

  function clear(square = app.board.cursor) {
    if (!game) return;
    typed.square = null;
    if (game.given.has(square)) {
      refuse(`${game.given.get(square)} on ${name(square)} is given`);
      return;
    }
    const number = game.own.get(square);
    if (number === undefined) {
      say(`There is no number on ${name(square)}`);
      return;
    }
    game.write(square, null);
    if (picked === square) picked = game.places.get(game.next(number, -step)) ?? null;
    after(null, `${name(square)} is free`);
  }

  /** A digit was typed: several on one square, in quick succession, are one number. */
  function type(digit) {
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

  /** Something changed: keep it, say it, draw it. `square` is where it goes on from. */
  function after(square, spoken = null) {
    marks = {};
    hinted = null;
    if (isMaking()) {
      if (square !== null && square !== undefined) picked = game.at(square) === null ? picked : square;
      shown = { numbers: [...game.own], isMaking: true };
      making.check(app.state.board, app.state.closed, shown.numbers);
      say(spoken ?? (square === undefined || square === null ? "" : describe(square)));
      app.update({ puzzle: shown }, { isMore: true });
      return;
    }
    if (square !== null && square !== undefined) picked = game.at(square) === null ? null : game.follow(square, step);
    if (picked !== null && game.at(picked) === null) picked = null;
    if (game.isSolved && !progress.isDone) finish();
    else report(spoken ?? (square === null || square === undefined ? null : describe(square)));
    keep();
    draw();
  }

  // ---------------------------------------------------------------- help

  function showMistakes() {
    const wrong = [...game.own.keys()].filter((square) => known.solution.get(square) !== game.own.get(square));
    for (const square of wrong) progress.helped.set(square, "mistake");
    marks = { faults: wrong };
    hinted = null;
    const does = wrong.length === 1 ? "does" : "do";
    const text = wrong.length
      ? `${plural(wrong.length, "number")} ${does} not belong there: ${wrong.map(name).join(", ")}.`
      : "No mistakes so far.";
    app.announce(h(`p.verdict${wrong.length ? ".no" : ".good"}`, {}, text), text);
    keep();
    draw();
  }

  async function askHint() {
    controller?.abort();
    controller = new AbortController();
    const mine = controller;
    const filled = Object.fromEntries([...game.own].map(([square, number]) => [name(square), number]));
    app.announce(h("p.soft", {}, h("span.spinner"), "Looking for the easiest step …"));
    try {
      const { hint: found } = await api.hint(known.asked, filled, mine.signal);
      if (mine === controller && found) showHint(found);
    } catch (error) {
      if (mine === controller && !api.isAborted(error)) app.complain(error);
    }
  }

  function showHint({ square: [r, c], number, kind, reason }) {
    const square = r * app.state.board.cols + c;
    if (!progress.helped.has(square) || kind === "mistake") progress.hints += 1;
    progress.helped.set(square, kind === "mistake" ? "mistake" : "hint");
    hinted = square;
    marks = kind === "mistake" ? { faults: [square] } : {};
    const take = () => {
      app.board.element.focus();
      app.board.cursor = square;
      if (number === null) clear(square);
      else write(square, number);
    };
    const button = h("button", { type: "button", onclick: take }, number === null ? "Take it away" : "Put it there");
    const lead = number === null ? "" : `${number} belongs on ${name(square)}. `;
    const text = `${lead}${sentence(reason)}`;
    app.announce([h("p.words", {}, text), h("p", {}, button)], text);
    keep();
    draw();
  }

  // ---------------------------------------------------------------- done

  function finish() {
    progress.isDone = true;
    if (isToday()) keepDay(new Date());
    report();
  }

  function showSolved() {
    picked = null;
    const text = `Solved in ${clock(progress.seconds)} with ${plural(progress.hints, "hint")}!`;
    const look = h("button", { type: "button", onclick: lookAtTour }, icon("find"), "Look at the tour");
    const squares = h("p.row-of-squares", { "aria-hidden": "true" }, row());
    app.announce([h("p.verdict.good", {}, text), squares, h("div.buttons", {}, look)], text);
  }

  /** The tour that was found, in the view that turns it, saves it and knows its facts. */
  function lookAtTour() {
    const numbered = [...known.solution].filter(([, number]) => number > 0).sort((a, b) => a[1] - b[1]);
    app.update({ view: "find", tour: numbered.map(([square]) => square), start: null, end: null, conditions: null });
  }

  const row = () => tenths(game.own, progress.helped);

  async function shareIt() {
    const text = progress?.isDone
      ? `${title()}: solved in ${clock(progress.seconds)}, ${plural(progress.hints, "hint")}\n${row()}\n${address()}`
      : `${title()}\n${address()}`;
    const how = await copied(text, progress?.isDone ? "Your result" : "The link");
    note.replaceChildren(h("p.soft", {}, how), h("pre.address", {}, text));
  }

  function title() {
    const { board, closed } = app.state;
    const which = isToday() ? "Knight’s puzzle of the day" : "Knight’s puzzle";
    return `${which}, ${boardWords(board)}, ${closed ? "closed" : "open"}, ${known.level}`;
  }

  // ---------------------------------------------------------------- what is seen and heard

  function report(spoken = null) {
    if (!game || isMaking()) return;
    if (progress.isDone && game.isSolved) {
      showSolved();
      return;
    }
    const next = picked === null ? null : game.next(game.at(picked), step);
    let text = "Choose a number to go on from.";
    if (picked !== null && next !== null) text = `${game.at(picked)} is on ${name(picked)}: where is ${next}?`;
    if (game.left === 0) text = "All squares are filled in, but not each number is a move from the next.";
    const left = game.left ? `${plural(game.left, "square")} left` : "";
    app.announce([h("p.verdict", {}, text), h("p.soft", {}, left)], [spoken, text].filter(Boolean).join(". "));
  }

  function showTime() {
    time.hidden = !hasTimer || !isPlaying();
    if (progress) time.textContent = clock(progress.seconds);
  }

  function draw() {
    const { board, closed } = app.state;
    const canGoOn = isPlaying() && picked !== null && game.next(game.at(picked), step) !== null;
    app.board.draw({
      board,
      style: "board",
      numbers: false,
      scene: {
        diagram: game?.diagram(isMaking() ? "given" : "own"),
        chain: game?.moves ?? [],
        picked: isPlaying() ? picked : null,
        legal: canGoOn ? game.reached(picked) : [],
        hinted,
        ...marks,
      },
    });
    const kind = `${boardWords(board)}, ${closed ? "closed" : "open"}`;
    app.board.call(game ? `Puzzle, ${kind}, ${plural(game.left, "square")} left` : `Puzzle, ${kind}`);
    undo.disabled = !game?.canUndo;
    redo.disabled = !game?.canRedo;
    erase.disabled = restart.disabled = !game?.own.size;
    tools.hidden = about.hidden = !app.state.puzzle;
    direction.hidden = isMaking();
    for (const button of [check, hint]) {
      button.hidden = isMaking();
      button.disabled = !isPlaying() || (game.left === 0 && button === hint);
    }
    share.disabled = !isPlaying();
    making.hidden = !isMaking();
    share.hidden = timerLabel.hidden = isMaking();
    print.disabled = !game;
    const given = isPlaying() ? ` ${capital(known.level)}, ${game.given.size} of ${game.count} numbers are given.` : "";
    words.textContent = `${isToday() ? "The puzzle of the day: " : ""}${kind}.${given}`;
    const length = streak(new Date());
    days.textContent = length ? `${plural(length, "day")} in a row solved.` : "";
    days.hidden = !length;
    showTime();
  }

  function describe(square) {
    const { board } = app.state;
    if (board.holes.includes(square)) return `${name(square)}, hole`;
    if (!game) return name(square);
    const number = game.at(square);
    const parts = [name(square), number === null ? "free" : `${number}${game.given.has(square) ? ", given" : ""}`];
    const next = isPlaying() && picked !== null ? game.next(game.at(picked), step) : null;
    if (number === null && next !== null && game.reached(picked).includes(square)) parts.push(`can be ${next}`);
    if (marks.faults?.includes(square)) parts.push("does not belong there");
    if (marks.doubtful?.includes(square)) parts.push("in doubt");
    if (square === hinted) parts.push("hint");
    return parts.join(", ");
  }

  const press = (button) => () => !button.disabled && !button.hidden && button.click();

  return {
    title: "Puzzle",
    lead: "Fill in the numbers: each next one is a knight’s move away.",
    icon: "puzzle",
    // A puzzle is the same for everybody as it lies there.
    isFixed: true,
    tour: null,
    transport: [tools],
    panel: [
      about,
      making,
      makeNewPuzzle((patch) => app.update({ start: null, end: null, conditions: null, tour: null, ...patch })),
      app.setup,
    ],
    undo: () => game && after(game.undo()[0]),
    redo: () => game && after(game.redo()[0]),
    enter() {
      shown = undefined;
      if (isUntouched(app.state)) app.update(puzzleOfDay(new Date()), { isMore: true });
    },
    hide() {
      keep();
      leave();
      game = null;
    },
    show(changed) {
      const wasMaking = isMaking();
      const isOther = shown === undefined || app.state.puzzle !== shown;
      if (isOther && wasMaking && !app.state.puzzle) {
        // Another board, or the other kind of tour: one's own puzzle begins with the numbers that can stay.
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
    onsquare: choose,
    ondigit: type,
    // A finger that moves over other numbers scrolls the page.
    canDrag: (square, isTouch) => isPlaying() && (isTouch ? square === picked : game.at(square) !== null),
    onpick: pick,
    onover: dragOver,
    describe,
    keys: {
      Backspace: () => clear(),
      Delete: () => clear(),
      u: press(undo),
      y: press(redo),
      r: press(restart),
      h: press(hint),
      f: press(check),
      d: () => {
        direction.choose(String(-step));
        say(step > 0 ? "Counting down" : "Counting up");
        turn(-step);
      },
    },
    help: {
      "0 – 9": "write a number where the cursor is (here they do not choose views)",
      "Backspace, Delete": "take a number away",
      "u, y": "undo, redo",
      r: "restart",
      d: "count up or down",
      f: "check: are there mistakes?",
      h: "hint",
    },
  };
}
