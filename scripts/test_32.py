"""The default tests in Python for WebAssembly, with pointers of 32 bits: scripts/test_32.py [few|PATH...] [-OPTION...]

Node runs them (scripts/in_pyodide.mjs), on the package and the kernels that the page brings. A test that needs what is
not to be had there, other processes or packages with code of their own, is skipped and says what it needs; so are files
that import such a package. The rest must pass. Options are those of pytest. Without Node or the parts nothing is
tested, and this says so.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyodide_parts

ROOT = Path(__file__).parent.parent
# Folders whose tests are about the library itself; the others are about commands, servers, processes and this checkout.
FOLDERS = (
    "catalogues", "certificates", "checking", "constructions", "counting", "drawing", "formats", "instances",
    "kernels", "methods", "model", "proofs", "puzzles", "sampling", "search", "sequences", "statistics",
)  # fmt: skip
# What `few` runs, in one process: some of each kind of array that kernels, counts and formats are given.
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
    """The wheels of what the tests need, downloaded once."""
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
    """Run them, folder by folder, as one process for all would take gigabytes; the exit code."""
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
