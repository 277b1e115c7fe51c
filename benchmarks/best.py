"""How surely and how soon `improve` reaches the extremes that are known of closed 8x8 tours."""

import statistics
import time

import knightstour as kt

KNOWN = {"turns": 45, "most-turns": 64, "crossings": 69, "most-crossings": 126}
SEEDS = 20
SECONDS = 60

kt.improve(kt.find_tour("8x8", closed=True), "turns", rng=1, limits=kt.Limits(30))
print("## The best closed 8x8 tours\n")
print(f"`improve` from {SEEDS} random tours, until the extreme that is known; CPU seconds.\n")
print("| objective | known | reached | median | longest |")
print("|---|---|---|---|---|")
for objective, known in KNOWN.items():
    taken, reached = [], 0
    for seed in range(SEEDS):
        tour = kt.find_tour("8x8", closed=True, method="rotation", rng=seed)
        began = time.process_time()
        found = kt.improve(tour, objective, goal=known, rng=seed, limits=kt.Limits(SECONDS))
        taken.append(time.process_time() - began)
        reached += found.after == known
    print(f"| `{objective}` | {known} | {reached} of {SEEDS} | {statistics.median(taken):.2f} | {max(taken):.2f} |")
