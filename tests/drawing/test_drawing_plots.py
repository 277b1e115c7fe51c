"""Plots: what they show is what was counted, and no display is ever asked for."""

from collections import Counter

import pytest

import knightstour as kt
from knightstour.core.drawing.plots import plot_degrees, plot_distribution, plot_shares, plot_squares
from knightstour.core.search.options import TIES
from knightstour.interfaces.cli import app
from knightstour.lab.sampling.plot import PLOTS, success_of_ties


def test_bars_of_the_degrees_are_the_numbers_of_squares():
    board = kt.Board(5, 6, holes=["c3"])
    heat, bars = plot_degrees(board).axes
    graph = kt.move_graph(board)
    counts = Counter(graph.degrees[graph.is_square].tolist())
    assert {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in bars.patches} == counts
    assert sorted(int(text.get_text()) for text in heat.texts) == sorted(counts.elements())


def test_squares_show_their_numbers_and_holes_nothing():
    values = [[1.5, 20_000.0, float("nan")], [0.0, 3.0, 4.0]]
    heat, bar = plot_squares(values, title="t", theme="dark").axes
    assert [text.get_text() for text in heat.texts] == ["1.5", "2e+04", "0", "3", "4"]
    assert bar.get_ylim() == (0, 20_000) and heat.get_title(loc="left") == "t"
    assert len(plot_squares([[1] * 30], title="t").axes[0].texts) == 0
    for wrong in ([], [1, 2], [[float("nan")]]):
        with pytest.raises(kt.FormatError):
            plot_squares(wrong, title="t")


def test_bars_of_a_distribution_hold_every_value():
    (axes,) = plot_distribution([3, 3, 4, 9], what="turns", title="t", theme="dark").axes
    assert [bar.get_height() for bar in axes.patches] == [2, 1, 0, 0, 0, 0, 1]
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["mean 4.8", "median 3.5"]
    (wide,) = plot_distribution(range(1000), what="turns", title="t").axes
    assert sum(bar.get_height() for bar in wide.patches) == 1000 and len(wide.patches) <= 60
    with pytest.raises(kt.FormatError):
        plot_distribution([], what="turns", title="t")


def test_lines_of_shares_are_drawn_in_percent():
    (axes,) = plot_shares({"roth": {10: 0.5, 5: 1.0}, "pohl": {5: 0.25}}, what="n", title="t").axes
    drawn = {line.get_label(): dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in axes.lines}
    assert drawn == {"roth": {5: 100.0, 10: 50.0}, "pohl": {5: 25.0}}
    with pytest.raises(kt.FormatError):
        plot_shares({}, what="n", title="t")


def test_success_of_the_ties_is_a_share_for_each_size():
    shares = success_of_ties(kt.Board(7, 7), 3, 1)
    assert set(shares) == set(TIES)
    for name, line in shares.items():
        assert set(line) == {5, 6, 7}
        assert all(0 <= share <= 1 for share in line.values()), name
    assert shares == success_of_ties(kt.Board(7, 7), 3, 1)
    for wrong in (kt.Board(7, 8), kt.Board(4, 4), kt.Board(6, 6, wrap="torus")):
        with pytest.raises(kt.BoardError):
            success_of_ties(wrong, 3, 1)


@pytest.mark.parametrize("what", PLOTS)
def test_plot_writes_each_of_its_plots(what, tmp_path, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    target = tmp_path / ("p.svg" if what == "turns" else "p.png")
    few = [] if what == "degrees" else ["-n", "3"]
    assert app._run(["plot", what, "6x6", "-o", str(target), *few], debug=False) == 0
    start = target.read_bytes()[:8]
    assert start == b"\x89PNG\r\n\x1a\n" or start.startswith(b"<?xml")


def test_python_makes_the_plots_of_the_command_line():
    (axes,) = kt.plot("turns", "6x6", n=3, closed=True, rng=1).axes
    assert sum(bar.get_height() for bar in axes.patches) == 3
    with pytest.raises(kt.FormatError, match="n does not change a plot of degrees"):
        kt.plot("degrees", "6x6", n=3)
