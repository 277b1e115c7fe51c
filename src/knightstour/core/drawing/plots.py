"""Plots of numbers: degrees of a board, distributions, success over board size.

Each function returns a matplotlib Figure made without a display; `fig.savefig("plot.svg")` writes it. Needs the extra
`plot` (pip install 'knightstour[plot]').
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.drawing.figure import figure_of
from knightstour.core.drawing.themes import Theme, ink_on, ramp, theme_of
from knightstour.core.model.board import BoardLike
from knightstour.core.model.errors import FormatError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

# Boards of longer sides have no numbers on their squares.
_MAX_NUMBERED = 20
_MAX_SQUARES = 4_000_000


def plot_degrees(board: BoardLike, *, theme: str = "light") -> Figure:
    """How many moves each square of a board has, in colours, and how many squares have each number of moves.

    theme: "light" or "dark". Raises BoardError for a board that cannot be drawn.
    """
    figure = figure_of(board)
    if figure.rows * figure.cols > _MAX_SQUARES:
        raise FormatError(f"{figure.rows} x {figure.cols} squares are too many for a plot")
    degrees = figure.degrees()
    most = max(1, int(degrees.max()))
    colours = theme_of(theme)
    fig, (axes, bars) = _sheet(colours, 2, width_ratios=(3, 2))
    from matplotlib.ticker import MaxNLocator

    _heat(axes, np.where(degrees < 0, np.nan, degrees), (0, most), "d")
    axes.set_title(f"Moves of each square, {figure.board.title}", loc="left", color=colours.number)
    values, counts = np.unique(degrees[degrees >= 0], return_counts=True)
    heights = dict(zip(values.tolist(), counts.tolist(), strict=True))
    inks = [ramp()[round(k / most * (len(ramp()) - 1))] for k in heights]
    drawn = bars.bar(list(heights), list(heights.values()), color=inks, width=0.8)
    bars.bar_label(drawn, labels=[f"{k:,}" for k in heights.values()], color=colours.text, fontsize=9, padding=2)
    bars.set_xticks(list(heights))
    bars.set_xlabel("moves")
    bars.set_ylabel("squares")
    bars.yaxis.set_major_locator(MaxNLocator(integer=True))
    bars.margins(y=0.12)
    return fig


def plot_squares(values: Sequence[Sequence[float]] | np.ndarray, *, title: str, theme: str = "light") -> Figure:
    """A number for each square of a board, as colours; for example how many tours visit it at some step.

    values: (rows, cols), NaN for holes. Squares of small boards show their numbers, too. Raises FormatError for other
    shapes, and for more squares than a plot can show.

    >>> figure = plot_squares([[2, 3], [3, 4]], title="moves of each square")
    >>> figure.axes[0].get_title(loc="left")
    'moves of each square'
    """
    array = np.asarray(values, dtype=np.float64)
    shown = array[np.isfinite(array)]
    if array.ndim != 2 or not len(shown):
        raise FormatError("a plot of squares needs a number for each row and column")
    if array.size > _MAX_SQUARES:
        raise FormatError(f"{array.shape[0]} x {array.shape[1]} squares are too many for a plot")
    colours = theme_of(theme)
    fig, (axes,) = _sheet(colours, 1)
    axes.grid(False)
    low, high = float(shown.min()), float(shown.max())
    drawn = _heat(axes, array, (low, high if high > low else low + 1), ",.4g")
    fig.set_size_inches(6.6, 5.4)
    bar = fig.colorbar(drawn, ax=axes)
    bar.ax.tick_params(colors=colours.text)
    bar.outline.set_edgecolor(colours.frame)
    axes.set_title(title, loc="left", color=colours.number)
    return fig


def _heat(axes: Axes, values: np.ndarray, limits: tuple[float, float], form: str) -> AxesImage:
    """Draw squares in colours from one limit to the other, NaN blank; squares of small boards show their numbers."""
    low, high = limits
    from matplotlib.colors import ListedColormap

    colours = ListedColormap(list(ramp()))
    drawn = axes.imshow(np.ma.masked_invalid(values), cmap=colours, vmin=low, vmax=high, interpolation="nearest")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xticks([])
    axes.set_yticks([])
    if max(values.shape) <= _MAX_NUMBERED:
        for (row, col), value in np.ndenumerate(values):
            if np.isfinite(value):
                ink = ink_on(ramp()[round((value - low) / (high - low) * (len(ramp()) - 1))])
                text = format(int(value) if form == "d" else value, form)
                axes.text(col, row, text, ha="center", va="center", color=ink, fontsize=9 if form == "d" else 7)
    return drawn


def plot_distribution(values: Sequence[int] | np.ndarray, *, what: str, title: str, theme: str = "light") -> Figure:
    """How often each value occurs, as bars, with mean and median. what: the name of the values, such as "turns"."""
    array = np.asarray(values)
    if array.ndim != 1 or not len(array):
        raise FormatError("a distribution needs a list of values")
    colours = theme_of(theme)
    fig, (axes,) = _sheet(colours, 1)
    low, high = int(array.min()), int(array.max())
    # Whole numbers get whole bins, at most about sixty.
    width = max(1, -(-(high - low + 1) // 60))
    edges = np.arange(low, high + width + 1, width) - 0.5
    axes.hist(array, bins=edges.tolist(), color=ramp()[20], edgecolor=colours.paper, linewidth=0.6)
    mean, median = float(array.mean()), float(np.median(array))
    axes.axvline(mean, color=colours.start, linewidth=1.6, label=f"mean {mean:.1f}")
    axes.axvline(median, color=colours.text, linewidth=1.6, linestyle=(0, (4, 3)), label=f"median {median:g}")
    axes.legend(frameon=False, labelcolor=colours.text)
    axes.set_xlabel(what)
    axes.set_ylabel("tours")
    axes.set_title(title, loc="left", color=colours.number)
    return fig


def plot_shares(shares: Mapping[str, Mapping[int, float]], *, what: str, title: str, theme: str = "light") -> Figure:
    """Shares from 0 to 1 over a number, a line for each name; for example the success of tie-breaks over n."""
    if not any(shares.values()):
        raise FormatError("there is nothing to plot")
    colours = theme_of(theme)
    fig, (axes,) = _sheet(colours, 1)
    looks = zip(itertools.cycle(colours.loops), itertools.cycle("osD^vP"), strict=False)
    for (name, line), (color, marker) in zip(shares.items(), looks, strict=False):
        at, heights = sorted(line), [100 * line[x] for x in sorted(line)]
        axes.plot(at, heights, color=color, marker=marker, markersize=4.5, linewidth=1.8, label=name, clip_on=False)
    axes.set_ylim(0, 100)
    axes.set_xlabel(what)
    axes.set_ylabel("tours found, %")
    axes.set_title(title, loc="left", color=colours.number)
    axes.legend(frameon=False, labelcolor=colours.text, loc="center left", bbox_to_anchor=(1.01, 0.5))
    return fig


def _sheet(colours: Theme, count: int, **options: Sequence[int]) -> tuple[Figure, list[Axes]]:
    """A figure with axes side by side in the colours of the theme; it opens no window."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise FormatError("matplotlib is not installed", help="pip install 'knightstour[plot]'") from error
    fig = Figure(figsize=(5.2 + 3.2 * count, 4.6), facecolor=colours.paper)
    FigureCanvasAgg(fig)
    fig.set_layout_engine("constrained", w_pad=0.15, h_pad=0.15)
    found = fig.subplots(1, count, squeeze=False, gridspec_kw=options or None)[0]
    for axes in found:
        axes.set_facecolor(colours.paper)
        for name, side in axes.spines.items():
            side.set_visible(name in ("left", "bottom"))
            side.set_color(colours.frame)
        axes.tick_params(colors=colours.text)
        for label in (axes.xaxis.label, axes.yaxis.label):
            label.set_color(colours.number)
        axes.grid(axis="y", color=colours.frame, alpha=0.35, linewidth=0.6)
        axes.set_axisbelow(True)
    if count > 1:
        found[0].grid(False)
    return fig, list(found)
