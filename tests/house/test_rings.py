"""Tests of the rings: the core works alone, and the code behind each problem stays small."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from house import (
    RINGS,
    SOURCE,
    START,
    WALKS,
    files,
    imports,
    is_ours,
    is_upward,
    module_of,
    reachable_modules,
    target_of,
)
from knightstour import _plugins
from knightstour.core.kernels import builder
from knightstour.core.machine.native import VARIANT_WORD

ROOT = Path(__file__).parents[2]
ORDER = list(RINGS)

# The most lines of the package that a function leads to by its imports; they are there to be read.
MAX_LINES = {"core.methods.solve": 24_400, "core.drawing.svg.picture": 8_600, "lab.counting.count": 27_600}

# The long test runs all tests of these folders.
WHOLE = ["model", "proofs", "search", "methods", "checking", "formats", "drawing"]


def ring_of(module: str) -> str:
    return module.split(".")[0]


def named(file: Path) -> Iterator[str]:
    """Yield the modules of this package in the strings of a file, without docstrings."""
    text = file.read_text(encoding="utf-8")
    # A name in quotes, and not only in `import` and `from`.
    for node in ast.walk(ast.parse(text)) if re.search(r"""["']knightstour\.""", text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = re.fullmatch(r"knightstour\.([\w.]+)", node.value)
            if found:
                yield found[1]


def test_ring_imports_only_inner_rings() -> None:
    wrong = []
    for file in files():
        here = ring_of(module_of(file))
        if here not in ORDER:
            continue
        down = (target_of(found) for found in imports(file) if is_ours(found) and not is_upward(found))
        for name in [*down, *named(file)]:
            if ring_of(name) in ORDER and ORDER.index(ring_of(name)) > ORDER.index(here):
                wrong.append(f"{file.relative_to(SOURCE)} names {name}")
    assert not wrong, "\n".join(wrong)


def test_plugin_rows_are_filled_by_existing_modules() -> None:
    for modules in _plugins.ROWS.values():
        assert all(importlib.util.find_spec(module) is not None for module in modules)


def test_every_part_and_table_is_filled() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in files())
    assert set(re.findall(r'= Table\("([^"]+)", _', text)) == set(_plugins.ROWS)


@pytest.mark.parametrize("module", MAX_LINES)
def test_a_question_leads_to_few_lines(module: str) -> None:
    lines = reachable_modules(module)
    assert 1_000 < sum(lines.values()) <= MAX_LINES[module]


# ---------------------------------------------------------------- the core alone


@pytest.fixture(scope="module")
def core_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the core of the package, its kernels built."""
    folder = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns("__pycache__", "lab", "interfaces", "library.*")
    shutil.copytree(SOURCE, folder / "knightstour", ignore=ignored)
    variant = os.environ.get(VARIANT_WORD) or "plain"
    library = builder.library_of(variant)
    builder.bring_up_to_date(library, variant)
    for file in (library, builder.stamp_of(library)):
        shutil.copy(file, folder / "knightstour/core/kernels" / file.name)
    shutil.copy(SOURCE / "core/kernels/library.cc", folder / "knightstour/core/kernels")
    return folder


def run(core: Path, *words: str | Path) -> str:
    """Return the output of Python with the core alone."""
    where = os.pathsep.join([str(core), str(ROOT / "tests"), str(ROOT / "scripts")])
    environment = {name: value for name, value in os.environ.items() if name != VARIANT_WORD}
    environment |= {"PYTHONPATH": where, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words], env=environment, cwd=core, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def test_the_first_examples_of_the_readme_need_the_core_alone(core_alone: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[:2]
    assert "find_tour" in blocks[0] and "status" in blocks[1]
    page = core_alone / "examples.md"
    page.write_text("\n".join(blocks), encoding="utf-8")
    assert "5 passed and 0 failed" in run(core_alone, "-m", "doctest", "-v", page)
    assert not (core_alone / "knightstour/lab").exists()


@pytest.mark.long
def test_the_tests_of_the_core_pass_with_the_core_alone(core_alone: Path) -> None:
    # The lab adds methods with sentences of their own, and the format .html.
    theirs = (
        "tests/model/test_trace.py::test_every_sentence_can_happen_and_no_line_names_another",
        "tests/model/test_trace.py::test_each_step_has_a_sentence_and_a_line",
        "tests/drawing/test_styles.py::test_html_page_has_the_styles_that_its_script_draws",
        "tests/model/test_typed_first.py::test_a_tour_saves_pictures_of_itself[t.html",
    )
    words = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "no:cacheprovider"]
    words += ["-p", "helpers.core_alone", "-v", "--tb=short", f"--basetemp={core_alone / 'tests'}"]
    places = [ROOT / "tests" / name for name in WHOLE]
    printed = run(core_alone, "-m", "pytest", *words, *(f"--deselect={test}" for test in theirs), *places)
    counts = {word: int(count) for count, word in re.findall(r"(\d+) (passed|skipped)", printed)}
    assert counts["passed"] > 1_500 and counts.get("skipped", 0) < counts["passed"] / 8


# ---------------------------------------------------------------- files to read first


def test_files_of_the_reading_list_and_walks_exist() -> None:
    assert len(START) == 12 and len(WALKS) == 5
    named = [*START, *(name for text in WALKS.values() for name in re.findall(r"`([\w/]+/(?:[\w.]+)?)`", text))]
    assert len(named) > 25
    assert not [name for name in named if not any((place / name).exists() for place in (SOURCE, ROOT))]
