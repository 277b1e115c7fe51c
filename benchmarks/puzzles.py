"""How long puzzles take to be made, and questions with given numbers to be decided: python benchmarks/puzzles.py

Times are CPU seconds, compiled code loaded; the last line says how long a million additions in Python took meanwhile.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import knightstour as kt
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.search.clues import Numberings

_SECONDS = 10.0


def additions() -> float:
    """CPU seconds of a million additions."""
    began, total = time.process_time(), 0
    for i in range(10**6):
        total += i
    return time.process_time() - began


def decided(board: str, closed: bool, given: float, seed: int, swapped: bool) -> tuple[float, int | None]:
    """CPU seconds to decide none, one or several; and which, None where that took too long.

    given: how many numbers of a random tour, or which part of all.
    """
    tour = kt.find_tour(board, closed=closed, method="rotation", rng=seed, proofs=False)
    order = tour.order.tolist()
    chance = random.Random(seed)
    count = round(given * len(order)) if given < 1 else round(given)
    chosen = [(order[t], t + 1) for t in chance.sample(range(len(order)), count)]
    if swapped:
        chosen[0], chosen[1] = (chosen[0][0], chosen[1][1]), (chosen[1][0], chosen[0][1])
    began = time.process_time()
    search = Numberings(
        Board.of(board), [(s, (number,)) for s, number in chosen], Budget(Limits(seconds=_SECONDS)), closed=closed
    )
    found = sum(1 for _ in zip(range(2), search, strict=False))
    took = time.process_time() - began
    return took, found if found == 2 or search.is_finished else None


def report(name: str, times: list[float], note: str = "") -> None:
    """A line of the table."""
    print(f"| {name} | {statistics.median(times):.3f} | {max(times):.3f} | {note} |", flush=True)


def decide(board: str, closed: bool, givens: list[float], runs: int, swapped: bool = False) -> None:
    """Questions with so many given numbers, each in turn."""
    done = [decided(board, closed, givens[k % len(givens)], k, swapped) for k in range(runs)]
    left = sum(found is None for _, found in done)
    kind = ("closed" if closed else "open") + (", two swapped" if swapped else "")
    shown = ", ".join(f"{given:.0%}" if given < 1 else str(given) for given in givens)
    shown = shown if len(givens) < 6 else f"{givens[0]} to {givens[-1]}"
    report(f"decide {board} {kind}, {shown} given", [took for took, _ in done], f"{left} of {runs} not in 10 s")


def made(name: str, make: Callable[[int], kt.Puzzle], runs: int) -> None:
    """Puzzles of a kind."""
    times, counts = [], []
    for seed in range(runs):
        began = time.process_time()
        counts.append(make(seed).count)
        times.append(time.process_time() - began)
    report(f"make {name}", times, f"{min(counts)} to {max(counts)} given")


def main() -> None:
    """Print the table."""
    kt.make_puzzle("5x5", rng=1)
    print("| what | median s | worst s | |\n|---|---|---|---|")
    any_number = [float(k) for k in range(8, 65)]
    for closed in (False, True):
        decide("8x8", closed, any_number, 500)
        decide("8x8", closed, any_number, 250, swapped=True)
    for board, parts in (("12x12", [0.2]), ("16x16", [0.2, 0.25, 0.3])):
        for closed in (False, True):
            decide(board, closed, parts, 15)
    for name, board, wish in (
        ("6x6", "6x6", {}),
        ("8x8", "8x8", {}),
        ("8x8 closed", "8x8", {"closed": True}),
        *((f"8x8 {level}", "8x8", {"level": level}) for level in ("easy", "medium", "hard", "expert")),
        ("8x8 180", "8x8", {"pattern": "180"}),
    ):
        made(name, lambda seed, board=board, wish=wish: kt.make_puzzle(board, rng=seed, **wish), 20)  # type: ignore[misc]
    made("12x12", lambda seed: kt.make_puzzle("12x12", rng=seed), 5)
    print(f"\na million additions: {additions():.3f} s")


if __name__ == "__main__":
    main()
