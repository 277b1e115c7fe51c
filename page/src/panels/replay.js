// Replay: the knight walks the current tour, with the buttons of a player. For every view with one tour.

import { h, icon, isCalm, say } from "../dom.js";
import { squareName } from "../model/board.js";
import { retrace } from "./player.js";
import { fill, texts } from "../language.js";

// Slow enough to follow; on large boards the replay ends within about this time.
const SLOWEST = 3;
const LONGEST_S = 40;

/** onchange(): the replay began or ended; the view is drawn again. */
export function makeReplay(app, onchange) {
  /** @type {ReturnType<typeof retrace> | null} */
  let player = null;
  /** @type {number[]} */
  let tour = [];

  const element = h("div.replay", { hidden: true });
  const label = h("span", texts.replay.begin);
  const button = h("button.quiet", { hidden: true, onclick: () => toggle() }, icon("play"), label);

  /** @param {number[]} order */
  function begin(order) {
    const { board } = app.state;
    tour = order;
    const mine = retrace(
      { board, order: tour },
      {
        isSeen: () => player === mine,
        onscene: drawScene,
        onseek: (step) => say(wordsOf(step)),
        onend: () => say(texts.replay.complete),
        speed: Math.max(SLOWEST, tour.length / LONGEST_S),
      },
    );
    player = mine;
    element.replaceChildren(...mine.elements);
    tell();
    onchange();
    mine.focus();
    // With reduced motion the replay waits at the beginning.
    if (isCalm()) say(texts.replay.waiting);
    else mine.toggle(true);
  }

  function end() {
    if (!player) return;
    const hadFocus = element.contains(document.activeElement);
    player.toggle(false);
    player = null;
    tell();
    if (hadFocus && !button.hidden) button.focus();
    element.replaceChildren();
  }

  function toggle() {
    if (player) {
      end();
      onchange();
    } else if (app.state.tour) begin(app.state.tour);
  }

  function tell() {
    const isOn = player !== null;
    element.hidden = !isOn;
    label.textContent = isOn ? texts.replay.end : texts.replay.begin;
    button.querySelector("use").setAttribute("href", `#i-${isOn ? "close" : "play"}`);
    document.body.classList.toggle("is-replaying", isOn);
  }

  const wordsOf = (step) =>
    `${fill(texts.common.step, { step, last: player?.last ?? 0 })}: ${squareName(app.state.board, tour[step % tour.length])}`;

  function drawScene(scene, step) {
    const { board, style, numbers } = app.state;
    app.board.draw({ board, scene, style, numbers });
    app.board.call(`${app.description()}. ${wordsOf(step)}`);
  }

  return {
    element,
    button,
    end,
    /** Update the replay after a change of the state: another tour ends it. */
    show() {
      const { tour: shown } = app.state;
      if (player && shown !== tour) end();
      button.hidden = !shown;
    },
    /** Draw the current step if the replay is on. Return whether it is on. */
    draw() {
      player?.draw();
      return player !== null;
    },
    get keys() {
      const own = player ? { ...player.keys, Escape: toggle } : {};
      return { ...own, p: toggle };
    },
    get help() {
      const own = player ? [...player.help, ...texts.replay.ownKeys] : [];
      return [...own, ...texts.replay.keys];
    },
  };
}
