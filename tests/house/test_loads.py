"""What each command loads: only the folders of the house that its question needs, and few packages.

A command that loads more takes longer each time, so a new entry here needs a reason.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from house import ORDER, folder_of

# Packages, and parts of NumPy and of the standard library, that take 20 ms and more.
HEAVY = {
    *("numpy", "numpy.ma", "numpy.random", "matplotlib", "dask", "distributed", "PIL", "pyarrow", "pysat"),
    # The library in C++.
    "the-kernels",
    *("networkx", "rich", "http.server", "importlib.metadata", "asyncio", "multiprocessing", "unittest"),
}

# Every command loads these. Of `machine` it is `memory`, which knows the error of a system that gives no more memory:
# then nothing can be loaded.
ALWAYS = {"cli", "model", "machine"}
SEARCH = {"kernels", "search", "proofs"}

# Command line -> what it loads besides ALWAYS.
LOADS = {
    "--help": set(),
    "count 4x5": SEARCH | {"counting", "formats", "numpy"},
    "puzzle 5x5 --seed 1": SEARCH | {"formats", "methods", "puzzles", "numpy", "the-kernels"},
    "sample 6x6 -n 5 --closed --seed 1": SEARCH
    | {
        "checking",
        "constructions",
        "drawing",
        "formats",
        "methods",
        "sampling",
        "numpy",
        "numpy.random",
        "the-kernels",
    },
    "solve 6x6": SEARCH | {"constructions", "drawing", "formats", "methods", "numpy"},
    "unrank 4x5 3": SEARCH | {"checking", "counting", "drawing", "formats", "numpy", "the-kernels"},
}


QUICK = ("--help", "count 4x5", "solve 6x6")


@pytest.mark.parametrize("line", [pytest.param(line, marks=[pytest.mark.long] * (line not in QUICK)) for line in LOADS])
def test_a_command_loads_only_what_it_uses(line):
    code = (
        "import sys; from knightstour.interfaces.cli import app as cli\n"
        "cli._run(sys.argv[1:], False); native = sys.modules.get('knightstour.core.machine.native')\n"
        "is_loaded = native is not None and native.library.cache_info().currsize > 0\n"
        "print(*sys.modules, *['the-kernels'] * is_loaded, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    modules = set(done.stderr.splitlines()[-1].split())
    ours = {name.removeprefix("knightstour.") for name in modules if name.startswith("knightstour.")}
    folders = {folder_of(name) for name in ours} & set(ORDER)
    assert folders | modules & HEAVY == ALWAYS | LOADS[line]
