"""Peter Luschny's challenge: the tours of all k x n boards, 3 <= k, n <= 12, k n <= 40. Prints Markdown.

Each line is measured in a process of its own, after a small count that loads the compiled code. Boards of few rows are
answered by their recurrences; the second figure is without them, each board counted by itself, by halves.
"""

import json
import subprocess
import sys
from itertools import product

from measure import cpu, row, table, yardstick

import knightstour as kt
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.count import count

# Seconds on his laptop, as he gave them with the challenge.
PUBLISHED = {"paths": 71.0, "cycles": 1.8}
BOARDS = [(k, n) for k, n in product(range(3, 13), repeat=2) if k * n <= 40]


def all_counts(closed: bool, route: str | None) -> int:
    """Count the tours of every board, k x n and n x k each by itself. Returns the sum."""
    return sum(count(Problem.of(board, closed=closed), route=route).tours for board in BOARDS)


def measured(kind: str, route: str | None) -> dict[str, float]:
    """The sum of the counts, the processor seconds, and those of the yardstick."""
    closed = kind == "cycles"
    # Boards that are not among them load the code.
    for both in (True, False):
        kt.count_tours((6, 8) if both else (6, 7), closed=both)
    found: list[int] = []
    seconds = cpu(lambda: found.append(all_counts(closed, route)))
    return {"sum": found[0], "seconds": seconds, "yardstick": yardstick()}


def apart(kind: str, route: str | None) -> dict[str, float]:
    """One measurement in a process of its own."""
    words = [sys.executable, __file__, kind, json.dumps(route)]
    figures: dict[str, float] = json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return figures


def main() -> None:
    """The table."""
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1], json.loads(sys.argv[2]))))
        return
    print(
        f"## Luschny's challenge\n\nThe undirected tours of all {len(BOARDS)} boards k x n with 3 <= k, n <= 12 and "
        "k n <= 40; processor seconds, and y, a million additions in Python in the same process. His figures are of "
        "his own laptop.\n"
    )
    table("tours", "sum of the counts", "his: s", "ours: s", "y", "times quicker", "by halves alone: s", "y", "times")
    for kind, published in PUBLISHED.items():
        best, plain = apart(kind, None), apart(kind, "halves")
        assert best["sum"] == plain["sum"]
        cells = [kind, f"{best['sum']:,}", published]
        for figures in (best, plain):
            seconds = figures["seconds"]
            cells += [f"{seconds:.2f}", f"{seconds / figures['yardstick']:.3g}", f"{published / seconds:.0f}"]
        row(*cells)


if __name__ == "__main__":
    main()
