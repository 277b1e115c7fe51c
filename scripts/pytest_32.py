"""Run pytest inside Pyodide for scripts/test_32.py, and skip tests with missing requirements."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import pytest

# Packages with compiled code, and system features that browsers lack.
_MISSING = re.compile(
    r"No module named '(\w+)'"
    r"|emscripten does not support (processes)"
    r"|(no other process) can be started"
    r"|(python-sat), which is not installed"
    r"|needs (fpdf2|pyarrow|pillow)"
    r"|can't start new (thread)"
    r"|has no attribute '(mkfifo|fork|alarm|setitimer|getpwnam|getuid)'"
)

_OVERFLOW = "deeply nested JSON ends Python before it raises an error"
# Tests of features that differ there, by parts of their names.
_OTHERWISE = {
    "manifest_of_brackets": _OVERFLOW,
    "keys_that_come_twice": _OVERFLOW,
    "clear_error[deep": _OVERFLOW,
    "checkpoint_that_cannot_be": "names of files may be as long as one likes",
    "command_line_keeps_checkpoints": "threads cannot be started",
    "tours_so_far_are_kept": "it begins too slowly for so short a limit",
    "limit_of_time_ends_a_count": "the memory is too small to begin that count",
}


def missing_in(error: BaseException | None) -> str | None:
    """Return the missing requirement of an error or its cause, or None."""
    while error is not None:
        # The error or its help contains the requirement.
        if found := _MISSING.search(f"{error} {getattr(error, 'note', '')}"):
            return next(name for name in found.groups() if name)
        error = error.__cause__ or error.__context__
    return None


class Skips:
    """Skips tests that need missing packages or system features."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            reasons = [reason for part, reason in _OTHERWISE.items() if part in item.name]
            if reasons:
                item.add_marker(pytest.mark.skip(reason=reasons[0]))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Any:
        report = (yield).get_result()
        if report.failed and (name := missing_in(call.excinfo.value)) is not None:
            report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: there is no {name} here")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Any:
        report = (yield).get_result()
        if report.failed and (found := _MISSING.search(str(report.longrepr))) is not None:
            name = next(name for name in found.groups() if name)
            report.outcome, report.longrepr = "skipped", (str(collector.path), 0, f"Skipped: there is no {name} here")


os.chdir(os.environ["TEST_ROOT"])
# Captured file descriptors, a system clock and other processes are unavailable.
_SETTINGS = ["-s", "-q", "-rfE", "--tb=short", "-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:rerunfailures"]
_MARKS = "not slow and not long and not browser and not processes"
_OWN = ["-o", "addopts=", "-o", "filterwarnings=ignore", "-m", _MARKS, "--continue-on-collection-errors"]
sys.exit(int(pytest.main([*_SETTINGS, *_OWN, *sys.argv[1:]], [Skips()])) % 5)
