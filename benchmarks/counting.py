"""Exact counts, and the space of all tours: processor seconds, wall clock, memory. Prints Markdown.

Each line is measured in a process of its own, after a small count that loads the compiled code.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import yardstick

import knightstour as kt

COUNTS = [
    ("6x6", {"closed": True}),
    ("6x7", {"closed": True}),
    ("6x8", {"closed": True}),
    ("6x10", {"closed": True}),
    ("7x8", {"closed": True}),
    ("7x10", {"closed": True}),
    ("8x8", {"closed": True}),
    ("8x10", {"closed": True}),
    ("5x5", {"directed": True}),
    ("5x6", {"directed": True}),
    ("6x6", {}),
    ("7x6", {}),
    ("7x7", {"directed": True}),
    ("8x8", {"closed": True, "symmetry": "180"}),
    ("10x10", {"closed": True, "symmetry": "90"}),
]
SPACES = [("6x6", {"closed": True}), ("6x6", {}), ("7x8", {"closed": True}), ("8x8", {"closed": True})]
SAMPLES = 20_000
NUMBERS = 2_000


def clocks() -> tuple[float, float]:
    """Processor seconds and wall clock."""
    return time.process_time(), time.perf_counter()


def since(before: tuple[float, float]) -> tuple[float, float]:
    """What both have gone on since then."""
    now = clocks()
    return now[0] - before[0], now[1] - before[1]


def memory() -> float:
    """The most that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def count(board: str, **question: object) -> dict[str, float]:
    """One count."""
    for closed in (True, False):
        kt.count_tours((6, 8) if closed else (6, 6), closed=closed)
    if "symmetry" in question:
        kt.count_tours((6, 6), **question)
    before = clocks()
    tours = kt.count_tours(board, **question)
    cpu, wall = since(before)
    return {"tours": tours, "cpu": cpu, "wall": wall, "memory": memory(), "yardstick": yardstick()}


def space(board: str, **question: object) -> dict[str, float]:
    """Build a space, write it, open it, and ask for numbers."""
    small = kt.TourSpace((6, 6), **question)
    small.rank(small.unrank(2))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "space"
        before = clocks()
        built = kt.TourSpace.build(board, path=path, **question)
        figures = dict(zip(("cpu", "wall"), since(before), strict=True)) | {
            "memory": memory(),
            "bytes": path.stat().st_size,
        }
        del built
        before = clocks()
        opened = kt.TourSpace.open(path)
        figures["open"] = since(before)[1]
        rng = np.random.default_rng(1)
        numbers = [1 + int(rng.random() * opened.count) % opened.count for _ in range(NUMBERS)]
        opened.unrank(numbers[0])
        before = clocks()
        tours = [opened.unrank(number) for number in numbers]
        figures["unrank"] = since(before)[0] / NUMBERS
        before = clocks()
        ranks = [opened.rank(tour) for tour in tours]
        figures["rank"] = since(before)[0] / NUMBERS
        assert ranks == numbers
        before = clocks()
        opened.sample(SAMPLES, rng=1)
        figures["sample"] = since(before)[0] / SAMPLES
    return figures


def apart(what: str, board: str, question: dict[str, object]) -> dict[str, float]:
    """One of the two in a process of its own."""
    words = [sys.executable, __file__, what, board, json.dumps(question)]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def name_of(board: str, question: dict[str, object]) -> str:
    """The question in words."""
    kind = "closed" if question.get("closed") else "open"
    others = ", directed" * bool(question.get("directed"))
    symmetry = f", symmetric under {question['symmetry']} degrees" if "symmetry" in question else ""
    return f"{board} {kind}{others}{symmetry}"


def main() -> None:
    """Both tables."""
    if len(sys.argv) > 1:
        what = {"count": count, "space": space}[sys.argv[1]]
        print(json.dumps(what(sys.argv[2], **json.loads(sys.argv[3]))))
        return
    print("## Exact counts\n\nProcessor seconds, also in y, a million additions in Python in the same process.\n")
    print("| tours | number | processor s | y | wall s, 2 threads | most memory MB |\n|---|---|---|---|---|---|")
    for board, question in COUNTS:
        figures = apart("count", board, question)
        ratio = figures["cpu"] / figures["yardstick"]
        print(
            f"| {name_of(board, question)} | {figures['tours']:,} | {figures['cpu']:.2f} | {ratio:,.3g} "
            f"| {figures['wall']:.2f} | {figures['memory']:.0f} |",
            flush=True,
        )
    print("\n### All tours as one object\n")
    print(
        "| space | build: processor s | wall s | most memory MB | file MB | open: wall s | unrank ms | rank ms "
        "| uniform samples/s |\n|---|---|---|---|---|---|---|---|---|"
    )
    for board, question in SPACES:
        figures = apart("space", board, question)
        print(
            f"| {name_of(board, question)} | {figures['cpu']:.2f} | {figures['wall']:.2f} | {figures['memory']:.0f} "
            f"| {figures['bytes'] / 1e6:.1f} | {figures['open']:.2f} | {figures['unrank'] * 1e3:.2f} "
            f"| {figures['rank'] * 1e3:.2f} | {1 / figures['sample']:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
