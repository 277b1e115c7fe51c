"""Pack Python's library, NumPy and this package for the page; runs in Pyodide, whose bytecode it makes.

    node scripts/in_pyodide.mjs PYODIDE scripts/pack_32.py MOUNTED... -- OUT STDLIB.zip NUMPY.whl OWN

Bytecode starts sooner than source, and takes less room. It has no docstrings and no assertions. What no question of the
page needs is left out: commands, tests, headers, and parts of the library that reach the network.
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

# By the beginnings of paths.
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
# Of NumPy: what type checkers and compilers read.
_KINDS = (".h", ".pyi", ".pyx", ".pxd")
# Of the encodings Python itself needs, and those in which files of boards and tours come.
_ENCODINGS = (
    "__init__", "aliases", "ascii", "charmap", "cp1252", "cp437", "idna", "latin_1", "punycode", "raw_unicode_escape",
    "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_7", "utf_8",
    "utf_8_sig",
)  # fmt: skip


# Modules that write docstrings into others, and do nothing else.
_OF_DOCSTRINGS = ("numpy/_core/_add_newdocs.py", "numpy/_core/_add_newdocs_scalars.py")


def bytecode(name: str, source: bytes) -> bytes:
    """The file of bytecode of a module, which Python takes without looking for its source (PEP 552)."""
    code = compile(b"" if name in _OF_DOCSTRINGS else source, name, "exec", dont_inherit=True, optimize=2)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def packed(files: Iterator[tuple[str, bytes]], left_out: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The files that are wanted, modules as bytecode."""
    for name, data in files:
        if name.startswith(left_out) or (name.startswith("numpy/") and name.endswith(_KINDS)):
            continue
        if name.startswith("encodings/") and name[len("encodings/") : -len(".py")] not in _ENCODINGS:
            continue
        yield (f"{name}c", bytecode(name, data)) if name.endswith(".py") else (name, data)


def in_archive(path: str) -> Iterator[tuple[str, bytes]]:
    """The files of a zip archive, by name."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith("/"):
                yield name, archive.read(name)


def in_folder(path: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder and those below it, by name."""
    folder = Path(path)
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    for name in names:
        yield name, (folder / name).read_bytes()


def write_pack(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write what engine/unpack.js reads: the length of a list, the list of names and lengths, the files; all gzip."""
    kept = list(files)
    index = json.dumps([[name, len(data)] for name, data in kept], separators=(",", ":")).encode()
    whole = b"".join([len(index).to_bytes(4, "little"), index, *(data for _, data in kept)])
    path.write_bytes(gzip.compress(whole, 9, mtime=0))


def write_zip(path: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Write an archive that Python imports from, which is compressed as a whole: that makes it smaller, and quicker to
    read."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files:
            # The same bytes each time that it is packed.
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    path.write_bytes(gzip.compress(whole.getvalue(), 9, mtime=0))


def main(out: str, stdlib: str, numpy: str, own: str) -> None:
    """Write the three packs into the folder `out`."""
    folder = Path(out)
    write_zip(folder / "python.pack", packed(in_archive(stdlib), OF_PYTHON))
    write_pack(folder / "numpy.pack", packed(in_archive(numpy), OF_NUMPY))
    write_pack(folder / "knightstour.pack", packed(in_folder(own), OF_OWN))


if __name__ == "__main__":
    main(*sys.argv[1:])
