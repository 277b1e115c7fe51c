// Run a program of Python in Pyodide: node scripts/in_pyodide.mjs PYODIDE FILE.py PATH... [-- WORD...]
//
// A PATH is a wheel, an archive or a pack of the page, which is unpacked, or a folder, which is mounted under its own
// path; Python finds the packages in each. Of the page's python.pack it gets its own library. The WORDs are in sys.argv.
// What the program prints is printed, and its exit code is that of this program.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inflated, put } from "../page/src/engine/unpack.js";

const PACKAGES = "/lib/python3.12/site-packages";

const [folder, program, ...rest] = process.argv.slice(2);
const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
const paths = rest.slice(0, end).map((name) => path.resolve(name));

/** Where Pyodide finds the library of a pack, or undefined. */
async function libraryOf(pack) {
  if (!pack) return undefined;
  const made = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "python-")), "python_stdlib.zip");
  process.on("exit", () => fs.rmSync(path.dirname(made), { recursive: true }));
  fs.writeFileSync(made, await inflated(fs.readFileSync(pack)));
  return made;
}

const library = paths.find((each) => path.basename(each) === "python.pack");
const { loadPyodide } = await import(path.resolve(folder, "pyodide.mjs"));
const python = await loadPyodide({
  indexURL: `${path.resolve(folder)}/`,
  stdLibURL: await libraryOf(library),
  // The packs have no docstrings, which NumPy must know.
  args: library ? ["-OO"] : [],
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", ...JSON.parse(process.env.IN_PYODIDE ?? "{}") },
});
const mounted = [];
for (const each of paths) {
  if (each === library) continue;
  if (fs.statSync(each).isDirectory()) {
    if (!mounted.some((other) => each.startsWith(other + path.sep))) {
      python.FS.mkdirTree(each);
      python.mountNodeFS(each, each);
      mounted.push(each);
    }
    python.runPython(`import sys; sys.path.append(${JSON.stringify(each)})`);
  } else if (each.endsWith(".pack")) put(python.FS, PACKAGES, await inflated(fs.readFileSync(each)));
  else python.unpackArchive(new Uint8Array(fs.readFileSync(each)).buffer, "zip", { extractDir: PACKAGES });
}
python.pyimport("importlib").invalidate_caches();
python.globals.set("words", python.toPy([program, ...rest.slice(end + 1)]));
try {
  python.runPython("import sys; sys.argv = list(words)");
  python.runPython(fs.readFileSync(program, "utf8"), { filename: path.resolve(program) });
} catch (error) {
  // An exit is an error here, too; other errors show the lines of Python alone.
  const code = /SystemExit: (\d+)/.exec(error.message)?.[1];
  if (code === undefined) console.error(error.message);
  process.exit(code === undefined ? 1 : Number(code));
}
process.exit(0);
