// Optional sounds: a soft tick for each move and three notes at the end; a phone vibrates as well.

import { h, icon, isCalm, say } from "../dom.js";
import { isShown, keepShown } from "../model/kept.js";
import { texts } from "../language.js";

const NAME = "sound";
let isOn = isShown(NAME, false);
/** @type {AudioContext | null} */
let context = null;

function play([frequency, delay, seconds]) {
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const begin = context.currentTime + delay;
  tone.type = "triangle";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0.12, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + seconds);
}

function give(push, notes) {
  // Browsers allow sound and vibration only after the first user action.
  if (!navigator.userActivation?.hasBeenActive) return;
  if (!isCalm()) navigator.vibrate?.(push);
  if (isOn) notes.forEach(play);
}

export const tick = () => give(6, [[620, 0, 0.07]]);

export const chime = () =>
  give(
    [12, 40, 12, 40, 30],
    [523, 659, 784].map((tone, k) => [tone, 0.12 * k, k === 2 ? 0.6 : 0.3]),
  );

export function makeSound() {
  const words = h("span");
  const show = () => {
    words.textContent = isOn ? texts.look.soundOn : texts.look.soundOff;
  };
  const onclick = () => {
    isOn = !isOn;
    keepShown(NAME, isOn);
    show();
    say(words.textContent);
    tick();
  };
  show();
  return h("button", { onclick }, icon("sound"), words);
}
