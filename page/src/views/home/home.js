// Home: the chess board with a tour that a knight walks, one sentence, and three ways on.

import * as api from "../../api.js";
import { h, icon, isCalm } from "../../dom.js";
import { latest } from "../../latest.js";
import { linkTo, makeShare } from "../../panels/share.js";
import { makeBoard, sameBoard } from "../../model/board.js";
import { keptGame, solvedOn, streak } from "../../model/kept.js";
import { decodePath, encodeState } from "../../model/link.js";
import { dailies } from "../../model/daily.js";
import { clock } from "../../model/puzzle.js";
import { fromPairs, isClosed } from "../../model/tour.js";
import { makeReplay } from "../../panels/replay.js";
import { grouped } from "../../numbers.js";
import { boardWords } from "../../model/words.js";
import { fill, texts } from "../../language.js";

// A tour to begin with, as links write it, so that nobody waits for one. It is the same after a half turn. And how many
// closed tours there are (docs/counting.md).
const FIRST = "IiVA4_ugPWLQS";
const CLOSED_TOURS = 13_267_364_410_532;
const SECONDS = 10;

export function makeHomeView(app) {
  const replay = makeReplay(app, () => draw());
  const share = makeShare(() => {
    const { board, closed, tour } = app.state;
    return linkTo(encodeState({ board, closed, tour }));
  });
  const another = h("button.quiet", { onclick: ask }, icon("dice"), texts.find.another);
  const puzzleNote = h("small");
  const way = (kind, href, title, note) =>
    h(`a.way${kind}`, { href }, title, typeof note === "string" ? h("small", note) : note);
  const sentence = h("p.sentence");
  const puzzleWay = way(".primary", "#puzzle", texts.home.puzzle, puzzleNote);
  const panel = [
    h("h2.headline", texts.home.title),
    sentence,
    h(
      "div.ways-to",
      puzzleWay,
      way("", "#play", texts.page.places.play, texts.home.playNote),
      way("", "#8&c=1", texts.page.places.explore, texts.home.exploreNote),
    ),
    h("div.row", another, replay.button, share.button),
    share.note,
  ];

  const answer = latest({
    busy: (isBusy) => app.wait(isBusy),
    failed: (error) => app.complain(error),
  });

  function ask() {
    share.forget();
    answer(
      (signal) => api.solve(app.state, { ...api.byChance(app.state.board), seconds: SECONDS }, signal),
      (result) => {
        if (!result.squares) return;
        app.update({ tour: fromPairs(app.state.board, result.squares), result }, { isStep: true });
        app.announce(null);
        walk();
      },
    );
  }

  const walk = () => !isCalm() && app.board.walk();

  const draw = () => replay.draw() || app.drawTour();

  function tellPuzzle() {
    const now = new Date();
    const three = dailies(now);
    const solved = solvedOn(now);
    const days = streak(now);
    const open = three.find((_, which) => !solved.includes(which));
    const words = open && [boardWords(open.board), texts.puzzle.levels[open.puzzle.level ?? "zip"]].join(", ");
    const last = solved.length ? keptGame(three[solved[solved.length - 1]].link) : null;
    const time = last?.isDone ? fill(texts.finish.solved, { time: clock(last.seconds) }) : texts.home.solved;
    const state = open
      ? fill(texts.home.open, { which: open.name, name: texts.daily.names[open.name] })
      : texts.home.all;
    puzzleWay.href = `#${(open ?? three[0]).link}`;
    puzzleNote.textContent = [
      solved.length ? `${time}: ${state}` : words,
      ...(days ? [fill(texts.home.streak, { n: days })] : []),
    ].join(" · ");
  }

  return {
    title: texts.page.name,
    lead: "",
    transport: [replay.element],
    panel,
    drawers: [],
    enter() {
      tellPuzzle();
      const { board, closed, tour } = app.state;
      const chess = makeBoard();
      sentence.textContent = fill(texts.home.sentence, { n: grouped(CLOSED_TOURS) });
      if (tour && closed && sameBoard(board, chess) && isClosed(board, tour)) return;
      app.update(
        { board: chess, closed: true, start: null, end: null, tour: decodePath(chess, FIRST) },
        { isMore: true },
      );
    },
    entered: walk,
    hide() {
      answer.forget();
      replay.end();
      share.forget();
    },
    show() {
      replay.show();
      draw();
    },
    // A game that is going on is not thrown away.
    onsquare: (square) => {
      app.update({ view: "play" });
      if (!app.state.played) app.update({ board: makeBoard(), closed: true, start: null, end: null, played: [square] });
    },
    get keys() {
      return { n: ask, ...replay.keys };
    },
    get help() {
      return [...texts.find.keys, ...replay.help];
    },
  };
}
