"""How many tours have a symmetry, and how many tours differ up to symmetry (classes).

A symmetry g of the board that lays a tour on itself permutes the squares of the tour. Only the identity keeps every
square, so on a *closed* tour of N squares g acts as a symmetry of the N-gon: it shifts the tour or it mirrors it. Each
kind is counted on the *quotient*, a graph with one vertex for each orbit (a square with its images), where two orbits
are joined by one edge for each orbit of moves between them.

Shifted tours. If g has order k, all orbits have k squares, and along the tour the orbits come in a fixed order again
and again: a Hamiltonian cycle of the quotient. Choose a square r(A) of each orbit A. A move from r(A) to g^s r(B) is an
edge with *voltage* s. The edges of a cycle of Q = N/k orbits lead from r(A) once round to g^v r(A), where v is the sum
of the voltages (negative where an edge is walked backwards). The squares reached make one tour if v and k have no
common factor, else several cycles. So tours are the cycles of the quotient with such a v. If k is a power of two, these
are the cycles with odd v. Let Z+ be the number of cycles and Z- their sum with the sign (-1)^v, which is a product of
signs of edges, the same in both directions; then there are (Z+ - Z-)/2 tours. (For Q <= 2 the quotient has no cycle as
a plain graph; there tours are counted from the list of voltages, for any k.)

Mirrored tours. Here k = 2, and the mirror line of the N-gon meets the tour in two places: each is a square that g
keeps, or the middle of a move between a square and its own image (through the centre of the board for a half turn). So
g keeps two squares, or one, or none, and the tour consists of a path through the quotient from one place to the other,
and the image of that path. Each path of the quotient lifts to two such halves, images of each other, hence to one tour.

An *open* tour that g lays on itself is reversed by g: k = 2, and in the middle of the tour is a square or a move as
above. So it is a path of the quotient that begins there and ends anywhere.

A group of symmetries of a closed tour acts either as rotations of the N-gon, and is counted by a generator, or as
rotations and mirrors. Then the mirror lines cut the N-gon into arcs, and one arc determines the whole tour: a path of
the quotient by the group, from a place on one kind of mirror to a place on the other.

By Burnside's lemma the number of classes is the mean, over the symmetries of the board, of the number of tours that
each lays on itself. Source: the voltages are those of J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from knightstour.core.model.board import Board, BoardLike, move_graph
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.symmetry import TURN_NAMED, Symmetry, symmetries, turns_of
from knightstour.core.search.frontier.plan import Plan
from knightstour.lab.counting.weighted import Effort, cycle_sums

# A symmetry as the image of each square number.
Image = tuple[int, ...]


def count_symmetric(
    board: BoardLike,
    symmetry: str | Symmetry,
    *,
    closed: bool = True,
    is_shift: bool | None = None,
    ends: Collection[int] | None = None,
    effort: Effort | None = None,
) -> int:
    """Number of tours that a symmetry of the board lays on themselves: undirected, each in its place on the board.

    symmetry: its name ("180", "90", "vertical", ...) or the Symmetry. Tours with "90" have "180" too.
    closed: closed tours, or else all open ones (Hamiltonian paths, re-entrant ones included).
    is_shift: only tours whose image is walked in the same direction, or only those walked backwards; None for both.
    ends: of open tours, the square numbers that their ends may have, the images of each among them; None for all.
    Raises ProblemError where the board has no such symmetry, and for the identity, which keeps every tour.

    >>> count_symmetric((6, 6), "90"), count_symmetric((5, 6), "vertical")
    (10, 4)
    >>> count_symmetric((3, 14), "180", is_shift=True), count_symmetric((3, 14), "180", is_shift=False)
    (16, 8)
    >>> count_symmetric((5, 5), "180", closed=False), count_symmetric((5, 5), "180", closed=False, ends=[0, 24])
    (32, 16)
    """
    board = Board.of(board)
    image = _image(_named(board, symmetry))
    near = _near(board)
    if all(image[s] == s for s in near):
        raise ProblemError(
            "the identity lays every tour on itself", help="count all tours instead, or name another symmetry"
        )
    return _count_one(near, image, closed, effort or Effort(), is_shift, ends)


def moves_no_square(board: Board, symmetry: str) -> bool:
    """Whether a symmetry leaves each square where it is, as on a board of one square: every tour is laid on itself.

    >>> moves_no_square(Board(3, 1), "vertical"), moves_no_square(Board(3, 1), "horizontal")
    (True, False)
    """
    image = _image(_named(board, symmetry))
    return all(image[square] == square for square in _near(board))


def count_classes(
    board: BoardLike,
    *,
    closed: bool,
    total: int,
    effort: Effort | None = None,
) -> int:
    """Number of classes of tours: those that a symmetry of the board takes to each other count once.

    total: the number of undirected tours of the board.
    Raises ProblemError at once for boards with symmetries that are not counted, such as many tori.

    >>> count_classes((6, 6), closed=True, total=9862)
    1245
    """
    board = Board.of(board)
    near = _near(board)
    check_classes(board, closed=closed)
    images = [_image(symmetry) for symmetry in symmetries(board)]
    kept = _kept_by_each(near, images, closed, effort or Effort())
    classes, rest = divmod(sum(kept.values()) + total * (len(images) - len(kept)), len(images))
    if rest:
        raise ProblemError(f"{total:,} cannot be the number of tours of the {board.title}")
    return classes


def _kept_by_each(
    near: Mapping[int, list[int]], images: Sequence[Image], closed: bool, effort: Effort
) -> dict[Image, int]:
    """The number of tours that each symmetry lays on themselves, without symmetries that move no square."""
    kept: dict[Image, int] = {}
    for image in images:
        if any(image[s] != s for s in near):
            # A symmetry and its inverse keep the same tours.
            inverse = _inverse(image)
            kept[image] = kept[inverse] if inverse in kept else _count_one(near, image, closed, effort)
    return kept


def check_classes(board: Board, *, closed: bool) -> None:
    """A ProblemError for a board with a symmetry whose tours cannot be counted, before any count."""
    near = _near(board)
    for symmetry in symmetries(board) if closed else ():
        orbits = _orbits(near, _image(symmetry))
        excuse = _why_not_shifted(near, orbits, math.lcm(*(len(orbit) for orbit in orbits)))
        if excuse:
            raise ProblemError(
                f"classes of tours of the {board.title} are not counted: {excuse}",
                help="count all tours, or those with one symmetry",
            )


class SymmetryRow(NamedTuple):
    """Tours of one symmetry type. symmetry: a value of `Tour.symmetry`, or several where classes have several."""

    symmetry: str
    tours: int
    classes: int


def symmetry_table(
    board: BoardLike,
    *,
    closed: bool,
    total: int,
    effort: Effort | None = None,
) -> list[SymmetryRow]:
    """How many tours, undirected, and how many classes have exactly which symmetries; types without tours left out.

    total: as for `count_classes`. On a square board a class has, say, "vertical" and "horizontal" tours, and its row
    is "vertical or horizontal". Raises ProblemError for wrapped boards.

    >>> for row in symmetry_table((6, 6), closed=True, total=9862): print(*row)
    none 9784 1223
    180 68 17
    90 10 5
    """
    board = Board.of(board)
    check_table(board)
    near = _near(board)
    named = {_image(symmetry): symmetry.name for symmetry in symmetries(board)}
    squares = list(near)
    identity = next(image for image in named if all(image[s] == s for s in squares))
    effort = effort or Effort()
    exactly: dict[frozenset[Image], int] = {}
    # Larger groups first: tours with exactly a group are those with it less those with exactly a larger one.
    for group in sorted(_subgroups(list(named)), key=len, reverse=True):
        tours = total if len(group) == 1 else _count_group(near, group - {identity}, closed, effort)
        exactly[group] = tours - sum(n for larger, n in exactly.items() if group < larger)
    return _rows(exactly, named)


def check_table(board: Board) -> None:
    """A ProblemError for a board of which there is no table of symmetries."""
    if board.wrap is not None:
        raise ProblemError(
            f"a {board.wrap} has too many groups of symmetries for a table",
            help="count the tours with one symmetry",
        )
    squares = list(_near(board))
    images = {_image(symmetry) for symmetry in symmetries(board)}
    if len({tuple(image[s] for s in squares) for image in images}) < len(images):
        raise ProblemError(
            f"several symmetries of the {board.title} are the same on its squares, so a table means nothing"
        )


def _rows(exactly: Mapping[frozenset[Image], int], named: Mapping[Image, str]) -> list[SymmetryRow]:
    """The table, from the number of tours with exactly each group; groups that occur in one class share a row."""
    place = {image: i for i, image in enumerate(named)}

    def places(group: frozenset[Image]) -> list[int]:
        return [len(group), *sorted(place[image] for image in group)]

    rows = []
    done: set[frozenset[Image]] = set()
    for group in sorted(exactly, key=places):
        if group in done:
            continue
        alike = {frozenset(_then(_then(_inverse(by), image), by) for image in group) for by in named}
        done |= alike
        tours = sum(exactly[other] for other in alike)
        if tours:
            words = " or ".join(_words(other, named) for other in sorted(alike, key=places))
            rows.append(SymmetryRow(words, tours, tours * len(group) // len(named)))
    return rows


def _words(group: frozenset[Image], named: Mapping[Image, str]) -> str:
    """A group as `Tour.symmetry` says it."""
    names = [name for image, name in named.items() if image in group and name != "identity"]
    return "90" if set(names) == {"90", "180", "270"} else "+".join(names) or "none"


def symmetric_plans(board: Board, symmetry: str | None, *, closed: bool) -> list[Plan]:
    """The plans of the graphs of a count of tours with a symmetry; for None those of a count of classes."""
    plans: list[Plan] = []
    effort = Effort(plans=plans)
    if symmetry is not None:
        count_symmetric(board, symmetry, closed=closed, effort=effort)
    else:
        _kept_by_each(_near(board), [_image(found) for found in symmetries(board)], closed, effort)
    return plans


def table_plans(board: Board, *, closed: bool) -> list[Plan]:
    """The plans of the graphs of a table of symmetries."""
    plans: list[Plan] = []
    symmetry_table(board, closed=closed, total=0, effort=Effort(plans=plans))
    return plans


# ---------------------------------------------------------------- symmetries


def _near(board: Board) -> dict[int, list[int]]:
    """The neighbours of each square that is no hole."""
    moves = move_graph(board)
    lists = moves.neighbour_lists()
    return {s: lists[s] for s in moves.squares.tolist()}


def _named(board: Board, symmetry: str | Symmetry) -> Symmetry:
    """The symmetry of the board with a name; a ProblemError where it has none."""
    if isinstance(symmetry, Symmetry):
        if symmetry.board != board or symmetry not in symmetries(board):
            raise ProblemError(
                f"the {board.title} has no such symmetry as {symmetry.name} of the {symmetry.board.title}"
            )
        return symmetry
    known = {found.name: found for found in symmetries(board)}
    turn = TURN_NAMED.get(symmetry) if isinstance(symmetry, str) and symmetry not in known else None
    if turn is not None and min(board.rows, board.cols) <= 2 and turn in turns_of(board):
        # On sides of 1 or 2 squares several names mean the same symmetry, and each of them may be asked.
        image = Symmetry(board, turn).image.tolist()
        for found in known.values():
            if found.image.tolist() == image:
                return found
    if not isinstance(symmetry, str) or symmetry not in known:
        names = ", ".join(itertools.islice((name for name in known if name != "identity"), 8)) or "none"
        raise ProblemError(f"the {board.title} has no symmetry {symmetry!r}", note=f"its symmetries: {names}")
    return known[symmetry]


def _image(symmetry: Symmetry) -> Image:
    return tuple(symmetry.image.tolist())


def _inverse(image: Image) -> Image:
    back = [0] * len(image)
    for s, t in enumerate(image):
        back[t] = s
    return tuple(back)


def _then(first: Image, second: Image) -> Image:
    """The symmetry that does one and then the other."""
    return tuple(second[s] for s in first)


def _subgroups(images: Sequence[Image]) -> set[frozenset[Image]]:
    """All subgroups of a group of symmetries, each made by at most two of them (as those of a square are)."""
    groups = set()
    for makers in itertools.product(images, repeat=2):
        group = set(makers)
        while True:
            more = {_then(a, b) for a in group for b in group} | group
            if len(more) == len(group):
                break
            group = more
        groups.add(frozenset(group))
    return groups


# ---------------------------------------------------------------- one symmetry


class _Quotient(NamedTuple):
    """A board by one symmetry, or by a group of them.

    orbits: the squares of each; for one symmetry g in the order r, g r, g^2 r, ... near, weights: the graph of the
    orbits, as `cycle_sums` takes it. orders: ways to go through the orbits.
    """

    orbits: list[list[int]]
    near: list[list[int]]
    weights: dict[tuple[int, int], tuple[int, int]]
    orders: list[list[int]]


def _count_one(
    near: Mapping[int, list[int]],
    image: Image,
    closed: bool,
    effort: Effort,
    is_shift: bool | None = None,
    ends: Collection[int] | None = None,
) -> int:
    """Number of tours that one symmetry, not the identity, lays on themselves.

    is_shift, ends: as for `count_symmetric`.
    """
    orbits = _orbits(near, image)
    order = math.lcm(*(len(orbit) for orbit in orbits))
    count = 0
    if closed and is_shift is not False and all(len(orbit) == order for orbit in orbits) and len(near) > 2:
        count += _count_shifted(near, orbits, order, effort)
    if order == 2 and is_shift is not True:
        count += _count_mirrored(near, orbits, closed, effort, ends)
    return count


def _orbits(near: Mapping[int, list[int]], image: Image) -> list[list[int]]:
    orbits = []
    seen: set[int] = set()
    for s in near:
        if s not in seen:
            orbit = [s]
            while image[orbit[-1]] != s:
                orbit.append(image[orbit[-1]])
            seen.update(orbit)
            orbits.append(orbit)
    return orbits


def _voltages(near: Mapping[int, list[int]], orbits: list[list[int]]) -> list[dict[int, list[int]]]:
    """For each orbit A and orbit B: all s with a move from the first square of A to the s-th image of that of B."""
    place = {square: (b, s) for b, orbit in enumerate(orbits) for s, square in enumerate(orbit)}
    table: list[dict[int, list[int]]] = []
    for orbit in orbits:
        to: dict[int, list[int]] = {}
        for square in near[orbit[0]]:
            b, s = place[square]
            to.setdefault(b, []).append(s)
        table.append(to)
    return table


def _quotient(near: Mapping[int, list[int]], orbits: list[list[int]]) -> _Quotient:
    """The orbits as a graph. The weights of an edge are the number of orbits of moves, and the sum of their signs.

    Between orbits of different sizes the second weight means nothing.
    """
    table = _voltages(near, orbits)
    weights = {}
    for a, to in enumerate(table):
        for b, voltages in to.items():
            # From a square of the smaller orbit several moves are images of each other.
            if a != b and len(orbits[a]) >= len(orbits[b]):
                weights[a, b] = (len(voltages), sum((-1) ** s for s in voltages))
    lists: list[list[int]] = [[] for _ in orbits]
    for a, b in sorted({(min(pair), max(pair)) for pair in weights}):
        lists[a].append(b)
        lists[b].append(a)
    straight = list(range(len(orbits)))
    return _Quotient(orbits, lists, weights, [straight, straight[::-1]])


def _count_shifted(near: Mapping[int, list[int]], orbits: list[list[int]], order: int, effort: Effort) -> int:
    """Closed tours that the symmetry shifts along themselves; all its orbits are of size `order`."""
    table = _voltages(near, orbits)
    if len(orbits) == 1:
        # r, g^s r, g^2s r, ...: all squares where s and the order have no common factor; -s is the way back.
        return sum(math.gcd(s, order) == 1 for s in table[0].get(0, [])) // 2
    if len(orbits) == 2:
        # There and back by two moves of different voltage.
        pairs = itertools.combinations(table[0].get(1, []), 2)
        return sum(math.gcd(s - t, order) == 1 for s, t in pairs)
    excuse = _why_not_shifted(near, orbits, order)
    if excuse:
        raise ProblemError(excuse)
    if not _may_shift(near, orbits):
        return 0
    graph = _quotient(near, orbits)
    plus, minus = cycle_sums(graph.near, graph.weights, orders=graph.orders, effort=effort)
    return (plus - minus) // 2


def _why_not_shifted(near: Mapping[int, list[int]], orbits: list[list[int]], order: int) -> str:
    """Why tours that a symmetry shifts along themselves are not counted; "" where they are, or where there is none."""
    is_even = all(len(orbit) == order for orbit in orbits)
    if order & (order - 1) == 0 or len(orbits) < 3 or not is_even or not _may_shift(near, orbits):
        return ""
    return f"tours with a symmetry of order {order} are counted only if that is 2, 4, 8, ..."


def _may_shift(near: Mapping[int, list[int]], orbits: list[list[int]]) -> bool:
    """Whether the colours agree: on a board of two colours a shift by an odd number of steps swaps them.

    The symmetry shifts by j Q steps, where Q is the number of orbits and j has no factor in common with its order.
    """
    colour = {orbits[0][0]: 0}
    queue = [orbits[0][0]]
    for s in queue:
        for t in near[s]:
            if t not in colour:
                colour[t] = 1 - colour[s]
                queue.append(t)
            elif colour[t] == colour[s]:
                return True
    if len(colour) < len(near):
        return False
    swaps = colour[orbits[0][0]] != colour[orbits[0][1]]
    # On a board of two colours the order is even where colours are swapped, so j is odd then.
    return swaps == (len(orbits) % 2 == 1) if len(orbits[0]) % 2 == 0 else not swaps


def _count_mirrored(
    near: Mapping[int, list[int]],
    orbits: list[list[int]],
    closed: bool,
    effort: Effort,
    ends: Collection[int] | None = None,
) -> int:
    """Tours that a symmetry of order 2 walks backwards: closed ones, or open ones with these ends."""
    kept = [a for a, orbit in enumerate(orbits) if len(orbit) == 1]
    crossed = [a for a, orbit in enumerate(orbits) if len(orbit) == 2 and orbit[1] in near[orbit[0]]]
    graph = _quotient(near, orbits)
    count = len(orbits)
    if closed:
        if len(near) < 3 or len(kept) > 2 or len(kept) + len(crossed) < 2:
            return 0
        if len(kept) == 2:
            return _paths(graph, (kept[0], kept[1]), effort)
        # One vertex more, joined to the orbits that a path may end in. It is the other end, or makes a cycle of it.
        return _paths(_with_vertex(graph, crossed), (kept[0], count) if kept else (), effort)
    if len(kept) != len(near) % 2:
        return 0
    if count == 1:
        return len(kept) + len(crossed) if ends is None or orbits[0][0] in ends else 0
    first = kept[0] if kept else count
    if not kept:
        if not crossed:
            return 0
        graph = _with_vertex(graph, crossed)
    if ends is None:
        return _paths(graph, (first,), effort)
    # The other end is a vertex more, joined to the orbits that a tour may begin and end in.
    last = [a for a, orbit in enumerate(orbits) if orbit[0] in ends]
    return _paths(_with_vertex(graph, last), (first, len(graph.near)), effort) if last else 0


def _with_vertex(graph: _Quotient, joined: Sequence[int], times: Sequence[int] = ()) -> _Quotient:
    """The graph with one vertex more, joined to some, by several edges if `times` says so."""
    new = len(graph.near)
    lists = [[*near, new] if a in joined else near for a, near in enumerate(graph.near)]
    weights = dict(graph.weights)
    for a, n in itertools.zip_longest(joined, times, fillvalue=1):
        weights[a, new] = (n, n)
    return graph._replace(
        near=[*lists, list(joined)], weights=weights, orders=[[*order, new] for order in graph.orders]
    )


def _paths(graph: _Quotient, ends: tuple[int, ...], effort: Effort) -> int:
    """Number of Hamiltonian paths between two vertices, or from one; without ends of Hamiltonian cycles."""
    weights = {edge: (plus, plus) for edge, (plus, _) in graph.weights.items()}
    sums = cycle_sums(graph.near, weights, orders=graph.orders, ends=ends, to_any=len(ends) == 1, effort=effort)
    return sums[0]


# ---------------------------------------------------------------- groups


def _count_group(near: Mapping[int, list[int]], others: frozenset[Image], closed: bool, effort: Effort) -> int:
    """Number of tours that all of a group of symmetries lay on themselves; `others` are all but the identity."""
    whole = len(others) + 1
    if whole == 2:
        return _count_one(near, next(iter(others)), closed, effort)
    if not closed or len(near) < 3:
        # A symmetry reverses an open tour, and the product of two such symmetries would keep every square.
        return 0
    orders = {image: math.lcm(*(len(orbit) for orbit in _orbits(near, image))) for image in others}
    turner = max(others, key=lambda image: orders[image])
    if orders[turner] == whole:
        return _count_one(near, turner, closed, effort)
    # Rotations and mirrors: half of the group are rotations of the N-gon, the powers of one. Where all have order 2,
    # any of the three may be the rotation, so the two kinds of mirror are any two of them.
    mirrors = [image for image in others if orders[image] == 2]
    if whole == 4:
        kinds = [({g}, {h}) for g, h in itertools.combinations(sorted(mirrors), 2)]
    else:
        half_turn = _then(turner, turner)
        mirrors = [image for image in mirrors if image != half_turn]
        first = mirrors[0]
        kind = {first, _then(_then(_inverse(turner), first), turner)}
        kinds = [(kind, set(mirrors) - kind)]
    return sum(_count_arcs(near, others, one, other, effort) for one, other in kinds)


def _count_arcs(
    near: Mapping[int, list[int]],
    others: frozenset[Image],
    one: set[Image],
    other: set[Image],
    effort: Effort,
) -> int:
    """Closed tours with a group, the mirrors of which are of kind `one` and `other`: paths from one to the other."""
    orbits = []
    seen: set[int] = set()
    for s in near:
        if s not in seen:
            orbits.append(list(dict.fromkeys([s, *(image[s] for image in sorted(others))])))
            seen.update(orbits[-1])
    whole = len(others) + 1
    if [2 * len(orbit) for orbit in orbits] == [whole]:
        # All squares are on mirrors of one kind, and all moves cross those of the other.
        s = orbits[0][0]
        crossing = other if any(image[s] == s for image in one) else one
        return int(any(image[s] in near[s] for image in crossing))
    ends: list[list[tuple[int, int]]] = []  # for each kind: orbits that may end the path, and in how many ways
    kept_by_none = {a for a, orbit in enumerate(orbits) if len(orbit) == whole}
    for kind in (one, other):
        kept = [a for a, orbit in enumerate(orbits) if any(image[orbit[0]] == orbit[0] for image in kind)]
        if kept:
            ends.append([(a, 1) for a in kept if 2 * len(orbits[a]) == whole])
        else:
            ways = [(a, sum(image[orbits[a][0]] in near[orbits[a][0]] for image in kind)) for a in sorted(kept_by_none)]
            ends.append([(a, n) for a, n in ways if n])
        if len(kept) > 1 or not ends[-1]:
            return 0
    lasting = {end[0][0] for end in ends if end[0][0] not in kept_by_none}
    if kept_by_none | lasting != set(range(len(orbits))):
        return 0
    if len(orbits) == 1:
        return ends[0][0][1] * ends[1][0][1]
    if len(orbits) == len(lasting):
        # Two squares on mirrors: the neighbours of one come in pairs, images of each other.
        return int(1 in _voltages(near, orbits)[0])
    graph = _quotient(near, orbits)
    points = []
    for end in ends:
        if end[0][0] in lasting:
            points.append(end[0][0])
        else:
            points.append(len(graph.near))
            graph = _with_vertex(graph, [a for a, _ in end], [n for _, n in end])
    return _paths(graph, (points[0], points[1]), effort)
