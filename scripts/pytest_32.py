"""What scripts/test_32.py runs inside Pyodide: pytest, with tests skipped that need what is not there."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import pytest

# Packages with code of their own, and what the system of a browser has not.
_MISSING = re.compile(
    r"No module named '(\w+)'"
    r"|emscripten does not support (processes)"
    r"|(no other process) can be started"
    r"|(python-sat), which is not installed"
    r"|needs (fpdf2|pyarrow|pillow)"
    r"|can't start new (thread)"
    r"|has no attribute '(mkfifo|fork|alarm|setitimer|getpwnam|getuid)'"
)

_OVERFLOW = "JSON that is nested deeply ends Python before it says so"
# Tests of what is otherwise there, by parts of their names.
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
    """What an error, or one that it came from, says is missing."""
    while error is not None:
        # Both have what counts: the words of the error, and those of its help.
        if found := _MISSING.search(f"{error} {getattr(error, 'note', '')}"):
            return next(name for name in found.groups() if name)
        error = error.__cause__ or error.__context__
    return None


class Skips:
    """Makes a test that needs what is missing, or is of what is otherwise here, a skipped one."""

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
# No captured file descriptors, no clock of the system's and no second processes here.
_SETTINGS = ["-s", "-q", "-rfE", "--tb=short", "-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:rerunfailures"]
_MARKS = "not slow and not long and not browser and not processes"
_OWN = ["-o", "addopts=", "-o", "filterwarnings=ignore", "-m", _MARKS, "--continue-on-collection-errors"]
sys.exit(int(pytest.main([*_SETTINGS, *_OWN, *sys.argv[1:]], [Skips()])) % 5)
