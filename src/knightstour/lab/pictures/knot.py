"""The style ribbon: a tour as a knot, a band of straight moves with round corners that passes over and under itself.

The band is drawn once. Then at each crossing the upper strand is drawn again, with a rim in the colour of the paper,
half the way to the neighbouring crossings. Along a closed curve in the plane, over and under alternate at every
crossing (P. G. Tait 1877). Open lines may break the alternation.

All points are shifted by up to a hundred-thousandth of a square, so that at most two moves cross in one point.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from knightstour.core.drawing.figure import Figure
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.strokes import UNIT, number, polyline
from knightstour.core.drawing.themes import RIBBON_STEPS
from knightstour.core.model.errors import FormatError

# Fraction of a move that each of its round corners occupies, and the number of segments of a corner.
_CORNER, _CORNER_PARTS = 0.24, 8
# Minimum and maximum extension of the upper strand on each side of a crossing, in squares.
_LEAST, _REACH = 0.13, 0.36
# Width of the rim, in widths of the band.
_RIM = 1.75
# Shortening of the rim relative to the strand, and overlap of pieces of the band, in squares.
_SHORTER, _OVERLAP = 0.04, 0.02
_SHIFT = 1e-5
_MAX_SQUARES = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Strand:
    """A band: points (x, y) in squares, and the length of the band up to each. first, share: its part of the walk."""

    points: np.ndarray
    along: np.ndarray
    is_closed: bool
    first: float
    share: float
    # Position of each crossing, its number, and whether this strand is the upper one.
    crossings: list[tuple[float, int]] = field(default_factory=list)

    @property
    def length(self) -> float:
        """Length of the band, in squares."""
        return float(self.along[-1])

    @property
    def ends(self) -> tuple[float, ...]:
        """Positions of the ends of an open band."""
        return () if self.is_closed else (0.0, self.length)

    def part(self, begin: float, end: float) -> np.ndarray:
        """Return the points from one position to a later one; a closed band continues at its beginning."""
        low, high = (begin, end) if self.is_closed else (max(0.0, begin), min(self.length, end))
        inner = []
        for lap in range(int(np.floor(low / self.length)), int(np.floor(high / self.length)) + 1):
            first, last = np.searchsorted(self.along, np.array([low + 1e-9, high - 1e-9]) - lap * self.length)
            inner.append(self.points[first:last])
        return np.concatenate([[self.at(low)], *inner, [self.at(high)]])

    def at(self, position: float) -> np.ndarray:
        position = position % self.length if self.is_closed else position
        return np.array([np.interp(position, self.along, self.points[:, axis]) for axis in (0, 1)])

    def shade(self, position: float) -> int:
        """Return the number of the colour at a position. At the end of a walk the colours return to the first."""
        place = self.first + self.share * min(1.0, max(0.0, position / self.length))
        return round(place * (RIBBON_STEPS - 1))


def draw_ribbon(figure: Figure, look: Look, pen: Pen) -> str:
    """Return the walks of a figure as the SVG of a knot; raise FormatError for more than 10,000 squares."""
    if figure.rows * figure.cols > _MAX_SQUARES:
        why = f"a board of {figure.rows} x {figure.cols} squares is too large for the style ribbon"
        raise FormatError(why, note=f"the limit is {_MAX_SQUARES:,} squares", help="use another style")
    strands = [strand for k, walk in enumerate(figure.walks) for strand in strands_of(lines_of(figure, walk), k)]
    uppers = upper_strands(strands)
    width = look.pen_width * UNIT
    band = f'fill="none" stroke-linejoin="round" stroke-width="{number(width)}"'
    below: dict[int, list[str]] = defaultdict(list)
    for strand in strands:
        for begin, end in _pieces(strand):
            below[strand.shade((begin + end) / 2)].append(polyline(strand.part(begin, end + _OVERLAP)))
    above: dict[int, list[str]] = defaultdict(list)
    rims = []
    for strand, begin, end in uppers:
        rims.append(polyline(strand.part(begin + _SHORTER, end - _SHORTER)))
        above[strand.shade((begin + end) / 2 % strand.length)].append(polyline(strand.part(begin, end)))
    ground = look.background if look.background not in (None, "paper") else None
    paper = f'stroke="{ground}"' if ground else pen("stroke", "paper")
    parts = [f'<path d="{"".join(below[shade])}" {pen("stroke", "ribbon", shade)} {band}/>' for shade in sorted(below)]
    if rims:
        wide = band.replace(f'"{number(width)}"', f'"{number(_RIM * width)}"')
        parts.append(f'<path d="{"".join(rims)}" {paper} {wide}/>')
    parts += [f'<path d="{"".join(above[shade])}" {pen("stroke", "ribbon", shade)} {band}/>' for shade in sorted(above)]
    if figure.board.wrap is None:
        parts += [_round_end(strand, place, pen, band) for strand in strands for place in strand.ends]
    return "".join(parts)


def _round_end(strand: Strand, place: float, pen: Pen, band: str) -> str:
    """Draw a disc on an end of a band."""
    x, y = (strand.at(place) * UNIT).tolist()
    cap = band.replace("stroke-linejoin", "stroke-linecap")
    return f'<path d="M{number(x)} {number(y)}h0" {pen("stroke", "ribbon", strand.shade(place))} {cap}/>'


def strands_of(lines: Sequence[Line], seed: int = 0) -> list[Strand]:
    """Return the lines of a walk as bands with round corners. seed: for the small shifts."""
    random = np.random.default_rng(seed)
    rounded = []
    for line in lines:
        points = np.array(line.points) + random.uniform(-_SHIFT, _SHIFT, (len(line.points), 2))
        if len(points) > 1:
            rounded.append((_round_corners(points, line.is_closed), line.is_closed))
    lengths = [float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) for points, _ in rounded]
    found, total, before = [], sum(lengths), 0.0
    for (points, is_closed), length in zip(rounded, lengths, strict=True):
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        found.append(Strand(points, along, is_closed, before / total, length / total))
        before += length
    return found


def _round_corners(points: np.ndarray, is_closed: bool) -> np.ndarray:
    """Round the corners; a closed line ends at its start."""
    if is_closed:
        before, here, after = np.roll(points, 1, axis=0), points, np.roll(points, -1, axis=0)
    else:
        before, here, after = points[:-2], points[1:-1], points[2:]
    share = (np.arange(_CORNER_PARTS + 1) / _CORNER_PARTS)[None, :, None]
    begin = (here + _CORNER * (before - here))[:, None, :]
    end = (here + _CORNER * (after - here))[:, None, :]
    corners = (1 - share) ** 2 * begin + 2 * share * (1 - share) * here[:, None, :] + share**2 * end
    line = corners.reshape(-1, 2)
    return np.concatenate([line, line[:1]]) if is_closed else np.concatenate([points[:1], line, points[-1:]])


def _pieces(strand: Strand) -> Iterator[tuple[float, float]]:
    steps = max(1, round(strand.share * (RIBBON_STEPS - 1)))
    borders = np.linspace(0, strand.length, steps + 1).tolist()
    yield from itertools.pairwise(borders)


# ---------------------------------------------------------------- crossings


def upper_strands(strands: Sequence[Strand]) -> list[tuple[Strand, float, float]]:
    """Return the parts of strands that pass over others: each strand, and the start and end of its part."""
    pairs = crossings_of(strands)
    for strand in strands:
        strand.crossings.clear()
    for number_, ((one, s), (other, t)) in enumerate(pairs):
        strands[one].crossings.append((s, number_))
        strands[other].crossings.append((t, number_))
    for strand in strands:
        strand.crossings.sort()
    upper = _alternating(strands, len(pairs))
    found = []
    for index, strand in enumerate(strands):
        places = [position for position, _ in strand.crossings]
        for rank, (position, crossing) in enumerate(strand.crossings):
            if upper[crossing] != (index, position):
                continue
            before, after = _gaps(strand, places, rank)
            begin, end = (min(_REACH, max(_LEAST, gap / 2)) for gap in (before, after))
            found.append((strand, position - begin, position + end))
    return found


def _gaps(strand: Strand, places: Sequence[float], rank: int) -> tuple[float, float]:
    """Return the distances from a crossing to its neighbours on the strand."""
    count, here = len(places), places[rank]
    if strand.is_closed:
        before = (here - places[rank - 1]) % strand.length
        after = (places[(rank + 1) % count] - here) % strand.length
        return before or strand.length, after or strand.length
    return (
        here - places[rank - 1] if rank else 2 * here,
        places[rank + 1] - here if rank + 1 < count else 2 * (strand.length - here),
    )


def _alternating(strands: Sequence[Strand], count: int) -> list[tuple[int, float]]:
    """Return the index of the upper strand of each crossing, and its position.

    On each strand over and under alternate, starting at a crossing that is already decided, if there is one.
    """
    visits: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for index, strand in enumerate(strands):
        for position, crossing in strand.crossings:
            visits[crossing].append((index, position))
    upper: list[tuple[int, float] | None] = [None] * count
    is_done = [False] * len(strands)
    for first in range(len(strands)):
        waiting = deque([first])
        while waiting:
            index = waiting.popleft()
            if is_done[index]:
                continue
            is_done[index] = True
            own = strands[index].crossings
            start = next((k for k, (_, crossing) in enumerate(own) if upper[crossing] is not None), 0)
            is_over = False
            for k in (*range(start, len(own)), *range(start - 1, -1, -1)):
                position, crossing = own[k]
                if k == start - 1:
                    is_over = upper[own[start][1]] == (index, own[start][0])
                one, other = visits[crossing]
                if upper[crossing] is None:
                    here, there = (one, other) if one == (index, position) else (other, one)
                    upper[crossing] = there if is_over else here
                    waiting.append(there[0])
                is_over = upper[crossing] == (index, position)
    return [each for each in upper if each is not None]


def crossings_of(strands: Sequence[Strand]) -> list[tuple[tuple[int, float], tuple[int, float]]]:
    """Return the crossings: for both strands, its index and the position of the crossing on it."""
    owner = np.concatenate(
        [np.full(len(strand.points) - 1, k) for k, strand in enumerate(strands)] or [np.empty(0, int)]
    )
    begin = np.concatenate([strand.points[:-1] for strand in strands] or [np.empty((0, 2))])
    step = np.concatenate([np.diff(strand.points, axis=0) for strand in strands] or [np.empty((0, 2))])
    along = np.concatenate([strand.along[:-1] for strand in strands] or [np.empty(0)])
    pairs = _near(begin, begin + step)
    one, other = pairs.T
    (ax, ay), (bx, by) = step[one].T, step[other].T
    dx, dy = (begin[other] - begin[one]).T
    area = ax * by - ay * bx
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (dx * by - dy * bx) / area, (dx * ay - dy * ax) / area
    # Consecutive lines of a strand share an end.
    apart = (other - one > 1) | (owner[one] != owner[other])
    ends = np.cumsum([0, *(len(strand.points) - 1 for strand in strands)])
    for k, strand in enumerate(strands):
        if strand.is_closed:
            apart &= ~((one == ends[k]) & (other == ends[k + 1] - 1))
    found = np.flatnonzero(apart & (s >= 0) & (s < 1) & (t >= 0) & (t < 1) & (area != 0))
    lengths = np.hypot(*step.T)
    return [
        (
            (int(owner[one[k]]), float(along[one[k]] + s[k] * lengths[one[k]])),
            (int(owner[other[k]]), float(along[other[k]] + t[k] * lengths[other[k]])),
        )
        for k in found.tolist()
    ]


def _near(begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return pairs of lines that reach into the same square: int64 (pairs, 2), rising."""
    low, high = np.floor(np.minimum(begin, end)).astype(int), np.floor(np.maximum(begin, end)).astype(int)
    cells: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k, ((left, top), (right, bottom)) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        for cell in itertools.product(range(left, right + 1), range(top, bottom + 1)):
            cells[cell].append(k)
    pairs = {pair for lines in cells.values() for pair in itertools.combinations(lines, 2)}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
