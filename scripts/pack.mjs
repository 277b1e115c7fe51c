// Compile a folder of packages to bytecode in Pyodide's own Python, and pack them as one archive:
//
//     node scripts/pack.mjs PYODIDE OUT.zip FOLDER
//
// What only other programs read, such as the command line, is left out.
import fs from "node:fs";
import path from "node:path";

const [folder, out, own] = process.argv.slice(2);
const { loadPyodide } = await import(path.resolve(folder, "pyodide.mjs"));
const python = await loadPyodide({ indexURL: `${path.resolve(folder)}/` });
python.FS.mkdirTree("/own");
python.mountNodeFS("/own", path.resolve(own));
try {
  python.runPython(`
import pathlib, py_compile, zipfile

LEFT_OUT = ("knightstour/interfaces/cli/", "knightstour/interfaces/web/static/guide.html", "knightstour/interfaces/web/static/style/", "knightstour/py.typed")
own = pathlib.Path("/own")
# Like /out.zip it is in Pyodide's own file system, which is in memory and ends with this program.
made = pathlib.Path("/tmp/made.pyc")
files = {file.relative_to(own).as_posix(): file for file in own.rglob("*") if file.is_file()}
with zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for name, file in sorted(files.items()):
        if name.startswith(LEFT_OUT):
            continue
        # The same bytes each time that it is packed.
        where = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        where.compress_type = zipfile.ZIP_DEFLATED
        data = file.read_bytes()
        if file.suffix == ".py":
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(str(file), str(made), name, doraise=True, optimize=2, invalidation_mode=mode)
            where.filename += "c"
            data = made.read_bytes()
        archive.writestr(where, data)
`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
fs.writeFileSync(out, python.FS.readFile("/out.zip"));
