"""Independent implementation: slow, plain code from the definitions, without the package.

A square is `(row, col)`. A board is a `Spec`, or any graph as a dict from squares to the sets of their neighbours. All
functions on tours accept this dict, so they support boards and graphs. Only the standard library is used.
"""

import functools
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

Square = tuple[int, int]
Adjacency = dict[Any, set[Any]]


class Spec(NamedTuple):
    """A board as five plain values, defined as in `knightstour.Board`."""

    rows: int
    cols: int
    holes: frozenset[Square] = frozenset()
    wrap: str | None = None
    leaps: tuple[tuple[int, int], ...] = ((1, 2),)


def spec_of(board: Any) -> Spec:
    """Return the spec of an object with these attributes."""
    return Spec(board.rows, board.cols, frozenset(board.holes), board.wrap, board.piece.leaps)


# ---------------------------------------------------------------- squares and moves


def identify(spec: Spec, row: int, col: int) -> Square | None:
    """Return the square of the board that represents a square of the infinite plane, or None."""
    if spec.wrap is not None:
        while col >= spec.cols:
            # (r, c + cols) is (r, c), or (rows - 1 - r, c) on twisted boards.
            col -= spec.cols
            row = spec.rows - 1 - row if spec.wrap in ("mobius", "klein") else row
        while col < 0:
            col += spec.cols
            row = spec.rows - 1 - row if spec.wrap in ("mobius", "klein") else row
    if spec.wrap in ("torus", "klein"):
        while row >= spec.rows:
            row -= spec.rows
        while row < 0:
            row += spec.rows
    if 0 <= row < spec.rows and 0 <= col < spec.cols and (row, col) not in spec.holes:
        return (row, col)
    return None


def all_squares(spec: Spec) -> list[Square]:
    return [(r, c) for r in range(spec.rows) for c in range(spec.cols) if (r, c) not in spec.holes]


def neighbours(spec: Spec, square: Square) -> set[Square]:
    """Return the distinct other squares one move away."""
    found = set()
    for up, across in {way for a, b in spec.leaps for way in ((a, b), (b, a))}:
        for row_sign in (1, -1):
            for col_sign in (1, -1):
                there = identify(spec, square[0] + row_sign * up, square[1] + col_sign * across)
                if there is not None and there != square:
                    found.add(there)
    return found


def adjacency(spec: Spec) -> Adjacency:
    return {square: neighbours(spec, square) for square in all_squares(spec)}


# ---------------------------------------------------------------- tours


def tour_fault(
    adjacent: Adjacency, squares: list[Any], *, closed: bool = False, start: Any = None, end: Any = None
) -> tuple[int, str] | None:
    """Return (step, fault) of the first fault, or None.

    Faults: "off" (not on the board), "repeat", "illegal" (not a move from the previous step), "missing" (unvisited
    squares), "open" (not closed), "start", "end".
    """
    seen = set()
    for step, square in enumerate(squares):
        if square not in adjacent:
            return step, "off"
        if square in seen:
            return step, "repeat"
        if step > 0 and square not in adjacent[squares[step - 1]]:
            return step, "illegal"
        seen.add(square)
    if len(seen) < len(adjacent):
        return len(squares), "missing"
    if closed and (len(squares) < 3 or squares[0] not in adjacent[squares[-1]]):
        return len(squares), "open"
    if start is not None and squares[0] != start:
        return 0, "start"
    if end is not None and squares[-1] != end:
        return len(squares) - 1, "end"
    return None


def is_tour(
    adjacent: Adjacency, squares: list[Any], *, closed: bool = False, start: Any = None, end: Any = None
) -> bool:
    """Whether the squares are a tour with these ends."""
    return tour_fault(adjacent, squares, closed=closed, start=start, end=end) is None


def all_tours(adjacent: Adjacency, *, closed: bool = False, start: Any = None, end: Any = None) -> Iterator[list[Any]]:
    """Yield every directed tour. Open: every Hamiltonian path, from each of its ends. Closed: every cycle in both
    directions, from `start` or the least square.
    """
    if closed and start is None:
        start = min(adjacent)

    def extend(path: list[Any]) -> Iterator[list[Any]]:
        if len(path) == len(adjacent):
            if is_tour(adjacent, path, closed=closed, start=start, end=end):
                yield list(path)
            return
        for square in sorted(adjacent[path[-1]] - set(path)):
            yield from extend([*path, square])

    for first in sorted(adjacent) if start is None else [start]:
        yield from extend([first])


def count(adjacent: Adjacency, *, closed: bool = False, directed: bool = False) -> int:
    """Count tours by plain recursion. Undirected: a tour and its reverse count once."""
    count = sum(1 for _ in all_tours(adjacent, closed=closed))
    if directed or len(adjacent) == 1:
        return count
    assert count % 2 == 0
    return count // 2


def has_tour(adjacent: Adjacency, *, closed: bool = False, start: Any = None, end: Any = None) -> bool:
    """Decide by the table of (visited squares, last square), for up to 20 squares."""
    squares = sorted(adjacent)
    index = {square: i for i, square in enumerate(squares)}
    near = [sum(1 << index[other] for other in adjacent[square]) for square in squares]
    count = len(squares)
    if closed and count < 3:
        return False
    if closed and start is None:
        start = squares[0]
    # ends_of[visited]: bit set of the squares at which a path over just those squares may end.
    ends_of = [0] * (1 << count)
    for i, square in enumerate(squares):
        if start is None or square == start:
            ends_of[1 << i] = 1 << i
    everything = (1 << count) - 1
    for visited in range(1, everything):
        ends = ends_of[visited]
        if ends:
            for i in range(count):
                if not visited >> i & 1 and near[i] & ends:
                    ends_of[visited | 1 << i] |= 1 << i
    last = ends_of[everything]
    if closed:
        return bool(last & near[index[start]])
    return bool(last if end is None else last >> index[end] & 1)


def closed_tours(adjacent: Adjacency) -> list[list[Any]]:
    """Return every undirected closed tour once, from its least square.

    As `all_tours(closed=True)`, with pruning if a free square has fewer than two free neighbours.
    """
    first = min(adjacent)
    tours = []
    free = {square: len(adjacent[square]) for square in adjacent}  # neighbours that can still be joined to it
    visited = {first}
    path = [first]

    def extend() -> None:
        last = path[-1]
        if len(path) == len(adjacent):
            # Each cycle is found in both directions; keep the one that leaves by the lower neighbour.
            if first in adjacent[last] and path[1] < last:
                tours.append(list(path))
            return
        # Having moved on from `last`, it is no more a neighbour for others; the first square stays one to the end.
        losers = [s for s in adjacent[last] if s not in visited] if last != first else []
        for s in losers:
            free[s] -= 1
        starved = [s for s in losers if free[s] < 2]
        ways = [s for s in adjacent[last] if s not in visited]
        for s in sorted(ways):
            # The square moved to comes from `last` itself, so it may be down to one other neighbour.
            if free[s] < 1 or any(t != s for t in starved):
                continue
            visited.add(s)
            path.append(s)
            extend()
            path.pop()
            visited.remove(s)
        for s in losers:
            free[s] += 1

    if len(adjacent) > 2:
        extend()
    return tours


# ---------------------------------------------------------------- the drawing


def turns(squares: list[Square], closed: bool) -> int:
    """Return the number of squares at which a flat tour changes direction."""
    walk = squares + squares[:2] if closed else squares
    directions = [(r1 - r0, c1 - c0) for (r0, c0), (r1, c1) in pairwise(walk)]
    return sum(before != after for before, after in pairwise(directions))


def crossings(squares: list[Square], closed: bool) -> int:
    """Return the number of pairs of moves of a flat tour that share a point other than a common end."""
    segments = list(pairwise(squares + squares[:1] if closed else squares))
    return sum(do_cross(*segments[i], *segments[j]) for i in range(len(segments)) for j in range(i))


def do_cross(a: Square, b: Square, c: Square, d: Square) -> bool:
    """Whether the segments ab and cd share a point other than a common end."""

    def side(p: Square, q: Square, r: Square) -> int:
        turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        return (turn > 0) - (turn < 0)

    def is_on(p: Square, q: Square, r: Square) -> bool:
        return side(p, q, r) == 0 and all(min(p[k], q[k]) <= r[k] <= max(p[k], q[k]) for k in (0, 1))

    common = {a, b} & {c, d}
    if len(common) == 2 or any(is_on(a, b, p) for p in {c, d} - common) or any(is_on(c, d, p) for p in {a, b} - common):
        return True
    return not common and side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


# ---------------------------------------------------------------- symmetry


# So many quarter turns clockwise, after swapping left and right or not, and what the result is called.
EIGHT = {
    (0, False): "identity",
    (1, False): "90",
    (2, False): "180",
    (3, False): "270",
    (0, True): "vertical",
    (1, True): "antidiagonal",
    (2, True): "horizontal",
    (3, True): "diagonal",
}


def turned(square: Square, rows: int, cols: int, quarters: int, mirrored: bool) -> Square:
    """Return the image of a square under a reflection and rotations; it may be off the board."""
    if mirrored:
        square = (square[0], cols - 1 - square[1])
    for _ in range(quarters):
        square = (square[1], rows - 1 - square[0])
        rows, cols = cols, rows
    return square


def turned_spec(spec: Spec, quarters: int, mirrored: bool) -> Spec | None:
    """Return the rotated board, or None if other sides would be joined."""
    if quarters % 2 and spec.wrap not in (None, "torus"):
        return None
    rows, cols = (spec.cols, spec.rows) if quarters % 2 else (spec.rows, spec.cols)
    holes = frozenset(turned(hole, spec.rows, spec.cols, quarters, mirrored) for hole in spec.holes)
    return Spec(rows, cols, holes, spec.wrap, spec.leaps)


@functools.cache
def bare_maps(spec: Spec) -> dict[tuple[Square, ...], str]:
    """Return the symmetries of a board without holes, with names: the images of all squares in row order.

    Every rotation is tried with every shift, as a map of the infinite plane (or strip) around the board. It is a
    symmetry if equal squares have equal images.
    """
    bare = spec._replace(holes=frozenset())
    rows, cols = spec.rows, spec.cols
    places_of: dict[Square, list[Square]] = {}
    rows_seen = range(-2 * rows, 3 * rows) if spec.wrap in ("torus", "klein") else range(rows)
    cols_seen = range(-2 * cols, 3 * cols) if spec.wrap is not None else range(cols)
    for r in rows_seen:
        for c in cols_seen:
            square = identify(bare, r, c)
            assert square is not None
            places_of.setdefault(square, []).append((r, c))
    row_shifts = range(rows) if spec.wrap in ("torus", "klein") else [0]
    col_shifts = range(2 * cols) if spec.wrap is not None else [0]
    found: dict[tuple[Square, ...], str] = {}
    for dr in row_shifts:
        for dc in col_shifts:
            for (quarters, mirrored), name in EIGHT.items():
                if quarters % 2 and (rows != cols or spec.wrap not in (None, "torus")):
                    continue
                image = []
                for square in all_squares(bare):
                    goes_to = set()
                    for place in places_of[square]:
                        r, c = turned(place, rows, cols, quarters, mirrored)
                        goes_to.add(identify(bare, r + dr, c + dc))
                    if len(goes_to) == 1 and None not in goes_to:
                        image.append(goes_to.pop())
                if len(set(image)) == rows * cols:
                    full_name = name if not (dr or dc) else f"{name} + shift ({dr}, {dc})"
                    found.setdefault(tuple(image), full_name.removeprefix("identity + "))
    return found


@functools.cache
def symmetry_maps(spec: Spec) -> dict[tuple[Square, ...], str]:
    """Return the `bare_maps` that preserve the holes."""
    bare = [(r, c) for r in range(spec.rows) for c in range(spec.cols)]
    return {
        image: name
        for image, name in bare_maps(spec).items()
        if {image[bare.index(hole)] for hole in spec.holes} == spec.holes
    }


def moves_of(squares: list[Square], closed: bool) -> set[frozenset[Square]]:
    """Return the undirected moves of a tour."""
    return {frozenset(pair) for pair in pairwise(squares + squares[:1] if closed else squares)}


def tour_symmetries(spec: Spec, squares: list[Square], closed: bool) -> list[str]:
    """Return the names of the symmetries, except the identity, that map the tour to itself."""
    bare = [(r, c) for r in range(spec.rows) for c in range(spec.cols)]
    moves = moves_of(squares, closed)
    names = []
    for image, name in symmetry_maps(spec).items():
        goes_to = dict(zip(bare, image, strict=True))
        if name != "identity" and moves_of([goes_to[s] for s in squares], closed) == moves:
            names.append(name)
    return sorted(names)


def canonical(spec: Spec, squares: list[Square], closed: bool) -> tuple[int, int, list[Square], list[Square]]:
    """Return (rows, cols, holes, squares) of the least image of a tour in all notations."""
    images = []
    for quarters in (0, 1):
        board = turned_spec(spec, quarters, False)
        if board is None:
            continue
        walk = [turned(s, spec.rows, spec.cols, quarters, False) for s in squares]
        bare = [(r, c) for r in range(board.rows) for c in range(board.cols)]
        for image in bare_maps(board):
            goes_to = dict(zip(bare, image, strict=True))
            holes = sorted(goes_to[hole] for hole in board.holes)
            for way in (walk, walk[::-1]):
                there = [goes_to[s] for s in way]
                begins = range(len(there)) if closed else [0]
                images += [(board.rows, board.cols, holes, there[k:] + there[:k]) for k in begins]
    return min(images)


# The first tour of the classical backtracking programs: 8x8 from the top left.
CLASSIC_8X8 = """\
 1 60 39 34 31 18  9 64
38 35 32 61 10 63 30 17
59  2 37 40 33 28 19  8
36 49 42 27 62 11 16 29
43 58  3 50 41 24  7 20
48 51 46 55 26 21 12 15
57 44 53  4 23 14 25  6
52 47 56 45 54  5 22 13
"""


# ---------------------------------------------------------------- puzzles


def numberings(
    adjacent: Adjacency,
    given: dict[Any, set[int]],
    *,
    closed: bool = False,
    in_order: Sequence[Any] = (),
    most: int = 2,
) -> list[list[Any]]:
    """Return up to `most` tours with these numbers of given squares, and these squares in order.

    The order includes the ends of the tour. Walls are moves that `adjacent` lacks.
    """
    count, found = len(adjacent), list[list[Any]]()
    fixed = {number: square for square, numbers in given.items() if len(numbers) == 1 for number in numbers}
    if in_order:
        fixed |= {1: in_order[0], count: in_order[-1]}
    if len(set(fixed.values())) < len(fixed):
        return []
    far = {square: distances(adjacent, square) for square in fixed.values()}
    place = {square: k for k, square in enumerate(in_order)}

    def fits(square: Any, number: int, reached: int) -> bool:
        if number in fixed and fixed[number] != square:
            return False
        if square in given and number not in given[square]:
            return False
        if square in place and place[square] != reached:
            return False
        later = min((n for n in fixed if n > number), default=None)
        return later is None or far[fixed[later]].get(square, count) <= later - number

    def extend(path: list[Any], left: set[Any], reached: int) -> None:
        if len(found) >= most:
            return
        here = path[-1]
        if not left:
            if not closed or path[0] in adjacent[here]:
                found.append(list(path))
            return
        # A square that is left needs a way in, and a way out unless it is the last.
        for square in left:
            ways = len(adjacent[square] & left) + (here in adjacent[square]) + (closed and path[0] in adjacent[square])
            if ways == 0 or (closed and ways < 2 and len(adjacent) > 2):
                return
        for square in sorted(adjacent[here] & left):
            if fits(square, len(path) + 1, reached):
                extend([*path, square], left - {square}, reached + (square in place))

    for square in sorted(adjacent):
        if fits(square, 1, 0):
            extend([square], set(adjacent) - {square}, int(square in place))
    return found


def distances(adjacent: Adjacency, start: Any) -> dict[Any, int]:
    """Return the distance of each square from `start`; moves are undirected."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = list({other for square in edge for other in adjacent[square]} - set(found))
        step = max(found.values()) + 1
        found |= dict.fromkeys(edge, step)
    return found
