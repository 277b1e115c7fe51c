"""Run the default tests in 32-bit WebAssembly: scripts/test_32.py [few|PATH...] [-OPTION...]

Node runs them (scripts/in_pyodide.mjs), with the package and kernels of the page. Tests that need other processes or
unavailable packages are skipped with a reason. Options are passed to pytest. Without Node or the parts, the script
prints a note and runs nothing.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyodide_parts

ROOT = Path(__file__).parent.parent
# Folders with tests of the library; the others test commands, servers, processes and this checkout.
FOLDERS = (
    "catalogues", "certificates", "checking", "constructions", "counting", "drawing", "formats", "instances",
    "kernels", "methods", "model", "proofs", "puzzles", "sampling", "search", "sequences", "statistics",
)  # fmt: skip
# Tests of `few`, in one process: arrays of each kind for kernels, counts and formats.
FEW = [
    *(f"tests/counting/test_{name}.py" for name in ("states", "join", "census_by_halves")),
    *(f"tests/model/test_{name}.py" for name in ("distances", "geometry", "typed_first")),
    "tests/counting/test_spaces_step_counts.py", "tests/formats/test_boards_as_json.py",
    "tests/sampling/test_symmetric_samples.py", "tests/statistics",
]  # fmt: skip
# All are pure Python.
NEEDED = (
    "pytest>=8", "pytest-timeout>=2.3", "pytest-rerunfailures>=14", "pluggy", "iniconfig", "pygments",
    "hypothesis<6.156", "sortedcontainers", "networkx>=3.2", "click>=8.1", "rich>=13.7", "markdown-it-py", "mdurl",
    "pydot>=3", "pyparsing", "packaging", "typing-extensions",
)  # fmt: skip


def wheels() -> list[Path]:
    """Return the wheels of the requirements, downloaded once."""
    folder = pyodide_parts.KEPT / "tests"
    if not folder.exists():
        part = folder.with_name(".tests")
        shutil.rmtree(part, ignore_errors=True)
        pure = ["--only-binary", ":all:", "--platform", "any", "--python-version", "3.12"]
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(part), *pure, *NEEDED]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            raise pyodide_parts.Missing(done.stderr.strip()[-300:])
        os.replace(part, folder)
    return sorted(folder.glob("*.whl"))


def main(words: list[str]) -> int:
    """Run the tests, one folder at a time to save memory; return the exit code."""
    try:
        parts = pyodide_parts.parts()
        packages = [parts.numpy, *wheels()]
    except pyodide_parts.Missing as missing:
        print(f"warning: nothing is tested with 32 bits: {missing}", file=sys.stderr)
        return 0
    if shutil.which("node") is None:
        print("warning: nothing is tested with 32 bits: Node is not installed", file=sys.stderr)
        return 0
    found = 0
    options = [word for word in words if word.startswith("-")]
    paths = [word for word in words if not word.startswith("-")]
    groups = [FEW] if paths == ["few"] else [[path] for path in paths or [f"tests/{folder}" for folder in FOLDERS]]
    for group in groups:
        print("#", *group, flush=True)
        folders = [ROOT, parts.own, ROOT / "tests", ROOT / "scripts"]
        program = [ROOT / "scripts/in_pyodide.mjs", parts.pyodide, ROOT / "scripts/pytest_32.py"]
        environment = {**os.environ, "IN_PYODIDE": json.dumps({"HOME": "/home/pyodide", "TEST_ROOT": str(ROOT)})}
        command = ["node", *map(str, [*program, *packages, *folders]), "--", *group, *options]
        found = max(found, subprocess.run(command, env=environment, check=False).returncode)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
