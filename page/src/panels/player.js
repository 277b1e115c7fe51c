// The player: play and pause, single steps, jumps, and speed. It counts frames, and is independent of the search. Also
// the replay of a tour: a player whose steps are its moves.

import { h, icon, iconButton, menu, say } from "../dom.js";
import { isClosed } from "../model/tour.js";
import { fill, texts } from "../language.js";
import { grouped } from "../numbers.js";

// Initial speed, in steps per second, slow enough to read each step.
const FIRST_SPEED = 3;
// Long recordings play fast enough to end within about this time.
const LONGEST_S = 60;
const SPEEDS = [1, 2, 3, 5, 10, 20, 50, 100, 300, 1000, 3000];

/**
 * frames(): current number of frames. isOver(frame): whether this is the final frame. isSeen(): whether the player is
 * visible. onframe(frame): show a frame. onseek(frame): the user jumped to a frame. onend(): the player reached the
 * end. speed: initial speed, from SPEEDS.
 */
export function makePlayer({ frames, isOver, isSeen, onframe, onseek, onend, speed = FIRST_SPEED }) {
  let frame = 0;
  let isPlaying = false;
  let last = 0;
  let owed = 0;
  // Whether the user chose the speed.
  let isChosen = false;

  const play = iconButton("play", texts.common.play, () => toggle());
  play.classList.add("primary");
  const scrub = h("input.scrub", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": texts.player.step,
    oninput: () => seek(Number(scrub.value)),
  });
  const count = h("span.count", { "aria-hidden": "true" });
  const speeds = menu(
    SPEEDS.map((n) => [String(n), fill(texts.player.aSecond, { n })]),
    String(speed),
    (value) => {
      speed = Number(value);
      isChosen = true;
    },
  );
  speeds.setAttribute("aria-label", texts.player.speed);
  const elements = [
    h(
      "div.transport-bar",
      { role: "group", "aria-label": texts.player.name },
      iconButton("first", texts.player.first, () => seek(0)),
      iconButton("back", texts.player.back, () => seek(frame - 1)),
      play,
      iconButton("next", texts.player.next, () => seek(frame + 1)),
      iconButton("last", texts.player.last, () => seek(frames())),
    ),
    h("div.scrub-bar", scrub, count),
    h("div.speed-bar", speeds),
  ];

  function toggle(isOn = !isPlaying) {
    if (isOn && isOver(frame)) {
      frame = 0;
      draw();
    }
    isPlaying = isOn;
    play.replaceChildren(icon(isOn ? "pause" : "play"));
    play.title = isOn ? texts.common.pause : texts.common.play;
    play.setAttribute("aria-label", play.title);
    if (isOn) {
      last = performance.now();
      owed = 0;
      requestAnimationFrame(tick);
    }
  }

  function tick(now) {
    if (!isPlaying || !isSeen()) return;
    // A page in the background gets no frames; it does not catch up all at once.
    owed += (Math.min(now - last, 250) / 1000) * speed;
    last = now;
    const steps = Math.floor(owed);
    if (steps > 0) {
      owed -= steps;
      frame = Math.min(frames(), frame + steps);
      draw();
      if (isOver(frame)) {
        toggle(false);
        onend();
        return;
      }
    }
    requestAnimationFrame(tick);
  }

  function seek(target) {
    toggle(false);
    frame = Math.min(frames(), Math.max(0, target));
    draw();
    onseek(frame);
  }

  function draw() {
    onframe(frame);
    const end = frames();
    scrub.max = end;
    scrub.value = frame;
    scrub.setAttribute("aria-valuetext", fill(texts.player.at, { step: frame, last: end }));
    count.textContent = `${grouped(frame)} / ${grouped(end)}`;
  }

  function change(by) {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by));
    speed = SPEEDS[at];
    isChosen = true;
    speeds.value = String(speed);
    say(fill(texts.player.saidSpeed, { n: speed }));
  }

  return {
    elements,
    draw,
    toggle,
    seek,
    focus: () => play.focus(),
    /** Set the speed so that the recording plays in about a minute, unless the user chose one. */
    pace() {
      if (isChosen) return;
      const least = Math.max(FIRST_SPEED, frames() / LONGEST_S);
      speed = SPEEDS.find((each) => each >= least) ?? SPEEDS[SPEEDS.length - 1];
      speeds.value = String(speed);
    },
    get isPlaying() {
      return isPlaying;
    },
    get frame() {
      return frame;
    },
    rewind() {
      toggle(false);
      frame = 0;
    },
    keys: {
      " ": () => toggle(),
      k: () => toggle(),
      ArrowLeft: () => seek(frame - 1),
      ArrowRight: () => seek(frame + 1),
      Home: () => seek(0),
      End: () => seek(frames()),
      "+": () => change(1),
      "-": () => change(-1),
    },
    help: texts.player.keys,
  };
}

const nearest = (speed) => SPEEDS.reduce((a, b) => (Math.abs(b - speed) < Math.abs(a - speed) ? b : a));

/**
 * A player for a tour; after step 0 the knight is on the first square, after the last step the whole tour is visible.
 * @param {{board: import("../model/state.js").Board, order: number[]}} tour
 * @param {object} how
 * @param {() => boolean} how.isSeen whether the player is visible
 * @param {(scene: object, step: number) => unknown} how.onscene show a scene
 * @param {(step: number) => unknown} [how.onseek] the user jumped to a step
 * @param {() => unknown} [how.onend] the player reached the end
 * @param {number} how.speed steps per second; rounded to the nearest speed of the player
 */
export function retrace({ board, order }, { isSeen, onscene, onseek = () => {}, onend = () => {}, speed }) {
  const closed = isClosed(board, order);
  const last = order.length - (closed ? 0 : 1);

  function sceneAt(step) {
    const isWhole = step >= last;
    const path = isWhole ? order : order.slice(0, step + 1);
    const scene = { path, closed: isWhole && closed, isWhole, start: order[0] };
    if (isWhole) return closed ? scene : { ...scene, end: order[last] };
    return { ...scene, knight: order[step], isSliding: true };
  }

  const player = makePlayer({
    frames: () => last,
    isOver: (step) => step >= last,
    isSeen,
    onframe: (step) => onscene(sceneAt(step), step),
    onseek,
    onend,
    speed: nearest(speed),
  });
  return Object.assign(player, { last });
}
