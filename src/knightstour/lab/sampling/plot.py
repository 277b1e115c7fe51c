"""plot(): a picture of numbers, such as the degrees of a board, the turns of random tours, or the success of a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.drawing.plots import plot_degrees, plot_distribution, plot_shares
from knightstour.core.methods.comparison import success_of_ties
from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board, BoardLike
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import Randomness, did_you_mean, flag, one_of, seed_of, whole_number
from knightstour.lab.sampling.sample_tours import iter_sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEFAULT_TOURS = 300


class _Wish(NamedTuple):
    """The arguments of plot(), checked."""

    board: Board
    n: int
    closed: bool
    seed: int
    theme: str
    on_progress: OnProgress | None


# Tours of a plot: more do not change what it shows.
_MOST_TOURS = 10_000_000


class Plot(NamedTuple):
    """A row of PLOTS. make: draws it. uses: the arguments that change it. summary: what it shows."""

    make: Callable[[_Wish], Figure]
    uses: tuple[str, ...]
    summary: str


def _degrees(wish: _Wish) -> Figure:
    return plot_degrees(wish.board, theme=wish.theme)


def _ties(wish: _Wish) -> Figure:
    shares = success_of_ties(wish.board, wish.n, wish.seed, on_progress=wish.on_progress)
    title = f"Warnsdorff's rule at the first try, {wish.n} random starts each"
    return plot_shares(shares, what="n of the n x n board", title=title, theme=wish.theme)


def _of_tours(what: str) -> Callable[[_Wish], Figure]:
    """The plot of a number that each tour of a random sample has."""

    def make(wish: _Wish) -> Figure:
        values: list[int] = []
        report = Reporter(wish.on_progress, "drawing tours", wish.n)
        for sample in iter_sample(wish.board, wish.n, closed=wish.closed, rng=wish.seed):
            for tour in sample:
                values.append(getattr(tour, what))
                report(len(values))
        kind = "closed tours" if wish.closed else "tours"
        title = f"{what.capitalize()} of {len(values):,} random {kind}, {wish.board.title}"
        return plot_distribution(values, what=what, title=title, theme=wish.theme)

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
    rng: a whole number, a numpy Generator, or None for an accidental seed.
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
    count = DEFAULT_TOURS if n is None else whole_number(n, "n", most=_MOST_TOURS)
    if count < 1:
        raise FormatError(f"{count} tours are no sample", help="give 1 or more")
    return PLOTS[what].make(_Wish(Board.of(board), count, closed, seed_of(rng), theme, on_progress))
