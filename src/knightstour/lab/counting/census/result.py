"""Result of a census: the exact or estimated number of tours for each value of a statistic."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.drawing.themes import theme_of
from knightstour.core.machine.files import open_target
from knightstour.core.machine.records import need_pyarrow, parquet_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text, table_of
from knightstour.core.model.problem import Problem, plural_of
from knightstour.core.model.tour import Tour
from knightstour.core.model.wording import short_repr

if TYPE_CHECKING:
    import pandas as pd

# Quantile of the normal distribution for 95 % intervals.
_DEVIATE_95 = 1.959963984540054
# Sizes of the chart.
_STEP, _BAR, _HEIGHT = 28.0, 20.0, 240.0
_LEFT, _TOP, _BOTTOM = 24.0, 58.0, 46.0
# Maximum number of labels below the bars.
_MAX_NUMBERS = 40


class Extreme(NamedTuple):
    """The minimum or maximum value in a census, with a tour that has it."""

    value: int
    tour: Tour


@dataclass(frozen=True)
class Census:
    """Number of tours of a board for each value of a statistic.

    Attributes:
        problem: The problem whose tours were counted.
        statistic: The name of the statistic in STATISTICS.
        counts: Value -> number of tours, by rising value; for a sample, of the tours in the sample.
        total: Number of tours of the board.
        samples: Number of random tours, or None if all tours were counted.
        seed: Seed of the sample.
        least, most: Tours with the extreme values and the lowest rank. None if the tours were counted without building
            them, or if none exists.
        how: "polynomials", "visits", "sample" or "proof".
        numbers: Value -> lowest rank of a tour with that value; empty if no tour was built.
    """

    problem: Problem
    statistic: str
    counts: dict[int, int]
    total: int
    how: str
    samples: int | None = None
    seed: int | None = None
    least: Extreme | None = None
    most: Extreme | None = None
    numbers: dict[int, int] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether all tours were counted."""
        return self.samples is None

    @property
    def tours_seen(self) -> int:
        """Sum of the counts."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """Mean value, of the sample if there is one; NaN without tours."""
        return (
            sum(value * count for value, count in self.counts.items()) / self.tours_seen
            if self.tours_seen
            else math.nan
        )

    @property
    def deviation(self) -> float:
        """Standard deviation of the values."""
        if not self.tours_seen:
            return math.nan
        mean = self.mean
        return math.sqrt(sum(count * (value - mean) ** 2 for value, count in self.counts.items()) / self.tours_seen)

    def interval(self, value: int) -> tuple[float, float]:
        """Return an interval for the number of tours with a value, at 95 % confidence; equal limits if it is exact.

        For a sample: the interval of E. B. Wilson (1927), which is valid for rare values, too.

        >>> from knightstour.core.model.problem import Problem
        >>> Census(Problem("6x6", closed=True), "turns", {32: 10, 34: 90}, 9862, "sample", 100, 1).interval(32)
        (544.6..., 1719.5...)
        """
        hits = self.counts.get(value, 0)
        if self.samples is None:
            return float(hits), float(hits)
        n, z = self.samples, _DEVIATE_95
        share = hits / n
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, middle - half) * self.total, min(1.0, middle + half) * self.total

    def estimate(self, value: int) -> float:
        """Return the number of tours with a value; for a sample, an estimate."""
        hits = self.counts.get(value, 0)
        return float(hits) if self.samples is None else hits / self.samples * self.total

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of `rows`."""
        return ("value", "tours") if self.is_exact else ("value", "hits", "tours", "from", "to")

    def rows(self) -> list[dict[str, int | float]]:
        """Return a row for each value: value and tours; for a sample also hits, and an estimate with its interval."""
        rows: list[dict[str, int | float]] = []
        for value, count in self.counts.items():
            if self.samples is None:
                rows.append({"value": value, "tours": count})
            else:
                low, high = self.interval(value)
                rows.append({"value": value, "hits": count, "tours": self.estimate(value), "from": low, "to": high})
        return rows

    def to_dict(self) -> dict[str, object]:
        """Return the census as JSON-serialisable data; exact numbers are text, since they can have any length."""
        rows: list[dict[str, object]] = [
            {**row, "tours": str(row["tours"])} if self.is_exact else {**row} for row in self.rows()
        ]
        for row, value in zip(rows, self.counts, strict=True):
            if value in self.numbers:
                row["number"] = str(self.numbers[value])
        return {
            **self.problem.to_dict(),
            "statistic": self.statistic,
            "total": str(self.total),
            "how": self.how,
            "samples": self.samples,
            "seed": self.seed,
            "mean": None if math.isnan(self.mean) else self.mean,
            "deviation": None if math.isnan(self.deviation) else self.deviation,
            "least": None if self.least is None else self.least.tour.order.tolist(),
            "most": None if self.most is None else self.most.tour.order.tolist(),
            "values": rows,
        }

    def to_csv(self) -> str:
        """Return the rows as CSV text with a header."""
        return csv_text(self.columns, self.rows())

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas DataFrame; raise ProblemError if pandas is not installed."""
        return table_of(self.rows(), self.columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the census to a file with the suffix .csv (the rows), .json (as to_dict) or .parquet (the rows).

        A Parquet file requires the extra `scale` (pip install 'knightstour[scale]'). Its metadata contains the problem;
        numbers that exceed a machine word are text. Raises FormatError for other suffixes; ProblemError without the
        extra.
        """
        end, known = check_file(path), self.to_dict()
        if end == ".parquet":
            facts = {name: value for name, value in known.items() if name != "values"}
            data = parquet_of({name: [row[name] for row in self.rows()] for name in self.columns}, facts)
        else:
            data = self.to_csv().encode() if end == ".csv" else json.dumps(known).encode() + b"\n"
        with open_target(path) as file:
            file.write(data)

    def _chart(self, theme: str, title: str | None) -> str:
        """Return the SVG of a bar for each value. theme: "light" or "dark"."""
        bars = {value: self.estimate(value) for value in self.counts}
        return histogram_svg(bars, title or str(self), self.statistic, theme)

    def _repr_svg_(self) -> str:
        return self._chart("light", None)

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        tours = f"{self.total:,} {plural_of(self.problem)}"
        if not self.tours_seen:
            return f"{self.statistic}: {tours}"
        values = f"{self.statistic} {min(self.counts)} to {max(self.counts)}, mean {self.mean:.2f}"
        return f"{tours}: {values}" if self.is_exact else f"{self.samples:,} of {tours}: {values}"


def check_file(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a name; raise FormatError if it is unknown, ProblemError if its package is missing."""
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end not in (".csv", ".json", ".parquet"):
        raise FormatError(
            f"a census is written as .csv, .json or .parquet, and {os.fspath(path)!r} has another suffix",
            help="use one of these suffixes",
        )
    if end == ".parquet":
        need_pyarrow()
    return end


def histogram_svg(counts: Mapping[int, float], title: str, axis: str, theme: str = "light") -> str:
    """Return a bar chart with one bar for each value from the minimum to the maximum.

    counts: value -> frequency, at least 0. title: heading, also read by screen readers. axis: name of the values. A
    tooltip on each bar shows its value and frequency.

    >>> histogram_svg({3: 10, 5: 20}, "Ten and twenty", "turns").count("<rect")
    4
    """
    colours = theme_of(theme)
    values = range(min(counts, default=0), max(counts, default=-1) + 1)
    most = max(counts.values(), default=0) or 1
    # A letter is at most two thirds of the font size wide.
    width = 2 * _LEFT + max(_STEP * len(values), 10.0 * len(title))
    first = (width - _STEP * len(values)) / 2
    base = _TOP + _HEIGHT
    every = -(-len(values) // _MAX_NUMBERS) if values else 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {base + _BOTTOM:g}" width="{width:g}" '
        f'height="{base + _BOTTOM:g}" role="img" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="{colours.paper}"/>',
        f'<text x="{width / 2:g}" y="30" font-size="16" fill="{colours.text}">{escape(title)}</text>',
    ]
    for k, value in enumerate(values):
        count = counts.get(value, 0)
        middle = first + _STEP * (k + 0.5)
        # Every positive count gets a visible bar.
        height = max(1.0, _HEIGHT * count / most) if count else 0.0
        parts.append(
            f'<rect x="{middle - _BAR / 2:g}" y="{base - height:.2f}" width="{_BAR:g}" height="{height:.2f}" '
            f'fill="{colours.path}"><title>{value}: {count:,.0f}</title></rect>'
        )
        if k % every == 0:
            parts.append(f'<text x="{middle:g}" y="{base + 16:g}" font-size="12" fill="{colours.text}">{value}</text>')
    parts.append(f'<path d="M{_LEFT:g} {base:g}H{width - _LEFT:g}" stroke="{colours.frame}"/>')
    parts.append(
        f'<text x="{width / 2:g}" y="{base + 38:g}" font-size="13" fill="{colours.text}">{escape(axis)}</text></svg>'
    )
    return "\n".join(parts)
