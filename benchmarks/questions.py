"""The rows of `make bench`: commands of this project and of other programs."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

PEERS = Path(__file__).parent / "peers"


class Row(NamedTuple):
    """A measured command. Pages refer to its figures by `key`."""

    key: str
    command: str
    runs: int = 3


# Baseline: start of Python and NumPy.
START = Row("start", 'python -c "import numpy"', 7)

OURS = (
    Row("solve 20x20 closed", "knightstour solve 20x20 --closed"),
    Row("solve 50x50 closed", "knightstour solve 50x50 --closed"),
    Row("solve 100x100 closed", "knightstour solve 100x100 --closed"),
    Row("solve 128x128", "knightstour solve 128x128"),
    Row("solve 128x128 warnsdorff", "knightstour solve 128x128 --method warnsdorff"),
    Row("count 6x6 closed", "knightstour count 6x6 --closed"),
    Row("count 6x7 closed", "knightstour count 6x7 --closed"),
    Row("count 6x8 closed", "knightstour count 6x8 --closed"),
    Row("count 7x8 closed", "knightstour count 7x8 --closed"),
    Row("count 8x8 closed", "knightstour count 8x8 --closed"),
    Row("count 6x40 closed", "knightstour count 6x40 --closed"),
    Row("count 3x10000 closed", "knightstour count 3x10000 --closed"),
    Row("sample 100,000", "knightstour sample 8x8 -n 100000 --closed --unique -o tours.npy"),
    Row("sample 100,000 merge", "knightstour sample 8x8 -n 100000 --closed --unique --distribution merge -o tours.npy"),
    Row(
        "sample 100,000 warnsdorff",
        "knightstour sample 8x8 -n 100000 --closed --unique --distribution warnsdorff -o tours.npy",
    ),
    Row("sample a million", "knightstour sample 8x8 -n 1000000 --closed --seed 7 -o tours/"),
    Row("check a million", "knightstour check tours/"),
    Row("puzzle 8x8", "knightstour puzzle 8x8 --level hard"),
    # Index of results.
    Row("classes 6x6 closed", "knightstour count 6x6 --closed --up-to-symmetry"),
    Row("classes 8x8 closed", "knightstour count 8x8 --closed --up-to-symmetry", 1),
    Row("count 9x6 closed", "knightstour count 9x6 --closed", 1),
    Row("count 6x6 directed", "knightstour count 6x6 --directed"),
    Row("cycles 6x6", "knightstour count 6x6 --closed --partial"),
    Row("catalogue magic", "knightstour examples magic-8x8 --format algebraic"),
    Row("uncrossed path", "knightstour examples uncrossed:path-8x8 --json"),
    Row("uncrossed cycle", "knightstour examples uncrossed:cycle-8x8 --json"),
)

CUTS, CIRCUIT, ZDD = "lazy_cuts.py", "circuit.py", "zdd.py"
THEIRS = (
    Row("Warnsdorff 128x128", "./warnsdorff 128 1"),
    Row("Java 100,000", "java LoopMerging 8 100000"),
    Row("CaDiCaL 20x20", f"python {CUTS} 20"),
    Row("CaDiCaL 50x50", f"python {CUTS} 50"),
    Row("CP-SAT 20x20", f"python {CIRCUIT} 20"),
    Row("CP-SAT 50x50", f"python {CIRCUIT} 50"),
    Row("CP-SAT 100x100", f"python {CIRCUIT} 100", 1),
    Row("Graphillion 6x6", f"python {ZDD} 6 6"),
    Row("Graphillion 6x7", f"python {ZDD} 6 7"),
)
ROWS = (START, *OURS, *THEIRS)
LIBRARIES = {CUTS: "pysat", CIRCUIT: "ortools", ZDD: "graphillion"}


def compile_program(name: str, compiler: str, *words: str) -> bool:
    """Compile a program of the peers into this folder; False if there is no compiler."""
    if not shutil.which(compiler):
        return False
    subprocess.run([compiler, *words, str(PEERS / name)], check=True)
    return True


def prepare_row(row: Row, python: str) -> Sequence[str]:
    """Return the arguments to run a row in the current folder, or () if requirements are missing.

    python: an interpreter with the libraries of the other programs.
    """
    program, *words = row.command.split()
    if row is START:
        return [sys.executable, "-c", "import numpy"]
    if program == "knightstour":
        return [sys.executable, "-m", "knightstour", *words]
    ready: dict[str, Callable[[], bool]] = {
        "./warnsdorff": lambda: compile_program("warnsdorff.cpp", "g++", "-O2", "-o", "warnsdorff"),
        "java": lambda: compile_program("LoopMerging.java", "javac", "-d", "."),
        "python": lambda: subprocess.run([python, "-c", f"import {LIBRARIES[words[0]]}"], check=False).returncode == 0,
    }
    if not ready[program]():
        return ()
    return [python, str(PEERS / words[0]), *words[1:]] if program == "python" else [program, *words]
