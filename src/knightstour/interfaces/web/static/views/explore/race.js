// A race of searches that were recorded one by one: where each is after a part of the race, and who came first.
//
// A race is by time, as the searches took it, or by squares decided: each square that a move was made to or taken back
// from, and each whose moves were exchanged, counts once for each time. Both need the whole recordings.

import { texts } from "../../language.js";
import { duration } from "../../numbers.js";

export const MEASURES = ["time", "squares"];

/** What a search took in all, by a measure. */
export function cost(lane, measure) {
  return measure === "time" ? lane.result.seconds : lane.replay.workAt(lane.replay.frames) + (lane.result.dropped ?? 0);
}

/** Both figures, as words. What was not recorded is not known exactly. */
function costWords(lane) {
  const decided = texts.watch.decided(cost(lane, "squares"), Boolean(lane.result.dropped));
  return `${duration(lane.result.seconds)}, ${decided}`;
}

/** Map lane -> place of those that found a tour; equals share one. */
export function places(lanes, measure) {
  const arrived = lanes.filter((lane) => lane.isDone && lane.result?.status === "found");
  const costs = [...new Set(arrived.map((lane) => cost(lane, measure)))].sort((a, b) => a - b);
  return new Map(arrived.map((lane) => [lane, texts.watch.places[costs.indexOf(cost(lane, measure))]]));
}

/** The frame of a lane when the player shows `frame` of `frames`: each has come as far as the race's clock says. */
export function frameOf(lane, lanes, measure, frame, frames) {
  const own = lane.replay.frames;
  if (frame >= frames) return own;
  if (lanes.length === 1 || !lanes.every((other) => other.isDone && other.result)) return Math.min(frame, own);
  const most = Math.max(...lanes.map((other) => cost(other, measure)));
  const spent = (most * frame) / frames;
  if (measure === "squares") return lane.replay.frameOfWork(spent);
  const { seconds } = lane.result;
  return seconds > 0 ? Math.min(own, Math.floor((own * spent) / seconds)) : own;
}

/** Who came first, by which measure, and what both measures say. */
export function raceWords(lanes, measure) {
  const won = places(lanes, measure);
  const winners = [...won].filter(([, place]) => place === texts.watch.places[0]).map(([lane]) => lane.racer.method);
  if (!winners.length) return texts.watch.nobody;
  const figures = [...won.keys()].map((lane) => `${lane.racer.method} ${costWords(lane)}`);
  return texts.watch.won(winners, measure === "time", figures.join("; "));
}
