"""Shared fixtures, settings of hypothesis, and the published counts."""

import gc
import itertools
import os
import signal
import time
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from helpers.examples import FEW, MORE
from knightstour.core.kernels import builder
from knightstour.core.machine.native import VARIANT_WORD

try:
    from knightstour.lab.counting.spaces import file as space_file
except ModuleNotFoundError:  # the core alone is tested, see house/test_rings.py
    space_file = None  # type: ignore[assignment]

# The default run gives the same examples each time, and `make test-more` the same and more of them;
# HYPOTHESIS_PROFILE=thorough looks for new ones.
for name, count in (("default", FEW), ("more", MORE)):
    settings.register_profile(
        name,
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.register_profile("thorough", max_examples=1000, deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
settings.load_profile(PROFILE)

# The default run takes the library that is there. With more examples, kernels run with their indices and arithmetic
# checked, also in what tests start, wherever that library can be built.
if PROFILE != "default" and builder.is_checkout() and builder.has_compiler():
    os.environ.setdefault(VARIANT_WORD, "checked")

_CACHES = itertools.count()


def pytest_report_header() -> str:
    """Report the kernels under test."""
    return f"kernels: {os.environ.get(VARIANT_WORD) or 'plain'}"


@pytest.fixture(autouse=True)
def no_space_was_kept_before(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Hide cached spaces of other tests and of this machine."""
    nowhere = tmp_path_factory.getbasetemp() / f"cache-{next(_CACHES)}"
    if space_file is not None:
        monkeypatch.setattr(space_file, "cache_folder", lambda: nowhere)


DATA = Path(__file__).parent / "data"


def pytest_configure() -> None:
    """Enable Ctrl-C for tests and their child processes, which jobs in the background ignore."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests hours before they count as hanging; all others have minutes, see pyproject.toml.

    What depends on how other processes share the computer is tried a second time before it has failed; the
    summary names it as rerun. All else must pass at once.
    """
    for item in items:
        if item.get_closest_marker("processes"):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(4 * 3600))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude thousands of test objects from garbage collections, which would slow down timed code."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def published() -> dict[str, list[dict[str, Any]]]:
    """Read data/counts.toml."""
    return tomllib.loads((DATA / "counts.toml").read_text())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files again")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run the command line; return exit code, output and errors."""
    # The core is tested without it, too.
    pytest.importorskip("knightstour.interfaces")
    from helpers import command_line

    return partial(command_line.run, capsys=capsys)


@pytest.fixture
def processor_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """Let budgets use a processor clock, which stops while other processes run."""
    monkeypatch.setattr(time, "perf_counter", time.process_time)
    return time.process_time


@pytest.fixture
def work(processor_clock: Callable[[], float]) -> Callable[[], float]:
    """A clock in units of a million loop steps, measured now: a busy computer slows both."""

    def loop() -> float:
        began = processor_clock()
        sum(1 for _ in range(1_000_000))
        return processor_clock() - began

    unit = max(loop() for _ in range(3))
    return lambda: processor_clock() / unit


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with data/golden/name, or write it with --rewrite-golden."""

    def check(name: str, text: str) -> None:
        file = DATA / "golden" / name
        if request.config.getoption("--rewrite-golden"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{name} changed; if it should, run: make golden"

    return check
