"""The same question to other programs: whole processes, processor seconds, one beside the other.

    python benchmarks/peers.py [--python PYTHON]        or PEERS_PYTHON=PYTHON make bench

The small programs in benchmarks/peers are the textbook form of each method. PYTHON has the libraries that they need:
pip install graphillion ortools python-sat. What is not installed (a compiler, a library) is left out and named.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measure import clean_environment, command_cpu, knightstour, row, table, yardstick

HERE = Path(__file__).parent / "peers"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("PEERS_PYTHON", sys.executable)
    parser.add_argument("--python", default=default, help="the Python that has the libraries of the peers")
    python = parser.parse_args().python
    y = yardstick()
    print("## Beside other programs\n")
    print(f"Processor seconds of whole processes, medians of 3; y is {1000 * y:.0f} ms. Ratio: ours over theirs.\n")
    table("question", "the other program", "s", "y", "ours", "s", "y", "ratio")
    with tempfile.TemporaryDirectory() as folder:
        for question, name, theirs, ours in questions(Path(folder), python):
            compare(question, name, theirs, ours, y)


def questions(folder: Path, python: str) -> list[tuple[str, str, Sequence[str], Sequence[str]]]:
    """(Question, name of the peer, its command or nothing if it is not there, our words)."""
    warnsdorff: Sequence[str] = ()
    if shutil.which("g++"):
        subprocess.run(["g++", "-O2", str(HERE / "warnsdorff.cpp"), "-o", str(folder / "warnsdorff")], check=True)
        warnsdorff = [str(folder / "warnsdorff"), "128", "1"]
    merging: Sequence[str] = ()
    if shutil.which("javac"):
        subprocess.run(["javac", "-d", str(folder), str(HERE / "LoopMerging.java")], check=True)
        merging = ["java", "-cp", str(folder), "LoopMerging", "8", "100000"]

    def script(name: str, library: str, *words: str) -> Sequence[str]:
        has_it = subprocess.run([python, "-c", f"import {library}"], stderr=subprocess.DEVNULL, check=False)
        return [python, str(HERE / name), *words] if has_it.returncode == 0 else ()

    def solve(size: int) -> list[str]:
        return ["solve", f"{size}x{size}", "--closed", "-o", str(folder / "tour.txt"), "--force"]

    many = ["sample", "8x8", "-n", "100000", "--closed", "--unique", "-o", str(folder / "x.npy"), "--force"]
    cuts, circuit, zdd = "CaDiCaL with lazy cuts", "CP-SAT's circuit", "Graphillion (ZDD)"
    return [
        ("one tour of 128x128", "Warnsdorff's rule in C++ -O2", warnsdorff, ["solve", "128x128"]),
        ("the same by the same rule", "as above", warnsdorff, ["solve", "128x128", "--method", "warnsdorff"]),
        ("100,000 different closed tours of 8x8", "loop merging in Java", merging, many),
        ("a closed tour of 20x20", cuts, script("lazy_cuts.py", "pysat", "20"), solve(20)),
        ("a closed tour of 20x20", circuit, script("circuit.py", "ortools", "20"), solve(20)),
        ("a closed tour of 50x50", cuts, script("lazy_cuts.py", "pysat", "50"), solve(50)),
        ("closed tours of 6x6", zdd, script("zdd.py", "graphillion", "6", "6"), ["count", "6x6", "--closed"]),
        ("closed tours of 6x7", zdd, script("zdd.py", "graphillion", "6", "7"), ["count", "6x7", "--closed"]),
    ]


def compare(question: str, name: str, theirs: Sequence[str], ours: Sequence[str], y: float) -> None:
    """The row of a question. The first run of ours is not counted: it may compile."""
    if not theirs:
        row(question, f"{name}: not installed", *[""] * 6)
        return
    env = clean_environment()
    their_seconds = command_cpu(theirs, 3, env=env)
    command_cpu(knightstour(*ours), 1, env=env)
    seconds = command_cpu(knightstour(*ours), 3, env=env)
    words = [word for word in ours if not word.startswith("/")]
    shown = " ".join(word for word in words if word not in ("-o", "--force"))
    figures = (f"{their_seconds:.2f}", f"{their_seconds / y:.1f}", f"`{shown}`", f"{seconds:.2f}", f"{seconds / y:.1f}")
    row(question, name, *figures, f"{seconds / their_seconds:.2g}")


if __name__ == "__main__":
    main()
