// A worker of the page that runs the library in Python compiled to WebAssembly (Pyodide), and processes requests in
// sequence like a server. `make page` adds Pyodide, NumPy and the library, listed in parts.json.

import { inflated, put } from "./unpack.js";

/** Part of the start that is done after each stage: roughly its share of the time. */
const DONE = { python: 0.45, packages: 0.6, library: 1 };

const PYODIDE = new URL("pyodide/", import.meta.url).href;

/** The bytes of a response; an error unless their hash matches the page's. */
async function whole(response, name, { bytes, sha256 }) {
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const data = await response.arrayBuffer();
  // Pages from other computers without https cannot compute hashes.
  const digest = crypto.subtle && new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const hash = digest && Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (data.byteLength !== bytes || (hash && hash !== sha256)) throw new Error(`${name} ${hash ?? data.byteLength}`);
  return data;
}

const pack = async (name, kept) => inflated(await whole(await fetch(new URL(name, import.meta.url)), name, kept));

/** Python, once its program and its library have come. */
async function load(program, library) {
  const { fetch: fetched } = globalThis;
  const broken = new Promise((_, refuse) => {
    globalThis.fetch = async (address, options) => {
      const name = String(address).replace(PYODIDE, "");
      // Pyodide requests its library as an archive of twice the size.
      if (name === "python_stdlib.zip") return new Response(await library);
      const response = await fetched(address, options);
      // Pyodide hangs without a message if the program is incomplete.
      if (name === "pyodide.asm.wasm") whole(response.clone(), name, program).catch(refuse);
      return response;
    };
  });
  const { loadPyodide } = await import(`${PYODIDE}pyodide.mjs`);
  // NumPy requires this flag because the packs have no docstrings.
  return Promise.race([loadPyodide({ indexURL: PYODIDE, args: ["-OO"] }), broken]);
}

async function start() {
  const { packs, program, folder } = await (await fetch(new URL("parts.json", import.meta.url))).json();
  // They load while Python starts.
  const { "python.pack": library, ...packages } = packs;
  const coming = Promise.all(Object.entries(packages).map(([name, kept]) => pack(name, kept)));
  const libraryComing = pack("python.pack", library);
  for (const each of [coming, libraryComing]) each.catch(() => {});
  const python = await load(program, libraryComing);
  postMessage({ kind: "stage", done: DONE.python });
  for (const files of await coming) put(python.FS, folder, files);
  python.pyimport("importlib").invalidate_caches();
  postMessage({ kind: "stage", done: DONE.packages });
  const { ask } = python.pyimport("knightstour.interfaces.web.here");
  postMessage({ kind: "stage", done: DONE.library });
  return ask;
}

const words = (error) => (error instanceof Error ? error.message : String(error));

const starting = start();
starting.then(
  () => postMessage({ kind: "ready" }),
  (error) => postMessage({ kind: "failed", reason: words(error) }),
);

function taken(value) {
  const bytes = value.toJs();
  value.destroy();
  return bytes;
}

addEventListener("message", async ({ data: { name, body, maySearch } }) => {
  const ask = await starting.catch(() => null);
  if (!ask) return;
  const send = (kind, ...values) => {
    if (kind === "turn") postMessage({ kind, lane: values[0], seconds: values[1], late: taken(values[2]) });
    else if (kind === "head") postMessage({ kind, status: values[0], type: values[1] });
    else if (kind === "part") postMessage({ kind, bytes: taken(values[0]) });
    else postMessage({ kind });
  };
  try {
    ask(name, body, send, maySearch);
  } catch (error) {
    // Python itself has ended, usually for lack of memory: this worker sends nothing further.
    postMessage({ kind: "failed", reason: words(error) });
  }
});
