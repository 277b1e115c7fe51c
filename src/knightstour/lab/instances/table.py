"""FAMILIES: graphs with known answers for tests of solvers, one row per family."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from knightstour.core.methods.solve import find_tour, solve
from knightstour.core.model.arguments import meant_by
from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.result import Status
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import one_of, quoted, whole_number
from knightstour.lab.instances import graphs
from knightstour.lab.instances.instance import Family, FamilyGraph, Instance, Parameter

# The maximum number of combinations of parameters that are tried for the first graph.
MAX_TRIED = 1_000_000

Values: TypeAlias = "int | Iterable[int]"


def _always(**_: int) -> str:
    return ""


def _graph_from_edges(edges: graphs.Edges, is_hamiltonian: bool, reason: str, source: str) -> FamilyGraph:
    return FamilyGraph(Board.from_graph(edges), is_hamiltonian, reason, source)


def _graph_with_cycle(edges: graphs.Edges, cycle: list[graphs.Node], reason: str, source: str) -> FamilyGraph:
    board = Board.from_graph(edges)
    return FamilyGraph(board, True, reason, source, Tour(board, cycle))


def _why_not_petersen(n: int, k: int) -> str:
    return "" if 2 * k < n else f"k must be less than half of n, {n}"


def _petersen(n: int, k: int) -> FamilyGraph:
    # G(n, k) and G(n, j) are isomorphic if k times j is 1 or -1 modulo n.
    is_exception = n % 6 == 5 and (k == 2 or 2 * k == n - 1)
    reason = "G(n, k) has no Hamiltonian cycle only if it is G(n, 2) and n is 5 more than a multiple of 6"
    return _graph_from_edges(graphs.petersen(n, k), not is_exception, reason, "B. Alspach, 1983")


def _why_not_hypohamiltonian(n: int, removed: int) -> str:
    if n % 6 != 5:
        return f"n must be 5 more than a multiple of 6, not {n}"
    return "" if removed <= 2 * n else f"the graph has {2 * n} nodes, and no node {removed}"


def _hypohamiltonian(n: int, removed: int) -> FamilyGraph:
    reason = "G(n, 2) with n 5 more than a multiple of 6 has no Hamiltonian cycle, but has one if any node is removed"
    edges = graphs.without(graphs.petersen(n, 2), removed)
    return _graph_from_edges(edges, removed > 0, reason, "T.-C. Mai, J.-J. Wang and L.-H. Hsu, 2008")


def _why_not_flower(n: int) -> str:
    return "" if n % 2 else f"n must be odd, not {n}"


def _flower(n: int) -> FamilyGraph:
    reason = "the edges of a flower snark have no 3-colouring, but a cubic graph with a Hamiltonian cycle has one"
    return _graph_from_edges(graphs.flower(n), False, reason, "R. Isaacs, 1975")


def _sheehan(m: int) -> FamilyGraph:
    reason = "a cycle alternates between e and o; e0 has two edges to o, then e1 has two edges left, and so on"
    cycle: list[graphs.Node] = [node for k in range(m) for node in (f"e{k}", f"o{k}")]
    return _graph_with_cycle(graphs.sheehan(m), cycle, reason, "as in J. Sheehan, 1977")


def _why_not_cubic(n: int, seed: int) -> str:
    return "" if n % 2 == 0 else f"a graph of degree 3 has an even number of nodes, not {n}"


def _cubic(n: int, seed: int) -> FamilyGraph:
    edges, cycle = graphs.cubic(n, seed)
    return _graph_with_cycle(
        edges, cycle, "it was built from a Hamiltonian cycle and a random matching", "its construction"
    )


def _torus(rows: int, cols: int) -> FamilyGraph:
    edges, cycle = graphs.torus(rows, cols)
    return _graph_with_cycle(
        edges, cycle, "its rows are traversed one after another and end at the start", "its construction"
    )


def _knight(rows: int, cols: int) -> FamilyGraph:
    return _solve_board(Board(rows, cols))


def _knight_torus(rows: int, cols: int) -> FamilyGraph:
    board = Board(rows, cols, wrap="torus")
    return FamilyGraph(board, True, "every torus has a closed knight's tour", "J. J. Watkins and R. L. Hoenigman, 1997")


def _why_not_holes(n: int, holes: int, seed: int) -> str:
    if n % 2 or n < 6:
        return f"n must be even and at least 6, not {n}"
    return "" if 2 * holes <= n * n else f"more than half of the {n * n} squares would be holes"


def _knight_holes(n: int, holes: int, seed: int) -> FamilyGraph:
    """Cut holes: an odd number leaves the colours unequal; an even number removes one piece of a closed tour."""
    for turn in itertools.count():
        squares = list(find_tour((n, n), closed=True, method="merge", seed=seed + turn))
        if holes % 2:
            board = Board(n, n, holes=squares[:holes])
            return FamilyGraph(
                board, False, "the two colours have different numbers of squares", "a knight changes colour"
            )
        for k in range(n * n):
            around = squares[k:] + squares[:k]
            (a, b), (c, d) = around[0], around[holes + 1]
            if {abs(a - c), abs(b - d)} == {1, 2}:
                board = Board(n, n, holes=around[1 : holes + 1])
                left = [around[0], *around[holes + 1 :]]
                return FamilyGraph(
                    board, True, "it was cut out of a closed tour", "its construction", Tour(board, left)
                )
    raise AssertionError("unreachable")


def _solve_board(board: Board) -> FamilyGraph:
    result = solve(board, closed=True)
    if result.status is Status.IMPOSSIBLE:
        return FamilyGraph(board, False, result.reason, result.source)
    return FamilyGraph(
        board,
        True,
        "rectangles that the theorem does not exclude have a closed tour",
        "A. J. Schwenk, 1991",
        result.tour,
    )


_SEED = Parameter("seed", "seed of the random graph", 0, 0, most=None)
# Graphs of at most this number of nodes squared.
_MOST = 1_000
_ROWS_COLS = (Parameter("rows", "rows", 3, most=_MOST), Parameter("cols", "columns", 3, most=_MOST))

FAMILIES: dict[str, Family] = {
    row.name: row
    for row in (
        Family(
            "petersen",
            "generalised Petersen graphs G(n, k): cubic, of 2n nodes",
            (Parameter("n", "nodes of the outer cycle", 5), Parameter("k", "step of the inner cycles", 1, 2)),
            _why_not_petersen,
            _petersen,
        ),
        Family(
            "flower",
            "flower snarks J_n: cubic, of 4n nodes, without a cycle",
            (Parameter("n", "number of stars, odd", 3),),
            _why_not_flower,
            _flower,
        ),
        Family(
            "sheehan",
            "graphs of 2m nodes and m^2 + 1 edges with a single cycle",
            (Parameter("m", "half the number of nodes", 2, most=_MOST),),
            _always,
            _sheehan,
        ),
        Family(
            "cubic",
            "random cubic graphs with a hidden cycle",
            (Parameter("n", "nodes, an even number", 4), _SEED),
            _why_not_cubic,
            _cubic,
        ),
        Family(
            "hypohamiltonian",
            "hypohamiltonian graphs G(n, 2) without a cycle, and with a cycle if a node is removed",
            (
                Parameter("n", "5 more than a multiple of 6", 5),
                Parameter("removed", "the node that is removed, from 1; 0 for none", 0, 0),
            ),
            _why_not_hypohamiltonian,
            _hypohamiltonian,
        ),
        Family("torus", "grids closed in both directions: products of two cycles", _ROWS_COLS, _always, _torus),
        Family(
            "knight",
            "knight's moves on a rectangle",
            (Parameter("rows", "rows", 2, most=_MOST), Parameter("cols", "columns", 2, most=_MOST)),
            _always,
            _knight,
        ),
        Family("knight-torus", "knight's moves on a torus", _ROWS_COLS, _always, _knight_torus),
        Family(
            "knight-holes",
            "knight's moves on a square with holes; with an odd number of holes there is no cycle",
            (Parameter("n", "rows and columns, even", 6, most=_MOST), Parameter("holes", "number of holes", 1), _SEED),
            _why_not_holes,
            _knight_holes,
        ),
    )
}


def instances(family: str, **parameters: Values) -> Iterator[Instance]:
    """Yield graphs of a known family, each with its answer: whether it has a Hamiltonian cycle, and the reason.

    Args:
        family: The name of a row of FAMILIES.
        **parameters: Integers, or ranges and lists of integers. All combinations with a graph are returned; the last
            parameter changes fastest. Parameters with a default are optional.

    Raises:
        ProblemError: If the family or a parameter is unknown, or no graph exists.

    >>> [(one.name, one.is_hamiltonian) for one in instances("petersen", n=range(9, 12))]
    [('petersen:n=9,k=2', True), ('petersen:n=10,k=2', True), ('petersen:n=11,k=2', False)]
    """
    row = FAMILIES[one_of(family, FAMILIES, "family")]
    values = _values(row, parameters)
    names = tuple(values)
    combined = (dict(zip(names, each, strict=True)) for each in itertools.product(*values.values()))
    why = ""
    for given in itertools.islice(combined, MAX_TRIED):
        refused = row.why_not(**given)
        if not refused:
            return _create_instances(row, itertools.chain((given,), combined))
        why = why or refused
    raise ProblemError(f"no graph of the family {row.name}: {why}", help=_parameter_help(row))


def _create_instances(row: Family, combined: Iterable[dict[str, int]]) -> Iterator[Instance]:
    for given in combined:
        if not row.why_not(**given):
            yield Instance(row.name, given, *row.make(**given))


def _values(row: Family, parameters: Mapping[str, Values]) -> dict[str, list[int]]:
    for name in parameters:
        if name not in row.parameters:
            meant = meant_by(name, row.parameters)
            why = f"the family {row.name} has no parameter {quoted(name)}"
            raise ProblemError(why + (f"; {meant}" if meant else ""), help=_parameter_help(row))
    values = {}
    for each in row.parameter_list:
        given = parameters.get(each.name, each.default)
        if given is None:
            raise ProblemError(f"the family {row.name} needs {each.name}, {each.text}", help=_parameter_help(row))
        several = given if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (given,)
        numbers = list(itertools.islice(several, MAX_TRIED + 1))
        if not 0 < len(numbers) <= MAX_TRIED:
            how_many = f"more than {MAX_TRIED:,} values" if numbers else "no value"
            raise ProblemError(
                f"{how_many} of {each.name} {'are' if numbers else 'is'} given", help=_parameter_help(row)
            )
        values[each.name] = [whole_number(number, each.name, least=each.least, most=each.most) for number in numbers]
    return values


def read_family(text: str) -> tuple[str, dict[str, Values]]:
    """Parse a family and its parameters from the command line, for `instances`.

    Raises:
        ProblemError: If the syntax is invalid.

    >>> read_family("petersen:n=5..50,k=2")
    ('petersen', {'n': range(5, 51), 'k': 2})
    """
    family, _, rest = text.partition(":")
    found: dict[str, Values] = {}
    for word in rest.split(",") if rest else ():
        match = re.fullmatch(r"\s*([\w-]+)\s*=\s*(-?\d+)(?:\.\.(-?\d+))?\s*", word)
        if match is None:
            why = f"invalid parameter of a family: {quoted(word)}"
            raise ProblemError(why, help="write petersen:n=5..50,k=2 (n from 5 to 50)")
        name, first, last = match.groups()
        if name in found:
            raise ProblemError(f"{name} is given twice", help="a range is written n=5..50")
        if last is not None and int(last) < int(first):
            raise ProblemError(f"the range {first}..{last} of {name} is empty", help="write the smaller number first")
        found[name] = int(first) if last is None else range(int(first), int(last) + 1)
    return family, found


def _parameter_help(row: Family) -> str:
    words = (
        f"{each.name} ({each.text}, {each.least} or more{'' if each.default is None else f'; else {each.default}'})"
        for each in row.parameter_list
    )
    return f"{row.name} accepts " + ", ".join(words)
