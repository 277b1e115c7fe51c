"""What `knightstour plot` does: collect what is to be seen, and write the plot."""

from __future__ import annotations

import io
import random
from pathlib import PurePath
from typing import Any

from knightstour import console
from knightstour.board import Board
from knightstour.drawing.plots import plot_degrees, plot_distribution, plot_shares
from knightstour.errors import BoardError, FormatError
from knightstour.files import open_target
from knightstour.given import an
from knightstour.result import Budget, Limits, Problem
from knightstour.sampling import iter_sample
from knightstour.warnsdorff import TIES, warnsdorff
from knightstour.writing import check_target

# What can be plotted.
PLOTS: dict[str, str] = {
    "degrees": "how many moves the squares of BOARD have",
    "turns": "how many turns random tours of BOARD have",
    "crossings": "how often random tours of BOARD cross themselves",
    "ties": "how often Warnsdorff's rule finds a tour at the first try, for each way to break ties, up to n x n BOARD",
}
_SUFFIXES = (".png", ".svg", ".pdf")
_SIZES = 12
_USUAL_TOURS = 300


def plot_command(
    what: str,
    board: Board,
    output: str,
    *,
    count: int | None,
    closed: bool,
    seed: int | None,
    theme: str,
    force: bool,
) -> int:
    """Plot one of PLOTS to a file; returns the exit code."""
    if what not in PLOTS:
        raise FormatError(f"there is no plot of {what!r}", help="one of " + ", ".join(PLOTS))
    if PurePath(output).suffix.lower() not in _SUFFIXES:
        raise FormatError(f"a plot cannot be written as {output!r}", help="the suffixes are " + ", ".join(_SUFFIXES))
    used = {"degrees": (), "ties": ("n", "seed")}.get(what, ("n", "seed", "closed"))
    for name, value in (("n", count), ("seed", seed), ("closed", closed or None)):
        if value is not None and name not in used:
            raise FormatError(f"{what} are the same whatever -{'-' * (name != 'n')}{name} says", help="leave it out")
    count, seed = _USUAL_TOURS if count is None else count, seed or 0
    if count < 1:
        raise FormatError(f"{count} tours are no sample", help="give 1 or more")
    check_target(output, force)
    status = console.StatusLine()
    if what == "degrees":
        figure = plot_degrees(board, theme=theme)
    elif what == "ties":
        shares = success_of_ties(board, count, seed, status)
        title = f"Warnsdorff's rule at the first try, {count} random starts each"
        figure = plot_shares(shares, what="n of the n x n board", title=title, theme=theme)
    else:
        values = []
        for sample in iter_sample(board, count, closed=closed, rng=seed):
            for tour in sample:
                values.append(getattr(tour, what))
                status.show(f"{len(values):,} of {count:,} tours")
        kind = "closed tours" if closed else "tours"
        title = f"{what.capitalize()} of {len(values):,} random {kind}, {board}"
        figure = plot_distribution(values, what=what, title=title, theme=theme)
    status.clear()
    out = io.BytesIO()
    options: dict[str, Any] = {"format": PurePath(output).suffix[1:].lower(), "dpi": 144}
    figure.savefig(out, **options)
    with open_target(output, force=force) as file:
        file.write(out.getvalue())
    return console.FOUND


def success_of_ties(
    board: Board, count: int, seed: int, status: console.StatusLine | None = None
) -> dict[str, dict[int, float]]:
    """Share of the starts, 0 to 1, from which each way to break ties finds an open tour without going back.

    For some twelve sizes n from 5 to that of the board. Starts and random ties come from the seed; all ways get the
    same starts. "squirrel" is made for tours from the corner, so it begins there, once.
    """
    if board.rows != board.cols or not board.is_rectangle or board.rows < 5:
        raise BoardError(f"sizes n x n up to the board are tried, from 5x5; this is {an(board)}", help="give 40x40")
    most = board.rows
    sizes = sorted({5 + (most - 5) * k // max(1, _SIZES - 1) for k in range(_SIZES)})
    shares: dict[str, dict[int, float]] = {name: {} for name in TIES}
    dice = random.Random(seed)
    for n in sizes:
        # From squares of the minority colour an odd board has no tour.
        fits = [(r, c) for r in range(n) for c in range(n) if n % 2 == 0 or (r + c) % 2 == 0]
        starts = [dice.choice(fits) for _ in range(count)]
        for name in TIES:
            wins = 0
            chosen = [(0, 0)] if name == "squirrel" else starts
            for k, start in enumerate(chosen):
                if status is not None:
                    status.show(f"{n}x{n}, {name}: {k} of {len(chosen)} starts")
                problem, budget = Problem.of((n, n), start=start), Budget(Limits(None, n * n))
                outcome = warnsdorff(problem, budget, seed + k, ties=name, critical_budget=0)
                wins += outcome.order is not None
            shares[name][n] = wins / len(chosen)
    return shares
