"""Pack Python's library, NumPy and this package for the page, in Pyodide:

    node scripts/in_pyodide.mjs PYODIDE scripts/pack_32.py MOUNTED... -- OUT STDLIB.zip NUMPY.whl OWN

Bytecode starts faster than source and is smaller. It has no docstrings and no assertions. Files that the page does not
need are omitted: commands, tests, headers, and network modules.
"""

import gzip
import importlib.util
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

# Beginnings of paths.
OF_OWN = (
    "knightstour/__main__.py", "knightstour/interfaces/cli/", "knightstour/py.typed",
)  # fmt: skip
OF_NUMPY = (
    "numpy/_core/_multiarray_tests", "numpy/_core/_operand_flag_tests", "numpy/_core/_rational_tests",
    "numpy/_core/_struct_ufunc_tests", "numpy/_core/_umath_tests", "numpy/_core/include/", "numpy/_core/lib/",
    "numpy/_pyinstaller/", "numpy/compat/", "numpy/conftest", "numpy/distutils/", "numpy/doc/", "numpy/f2py/",
    "numpy/fft/", "numpy/linalg/lapack_lite", "numpy/polynomial/", "numpy/random/_examples/", "numpy/random/lib/",
    "numpy/testing/", "numpy/typing/", "numpy-2.0.2.dist-info/RECORD",
)  # fmt: skip
OF_PYTHON = (
    "__phello__/", "_pydatetime.", "_pyio.", "aifc.", "antigravity.", "asyncio/windows", "bdb.", "cProfile.",
    "cgi.", "cgitb.", "chunk.", "cmd.", "configparser.", "crypt.", "doctest.", "ftplib.", "http/cookie",
    "http/server.", "imaplib.", "imghdr.", "mailbox.", "mailcap.", "modulefinder.", "multiprocessing/",
    "nntplib.", "optparse.", "pdb.", "pickletools.", "pipes.", "plistlib.", "poplib.", "profile.", "pstats.",
    "pyclbr.", "pydoc.", "smtplib.", "sndhdr.", "socketserver.", "sunau.", "tabnanny.", "telnetlib.", "this.",
    "trace.", "turtle", "unittest/", "uu.", "wave.", "webbrowser.", "wsgiref/", "xdrlib.", "xml/dom/", "xmlrpc/",
    "zipapp.", "zoneinfo/",
)  # fmt: skip
# Files of NumPy for type checkers and compilers.
_KINDS = (".h", ".pyi", ".pyx", ".pxd")
# Encodings that Python needs, and encodings of files of boards and tours.
_ENCODINGS = (
    "__init__", "aliases", "ascii", "charmap", "cp1252", "cp437", "idna", "latin_1", "punycode", "raw_unicode_escape",
    "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_7", "utf_8",
    "utf_8_sig",
)  # fmt: skip


# Modules that only add docstrings to others.
_OF_DOCSTRINGS = ("numpy/_core/_add_newdocs.py", "numpy/_core/_add_newdocs_scalars.py")


def bytecode(name: str, source: bytes) -> bytes:
    """Return the bytecode file of a module, which Python loads without its source (PEP 552)."""
    code = compile(b"" if name in _OF_DOCSTRINGS else source, name, "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def pack_files(files: Iterator[tuple[str, bytes]], left_out: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield the selected files, modules as bytecode."""
    for name, data in files:
        if name.startswith(left_out) or (name.startswith("numpy/") and name.endswith(_KINDS)):
            continue
        if name.startswith("encodings/") and name[len("encodings/") : -len(".py")] not in _ENCODINGS:
            continue
        yield (f"{name}c", bytecode(name, data)) if name.endswith(".py") else (name, data)


def in_archive(path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a zip archive, by name."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith("/"):
                yield name, archive.read(name)


def in_folder(path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files in a folder tree, by name."""
    folder = Path(path)
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    for name in names:
        yield name, (folder / name).read_bytes()


def write_pack(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write the format of engine/unpack.js: the length of a list, the list of names and lengths, the files; gzipped."""
    kept = list(files)
    index = json.dumps([[name, len(data)] for name, data in kept], separators=(",", ":")).encode()
    whole = b"".join([len(index).to_bytes(4, "little"), index, *(data for _, data in kept)])
    path.write_bytes(gzip.compress(whole, 9, mtime=0))


def write_zip(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write an uncompressed archive for imports, then compress it as a whole, which is smaller and faster to read."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            # Reproducible bytes.
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    path.write_bytes(gzip.compress(whole.getvalue(), 9, mtime=0))


def main(out: str, stdlib: str, numpy: str, own: str) -> None:
    """Write the three packs into the folder `out`."""
    folder = Path(out)
    write_zip(folder / "python.pack", pack_files(in_archive(stdlib), OF_PYTHON))
    write_pack(folder / "numpy.pack", pack_files(in_archive(numpy), OF_NUMPY))
    write_pack(folder / "knightstour.pack", pack_files(in_folder(own), OF_OWN))


if __name__ == "__main__":
    main(*sys.argv[1:])
