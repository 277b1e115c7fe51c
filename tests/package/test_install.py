"""Wheel and sdist, built and installed where nothing of this checkout can be seen."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def ran(*words: str | Path, **options: object) -> str:
    """What a command prints; the test fails with all of it if the command fails."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """The directory of the programs of an environment with the builder and uv."""
    place = tmp_path_factory.mktemp("tools")
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(programs / "python", "-m", "pip", "install", "-q", "build", "uv", "twine")
    return programs


@pytest.fixture(scope="module")
def built(tools, tmp_path_factory) -> dict[str, Path]:
    """The sdist, and the wheel that is built from it, by suffix."""
    out = tmp_path_factory.mktemp("dist")
    ran(tools / "python", "-m", "build", "--outdir", out, ROOT)
    files = {"wheel": next(out.glob("*.whl")), "sdist": next(out.glob("*.tar.gz"))}
    ran(tools / "python", "-m", "twine", "check", "--strict", *files.values())
    return files


def test_the_wheel_holds_all_of_the_package_and_nothing_else(built):
    tracked = ran("git", "ls-files", "src/knightstour", cwd=ROOT).split()
    with zipfile.ZipFile(built["wheel"]) as wheel:
        held = set(wheel.namelist())
    assert {name.removeprefix("src/") for name in tracked} <= held
    others = {name.split("/")[0] for name in held if ".dist-info" not in name and ".data/" not in name}
    assert others == {"knightstour"}


def test_the_sdist_holds_what_the_tests_need(built):
    with tarfile.open(built["sdist"]) as sdist:
        names = {name.split("/", 1)[-1] for name in sdist.getnames()}
    for name in ("pyproject.toml", "CITATION.cff", "LICENSE", "README.md", "tests/conftest.py", "docs/guide.md"):
        assert name in names, name
    assert not [name for name in names if "node_modules" in name or ".venv" in name]


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("python", [f"{sys.version_info[0]}.{sys.version_info[1]}", "3.12", "3.13"])
def test_it_installs_into_a_clean_environment_and_answers(kind, python, built, tools, tmp_path):
    place = tmp_path / "clean"
    found = subprocess.run([str(tools / "uv"), "python", "find", python], capture_output=True, text=True)
    if found.returncode:
        pytest.skip(f"there is no Python {python} here")
    ran(tools / "uv", "venv", "-q", "--python", found.stdout.strip(), place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(tools / "uv", "pip", "install", "-q", "--python", programs / "python", built[kind])
    command = programs / "knightstour"
    assert (place / "share/man/man1/knightstour.1").exists()
    assert len(ran(command, "solve", "8x8", "--closed", "--seed", "1", cwd=tmp_path).split()) == 64
    assert ran(command, "count", "5x6", "--closed", cwd=tmp_path).strip() == "8"
    ran(command, "solve", "8x8", "-o", "tour.png", cwd=tmp_path)
    assert (tmp_path / "tour.png").read_bytes().startswith(b"\x89PNG")
    where = ran(programs / "python", "-c", "import knightstour; print(knightstour.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(place)


def test_uvx_runs_the_wheel_without_installing_it(built, tools, tmp_path):
    printed = ran(tools / "uvx", "--from", built["wheel"], "knightstour", "solve", "8x8", cwd=tmp_path)
    assert sorted(map(int, printed.split())) == list(range(1, 65))
