"""Node, which runs the page's scripts, and the library for browsers without a browser."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from knightstour.interfaces.web.modules import STATIC


def need_node() -> None:
    """Skip the test without Node."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")


def run_script(script: str, module: str, *words: str, **environment: str) -> Any:
    """Return the JSON that a script prints for a module of the page and arguments."""
    need_node()
    command = ["node", "--input-type=module", "-e", script, str(STATIC / module), *words]
    told = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=told)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def parts_for_browsers() -> Any:
    """Return Python for browsers in Node, or skip the test."""
    need_node()
    scripts = pytest.importorskip("pyodide_parts")
    try:
        return scripts.parts()
    except scripts.Missing as missing:
        pytest.skip(f"Python for browsers cannot be had: {missing}")
