"""Number of tours with a symmetry, and number of tours up to symmetry (classes).

A symmetry g of the board that maps a tour to itself permutes the squares of the tour. Only the identity fixes every
square, so on a *closed* tour of N squares g acts as a symmetry of the N-gon: a rotation or a reflection. Each kind is
counted on the *quotient*, a graph with one vertex for each orbit (a square with its images) and one edge for each orbit
of moves between two orbits.

Rotated tours. If g has order k, all orbits have k squares, and along the tour the orbits repeat in a fixed order: a
Hamiltonian cycle of the quotient. Choose a square r(A) of each orbit A. A move from r(A) to g^s r(B) is an edge with
*voltage* s. The edges of a cycle of Q = N/k orbits lead from r(A) to g^v r(A), where v is the sum of the voltages
(negated for reversed edges). The reached squares form one tour if v and k are coprime, else several cycles. So tours
are the cycles of the quotient with such a v. If k is a power of two, these are the cycles with odd v. Let Z+ be the
number of cycles and Z- their sum with the sign (-1)^v, a product of signs of edges; then there are (Z+ - Z-)/2 tours.
For any other k, and for Q <= 2, where the quotient has no cycle as a simple graph, the cycles of each v modulo k are
counted (sums.py).

Reflected tours. Here k = 2, and the mirror line of the N-gon meets the tour in two places: each is a square fixed by g,
or the middle of a move between a square and its own image (through the centre of the board for a half turn). So g
fixes two squares, one or none. The tour consists of a path through the quotient from one place to the other, and the
image of that path. Each path of the quotient lifts to two such halves, images of each other, hence to one tour.

An *open* tour that is invariant under g is reversed by g: k = 2, and the middle of the tour is a square or a move as
above. So it is a path of the quotient that starts there.

A group of symmetries of a closed tour acts either as rotations of the N-gon, and is counted by a generator, or as
rotations and reflections. Then the mirror lines cut the N-gon into arcs, and one arc determines the whole tour: a path
of the quotient by the group, from a place on one kind of mirror to a place on the other. If the number of rotations is
a power of two, these two mirrors always generate the whole group. Otherwise, as for the three rotations of a triangle,
the few tours invariant under the rotations are listed and tested.

By Burnside's lemma the number of classes is the mean, over the symmetries of the board, of the number of invariant
tours. Source of voltages: J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, BoardLike, board_of, move_graph, title_of
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, replace_conditions
from knightstour.core.model.symmetry import TURN_NAMED, Symmetry, symmetries, turns_of
from knightstour.core.proofs.facts import colour_classes, components
from knightstour.core.search.frontier.plan import Plan
from knightstour.core.search.quotient import orbits_under
from knightstour.core.search.symmetric import SymmetricTours
from knightstour.lab.counting.sums import Effort, cycle_sums, cycles_by_voltage

# A symmetry as the image of each square number.
Image = tuple[int, ...]
# Maximum number of symmetries for the table.
_MAX_TABLE = 48


def count_symmetric(
    board: BoardLike,
    symmetry: str,
    *,
    closed: bool = True,
    is_shift: bool | None = None,
    ends: Collection[int] | None = None,
    effort: Effort | None = None,
) -> int:
    """Return the number of undirected tours that are invariant under a symmetry of the board.

    symmetry: its name ("180", "90", "vertical", ...). Tours with "90" also have "180".
    closed: closed tours, or else all open ones (Hamiltonian paths, including re-entrant ones).
    is_shift: only tours whose image has the same direction, or only the opposite one; None for both.
    ends: for open tours, the allowed square numbers of the ends, closed under the symmetry; None for all.
    Raises ProblemError if the board does not have the symmetry, and for the identity.

    >>> count_symmetric((6, 6), "90"), count_symmetric((5, 6), "vertical")
    (10, 4)
    >>> count_symmetric((3, 14), "180", is_shift=True), count_symmetric((3, 14), "180", is_shift=False)
    (16, 8)
    >>> count_symmetric((5, 5), "180", closed=False), count_symmetric((5, 5), "180", closed=False, ends=[0, 24])
    (32, 16)
    """
    board = board_of(board)
    if moves_no_square(board, symmetry):
        raise ProblemError(
            "every tour is invariant under the identity", help="count all tours instead, or pass another symmetry"
        )
    return _Tours(board, closed, effort).count_invariant(_image(_symmetry_named(board, symmetry)), is_shift, ends)


def moves_no_square(board: Board, symmetry: str) -> bool:
    """Return whether a symmetry fixes every square, as on a board of one square, so that every tour is invariant.

    >>> moves_no_square(Board(3, 1), "vertical"), moves_no_square(Board(3, 1), "horizontal")
    (True, False)
    """
    image, squares = _symmetry_named(board, symmetry).image, move_graph(board).squares
    return bool((image[squares] == squares).all())


def count_classes(board: BoardLike, *, closed: bool, total: int, effort: Effort | None = None) -> int:
    """Return the number of classes of tours under the symmetries of the board.

    total: number of undirected tours of the board.

    >>> count_classes((6, 6), closed=True, total=9862)
    1245
    """
    board = board_of(board)
    images = [_image(symmetry) for symmetry in symmetries(board)]
    kept = _invariant_counts(_Tours(board, closed, effort), images)
    classes, rest = divmod(sum(kept.values()) + total * (len(images) - len(kept)), len(images))
    if rest:
        raise ProblemError(f"{total:,} cannot be the number of tours of the {title_of(board)}")
    return classes


def _invariant_counts(tours: _Tours, images: Sequence[Image]) -> dict[Image, int]:
    """Return the number of invariant tours for each symmetry that moves a square."""
    kept: dict[Image, int] = {}
    for image in images:
        if any(image[s] != s for s in tours.squares):
            # A symmetry and its inverse have the same invariant tours.
            inverse = _inverse(image)
            kept[image] = kept[inverse] if inverse in kept else tours.count_invariant(image)
    return kept


class SymmetryRow(NamedTuple):
    """Tours of one symmetry type. symmetry: values of `Tour.symmetry`, several if classes mix them."""

    symmetry: str
    tours: int
    classes: int


def symmetry_table(board: BoardLike, *, closed: bool, total: int, effort: Effort | None = None) -> list[SymmetryRow]:
    """Return the number of undirected tours and of classes by their exact symmetry; types without tours are omitted.

    total: as for `count_classes`. On a square board a class can contain "vertical" and "horizontal" tours; its row is
    "vertical or horizontal". Raises ProblemError for wrapped boards, and for boards of over 48 symmetries.

    >>> for row in symmetry_table((6, 6), closed=True, total=9862): print(*row)
    none 9784 1223
    180 68 17
    90 10 5
    """
    board = board_of(board)
    check_table(board)
    tours = _Tours(board, closed, effort)
    named = {_image(symmetry): symmetry.name for symmetry in symmetries(board)}
    exactly: dict[frozenset[Image], int] = {}
    # Larger groups first: the tours with exactly a group are the invariant tours minus the tours of larger groups.
    for group in sorted(_subgroups(list(named)), key=len, reverse=True):
        kept = total if len(group) == 1 else tours.count_invariant_under(group)
        exactly[group] = kept - sum(n for larger, n in exactly.items() if group < larger)
    return _rows(exactly, named)


def check_table(board: Board) -> None:
    """Raise ProblemError for a board without a table of symmetries."""
    if board.wrap is not None:
        raise ProblemError(
            f"a {board.wrap} has too many groups of symmetries for a table", help="count the tours with one symmetry"
        )
    squares = move_graph(board).squares
    images = [symmetry.image for symmetry in symmetries(board)]
    if len(images) > _MAX_TABLE:
        raise ProblemError(
            f"the {title_of(board)} has {len(images)} symmetries, too many for a table",
            note=f"the limit is {_MAX_TABLE}, the symmetries of a cube",
            help="count the tours with one symmetry, or the classes",
        )
    if len({tuple(image[squares].tolist()) for image in images}) < len(images):
        raise ProblemError(
            f"several symmetries of the {title_of(board)} agree on its squares, so a table has no meaning"
        )


def _rows(exactly: Mapping[frozenset[Image], int], named: Mapping[Image, str]) -> list[SymmetryRow]:
    """Convert numbers of tours with exactly each group to a table; groups of a class share a row."""
    place = {image: i for i, image in enumerate(named)}

    def places(group: frozenset[Image]) -> list[int]:
        return [len(group), *sorted(place[image] for image in group)]

    rows = []
    done: set[frozenset[Image]] = set()
    for group in sorted(exactly, key=places):
        if group in done:
            continue
        alike = {frozenset(_compose(_compose(_inverse(by), image), by) for image in group) for by in named}
        done |= alike
        tours = sum(exactly[other] for other in alike)
        if tours:
            words = " or ".join(_words(other, named) for other in sorted(alike, key=places))
            rows.append(SymmetryRow(words, tours, tours * len(group) // len(named)))
    return rows


def _words(group: frozenset[Image], named: Mapping[Image, str]) -> str:
    """Name a group as in `Tour.symmetry`."""
    names = [name for image, name in named.items() if image in group and name != "identity"]
    return "90" if set(names) == {"90", "180", "270"} else "+".join(names) or "none"


def symmetric_plans(board: Board, symmetry: str | None, *, closed: bool) -> list[Plan]:
    """Return the plans of the graphs for a count of symmetric tours, or for None of a count of classes."""
    plans: list[Plan] = []
    effort = Effort(plans=plans)
    if symmetry is not None:
        count_symmetric(board, symmetry, closed=closed, effort=effort)
    else:
        _invariant_counts(_Tours(board, closed, effort), [_image(found) for found in symmetries(board)])
    return plans


def table_plans(board: Board, *, closed: bool) -> list[Plan]:
    """Return the plans of the graphs of a table of symmetries."""
    plans: list[Plan] = []
    symmetry_table(board, closed=closed, total=0, effort=Effort(plans=plans))
    return plans


# ---------------------------------------------------------------- symmetries


def _symmetry_named(board: Board, name: str) -> Symmetry:
    """Raise ProblemError if the board does not have the symmetry."""
    known = {found.name: found for found in symmetries(board)}
    if isinstance(name, str) and name in known:
        return known[name]
    turn = TURN_NAMED.get(name) if isinstance(name, str) else None
    if (
        turn is not None
        and isinstance(board, GridBoard)
        and min(board.rows, board.cols) <= 2
        and turn in turns_of(board)
    ):
        # On sides of 1 or 2 squares a symmetry has several names, and each is accepted.
        image = _image(Symmetry(board, turn))
        for found in known.values():
            if _image(found) == image:
                return found
    names = ", ".join(itertools.islice((other for other in known if other != "identity"), 8)) or "none"
    raise ProblemError(f"the {title_of(board)} has no symmetry {name!r}", note=f"its symmetries: {names}")


def _image(symmetry: Symmetry) -> Image:
    return tuple(symmetry.image.tolist())


def _inverse(image: Image) -> Image:
    back = [0] * len(image)
    for s, t in enumerate(image):
        back[t] = s
    return tuple(back)


def _compose(first: Image, second: Image) -> Image:
    return tuple(second[s] for s in first)


def _subgroups(images: Sequence[Image]) -> set[frozenset[Image]]:
    """Return all subgroups that can map a closed tour to itself: cyclic, or generated by two symmetries of order 2.

    On the polygon of a closed tour a group acts as rotations, or as rotations and reflections.
    """
    of_one = {image: _powers(image, range(len(image))) for image in images}
    groups = {frozenset(powers) for powers in of_one.values()}
    mirrors = [image for image, powers in of_one.items() if len(powers) == 2]
    for one, other in itertools.combinations(mirrors, 2):
        rotations = of_one[_compose(one, other)]
        groups.add(frozenset([*rotations, *(_compose(turn, one) for turn in rotations)]))
    return groups


def _powers(image: Image, squares: Iterable[int]) -> list[Image]:
    """Return the powers of a symmetry until all these squares are fixed."""
    found = [tuple(range(len(image)))]
    while any(image[found[-1][s]] != s for s in squares):
        found.append(_compose(found[-1], image))
    return found


# ---------------------------------------------------------------- quotients


class _Quotient(NamedTuple):
    """The quotient of a board by a group of symmetries.

    orbits: the squares of each; for one symmetry g in the order r, g r, g^2 r, ... order: symmetries of the group.
    voltages: for each pair of orbits A and B, all s with a move from the first square of A to square s of B.
    near, weights: the graph of the orbits, for `cycle_sums`. orders: candidate orders of the orbits.
    """

    orbits: list[list[int]]
    order: int
    voltages: list[dict[int, list[int]]]
    near: list[list[int]]
    weights: dict[tuple[int, int], tuple[int, int]]
    orders: list[list[int]]

    @property
    def is_even(self) -> bool:
        """Whether only the identity fixes any square."""
        return all(len(orbit) == self.order for orbit in self.orbits)

    def with_vertex(self, joined: Sequence[int], times: Sequence[int] = ()) -> _Quotient:
        """Add a vertex, joined to some orbits with multiplicities `times`."""
        new = len(self.near)
        lists = [[*near, new] if a in joined else near for a, near in enumerate(self.near)]
        weights = dict(self.weights)
        for a, n in itertools.zip_longest(joined, times, fillvalue=1):
            weights[a, new] = (n, n)
        return self._replace(
            near=[*lists, list(joined)], weights=weights, orders=[[*order, new] for order in self.orders]
        )


class _Tours:
    def __init__(self, board: Board, closed: bool, effort: Effort | None = None) -> None:
        self.board, self.closed, self.effort = board, closed, effort or Effort()
        moves = move_graph(board)
        self.squares: list[int] = moves.squares.tolist()
        self.near = moves.neighbour_lists()

    def powers(self, image: Image) -> list[Image]:
        """Return the powers on the squares of the board."""
        return _powers(image, self.squares)

    def quotient(self, group: Sequence[Image]) -> _Quotient:
        """Return the quotient by a group, whose first element is the identity.

        The weights of an edge are the number of orbits of moves and, for one symmetry, the sum of their signs. The
        second weight has no meaning between orbits of different sizes.
        """
        images, _ = orbits_under(np.array(self.squares), np.array(group))
        orbits = [list(dict.fromkeys(row)) for row in images.tolist()]
        place = {square: (b, s) for b, orbit in enumerate(orbits) for s, square in enumerate(orbit)}
        voltages: list[dict[int, list[int]]] = []
        weights = {}
        lists: list[set[int]] = [set() for _ in orbits]
        for a, orbit in enumerate(orbits):
            to: dict[int, list[int]] = {}
            for square in self.near[orbit[0]]:
                b, s = place[square]
                to.setdefault(b, []).append(s)
            voltages.append(to)
            for b, found in to.items():
                # Several moves from a square of the smaller orbit can be images of each other.
                if a != b and len(orbit) >= len(orbits[b]):
                    weights[a, b] = (len(found), sum((-1) ** s for s in found))
                    lists[a].add(b)
                    lists[b].add(a)
        straight = list(range(len(orbits)))
        near = [sorted(others) for others in lists]
        return _Quotient(orbits, len(group), voltages, near, weights, [straight, straight[::-1]])

    def count_paths(self, graph: _Quotient, ends: tuple[int, ...]) -> int:
        """Return the number of Hamiltonian paths from one vertex or between two; without ends, of cycles."""
        weights = {edge: (plus, plus) for edge, (plus, _) in graph.weights.items()}
        is_free = len(ends) == 1
        return cycle_sums(graph.near, weights, orders=graph.orders, ends=ends, to_any=is_free, effort=self.effort)[0]

    # -- one symmetry

    def count_invariant(self, image: Image, is_shift: bool | None = None, ends: Collection[int] | None = None) -> int:
        """Return the number of tours invariant under one symmetry, not the identity.

        is_shift, ends: as for `count_symmetric`.
        """
        quotient = self.quotient(self.powers(image))
        count = 0
        if self.closed and is_shift is not False and quotient.is_even and len(self.squares) > 2:
            count += self._count_shifted(quotient)
        if quotient.order == 2 and is_shift is not True:
            count += self._count_closed_mirrored(quotient) if self.closed else self._count_open_mirrored(quotient, ends)
        return count

    def _count_shifted(self, quotient: _Quotient) -> int:
        """Count the closed tours that the symmetry shifts."""
        order = quotient.order
        if not self._may_shift(quotient):
            return 0
        if order & (order - 1) == 0 and len(quotient.orbits) > 2:
            plus, minus = cycle_sums(quotient.near, quotient.weights, orders=quotient.orders, effort=self.effort)
            return (plus - minus) // 2
        sums = cycles_by_voltage(quotient.voltages, order, orders=quotient.orders, effort=self.effort)
        return sum(n for v, n in enumerate(sums) if math.gcd(v, order) == 1) // 2

    def _may_shift(self, quotient: _Quotient) -> bool:
        """Return whether the colours allow a shift: on a board of two colours a shift by an odd number of steps swaps
        them.

        The symmetry shifts by j Q steps, where Q is the number of orbits and j is coprime to its order.
        """
        if components(self.board).max() > 0:
            return False
        colours = colour_classes(self.board)
        if colours is None:
            return True
        one, other = quotient.orbits[0][:2]
        swaps = bool(colours[one] != colours[other])
        # If g swaps the colours, its order is even, so j is odd.
        return swaps == (len(quotient.orbits) % 2 == 1) if quotient.order % 2 == 0 else not swaps

    def _mirror(self, quotient: _Quotient) -> tuple[list[int], list[int]]:
        """Return the orbits on the mirror of a symmetry of order 2."""
        orbits = quotient.orbits
        kept = [a for a, orbit in enumerate(orbits) if len(orbit) == 1]
        return kept, [a for a, orbit in enumerate(orbits) if len(orbit) == 2 and orbit[1] in self.near[orbit[0]]]

    def _count_closed_mirrored(self, quotient: _Quotient) -> int:
        kept, crossed = self._mirror(quotient)
        if len(self.squares) < 3 or len(kept) > 2 or len(kept) + len(crossed) < 2:
            return 0
        if len(kept) == 2:
            return self.count_paths(quotient, (kept[0], kept[1]))
        # An additional vertex, joined to the orbits of such moves, is the other end or closes the cycle.
        ends = (kept[0], len(quotient.orbits)) if kept else ()
        return self.count_paths(quotient.with_vertex(crossed), ends)

    def _count_open_mirrored(self, quotient: _Quotient, ends: Collection[int] | None) -> int:
        orbits = quotient.orbits
        kept, crossed = self._mirror(quotient)
        if len(kept) != len(self.squares) % 2:
            return 0
        if len(orbits) == 1:
            return len(kept) + len(crossed) if ends is None or orbits[0][0] in ends else 0
        if not kept and not crossed:
            return 0
        first, graph = (kept[0], quotient) if kept else (len(orbits), quotient.with_vertex(crossed))
        if ends is None:
            return self.count_paths(graph, (first,))
        # The other end is an additional vertex, joined to the orbits of the allowed ends.
        last = [a for a, orbit in enumerate(orbits) if orbit[0] in ends]
        return self.count_paths(graph.with_vertex(last), (first, len(graph.near))) if last else 0

    # -- groups

    def count_invariant_under(self, group: frozenset[Image]) -> int:
        whole = len(group)
        orders = {image: len(self.powers(image)) for image in group}
        turner = max(sorted(group), key=lambda image: orders[image])
        if whole == 2 or (orders[turner] == whole and self.closed):
            return self.count_invariant(turner)
        if not self.closed or len(self.squares) < 3:
            # A symmetry reverses an open tour; the product of two such symmetries fixes every square.
            return 0
        # Half of the group are rotations of the N-gon, the powers of one. If all have order 2, any of the three can be
        # the rotation, so the two kinds of mirror are any two of them.
        if whole == 4:
            pairs = itertools.combinations(sorted(image for image in group if orders[image] == 2), 2)
            return sum(self._count_arcs(group, {g}, {h}) for g, h in pairs)
        rotations = self.powers(turner)
        mirrors = sorted(group - set(rotations))
        if 2 * len(rotations) & (2 * len(rotations) - 1):
            return self._count_listed(turner, mirrors[0])
        kind = {_compose(_compose(_inverse(turn), mirrors[0]), turn) for turn in rotations}
        return self._count_arcs(group, kind, set(mirrors) - kind)

    def _count_listed(self, turner: Image, mirror: Image) -> int:
        """List the tours that a rotation shifts, and count the mirror-invariant ones."""
        if self.effort.plans is not None:
            return 0
        name = next(found.name for found in symmetries(self.board) if _image(found) == turner)
        watch = self.effort.watch
        tours = SymmetricTours(
            replace_conditions(Problem(self.board, closed=True), symmetry=name), watch.budget if watch else Budget()
        )
        image, count = np.array(mirror), len(self.squares)
        step, kept = np.zeros(len(image), dtype=np.int64), 0
        for order in tours:
            step[order] = np.arange(count)
            steps = step[image[order]]
            kept += bool(np.isin((steps - np.roll(steps, 1)) % count, (1, count - 1)).all())
        if watch and not tours.is_complete:
            raise watch.limit_error(f"not all tours with symmetry {name} were listed")
        return kept

    def _count_arcs(self, group: frozenset[Image], first: set[Image], second: set[Image]) -> int:
        """Count the closed tours of a group with mirrors of two kinds, as paths between them."""
        graph = self.quotient(sorted(group))
        near, orbits, whole = self.near, graph.orbits, len(group)
        if [2 * len(orbit) for orbit in orbits] == [whole]:
            # All squares are on mirrors of one kind, and all moves cross the mirrors of the other.
            s = orbits[0][0]
            crossing = second if any(image[s] == s for image in first) else first
            return int(any(image[s] in near[s] for image in crossing))
        ends: list[list[tuple[int, int]]] = []  # for each kind: orbits that may end the path, with multiplicity
        kept_by_none = {a for a, orbit in enumerate(orbits) if len(orbit) == whole}
        for kind in (first, second):
            kept = [a for a, orbit in enumerate(orbits) if any(image[orbit[0]] == orbit[0] for image in kind)]
            if kept:
                ends.append([(a, 1) for a in kept if 2 * len(orbits[a]) == whole])
            else:
                ways = [(a, sum(image[orbits[a][0]] in near[orbits[a][0]] for image in kind)) for a in kept_by_none]
                ends.append(sorted((a, n) for a, n in ways if n))
            if len(kept) > 1 or not ends[-1]:
                return 0
        lasting = {end[0][0] for end in ends if end[0][0] not in kept_by_none}
        if kept_by_none | lasting != set(range(len(orbits))):
            return 0
        if len(orbits) == 1:
            return ends[0][0][1] * ends[1][0][1]
        if len(orbits) == len(lasting):
            # With two squares on mirrors, the neighbours of one are pairs of images.
            return int(1 in graph.voltages[0])
        points = []
        for end in ends:
            if end[0][0] in lasting:
                points.append(end[0][0])
            else:
                points.append(len(graph.near))
                graph = graph.with_vertex([a for a, _ in end], [n for _, n in end])
        return self.count_paths(graph, (points[0], points[1]))
