"""Tests of wheel and sdist, built and installed outside of this checkout."""

import os
import re
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from helpers.node import parts_for_browsers
from knightstour.core.kernels import builder
from release import ran

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """An environment with the builder and uv."""
    place = tmp_path_factory.mktemp("tools")
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(programs / "python", "-m", "pip", "install", "-q", "build", "uv", "twine")
    return programs


@pytest.fixture(scope="module")
def built(tools, tmp_path_factory) -> dict[str, Path]:
    """Build the sdist, and the wheel from it, by suffix."""
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
    page = ran("git", "ls-files", "page/src", cwd=ROOT).split()
    assert {name.replace("page/src", "knightstour/interfaces/web/static") for name in page} <= held
    others = {name.split("/")[0] for name in held if ".dist-info" not in name and ".data/" not in name}
    assert others == {"knightstour"}


def test_sdist_contains_the_test_files(built):
    with tarfile.open(built["sdist"]) as sdist:
        names = {name.split("/", 1)[-1] for name in sdist.getnames()}
    for name in ("pyproject.toml", "CITATION.cff", "LICENSE", "README.md", "tests/conftest.py", "docs/guide.md"):
        assert name in names, name
    assert not [name for name in names if "node_modules" in name or ".venv" in name]


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_installs_into_a_clean_environment_and_answers(kind, built, tools, tmp_path):
    place = tmp_path / "clean"
    ran(tools / "uv", "venv", "-q", "--python", sys.executable, place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(tools / "uv", "pip", "install", "-q", "--python", programs / "python", built[kind])
    command = programs / "knightstour"
    assert len(ran(command, "solve", "8x8", "--closed", "--seed", "1", cwd=tmp_path).split()) == 64
    assert ran(command, "count", "5x6", "--closed", cwd=tmp_path).strip() == "8"
    ran(command, "solve", "8x8", "-o", "tour.png", cwd=tmp_path)
    assert (tmp_path / "tour.png").read_bytes().startswith(b"\x89PNG")
    where = ran(programs / "python", "-c", "import knightstour; print(knightstour.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(place)


def answers(programs: Path, place: Path) -> None:
    """Check that the package of an environment finds a tour with a kernel."""
    line = ("solve", "8x8", "--method", "warnsdorff", "--seed", "1")
    assert len(ran(programs / "knightstour", *line, cwd=place).split()) == 64


def test_the_wheel_is_for_this_platform_and_any_python(built):
    assert re.search(r"-py3-none-(?!any)\w+\.whl$", built["wheel"].name)
    with zipfile.ZipFile(built["wheel"]) as wheel:
        held = [
            name for name in wheel.namelist() if re.match(r"knightstour/core/kernels/library\.\w+(\.stamp)?$", name)
        ]
    assert len(held) == 3, held  # the library, its stamp, and library.cc


def test_without_a_compiler_one_is_installed_for_the_build_alone(built, tools, tmp_path):
    """pip downloads ziglang for the build, and does not install it."""
    bare = {"PATH": str(tmp_path / "nothing"), "CXX": ""}
    place = tmp_path / "clean"
    ran(tools / "uv", "venv", "-q", "--seed", "--python", sys.executable, place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(programs / "python", "-m", "pip", "install", "-q", built["sdist"], cwd=tmp_path, **bare)
    answers(programs, tmp_path)
    assert "ziglang" not in ran(programs / "python", "-m", "pip", "list")


def test_an_editable_installation_builds_what_has_changed(built, tools, tmp_path):
    with tarfile.open(built["sdist"]) as sdist:
        sdist.extractall(tmp_path, filter="data")
    root = next(tmp_path.glob("knightstour-*"))
    place = tmp_path / "clean"
    ran(tools / "uv", "venv", "-q", "--python", sys.executable, place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    ran(tools / "uv", "pip", "install", "-q", "--python", programs / "python", "-e", root)
    answers(programs, tmp_path)
    library = next(root.glob("src/knightstour/core/kernels/library.*.stamp"))
    before = library.read_text()
    with open(root / "src/knightstour/core/kernels/bits.h", "a") as header:
        header.write("// changed\n")
    answers(programs, tmp_path)
    assert library.read_text() != before


def test_wheels_of_all_platforms_are_built_on_one_machine(tools, tmp_path):
    for name, target in builder.TARGETS.items():
        ran(
            *(tools / "python", "-m", "build", "-q", "--wheel", "--outdir", tmp_path / name, ROOT),
            KNIGHTSTOUR_TARGET=name,
        )
        wheel = next((tmp_path / name).glob("*.whl"))
        assert wheel.name.endswith(f"-py3-none-{target.tag}.whl")
        with zipfile.ZipFile(wheel) as held:
            data = held.read(f"knightstour/core/kernels/library{target.suffix}")
        magic = {".so": (b"\x7fELF", b"\0asm"), ".dylib": (b"\xcf\xfa\xed\xfe",), ".dll": (b"MZ",)}
        assert data.startswith(magic[target.suffix])


def test_release_installs_with_every_python_uvx_and_pipx():
    said = ran(sys.executable, ROOT / "scripts" / "release.py")
    assert "the same twice" in said and {"uvx", "pipx"} <= {line.split(":")[0] for line in said.splitlines()}
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"Python {here}: installed, and answers" in said


def test_browser_wheel_answers_the_documented_problems_in_pyodide(tools, tmp_path):
    """Unpack the wheel as micropip does; Node replaces the browser."""
    parts = parts_for_browsers()
    ran(tools / "python", "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, KNIGHTSTOUR_TARGET="pyodide")
    (wheel,) = tmp_path.glob("*pyodide*.whl")
    text = (ROOT / "docs/service.md").read_text(encoding="utf-8")
    (asked,) = re.findall(r"```python\nimport micropip\n.*?^(import knightstour.*?)```", text, re.DOTALL | re.MULTILINE)
    *lines, shown = asked.strip().splitlines()
    program = tmp_path / "notebook.py"
    program.write_text("\n".join([*lines, f"print(({shown})._repr_svg_()[:4])", "print(kt.count('5x5'))"]))
    seen = ran("node", ROOT / "scripts/in_pyodide.mjs", parts.pyodide, program, parts.numpy, wheel)
    assert seen.split() == ["<svg", "864"]
