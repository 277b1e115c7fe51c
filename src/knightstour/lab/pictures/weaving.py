"""Lines as bands that go over and under each other by turns, as in knots of rope.

Follow closed curves in the plane, and over, under, over, under .. comes out even at every crossing (P. G. Tait 1877):
each crossing is met twice, once over and once under. Lines that begin and end at the border of the picture, as on
boards with joined sides, do so too. An open line whose end lies within its own loops cannot always alternate; it then
goes twice over, or twice under, where straight lines from its ends to the border of the picture cross it.

Where n moves cross in one point, it counts as n - 1 crossings of each. There the moves lie on one another, at the top
the one that alternating would put over most of the others.

To find out which crossings follow each other all places are moved a little (by up to a hundred-thousandth of a square),
so that no three moves cross in one point. What is drawn is not moved.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.drawing.figure import Figure, Point, Walk
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg import strokes
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.strokes import UNIT, number
from knightstour.core.drawing.themes import RIBBON_STEPS
from knightstour.core.model.errors import FormatError
from knightstour.core.model.grid_board import GridBoard

_JITTER = 1e-5
# Crossings that are no farther apart are one point where several moves meet.
_ONE_POINT = 1e-3
_RAYS = 48
# In squares. Where two pieces of one colour's step meet, no ground is seen between them.
_LONGEST = 1.2
_OVERLAP = 0.02
# A corner that turns by more, in radians, is drawn round.
_ROUND = 0.35


class Visit(NamedTuple):
    """A line at a crossing: which line, how far along it (in squares), its direction there, and whether it is over."""

    line: int
    at: float
    direction: Point
    is_over: bool


@dataclass(slots=True)
class _Meeting:
    """A crossing of two segments: of lines a and b, at lengths along them, in directions, at a place."""

    lines: tuple[int, int]
    at: tuple[float, float]
    directions: tuple[Point, Point]
    place: Point
    first_is_over: bool = True


class _Segments(NamedTuple):
    """All segments: where each begins, how it goes on, its line, and how far along the line it begins."""

    begin: np.ndarray
    step: np.ndarray
    line: np.ndarray
    at: np.ndarray


def crossings(lines: Sequence[Line]) -> list[tuple[Visit, Visit]]:
    """The crossings of lines with themselves and each other: who is over and who is under."""
    segments = _segments_of(lines)
    meetings = _meetings(segments)
    if not _alternate(lines, meetings, {}):
        _alternate(lines, meetings, _seen_from_outside(lines, segments))
    _stack(meetings)
    return [
        (
            Visit(m.lines[0], m.at[0], m.directions[0], m.first_is_over),
            Visit(m.lines[1], m.at[1], m.directions[1], not m.first_is_over),
        )
        for m in meetings
    ]


# ---------------------------------------------------------------- where lines cross


def _points_of(line: Line) -> np.ndarray:
    return np.array([*line.points, line.points[0]] if line.is_closed else line.points, dtype=float)


def _segments_of(lines: Sequence[Line]) -> _Segments:
    # The same lines are always moved in the same way.
    rng = np.random.default_rng(1877)
    begin, step, owner, at = [], [], [], []
    for k, line in enumerate(lines):
        points = _points_of(line)
        moved = points + _JITTER * (rng.random(points.shape) - 0.5)
        if line.is_closed:
            moved[-1] = moved[0]
        lengths = np.linalg.norm(np.diff(moved, axis=0), axis=1)
        begin.append(moved[:-1])
        step.append(np.diff(moved, axis=0))
        owner.append(np.full(len(lengths), k))
        at.append(np.cumsum(lengths) - lengths)
    return _Segments(*(np.concatenate(parts) for parts in (begin, step, owner, at)))


def _meetings(segments: _Segments) -> list[_Meeting]:
    first, second = _near_pairs(segments)
    a, da, b, db = segments.begin[first], segments.step[first], segments.begin[second], segments.step[second]
    turn = _cross(da, db)
    turn = np.where(np.abs(turn) < 1e-12, np.nan, turn)
    t, u = _cross(b - a, db) / turn, _cross(b - a, da) / turn
    # What follows on each other has an end in common, and that is no crossing.
    follow = (segments.line[first] == segments.line[second]) & (
        (second == first + 1) | (np.linalg.norm(a - (b + db), axis=1) < 1e-9)
    )
    inside = (t > 0) & (t < 1) & (u > 0) & (u < 1) & ~follow
    found = []
    for i, j, s, v in zip(first[inside], second[inside], t[inside].tolist(), u[inside].tolist(), strict=True):
        lengths = [math.hypot(*segments.step[k].tolist()) for k in (i, j)]
        directions = [tuple((segments.step[k] / length).tolist()) for k, length in zip((i, j), lengths, strict=True)]
        place = segments.begin[i] + s * segments.step[i]
        found.append(
            _Meeting(
                (int(segments.line[i]), int(segments.line[j])),
                (float(segments.at[i]) + s * lengths[0], float(segments.at[j]) + v * lengths[1]),
                (directions[0], directions[1]),
                (float(place[0]), float(place[1])),
            )
        )
    return found


def _near_pairs(segments: _Segments) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of segments that have a cell of a grid in common."""
    ends = segments.begin + segments.step
    side = max(1e-6, float(np.abs(segments.step).max()))
    low = np.floor(np.minimum(segments.begin, ends) / side).astype(int)
    high = np.floor(np.maximum(segments.begin, ends) / side).astype(int)
    # No segment is longer than a cell, so it lies in those of the corners of its box.
    corners = [np.stack([x[:, 0], y[:, 1]], axis=1) for x in (low, high) for y in (low, high)]
    cells = np.concatenate(corners) - low.min(axis=0)
    names = np.unique(
        np.stack([cells[:, 0] * (int(cells[:, 1].max()) + 1) + cells[:, 1], np.tile(np.arange(len(low)), 4)]), axis=1
    )
    found = [np.empty((2, 0), dtype=np.int64)]
    for apart in range(1, names.shape[1]):
        together = names[0, apart:] == names[0, :-apart]
        if not together.any():
            break
        found.append(np.stack([names[1, :-apart][together], names[1, apart:][together]]))
    first, second = np.unique(np.concatenate(found, axis=1), axis=1)
    return first, second


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


# ---------------------------------------------------------------- who is over


def _alternate(lines: Sequence[Line], meetings: list[_Meeting], turns: dict[int, list[float]]) -> bool:
    """Let over and under alternate along all lines; whether that came out even.

    turns: places along lines where two of the same kind follow each other.
    """
    visits: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for k, meeting in enumerate(meetings):
        for side in (0, 1):
            visits[meeting.lines[side]].append((meeting.at[side], k, side))
    groups = _Parities(len(meetings))
    is_even = True
    for line, along in visits.items():
        along.sort()
        pairs = list(itertools.pairwise(along))
        if lines[line].is_closed:
            pairs.append((along[-1], along[0]))
        for (s, a, side_a), (t, b, side_b) in pairs:
            between = sum((s < turn < t) if s < t else (turn > s or turn < t) for turn in turns.get(line, ()))
            # Whether the first line of one crossing is over where that of the other is not.
            differs = (1 + between + side_a + side_b) % 2
            is_even &= groups.join(a, b, differs)
    for k, meeting in enumerate(meetings):
        meeting.first_is_over = groups.parity(k) == 0
    return is_even


class _Parities:
    """Numbers 0 or 1 of which only is known which are the same and which differ."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))
        self._differs = [0] * count

    def parity(self, k: int) -> int:
        """Whether it differs from the first of its group."""
        path = []
        while self._above[k] != k:
            path.append(k)
            k = self._above[k]
        total = 0
        for each in reversed(path):
            total ^= self._differs[each]
            self._above[each], self._differs[each] = k, total
        return total

    def join(self, a: int, b: int, differs: int) -> bool:
        """Note that two are the same, or differ; False where it is known otherwise."""
        found = self.parity(a) ^ self.parity(b)
        top_a, top_b = self._top(a), self._top(b)
        if top_a == top_b:
            return found == differs
        self._above[top_b], self._differs[top_b] = top_a, found ^ differs
        return True

    def _top(self, k: int) -> int:
        return k if self._above[k] == k else self._above[k]


def _seen_from_outside(lines: Sequence[Line], segments: _Segments) -> dict[int, list[float]]:
    """Where straight lines from the ends of open lines to the outside, each with the fewest crossings, cross lines."""
    turns: dict[int, list[float]] = defaultdict(list)
    far = 4 * (float(np.abs(segments.begin).max()) + 4)
    angles = 0.1234 + np.arange(_RAYS) * (2 * math.pi / _RAYS)
    for k, line in enumerate(lines):
        if line.is_closed:
            continue
        own = np.flatnonzero(segments.line == k)
        for place in (segments.begin[own[0]], segments.begin[own[-1]] + segments.step[own[-1]]):
            best: tuple[np.ndarray, np.ndarray] | None = None
            for angle in angles.tolist():
                ray = far * np.array([math.cos(angle), math.sin(angle)])
                turn = _cross(segments.step, ray)
                away = place - segments.begin
                share, along = _cross(away, ray) / turn, _cross(away, segments.step) / turn
                hit = (share > 0) & (share < 1) & (along > 1e-9)
                if best is None or hit.sum() < len(best[0]):
                    best = np.flatnonzero(hit), share[hit]
            assert best is not None
            for segment, share_of in zip(best[0].tolist(), best[1].tolist(), strict=True):
                length = math.hypot(*segments.step[segment].tolist())
                turns[int(segments.line[segment])].append(float(segments.at[segment]) + share_of * length)
    return turns


def _stack(meetings: list[_Meeting]) -> None:
    """Put the moves that cross in one point in an order from the top, and let their crossings agree with it."""
    points: dict[tuple[int, int], list[_Meeting]] = defaultdict(list)
    for meeting in meetings:
        x, y = meeting.place
        points[round(x / _ONE_POINT), round(y / _ONE_POINT)].append(meeting)
    for group in points.values():
        if len(group) < 2:
            continue
        strands = [[(m.lines[side], round(m.at[side] / _ONE_POINT)) for side in (0, 1)] for m in group]
        wins: dict[tuple[int, int], int] = defaultdict(int)
        for m, pair in zip(group, strands, strict=True):
            wins[pair[0 if m.first_is_over else 1]] += 1
        rank = {s: (-wins[s], s) for pair in strands for s in pair}
        for m, pair in zip(group, strands, strict=True):
            m.first_is_over = rank[pair[0]] < rank[pair[1]]


# ---------------------------------------------------------------- bands


class Piece(NamedTuple):
    """A piece of a band that is seen whole: its line, where on it its middle is (0 to 1), and its outline."""

    line: int
    place: float
    outline: list[Point]


def bands(lines: Sequence[Line], width: float, gap: float) -> Iterator[Piece]:
    """The lines as bands of a width, cut with a gap on both sides of what goes over them. All in squares."""
    visits: dict[int, list[tuple[Visit, Visit]]] = defaultdict(list)
    for one, other in crossings(lines):
        visits[one.line].append((one, other))
        visits[other.line].append((other, one))
    for k, line in enumerate(lines):
        yield from _pieces_of(k, line, sorted(visits[k], key=lambda pair: pair[0].at), width / 2, gap)


def _pieces_of(number: int, line: Line, visits: list[tuple[Visit, Visit]], half: float, gap: float) -> Iterator[Piece]:
    points = _points_of(line)
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    sides = [_Edge(points, line.is_closed, offset, length) for offset in (half, -half)]
    cuts = _cuts(visits, half, gap, length, line.is_closed)
    if line.is_closed:
        (a, b), (c, d) = cuts[0] if cuts else ((0.0, 0.0), (0.0, 0.0))
        cuts = [*(cuts or [((a, b), (c, d))]), ((a + length, b + length), (c + length, d + length))]
    else:
        cuts = [((0.0, 0.0), (0.0, 0.0)), *cuts, ((length, length), (length, length))]
    for before, after in itertools.pairwise(cuts):
        span = [(before[side][1], after[side][0]) for side in (0, 1)]
        # A long piece is several, so that its colour can change along it.
        count = max(1, math.ceil(sum(high - low for low, high in span) / (2 * _LONGEST)))
        for k in range(count):
            over = _OVERLAP * (k + 1 < count)
            parts = [
                (low + (high - low) * k / count, low + (high - low) * (k + 1) / count + over) for low, high in span
            ]
            if all(low < high for low, high in parts):
                left, right = (side.between(*part) for side, part in zip(sides, parts, strict=True))
                middle = sum(map(sum, parts)) / 4
                is_first, is_last = (abs(parts[0][end] - end * length) < 1e-9 for end in (0, 1))
                begin = _rounded(right[0], left[0]) if is_first and _is_end(line, 0) else []
                end = _rounded(left[-1], right[-1]) if is_last and _is_end(line, -1) else []
                yield Piece(number, middle / length % 1, [*left, *end, *reversed(right), *begin])


def _is_end(line: Line, which: int) -> bool:
    """Whether a line ends there, on a square, and does not only leave the board over a joined border."""
    return not line.is_closed and all(abs(value % 1 - 0.5) < 1e-6 for value in line.points[which])


def _rounded(one: Point, other: Point) -> list[Point]:
    """Points of half a circle from one edge of a band to the other, round its end."""
    x, y, dx, dy = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[0] - other[0]) / 2, (one[1] - other[1]) / 2
    turns = [(math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(1, 8)]
    return [(x + c * dx + s * dy, y + c * dy - s * dx) for c, s in turns]


def _cuts(
    visits: list[tuple[Visit, Visit]], half: float, gap: float, length: float, is_closed: bool
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """For each place where a line goes under another: from where to where its left and its right edge are cut."""
    places: list[list[tuple[Visit, Visit]]] = []
    for pair in visits:
        if places and pair[0].at - places[-1][-1][0].at < _ONE_POINT:
            places[-1].append(pair)
        else:
            places.append([pair])
    middles = [group[0][0].at for group in places]
    found = []
    for k, group in enumerate(places):
        before = middles[k - 1] - length * (k == 0) if k or is_closed else -math.inf
        after = middles[(k + 1) % len(places)] + length * (k == len(places) - 1)
        if k == len(places) - 1 and not is_closed:
            after = math.inf
        # No farther than half the way to the crossings before and after.
        low, high = max(0.0 if not is_closed else -math.inf, (before + middles[k]) / 2), (after + middles[k]) / 2
        sides: list[list[float]] = [[], []]
        for own, other in group:
            if own.is_over:
                continue
            sine = own.direction[0] * other.direction[1] - own.direction[1] * other.direction[0]
            cosine = own.direction[0] * other.direction[0] + own.direction[1] * other.direction[1]
            for side, offset in enumerate((half, -half)):
                middle, reach = own.at + offset * cosine / sine, (half + gap) / abs(sine)
                sides[side] += [max(low, middle - reach), min(high, middle + reach)]
        if sides[0]:
            (a, b), (c, d) = ((min(side), max(side)) for side in sides)
            found.append(((a, max(a, b)), (c, max(c, d))))
    return found


class _Edge:
    """The line beside another, to its left, or to its right where the offset is below 0."""

    def __init__(self, points: np.ndarray, is_closed: bool, offset: float, length: float) -> None:
        steps = np.diff(points, axis=0)
        lengths = np.maximum(np.linalg.norm(steps, axis=1), 1e-12)
        ways = steps / lengths[:, None]
        normals = offset * np.stack([-ways[:, 1], ways[:, 0]], axis=1)
        along = np.cumsum(lengths)
        # The corners between each segment and the next; that of a closed line to its first one comes last.
        count = len(steps) if is_closed else len(steps) - 1
        before, after = np.arange(count), (np.arange(count) + 1) % len(steps)
        turn, straight = _cross(ways[before], ways[after]), (ways[before] * ways[after]).sum(axis=1)
        room = np.minimum(lengths[before], lengths[after])
        back = np.minimum(np.abs(offset * turn) / np.maximum(1e-9, 1 + straight), 0.45 * room)
        back = np.where(turn * offset > 0, back, 0.0)
        middles = points[after] if is_closed else points[1:-1]
        leaving = middles + normals[before] - ways[before] * back[:, None]
        entering = middles + normals[after] + ways[after] * back[:, None]
        places, at = [leaving, entering], [along[before] - back, along[before] + back]
        order = [np.arange(count, dtype=float), np.arange(count) + 0.5]
        # Outside, a sharp corner is round.
        angle = np.arctan2(turn, straight)
        for k in np.flatnonzero((back == 0) & (np.abs(angle) > _ROUND)).tolist():
            turns = np.linspace(0, angle[k], math.ceil(abs(angle[k]) / _ROUND) + 1)[1:-1]
            x, y = normals[before[k]]
            away = np.stack([np.cos(turns) * x - np.sin(turns) * y, np.sin(turns) * x + np.cos(turns) * y], axis=1)
            places.append(middles[k] + away)
            at.append(np.full(len(turns), along[k]))
            order.append(k + 0.5 * np.arange(1, len(turns) + 1) / (len(turns) + 1))
        sorting = np.argsort(np.concatenate(order), kind="stable")
        self._at, self._places = np.concatenate(at)[sorting], np.concatenate(places)[sorting]
        if is_closed:
            # Once more round on both sides, for pieces that go over the beginning.
            self._at = np.concatenate([self._at - length, self._at, self._at + length])
            self._places = np.tile(self._places, (3, 1))
        else:
            ends = points[[0, -1]] + normals[[0, -1]]
            self._at = np.concatenate([[0.0], self._at, [length]])
            self._places = np.concatenate([ends[:1], self._places, ends[1:]])

    def between(self, low: float, high: float) -> list[Point]:
        """The points from one length along the line to another."""
        first, last = np.searchsorted(self._at, [low + 1e-9, high - 1e-9])
        near = slice(max(0, first - 1), last + 1)
        at, places = self._at[near], self._places[near]
        ends = [[float(np.interp(along, at, places[:, axis])) for axis in (0, 1)] for along in (low, high)]
        return [(x, y) for x, y in (ends[0], *self._places[first:last].tolist(), ends[1])]


# The part of the width that is left free beside a band that goes over.
_GAP_SHARE = 0.28
_MAX_SQUARES = 10_000


def draw_ribbon(figure: Figure, look: Look, pen: Pen) -> str:
    """The walks as bands that go over and under."""
    if figure.rows * figure.cols > _MAX_SQUARES:
        raise FormatError(
            f"a board of {figure.rows} x {figure.cols} squares is too large for the style ribbon",
            note=f"at most {_MAX_SQUARES:,} squares",
            help="draw a window of it, or take another style",
        )
    assert isinstance(figure.board, GridBoard)
    for a, b in (leap for leap in figure.board.piece.leaps if math.gcd(*leap) > 1):
        raise FormatError(
            f"moves of the leaper ({a},{b}) run over the middles of squares, where a band goes neither over nor under",
            help="take another style",
        )
    lines: list[Line] = []
    starts: list[float] = []
    shares: list[float] = []
    for walk in figure.walks:
        found = lines_of(figure, walk, smooth=look.is_smooth, with_closing=look.closing_move is True)
        found = [line for line in found if len(line.points) > 1]
        # A walk over joined borders has many lines, each a part of its length.
        starts += [k / len(found) for k in range(len(found))]
        lines += found
        shares += [1 / len(found)] * len(found)
    width = look.pen_width
    steps: dict[tuple[int, int], list[str]] = {}
    for piece in bands(lines, width, _GAP_SHARE * width):
        place = starts[piece.line] + piece.place * shares[piece.line]
        step = round(place * (RIBBON_STEPS - 1))
        # On a closed line the colours come back to the first one.
        shade = RIBBON_STEPS - 1 - abs(RIBBON_STEPS - 1 - 2 * step) if lines[piece.line].is_closed else step
        steps.setdefault((step, shade), []).append(strokes.polyline(piece.outline, is_closed=True))
    parts = [f'<path d="{"".join(d)}" {pen("fill", "ribbon", shade)}/>' for (_, shade), d in sorted(steps.items())]
    if look.closing_move == "dashed":
        last = [Walk(walk.squares[[-1, 0]]) for walk in figure.walks if walk.is_closed]
        dashes = f'stroke-width="{number(0.5 * width * UNIT)}" stroke-dasharray="{number(0.1 * UNIT)}"'
        data = "".join(strokes.straight(figure, move) for move in last)
        parts.append(f'<path d="{data}" fill="none" {pen("stroke", "ribbon")} {dashes}/>' if last else "")
    return "".join(parts)
