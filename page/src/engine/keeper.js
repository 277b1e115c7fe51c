// The service worker of the page as a folder of files: it caches them for offline visits. `make page` prepends `PAGE`:
// the version, and the SHA-256 of each file. Small files are cached immediately, Python and the library on first use,
// puzzles of distant weeks when they are requested. A new version waits until the visitor accepts it (or all pages are
// closed); unchanged files are reused.

/** @type {any} */
const scope = globalThis;
/** @type {{version: string, files: Record<string, string>}} */
const { version, files: FILES } = scope.PAGE;
const NAME = `knightstour ${version}`;
const LIST = "files.json";
const address = (path) => new URL(path, scope.registration.scope).href;
const START = address("index.html");
const KEPT = new Map(Object.keys(FILES).map((path) => [address(path), path]));
const isLarge = (path) => path.startsWith("engine/");
const NEAR_MS = 60 * 86_400_000;

function isDistant(path) {
  const [, ...monday] = /puzzles-(\d{4})(\d\d)(\d\d)/.exec(path) ?? [];
  return monday.length > 0 && Math.abs(Date.parse(monday.join("-")) - Date.now()) > NEAR_MS;
}

/** The unchanged files of an older version: path -> response. */
async function same(path) {
  for (const name of await caches.keys()) {
    if (name === NAME || !name.startsWith("knightstour ")) continue;
    const older = await caches.open(name);
    const list = await older.match(address(LIST)).then((found) => found?.json());
    if (list?.[path] === FILES[path]) return older.match(address(path));
  }
  return undefined;
}

/** Cache the files that `isWanted` selects. */
async function keep(isWanted) {
  const cache = await caches.open(NAME);
  await Promise.all(
    Object.keys(FILES).map(async (path) => {
      if (await cache.match(address(path))) return;
      const older = await same(path);
      if (!older && !isWanted(path)) return;
      // Large files were loaded just before, so most browsers still have them.
      const response = older ?? (await fetch(address(path), { cache: isLarge(path) ? "default" : "no-cache" }));
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(address(path), response);
    }),
  );
}

async function install() {
  const cache = await caches.open(NAME);
  await cache.put(address(LIST), new Response(JSON.stringify(FILES)));
  await keep((path) => !isLarge(path) && !isDistant(path));
}

async function forgetOlder() {
  for (const name of await caches.keys())
    if (name.startsWith("knightstour ") && name !== NAME) await caches.delete(name);
}

/** Return a file from the cache, else from the host, and cache it. */
async function answer(request, path) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(address(path));
  if (kept) return kept;
  const response = await fetch(request);
  // Storage may be refused; the response is still valid.
  if (response.ok && response.status === 200) await cache.put(address(path), response.clone()).catch(() => {});
  return response;
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(forgetOlder().then(() => scope.clients.claim())));
scope.addEventListener("message", (event) => {
  const { data } = event;
  if (data === "over") scope.skipWaiting();
  else if (data === "all") event.waitUntil(keep((path) => !isDistant(path)));
  // An incomplete file is fetched again on the next visit.
  else if (data === "forget") event.waitUntil(caches.delete(NAME));
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const place = request.url.split(/[?#]/)[0];
  const path = place === scope.registration.scope ? "index.html" : KEPT.get(place);
  if (path) event.respondWith(answer(path === "index.html" ? START : request, path));
});
