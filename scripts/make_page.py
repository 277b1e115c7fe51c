"""Build the page as a folder of files for any web host, in any subfolder:

    python scripts/make_page.py [FOLDER] [--address https://example.org/knights/]

The default folder is build/page. It is the page of `knightstour serve`, but the library runs in the visitor's browser:
Python and NumPy compiled to WebAssembly (scripts/pyodide_parts.py), and this package as bytecode. All addresses are
relative, and no file comes from another host. Modules and styles are bundled.

With the address of the page, its links have preview pictures, which need an absolute address.
"""

import argparse
import gzip
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import make_guide
import page_answers
import pyodide_parts
from knightstour.interfaces.web.guard import POLICY, policy_text
from knightstour.interfaces.web.modules import (
    STATIC,
    compact,
    page_script,
    page_style,
    read_table,
    start_page,
    texts_of,
)

ROOT = Path(__file__).parent.parent
# The server's policy, extended for WebAssembly and workers. Only a header can contain frame-ancestors.
_POLICY = {
    name: sources
    for name, sources in {
        **POLICY,
        "script-src": f"{POLICY['script-src']} 'wasm-unsafe-eval'",
        "worker-src": "'self'",
    }.items()
    if name != "frame-ancestors"
}
# Copied without changes.
_GUIDE = ("guide.html", "style/base.css", "style/guide.css")
_COPIED = ("early.js", "icon.svg", "engine/worker.js", "engine/unpack.js", *_GUIDE)
_ICON_SIDES = (192, 512)
# Icon for the home screen of phones, which do not support SVG.
_TOUCH_ICON = ("icon-180.png", 180)
# Preview of links: one tour.
_PREVIEW, _PREVIEW_SIZE, _PREVIEW_BOARD = "preview.png", (1200, 630), "10x19"
_PAPER = "#f8f6f1"
# Python's standard library, which the page has as python.pack.
_LIBRARY = "python_stdlib.zip"


def main(folder: Path, address: str = "") -> None:
    """Build the page in a temporary folder, and move it to `folder`. address: its future address, if known."""
    parts = pyodide_parts.parts()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".page-") as name:
        made = Path(name) / "page"
        made.mkdir()
        write_engine(made / "engine", parts)
        _write_page(made, address)
        _write_answers(made / "answers")
        _write_manifest(made)
        _write_keeper(made)
        # Not loaded by visitors.
        _write(made / "licences.txt", licences(parts))
        if address:
            (made / _PREVIEW).write_bytes(preview())
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
    _report(folder)


def licences(parts: pyodide_parts.Parts) -> str:
    """Return the licences of all files in the folder."""
    with zipfile.ZipFile(parts.numpy) as wheel:
        numpy = [name for name in wheel.namelist() if Path(name).name.startswith("LICENSE") and "include" not in name]
        texts = {f"NumPy: {name}": wheel.read(name).decode("utf-8") for name in sorted(numpy)}
    version = pyodide_parts.VERSION
    pyodide = f"""\
engine/pyodide is a copy of Pyodide {version}, under the Mozilla Public License 2.0: https://mozilla.org/MPL/2.0/
Its source is at https://github.com/pyodide/pyodide/tree/{version}
It was built with Emscripten, under the MIT licence: https://github.com/emscripten-core/emscripten/blob/main/LICENSE
"""
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if not python.exists():
        raise pyodide_parts.Missing(f"there is no licence of Python at {python}")
    own = {"knightstour": (ROOT / "LICENSE").read_text("utf-8"), "Pyodide": pyodide}
    texts = {**own, "Python, in Pyodide": python.read_text("utf-8"), **texts}
    return "\n\n".join(f"{name}\n{'=' * len(name)}\n\n{text.strip()}\n" for name, text in texts.items())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_engine(folder: Path, parts: pyodide_parts.Parts) -> None:
    """Write Python, NumPy, this package, and the list of files that the worker unpacks."""
    pyodide = folder / "pyodide"
    pyodide.mkdir(parents=True)
    for name in pyodide_parts.FILES:
        if name != _LIBRARY:
            shutil.copy(parts.pyodide / name, pyodide / name)
    _shorten(pyodide / "pyodide-lock.json")
    pack = [ROOT / "scripts/in_pyodide.mjs", parts.pyodide, ROOT / "scripts/pack_32.py"]
    given = [parts.pyodide / _LIBRARY, parts.numpy, parts.own]
    # Pyodide sees only these two folders.
    subprocess.run(["node", *pack, folder, pyodide_parts.KEPT, "--", folder, *given], check=True)
    listed = {
        "folder": pyodide_parts.FOLDER,
        "program": _file_entry(pyodide / "pyodide.asm.wasm"),
        "packs": {path.name: _file_entry(path) for path in sorted(folder.glob("*.pack"))},
    }
    _write(folder / "parts.json", compact(listed))


def _file_entry(path: Path) -> dict[str, object]:
    """Return the entry of a file for the worker."""
    return {"bytes": path.stat().st_size, "sha256": pyodide_parts.sha256_of(path)}


def _shorten(lock: Path) -> None:
    """Remove the packages that Pyodide could load from its list, since they are missing here."""
    _write(lock, compact({**json.loads(lock.read_text("utf-8")), "packages": {}}))


def said_of_links(text: str, address: str) -> str:
    """Return the tags for previews of links, from the page's title and description; an address adds a picture.

    >>> print(said_of_links('<title>Tours</title><meta name="description" content="Of knights.">', "https://a.org/b"))
    <meta property="og:type" content="website">
    <meta property="og:title" content="Tours">
    <meta property="og:description" content="Of knights.">
    <meta property="og:url" content="https://a.org/b/">
    <meta property="og:image" content="https://a.org/b/preview.png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
    """
    title, words = (
        re.search(each, text) for each in ("<title>(.*?)</title>", '<meta name="description" content="(.*?)">')
    )
    assert title is not None and words is not None
    said = {"type": "website", "title": title[1], "description": words[1]}
    if address:
        there = html.escape(address.rstrip("/") + "/")
        width, height = map(str, _PREVIEW_SIZE)
        said |= {"url": there, "image": there + _PREVIEW, "image:width": width, "image:height": height}
    return "\n".join(f'<meta property="og:{name}" content="{value}">' for name, value in said.items())


def preview() -> bytes:
    """Return the preview picture of links, as PNG."""
    from knightstour import draw, find_tour
    from knightstour.core.drawing.png import to_png

    tour = find_tour(_PREVIEW_BOARD, closed=True, method="rotation", seed=1)
    width, height = _PREVIEW_SIZE
    svg = str(draw(tour, style="ribbon", theme="light", colors={"background": _PAPER}))
    return to_png(
        re.sub(r'width="[^"]+" height="[^"]+"', f'width="{width}" height="{height}"', svg, count=1), width, _PAPER
    )


def _write_page(folder: Path, address: str) -> None:
    """Write the module, the style sheet, the guide, and the texts of the other languages."""
    make_guide.write()
    text = start_page()
    policy = policy_text(_POLICY)
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<meta name="engine" content="here">\n'
    links = '<link rel="manifest" href="manifest.webmanifest">\n'
    links += f'<link rel="apple-touch-icon" href="{_TOUCH_ICON[0]}">\n{said_of_links(text, address)}\n'
    first = '<link rel="preload" href="answers/first.json" as="fetch" crossorigin="anonymous">\n'
    text = text.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}', 1)
    _write(folder / "index.html", text.replace("</head>", f"{links}{first}</head>", 1))
    _write(folder / "page.css", page_style())
    _write(folder / "app.js", page_script())
    for code, path in texts_of().items():
        if code != "en":
            _write(folder / path, compact(read_table(STATIC / path)))
    for name in _COPIED:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(STATIC / name, folder / name)


def _write_answers(folder: Path) -> None:
    _write(folder / "first.json", compact(page_answers.first()))
    for name, puzzles in page_answers.puzzles().items():
        _write(folder / name, compact(puzzles))


def _write_manifest(folder: Path) -> None:
    """Write the manifest and icons of an installable app."""
    from knightstour.core.drawing.png import to_png

    icon = (STATIC / "icon.svg").read_text("utf-8")
    icons = [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    for side in _ICON_SIDES:
        (folder / f"icon-{side}.png").write_bytes(to_png(_with_size(icon), side))
        icons.append({"src": f"icon-{side}.png", "sizes": f"{side}x{side}", "type": "image/png"})
    name, side = _TOUCH_ICON
    (folder / name).write_bytes(to_png(_with_size(icon), side, _PAPER))
    manifest = {
        "name": "Knight's tour",
        "short_name": "Knight's tour",
        "description": "Find, watch, play and compare knight's tours on any board, and solve puzzles of them.",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": icons,
    }
    _write(folder / "manifest.webmanifest", compact(manifest))


def _with_size(icon: str) -> str:
    """Return an icon with a size, which converters need."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', icon)
    assert found is not None
    return icon if " width=" in icon else icon.replace("<svg ", f'<svg width="{found[1]}" height="{found[2]}" ', 1)


def _write_keeper(folder: Path) -> None:
    """Write the service worker that caches the files. A changed file changes its version."""
    files = {
        path.relative_to(folder).as_posix(): pyodide_parts.sha256_of(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    version = hashlib.sha256(compact(files).encode()).hexdigest()[:16]
    code = (STATIC / "engine/keeper.js").read_text("utf-8")
    _write(folder / "keeper.js", f"globalThis.PAGE = {compact({'version': version, 'files': files})};\n{code}")


def _report(folder: Path) -> None:
    """Print the size of the folder."""
    packed = (".zip", ".pack", ".png")
    sizes: dict[str, list[int]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            small = len(data) if path.suffix in packed else len(gzip.compress(data, 9))
            row = sizes.setdefault(path.relative_to(folder).parts[0], [0, 0, 0])
            row[0], row[1], row[2] = row[0] + 1, row[1] + len(data), row[2] + small
    for name, (count, raw, small) in sorted(sizes.items()):
        print(f"{name:22} {count:3} files {raw:>12,} bytes {small:>12,} gzip")
    print(f"{folder}: {sum(row[1] for row in sizes.values()):,} bytes, {sum(row[2] for row in sizes.values()):,} gzip")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the page as a folder of files.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "page")
    parser.add_argument("--address", default="", help="where the page will be, such as https://example.org/knights/")
    wanted = parser.parse_args()
    if wanted.address and not re.match(r"https?://[^/\s]+", wanted.address):
        parser.error(f"--address {wanted.address!r} is not absolute: it begins with https://")
    try:
        main(wanted.folder, wanted.address)
    except pyodide_parts.Missing as error:
        sys.exit(f"error: the page cannot be built here: {error}")
