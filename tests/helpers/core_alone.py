"""A plugin of pytest for tests of the core where the lab and the interfaces are not installed.

A file of tests that imports a module of theirs, itself or by a helper, is left out. A test that asks the core for what
they add is skipped: it ends in a public name that is not there, in the error of an open part, or of a row that the lab
adds. A core that imports one of their modules by itself fails.
"""

import ast
import functools
import re
import traceback
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from knightstour.core.model.errors import KnightsTourError

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "knightstour"
MISSING = ("knightstour.lab", "knightstour.interfaces")
# The files of the core that import from higher rings inside functions (UPWARD in scripts/house.py).
_UPWARD = ("model/exports.py", "model/board.py", "model/result.py", "methods/solve.py", "methods/several.py")
_UPWARD += ("search/listing.py",)


@functools.cache
def needs_more(file: Path) -> bool:
    """Whether a file imports a missing module, directly or through other test files."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    if any(name.startswith(MISSING) for name in found):
        return True
    beside = [TESTS.joinpath(*name.split(".")).with_suffix(".py") for name in found]
    return any(needs_more(other) for other in beside if other.is_file() and other != file)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip files that cannot be loaded."""
    return True if collection_path.suffix == ".py" and needs_more(collection_path) else None


@functools.cache
def rows_of_the_lab() -> frozenset[str]:
    """Return the methods and styles that the lab adds, from its source."""
    text = "".join(file.read_text(encoding="utf-8") for file in (SOURCE / "lab").glob("*/rows.py"))
    return frozenset(re.findall(r'^[A-Z_]+\["([^"]+)"\] = ', text, re.MULTILINE))


def asks_for_more(error: BaseException | None) -> bool:
    """Whether a test failed because it needs a missing part."""
    if error is None:
        return False
    if isinstance(error, KnightsTourError):
        unknown = re.search(r"unknown (?:method|style) '([^']+)'", str(error))
        if str(error).startswith("there are no ") or (unknown and unknown[1] in rows_of_the_lab()):
            return True
        if re.search(r"extension '\.(html|dxf|tex)'", str(error)):
            return True
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith(MISSING):
        core = [
            each.filename for each in traceback.extract_tb(error.__traceback__) if "/knightstour/core/" in each.filename
        ]
        return not core or core[-1].endswith(_UPWARD)
    return asks_for_more(error.__cause__ or error.__context__)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call() -> Generator[None, Any, None]:
    """Skip tests that need missing parts."""
    outcome = yield
    if outcome.excinfo and asks_for_more(outcome.excinfo[1]):
        outcome.force_exception(pytest.skip.Exception(f"needs more than the core: {outcome.excinfo[1]}"))


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, None]:
    """Skip files that need missing parts when they are loaded."""
    outcome = yield
    report = outcome.get_result()
    if report.failed and asks_for_more(report.call.excinfo.value):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 1, f"needs more than the core: {collector.name}")
