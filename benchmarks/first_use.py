"""What a user pays at the door: whole processes, the first time after an installation and every time after it.

    python benchmarks/first_use.py

The first time: with an empty cache of compiled code, including what is compiled beside the answer and ends after it.
Every later time: with whatever the first runs left behind. Processor seconds, and in y. Each first use is run once, as
a user does; the later ones are medians of 5.
"""

import shutil
import tempfile
from pathlib import Path

from measure import clean_environment, command_cpu, knightstour, row, table, yardstick

COMMANDS = (
    ["--help"],
    ["solve", "8x8"],
    ["solve", "8x8", "--closed"],
    ["facts", "8x8"],
    ["count", "6x6", "--closed"],
    ["count", "6x6"],
    ["sample", "8x8", "-n", "1000", "--closed", "--print", "none"],
    ["improve", "{tour}", "--timeout", "10"],
    ["check", "{tour}"],
    ["unrank", "6x6", "1", "--closed"],
    ["compare", "8x8", "--closed", "--seeds", "5", "--no-largest"],
)
LONG = (["unrank", "8x8", "1", "--closed"],)


def main() -> None:
    """Print the table."""
    y = yardstick()
    print("## First use and every use after it\n")
    print(f"Processor seconds of whole processes, and in y, a million additions in Python ({1000 * y:.0f} ms).\n")
    table("command", "first: s", "y", "later: s", "y")
    for words in COMMANDS:
        measure(words, y, 5)
    for words in LONG:
        measure(words, y, 3)


def measure(words: list[str], y: float, runs: int) -> None:
    """The row of a command."""
    folder = Path(tempfile.mkdtemp())
    try:
        tour = str(folder / "tour.txt")
        env = clean_environment() | {"NUMBA_CACHE_DIR": str(folder / "numba"), "XDG_CACHE_HOME": str(folder / "cache")}
        command_cpu(knightstour("solve", "8x8", "--closed", "-o", tour), 1, env=env)
        command = knightstour(*(word.format(tour=tour) for word in words))
        first = command_cpu(command, 1, env=env)
        later = command_cpu(command, runs, env=env)
        name = " ".join(word.format(tour="TOUR") for word in words)
        row(f"`{name}`", f"{first:.2f}", f"{first / y:.1f}", f"{later:.2f}", f"{later / y:.1f}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
