"""Node, which runs the page's scripts, and the library as browsers have it, without a browser."""

import shutil
from typing import Any

import pytest


def need_node() -> None:
    """Skip the test where there is no Node."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")


def parts_for_browsers() -> Any:
    """Python for browsers and what goes with it, as Node runs them; the test is skipped where they cannot be had."""
    need_node()
    scripts = pytest.importorskip("pyodide_parts")
    try:
        return scripts.parts()
    except scripts.Missing as missing:
        pytest.skip(f"Python for browsers cannot be had: {missing}")
