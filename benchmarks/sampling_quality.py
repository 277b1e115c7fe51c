"""Measure the uniformity of the distributions of `sample`: draws against all tours, and pool sizes from repeats.

    python benchmarks/sampling_quality.py             # all, some minutes
    python benchmarks/sampling_quality.py --pool 0    # without the 10 million tours of 8x8

chi2: the sum of (drawn - expected)^2 / expected over all tours of a small board, divided by (tours - 1). It is 1 (give
or take `noise`) for independent uniform draws, and larger if the distribution prefers some tours or repeats tours soon.
It grows with the number of draws in the first case only, so two numbers of draws are measured. lag: frequency of equal
tours at that distance in the stream, relative to independent draws.
"""

import argparse
import time

import numpy as np

import knightstour as kt
from knightstour.lab.sampling.stream import SeenTours

SEEDS = 8


QUESTIONS = (
    ("5x5", {}),
    ("5x5", {"start": "a1"}),
    ("5x5", {"start": "a1", "end": "e5"}),
    ("5x6", {}),
    ("5x6", {"start": "a1"}),
    ("5x6", {"end": "b2"}),
    ("5x6", {"start": "a1", "end": "b1"}),
    ("6x6", {"closed": True}),
    ("6x6", {"start": "a1", "end": "b1"}),
)


def name_of(board: str, question: dict) -> str:
    return " ".join([board, *(k if v is True else f"{k} {v}" for k, v in question.items())])


def all_tours(problem: kt.Problem) -> np.ndarray:
    """Return every tour as a row; closed tours once, from the lowest square towards its lower neighbour."""
    tours = kt.iter_tours(problem, directed=not problem.closed)
    found = np.array([tour.order for tour in tours], dtype=np.uint8)
    return canonical(found) if problem.closed else found


def canonical(orders: np.ndarray) -> np.ndarray:
    """Rotate closed tours to their lowest square, towards its lower neighbour."""
    count = orders.shape[1]
    at = orders.argmin(axis=1)[:, None]
    rows = np.arange(len(orders))[:, None]
    step = np.where(orders[rows, (at + 1) % count] < orders[rows, at - 1], 1, -1)
    return orders[rows, (at + step * np.arange(count)) % count]


def keys_of(orders: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(orders).view(f"V{orders.shape[1]}").ravel()


def chi2_of(
    problem: kt.Problem, pool: np.ndarray, draws: int, distribution: str, seed: int, **parameters: int
) -> tuple:
    """Return (chi2 / (tours - 1), tours never drawn, equal tours at lag 1 and 2 relative to chance)."""
    sample = kt.sample(problem, draws, distribution=distribution, seed=seed, **parameters)
    orders = sample.orders.astype(np.uint8)
    keys = np.sort(keys_of(pool))
    cells = np.searchsorted(keys, keys_of(canonical(orders) if problem.closed else orders))
    counts = np.bincount(cells, minlength=len(keys))
    expected = draws / len(keys)
    chi2 = ((counts - expected) ** 2).sum() / expected / (len(keys) - 1)
    lags = [float((cells[k:] == cells[:-k]).mean() * len(keys)) for k in (1, 2)]
    return chi2, int((counts == 0).sum()), lags


def uniformity(distribution: str, most: int, **parameters: int) -> None:
    """Print the mean of chi2 over several seeds, for two numbers of draws."""
    print(f"\ndistribution {distribution} {parameters or ''}: mean of {SEEDS} seeds")
    print(f"{'question':26} {'tours':>8} {'draws':>9} {'chi2':>8} {'noise':>6} {'unseen':>7} {'lag 1':>7} {'lag 2':>7}")
    for board, question in QUESTIONS:
        problem = kt.Problem(board, **question)
        pool = all_tours(problem)
        short = min(most, 20 * len(pool))
        for draws in sorted({short, most}):
            rows = [chi2_of(problem, pool, draws, distribution, seed, **parameters) for seed in range(SEEDS)]
            chi2 = sum(row[0] for row in rows) / SEEDS
            unseen = min(row[1] for row in rows)
            lags = [sum(row[2][k] for row in rows) / SEEDS for k in (0, 1)]
            noise = (2 / max(1, len(pool) - 1) / SEEDS) ** 0.5
            print(
                f"{name_of(board, question):26} {len(pool):8,} {draws:9,} {chi2:8.3f} {noise:6.3f} {unseen:7,} "
                f"{lags[0]:7.2f} {lags[1]:7.2f}",
                flush=True,
            )


def alikeness(draws: int = 20_000) -> None:
    """Print the fraction of moves that consecutive 8x8 tours share, and that unrelated tours share."""
    print("\nmoves that a tour of 8x8 shares with one later in the stream (lag), less those of others, of 63 or 64")
    print(f"{'question':26} {'distribution':10} {'lag 1':>8} {'lag 2':>8} {'lag 4':>8} {'noise':>7}")
    questions = ({}, {"closed": True}, {"start": "a1"}, {"start": "a1", "end": "h7"})
    for distribution in ("backbite", "merge", "warnsdorff"):
        for question in questions:
            orders = kt.sample("8x8", draws, distribution=distribution, seed=1, **question).orders.astype(np.int64)
            after = np.roll(orders, -1, axis=1)
            edges = np.minimum(orders, after) * 64 + np.maximum(orders, after)
            if not question.get("closed"):
                edges = edges[:, :-1]
            has = np.zeros((draws, 64 * 64), dtype=np.uint8)
            np.put_along_axis(has, edges, 1, axis=1)
            has = has[:, has.any(axis=0)].astype(np.float32)
            base = (has.mean(axis=0) ** 2).sum()
            shared = [(has[k:] * has[:-k]).sum(axis=1) for k in (1, 2, 4)]
            lags = [float(row.mean() - base) for row in shared]
            noise = float(shared[2].std() / draws**0.5)
            print(
                f"{name_of('8x8', question):26} {distribution:10} "
                + " ".join(f"{x:8.3f}" for x in lags)
                + f" {noise:7.3f}"
            )


def pools(most: int) -> None:
    """Print the number of repeats among 8x8 tours, and the corresponding number of equally likely tours."""
    print("\nrepeats in many tours of 8x8, and the pool that follows: n (n - 1) / 2 / repeats")
    for distribution, question in (
        ("backbite", {"closed": True}),
        ("backbite", {}),
        ("backbite", {"start": "a1"}),
        ("backbite", {"start": "a1", "end": "h7"}),
        ("merge", {"closed": True}),
        ("merge", {}),
        ("warnsdorff", {}),
        ("warnsdorff", {"start": "a1"}),
    ):
        draws = most if distribution == "backbite" else most // 10
        began = time.process_time()
        seen = SeenTours(kt.Problem("8x8", **question))
        parts = kt.iter_samples("8x8", draws, distribution=distribution, seed=1, **question)
        repeats = draws - sum(int(seen.add(part.orders).sum()) for part in parts)
        pairs = draws * (draws - 1) / 2
        pool = f"{pairs / repeats:.2g}" if repeats else f"over {pairs / 3:.1g}"
        took = time.process_time() - began
        print(
            f"{distribution:10} {name_of('8x8', question):26} {draws:10,} tours, {repeats:7,} repeats, pool {pool:>10}"
            f"  ({took:.0f} s cpu)",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200_000, help="tours drawn for each chi2 and seed")
    parser.add_argument("--pool", type=int, default=10_000_000, help="tours drawn for the pool; 0 for none")
    options = parser.parse_args()
    for distribution in ("backbite", "merge", "warnsdorff"):
        uniformity(distribution, options.draws if distribution == "backbite" else options.draws // 4)
    alikeness()
    if options.pool:
        pools(options.pool)


if __name__ == "__main__":
    main()
