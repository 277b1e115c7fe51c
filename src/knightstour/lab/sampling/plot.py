"""plot(): a picture of numbers, such as the degrees of a board, the turns of random tours, or the success of a rule."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.drawing.plots import plot_degrees, plot_distribution, plot_shares
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board, BoardLike
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import Randomness, an, did_you_mean, flag, one_of, seed_of, whole_number
from knightstour.core.search.options import TIES
from knightstour.core.search.warnsdorff import warnsdorff
from knightstour.lab.sampling.sample_tours import iter_sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEFAULT_TOURS = 300
# Sizes of board for which the ways to break ties are compared.
_SIZES_OF_TIES = 12


class _PlotOptions(NamedTuple):
    """The arguments of plot(), checked."""

    board: Board
    n: int
    closed: bool
    seed: int
    theme: str
    on_progress: OnProgress | None


# Tours of a plot: more do not change what it shows.
_MAX_TOURS = 10_000_000


class Plot(NamedTuple):
    """A row of PLOTS. make: draws it. uses: the arguments that change it. summary: what it shows."""

    make: Callable[[_PlotOptions], Figure]
    uses: tuple[str, ...]
    summary: str


def _degrees(wanted: _PlotOptions) -> Figure:
    return plot_degrees(wanted.board, theme=wanted.theme)


def success_of_ties(
    board: Board, count: int, seed: int, *, on_progress: OnProgress | None = None
) -> dict[str, dict[int, float]]:
    """Share of the starts, 0 to 1, from which each way to break ties finds an open tour without going back.

    For some twelve sizes n from 5 to that of the board. Starts and random ties come from the seed; all ways get the
    same starts. "squirrel" is made for tours from the corner, so it begins there, once.
    """
    if board.rows != board.cols or not board.is_rectangle or board.rows < 5:
        raise BoardError(
            f"sizes n x n up to the board are tried, from 5x5; this is {an(board.title)}", help="give 40x40"
        )
    report = Reporter(on_progress, "trying starts")
    most = board.rows
    sizes = sorted({5 + (most - 5) * k // max(1, _SIZES_OF_TIES - 1) for k in range(_SIZES_OF_TIES)})
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
                report(k, f"{n}x{n}, {name}", total=len(chosen))
                problem, budget = Problem.of((n, n), start=start), Budget(Limits(None, n * n))
                outcome = warnsdorff(problem, budget, seed + k, ties=name, critical_budget=0)
                wins += outcome.order is not None
            shares[name][n] = wins / len(chosen)
    return shares


def _ties(wanted: _PlotOptions) -> Figure:
    shares = success_of_ties(wanted.board, wanted.n, wanted.seed, on_progress=wanted.on_progress)
    title = f"Warnsdorff's rule at the first try, {wanted.n} random starts each"
    return plot_shares(shares, what="n of the n x n board", title=title, theme=wanted.theme)


def _of_tours(what: str) -> Callable[[_PlotOptions], Figure]:
    """The plot of a number that each tour of a random sample has."""

    def make(wanted: _PlotOptions) -> Figure:
        values: list[int] = []
        report = Reporter(wanted.on_progress, "drawing tours", wanted.n)
        for sample in iter_sample(wanted.board, wanted.n, closed=wanted.closed, rng=wanted.seed):
            for tour in sample:
                values.append(getattr(tour, what))
                report(len(values))
        kind = "closed tours" if wanted.closed else "tours"
        title = f"{what.capitalize()} of {len(values):,} random {kind}, {wanted.board.title}"
        return plot_distribution(values, what=what, title=title, theme=wanted.theme)

    return make


_SAMPLED = ("n", "rng", "closed")
PLOTS: dict[str, Plot] = {
    "degrees": Plot(_degrees, (), "how many moves each square of the board has"),
    "turns": Plot(_of_tours("turns"), _SAMPLED, "how many turns random tours of the board have"),
    "crossings": Plot(_of_tours("crossings"), _SAMPLED, "how often random tours of the board cross themselves"),
    "ties": Plot(
        _ties,
        ("n", "rng"),
        "how often Warnsdorff's rule finds a tour at the first try, for each way to break ties, up to the n x n board",
    ),
}


@explains_arguments
def plot(
    what: str,
    board: BoardLike,
    *,
    n: int | None = None,
    closed: bool = False,
    rng: Randomness = None,
    theme: str = "light",
    on_progress: OnProgress | None = None,
) -> Figure:
    """A matplotlib Figure, made without a display; `figure.savefig("plot.svg")` writes it.

    what: "degrees", "turns", "crossings" or "ties", see PLOTS.
    n: tours of the sample, or starts for each way to break ties; None: 300.
    closed: whether the tours of the sample are closed.
    rng: a whole number, a numpy Generator, or None for a random seed.
    theme: "light" or "dark".
    on_progress: called with a Progress now and then.

    Raises FormatError for a plot that does not exist or for arguments that do not change it, BoardError for a board
    that has no such plot, and the errors of `sample_tours`. Needs the extra `plot` (pip install 'knightstour[plot]').

    >>> plot("degrees", "8x8").axes[0].get_title(loc="left")
    'Moves of each square, 8x8 board'
    """
    if what not in PLOTS:
        raise FormatError(f"there is no plot of {what!r}{did_you_mean(what, PLOTS)}", help="one of " + ", ".join(PLOTS))
    one_of(theme, ("light", "dark"), "theme", error=FormatError)
    for name, is_given in {"n": n is not None, "rng": rng is not None, "closed": flag(closed, "closed")}.items():
        if is_given and name not in PLOTS[what].uses:
            raise FormatError(f"{name} does not change a plot of {what}", help="leave it out")
    count = DEFAULT_TOURS if n is None else whole_number(n, "n", most=_MAX_TOURS)
    if count < 1:
        raise FormatError(f"{count} tours are no sample", help="give 1 or more")
    return PLOTS[what].make(_PlotOptions(Board.of(board), count, closed, seed_of(rng), theme, on_progress))
