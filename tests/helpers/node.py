"""Node, which runs the page's scripts, and the library as browsers have it, without a browser."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from knightstour.interfaces.web.modules import STATIC


def need_node() -> None:
    """Skip the test where there is no Node."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")


def run_script(script: str, module: str, *words: str, **environment: str) -> Any:
    """What a script prints as JSON that is given a module of the page and words."""
    need_node()
    command = ["node", "--input-type=module", "-e", script, str(STATIC / module), *words]
    told = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=told)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def parts_for_browsers() -> Any:
    """Python for browsers and what goes with it, as Node runs them; the test is skipped where they cannot be had."""
    need_node()
    scripts = pytest.importorskip("pyodide_parts")
    try:
        return scripts.parts()
    except scripts.Missing as missing:
        pytest.skip(f"Python for browsers cannot be had: {missing}")
