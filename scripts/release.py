"""Build the files of a release, and install them from a local index, as users will:

    python scripts/release.py v0.2.0     all wheels and the sdist of a tag, in dist/
    python scripts/release.py            a trial of the checkout, with the wheel of this platform alone

The script first checks versions (check_release.py), and builds the sdist twice to compare both. It then serves an index
on this machine. Each supported Python on this machine, uvx and pipx install the package from it; dependencies come from
the configured index. At the end it prints the commands to publish. Needs the dependency group `dev`.
"""

import argparse
import contextlib
import functools
import hashlib
import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path

import check_release
import make_wheels

ROOT = check_release.ROOT
UV = Path(sys.executable).parent / "uv"
# Command for each installation, and its output.
QUESTION, ANSWER = ("count", "5x6", "--closed"), "8"


def ran(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """Return the output of a command; raise SystemExit if it fails. variables: for its environment."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "KNIGHTSTOUR_NATIVE")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | variables
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def build(folder: Path, *, is_whole: bool) -> None:
    """Build the sdist, twice, and the wheels, with the time of the commit."""
    time = {"SOURCE_DATE_EPOCH": ran("git", "log", "-1", "--format=%ct", cwd=ROOT)}
    with tempfile.TemporaryDirectory() as second:
        for place in (folder, second):
            ran(sys.executable, "-m", "build", "--sdist", "--outdir", place, ROOT, **time)
        one, two = (next(Path(place).glob("*.tar.gz")).read_bytes() for place in (folder, second))
    if one != two:
        sys.exit("error: two builds of the sdist differ")
    print(f"sdist: {len(one):,} bytes, the same twice, sha256 {hashlib.sha256(one).hexdigest()[:16]}")
    if is_whole:
        os.environ.update(time)
        make_wheels.main(str(folder))
    else:
        ran(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, **time)


@contextlib.contextmanager
def serve_index(folder: Path) -> Iterator[str]:
    """Serve an index of these files on this machine, and yield its address."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "simple" / "knightstour"
        place.mkdir(parents=True)
        links = []
        for file in sorted(folder.iterdir()):
            data = file.read_bytes()
            (place / file.name).write_bytes(data)
            links.append(f'<a href="{file.name}#sha256={hashlib.sha256(data).hexdigest()}">{file.name}</a>')
        (place / "index.html").write_text("<!doctype html>\n" + "<br>\n".join(links), encoding="utf-8")

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Write no log."""

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=name)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}/simple/"
            server.shutdown()


def pythons() -> dict[str, str]:
    """Return the supported versions of Python with their paths, including pyenv's; "" if missing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    path = os.pathsep.join([os.environ["PATH"], *(str(place) for place in kept.glob("*/bin"))])
    found = {}
    for version in versions:
        asked = [str(UV), "python", "find", "--no-project", version]
        done = subprocess.run(
            asked, capture_output=True, text=True, encoding="utf-8", check=False, env={**os.environ, "PATH": path}
        )
        found[version] = done.stdout.strip() if done.returncode == 0 else ""
    return found


def try_out(index: str, version: str) -> None:
    """Install from the index in every way, and run a test."""
    package = f"knightstour=={version}"
    from_index = ("--index", index, "--prerelease", "if-necessary-or-explicit", "--refresh-package", "knightstour")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for python, program in pythons().items():
            if not program:
                print(f"Python {python}: not to be found here")
                continue
            clean = place / python
            ran(UV, "venv", "-q", "--python", program, clean, cwd=place)
            ran(UV, "pip", "install", "-q", "--python", clean, *from_index, package, cwd=place)
            asked = clean / ("Scripts" if os.name == "nt" else "bin") / "knightstour"
            check(f"Python {python}", ran(asked, *QUESTION, cwd=place))
        check("uvx", ran(UV, "tool", "run", *from_index, "--from", package, "knightstour", *QUESTION, cwd=place))
        kept = {name: str(place / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")}
        pip = f"--extra-index-url {index} --no-cache-dir"
        ran(UV, "tool", "run", "pipx", "install", "--pip-args", pip, package, cwd=place, **kept)
        check("pipx", ran(place / "PIPX_BIN_DIR" / "knightstour", *QUESTION, cwd=place))


def check(who: str, said: str) -> None:
    """Print that an installation works, or exit with its output."""
    if said != ANSWER:
        sys.exit(f"error: {who} answers {said!r}, not {ANSWER!r}")
    print(f"{who}: installed, and answers")


def main(tag: str | None) -> None:
    """Run all steps for a tag, or a trial."""
    if tag is not None:
        wrong = check_release.faults(tag)
        if ran("git", "tag", "--points-at", "HEAD", cwd=ROOT).split().count(tag) == 0:
            wrong.append(f"what is checked out has no tag {tag}: git tag {tag}")
        if ran("git", "status", "--porcelain", cwd=ROOT):
            wrong.append("there are changes that are not committed")
        if wrong:
            sys.exit("\n".join(wrong))
    with tempfile.TemporaryDirectory() as name:
        folder = ROOT / "dist" if tag is not None else Path(name)
        folder.mkdir(exist_ok=True)
        if any(folder.iterdir()):
            sys.exit(f"error: {folder} is not empty: files of another version might be published")
        build(folder, is_whole=tag is not None)
        with serve_index(folder) as index:
            try_out(index, check_release.version_of())
    print(f"publish it: git push origin {tag}" if tag is not None else "a tag would be released in this way")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tag", nargs="?", help="such as v0.2.0; without one a trial")
    main(parser.parse_args().tag)
