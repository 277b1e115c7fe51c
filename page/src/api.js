// Requests of the page to the library; docs/service.md describes the API, and transport.js sends the requests.

import { boardToJson, squareCount, squareName } from "./model/board.js";
import { conditionsToJson } from "./model/conditions.js";
import { linkOf, withLink } from "./model/origin.js";
import { toPairs } from "./model/tour.js";
import { isHere, send } from "./transport.js";
import { fill, texts } from "./language.js";

/** An error response: message, note and help are the server's words. */
export class ApiError extends Error {
  constructor(/** @type {number} */ status, { error = "", note = "", help = "" }) {
    super(error || fill(texts.server.status, { status }));
    this.status = status;
    this.note = note;
    this.help = help;
  }
}

export const isAborted = (error) => error?.name === "AbortError";

async function request(path, body, signal) {
  const json = { "Content-Type": "application/json" };
  const options =
    body === undefined ? { signal } : { signal, method: "POST", headers: json, body: JSON.stringify(body) };
  let response;
  try {
    response = await send(path, options);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new ApiError(0, { error: texts.server.silent, help: isHere ? texts.engine.reload : texts.server.gone });
  }
  if (!response.ok) {
    const reply = await response.json().catch(() => ({}));
    throw Object.assign(new ApiError(response.status, reply), { lang: "en" });
  }
  return response;
}

const ask = async (path, body, signal) => (await request(path, body, signal)).json();

/**
 * Return the part of a request that defines the problem: board, kind, ends and conditions.
 * @param {Partial<import("./model/state.js").State>} state
 */
export function question({ board, closed, start = null, end = null, conditions = null }) {
  const pair = (square) => (square === null ? null : toPairs(board, [square])[0]);
  return {
    board: boardToJson(board),
    closed,
    start: pair(start),
    end: closed ? null : pair(end),
    ...conditionsToJson(conditions),
  };
}

const search = (state, { method, options, workers, seed = null, seconds = 20 }) => {
  const body = { ...question(state), method, options, workers, seconds };
  return seed === null ? body : { ...body, seed };
};
const space = ({ board, closed }) => ({ board: boardToJson(board), closed });

export const randomSeed = () => Math.floor(Math.random() * 2 ** 32);
/** A search that finds another tour each time. */
export const byChance = (board) => ({
  method: squareCount(board) <= 144 ? "rotation" : "merge",
  options: {},
  seed: randomSeed(),
});

/** A table of the library, such as its methods. */
export const table = (name, signal) => ask(name, undefined, signal);
export const solve = (state, how, signal) => ask("solve", search(state, how), signal);
/** Repeat the request; if no tour exists, the result contains the scenes of the proof. */
export const prove = (state, seconds, signal) => ask("solve", { ...question(state), proof: true, seconds }, signal);
export const check = (text, format, board, signal) => ask("check", { text, format, board }, signal);
export const facts = (board, order, signal) =>
  ask("facts", { board: boardToJson(board), squares: toPairs(board, order) }, signal);

export function completable({ board, closed, end }, path, signal) {
  const { end: goal } = question({ board, closed, end });
  return ask("completable", { board: boardToJson(board), closed, end: goal, path: toPairs(board, path) }, signal);
}

/** A drawing of the tour, as a Blob. */
export async function draw(board, order, { format, style, theme, numbers = false }, signal) {
  if (isHere && format === "png")
    return pngOf(await draw(board, order, { format: "svg", style, theme, numbers }, signal));
  const body = { board: boardToJson(board), squares: toPairs(board, order), format, style, theme, numbers };
  return (await request("draw", body, signal)).blob();
}

// Small pictures are drawn at twice the size, as in the library.
const ZOOMED_UP_TO = 1000;

/** Convert an SVG to PNG; the library cannot do this in a browser. @returns {Promise<Blob>} */
async function pngOf(/** @type {Blob} */ svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const isSmall = Math.max(image.naturalWidth, image.naturalHeight) <= ZOOMED_UP_TO;
    const times = isSmall ? 2 : 1;
    const canvas = new OffscreenCanvas(times * image.naturalWidth, times * image.naturalHeight);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await canvas.convertToBlob();
    const link = linkOf(await svg.text());
    return link ? withLink(new Uint8Array(await png.arrayBuffer()), link) : png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The number of tours; calls onpart({made, done, seconds}) during the count. */
export async function count(state, how, onpart, signal) {
  const response = await request("count", { ...question(state), ...how, progress: true }, signal);
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
  return isStream ? eventsOf(response, onpart) : response.json();
}

export const estimate = (state, seconds, signal) => ask("count/estimate", { ...question(state), seconds }, signal);

/** The puzzle with these numbers: [[square, number], ...]. */
export const numbered = (board, closed, numbers) => ({
  ...space({ board, closed }),
  given: Object.fromEntries(numbers.map(([square, number]) => [squareName(board, square), number])),
});

export const checkPuzzle = (asked, n, signal) => ask("puzzle/check", { puzzle: asked, n, seconds: 10 }, signal);

/**
 * The puzzle of a level, pattern and seed, or of a Zip's squares and seed: {asked: an argument of `hint`, level,
 * solution: rows of numbers, hints: [name of a square, number, reason] in solving order}.
 */
export async function puzzle({ board, closed, puzzle: { level, pattern, inOrder, seed } }, signal) {
  const wish = inOrder ? { kind: "zip", clues: inOrder } : { level, ...(pattern ? { pattern } : {}) };
  // Shared links and stored games contain these puzzles.
  const question = { ...space({ board, closed }), ...wish, seed, of_link: true, hints: true };
  const { hints, ...asked } = await ask("puzzle", question, signal);
  return { asked, level: asked.level ?? "zip", solution: asked.solution, hints };
}

/** The same for a puzzle given by its numbers; an ApiError unless it has exactly one solution. */
export async function givenPuzzle({ board, closed, puzzle: { numbers } }, signal) {
  const asked = numbered(board, closed, numbers);
  const reply = await checkPuzzle(asked, 2, signal);
  if (!reply.is_unique) {
    throw new ApiError(200, { error: texts.server.notUnique, note: reply.reason ?? "", help: texts.server.makeOwn });
  }
  const [solution] = reply.solutions;
  return { asked: { ...asked, solution }, level: reply.level, solution };
}

export const hint = (asked, state, signal) => ask("puzzle/hint", { puzzle: asked, state }, signal);

/**
 * Number all tours: {count}. Calls onpart({made, done, seconds}). If this needs more than maxBytes, the count is null,
 * and `note` and `bytes` describe the required memory.
 * @param {number | null} maxBytes
 */
export const spaceBuild = async (state, maxBytes, onpart, signal) =>
  eventsOf(await request("space/build", { ...space(state), max_bytes: maxBytes }, signal), onpart);
export const unrank = (state, number, signal) =>
  ask("space/unrank", { ...space(state), number: String(number) }, signal);
export const rank = (state, order, signal) =>
  ask("space/rank", { ...space(state), squares: toPairs(state.board, order) }, signal);
export const randomTour = (state, signal) => ask("space/random", space(state), signal);

/** Read the events of a response: calls onbatch(value) for each part, and returns the result. */
async function eventsOf(response, onbatch) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  let result = null;
  const take = (message) => {
    const [, kind, data] = /^event: (\w+)\ndata: (.*)$/.exec(message) ?? [];
    const value = JSON.parse(data ?? "null");
    if (kind === "batch") onbatch(value);
    else if (kind === "result") result = value;
    else if (kind === "error") throw Object.assign(new ApiError(200, value), { lang: "en" });
  };
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    buffer += value;
    const messages = buffer.split("\n\n");
    buffer = messages.pop() ?? "";
    messages.forEach(take);
  }
  if (!result) throw new ApiError(0, { error: texts.server.brokeOff, help: texts.server.gone });
  return result;
}

/** Record a search: calls onbatch(events), and returns the result. */
export async function trace(state, how, { events, onbatch }, signal) {
  return eventsOf(await request("trace", { ...search(state, how), events }, signal), onbatch);
}
