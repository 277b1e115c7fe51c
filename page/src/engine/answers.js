// Responses that the library computed when the page was built: its tables, the first tours, the daily puzzles. They are
// available before the library has loaded. Responses that are not needed at the start have files of their own.

/**
 * tables: responses to GET. asked: interchangeable responses, by request key (see `named`). days: first and last seed
 * of the daily puzzles; each week has a file.
 * @typedef {{tables: Record<string, unknown>, asked: Record<string, unknown[]>, days: [number, number]}} Ready
 */

// Time limits and progress settings do not affect stored responses.
const IDLE = new Set(["seconds", "nodes", "progress"]);

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const rows = Object.entries(value).filter(([name, each]) => each !== null && each !== undefined && !IDLE.has(name));
  return Object.fromEntries(rows.map(([name, each]) => [name, sorted(each)]).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The key of a request; equal requests have equal keys. scripts/page_answers.py uses the same keys. */
export const named = (path, body) => `${path} ${JSON.stringify(sorted(body))}`;

const loaded = new Map();
/** Load a file of responses once; null if this fails. */
function file(address) {
  if (!loaded.has(address)) {
    const coming = fetch(address).then((response) => (response.ok ? response.json() : null));
    loaded.set(
      address,
      coming.catch(() => null),
    );
  }
  return loaded.get(address);
}

/** The Monday of a day's week; both are numbers such as 20261128. */
function mondayOf(/** @type {number} */ day) {
  const date = new Date(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  return 10_000 * date.getFullYear() + 100 * (date.getMonth() + 1) + date.getDate();
}

/** The stored response to a request, or undefined. */
export async function readyAnswer(path, body) {
  /** @type {Ready | null} */
  const ready = await file("answers/first.json");
  if (!ready) return undefined;
  if (body === undefined) return ready.tables[path];
  const [first, last] = ready.days;
  const isOfDay = path === "puzzle" && body.seed >= first && body.seed <= last;
  const asked = isOfDay ? await file(`answers/puzzles-${mondayOf(body.seed)}.json`) : ready.asked;
  const found = asked?.[named(path, body)];
  return found?.[Math.floor(Math.random() * found.length)];
}
