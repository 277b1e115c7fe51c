"""Facts of a board that need no search for tours: moves, degrees, colours, components and articulation squares.

Each can prove that no tour exists. A board in several components has no tour. A tour alternates between the classes of
a 2-colouring, so their sizes differ by at most one, and are equal if it is closed. A square of degree 1 can only be an
end. A board with an articulation square, whose removal disconnects it, has no closed tour.

Components are found by lowering labels along moves and along chains of labels until nothing changes, in about as many
rounds as the number of squares has bits. Colours are components of the doubled board, in which each move leads from one
copy to the other. A component has no 2-colouring if and only if its two copies are connected.

Cost: under a millisecond for 8x8, about a quarter of a second for 200x200. Sources: Y. Zhang, A. Azad, Z. Hu, FastSV,
2020 (components); J. Hopcroft and R. Tarjan, 1973 (articulation squares).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from knightstour.core.model.board import (
    MAX_LISTED_SQUARES,
    Board,
    BoardLike,
    Square,
    board_of,
    move_graph,
    square_at,
    square_count,
    title_of,
)
from knightstour.core.model.errors import BoardError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.indices import bincount
from knightstour.core.model.leaps import make_read_only
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.wording import short_repr


@dataclass(frozen=True, slots=True, eq=False)
class GraphFacts:
    """Facts of a board.

    Attributes:
        square_count, move_count: Number of squares and of moves.
        degrees: int64 (rows, cols), the number of moves from each square, -1 at holes.
        degree_table: Number of squares for each degree, in rising order.
        colour_sizes: Sizes of the two colour classes, or None without a 2-colouring. The first square of each component
            has colour 0.
        component_sizes: Number of squares of each component, ordered by first squares.
        articulation: The squares whose removal disconnects their component.
        isolated, dead_ends: Squares of degree 0 and 1.
    """

    board: Board
    square_count: int
    move_count: int
    degrees: np.ndarray
    degree_table: dict[int, int]
    colour_sizes: tuple[int, int] | None
    component_sizes: tuple[int, ...]
    articulation: tuple[Square, ...]
    isolated: tuple[Square, ...]
    dead_ends: tuple[Square, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{title_of(self.board)}, {self.square_count:,} squares, {self.move_count:,} moves")

    @property
    def is_bipartite(self) -> bool:
        """Whether the squares have a 2-colouring in which each move changes the colour."""
        return self.colour_sizes is not None

    @property
    def is_connected(self) -> bool:
        """Whether all squares are connected by moves."""
        return len(self.component_sizes) == 1

    @property
    def min_degree(self) -> int:
        """The least degree."""
        return min(self.degree_table)

    @property
    def max_degree(self) -> int:
        """The greatest degree."""
        return max(self.degree_table)

    @property
    def is_eulerian(self) -> bool:
        """Whether a closed walk makes each move of the board once."""
        return self.is_connected and all(degree % 2 == 0 for degree in self.degree_table)

    def to_dict(self) -> dict[str, object]:
        """Return the facts as a JSON-serialisable dict; squares are [row, col]."""
        return {
            "board": str(self.board),
            "rows": self.board.rows,
            "cols": self.board.cols,
            "squares": self.square_count,
            "moves": self.move_count,
            "degrees": self.degrees.tolist(),
            "degree_table": {str(degree): count for degree, count in self.degree_table.items()},
            "min_degree": self.min_degree,
            "max_degree": self.max_degree,
            "bipartite": self.is_bipartite,
            "colour_sizes": None if self.colour_sizes is None else list(self.colour_sizes),
            "connected": self.is_connected,
            "component_sizes": list(self.component_sizes),
            "articulation": [list(square) for square in self.articulation],
            "isolated": [list(square) for square in self.isolated],
            "dead_ends": [list(square) for square in self.dead_ends],
            "eulerian": self.is_eulerian,
        }


# Limit on the moves of a board whose facts are computed, in some 10 seconds.
_MAX_MOVES = 5_000_000


def refuse_many_moves(board: Board) -> None:
    """Raise BoardError if a board has more moves than `graph_facts` supports, before they are listed."""
    if not isinstance(board, GridBoard) or board.rows * board.cols > MAX_LISTED_SQUARES:
        return
    height, width = board.rows, board.cols
    vectors = board.piece.vectors
    if board.wrap is None:
        moves = sum(max(0, height - abs(dr)) * max(0, width - abs(dc)) for dr, dc in vectors) // 2
    else:
        moves = height * width * len(vectors) // 2
    if moves > _MAX_MOVES:
        why = f"about {moves:,}, the limit is {_MAX_MOVES:,}"
        raise BoardError(
            f"the board has too many moves for its facts: {why}", help="use a smaller board or fewer leaps"
        )


def graph_facts(board: BoardLike) -> GraphFacts:
    """Return the facts of a board.

    Raises:
        BoardError: If the board has more than 5,000,000 moves.

    >>> facts = graph_facts((3, 3))
    >>> facts.move_count, facts.degree_table, facts.colour_sizes, facts.component_sizes, facts.isolated
    (8, {0: 1, 2: 8}, (5, 4), (8, 1), ((1, 1),))
    """
    board = board_of(board)
    refuse_many_moves(board)
    moves = move_graph(board)
    squares = moves.squares
    labels = components(board)
    colours = _colours(board, labels)
    degrees = np.where(moves.is_square, moves.degrees, -1)
    values, counts = np.unique(degrees[squares], return_counts=True)
    shape = (board.rows, board.cols)

    def as_pairs(numbers: np.ndarray) -> tuple[Square, ...]:
        return tuple(square_at(board, s) for s in numbers.tolist())

    return GraphFacts(
        board=board,
        square_count=square_count(board),
        move_count=len(moves.targets) // 2,
        degrees=make_read_only(degrees.reshape(shape)),
        degree_table=dict(zip(values.tolist(), counts.tolist(), strict=True)),
        colour_sizes=None if colours is None else (int((colours == 0).sum()), int((colours == 1).sum())),
        component_sizes=tuple(bincount(labels[squares]).tolist()),
        articulation=as_pairs(articulation_squares(board)),
        isolated=as_pairs(np.flatnonzero(degrees == 0)),
        dead_ends=as_pairs(np.flatnonzero(degrees == 1)),
    )


def components(board: BoardLike) -> np.ndarray:
    """Return the component of each square: int64 (rows * cols,), numbered by first squares, -1 at holes.

    >>> components((2, 3)).tolist()
    [0, 1, 2, 2, 3, 0]
    """
    return _kept_components(board_of(board))


@functools.lru_cache(maxsize=2)
def _kept_components(board: Board) -> np.ndarray:
    """Cache the components, since several arguments need them."""
    moves = move_graph(board)
    least = _least_reached(len(moves.is_square), moves.tails, moves.targets)
    labels = np.full(len(least), -1)
    squares = moves.squares
    labels[squares] = 0
    if (least[squares] != squares[:1]).any():
        _, labels[squares] = np.unique(least[squares], return_inverse=True)
    return make_read_only(labels)


def colour_classes(board: BoardLike) -> np.ndarray | None:
    """Return a colour, 0 or 1, for each square so that all moves change it: int8 (rows * cols,), -1 at holes.

    Returns None if there is no such colouring. The first square of each component has colour 0.

    >>> colour_classes((3, 4)).tolist()
    [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]
    >>> colour_classes(Board(3, 3, wrap="torus")) is None
    True
    """
    board = board_of(board)
    return _colours(board, components(board))


def articulation_squares(board: BoardLike) -> np.ndarray:
    """Return the squares whose removal would split their component, as square numbers, rising: int64.

    >>> articulation_squares(Board(3, 3, holes=["a1"])).tolist()
    [0, 2, 3, 7, 8]
    """
    moves = move_graph(board_of(board))
    parts = blocks(moves.neighbour_lists(), moves.squares.tolist())
    return np.flatnonzero(bincount([square for part in parts for square in part]) > 1)


def blocks(near: list[list[int]], squares: list[int]) -> list[list[int]]:
    """Return the blocks of the board of these squares: the largest sets without a cut square.

    A square in several blocks is a cut square. A square without moves is a block. By J. Hopcroft and R. Tarjan, 1973.

    Args:
        near: The neighbours of each square number; neighbours outside `squares` are ignored.
    """
    # entered: time at which the walk entered a square, from 1, or 0. low: the earliest entered square that is reachable
    # by moves from it or from its descendants. A child with no low before its parent is separated by the parent.
    entered, low = [len(near) + 1] * len(near), [0] * len(near)
    for square in squares:
        entered[square] = 0
    clock = 0
    found: list[list[int]] = []
    for root in squares:
        if entered[root]:
            continue
        clock += 1
        entered[root] = low[root] = clock
        # waiting: the entered squares without a block.
        path, rests, waiting, before = [root], [iter(near[root])], [root], len(found)
        while path:
            here = path[-1]
            lowest = low[here]
            for other in rests[-1]:
                seen = entered[other]
                if not seen:
                    low[here] = lowest
                    clock += 1
                    entered[other] = low[other] = clock
                    path.append(other)
                    rests.append(iter(near[other]))
                    waiting.append(other)
                    break
                # The parent may lower `low` to its own time at most, which does not change the result.
                if seen < lowest:
                    lowest = seen
            else:
                path.pop()
                rests.pop()
                parent = path[-1] if path else root
                low[parent] = min(low[parent], lowest)
                if path and lowest >= entered[parent]:
                    at = len(waiting) - 1
                    while waiting[at] != here:
                        at -= 1
                    found.append([*waiting[at:], parent])
                    del waiting[at:]
        if len(found) == before:
            found.append([root])
    return found


def _colours(board: Board, labels: np.ndarray) -> np.ndarray | None:
    moves = move_graph(board)
    squares = moves.squares
    colours = np.full(len(labels), -1, dtype=np.int8)
    tails = moves.tails
    # Most boards have the chessboard's colours, which are checked vectorised.
    _, firsts = np.unique(labels[squares], return_index=True)
    if isinstance(board, GridBoard):
        chequered = np.add(*np.divmod(np.arange(len(labels)), board.cols)) % 2
        if (chequered[tails] != chequered[moves.targets]).all():
            colours[squares] = chequered[squares] ^ chequered[squares[firsts]][labels[squares]]
            return colours
    size = len(labels)
    least = _least_reached(
        2 * size, np.concatenate([tails, tails + size]), np.concatenate([moves.targets + size, moves.targets])
    )
    if (least[squares] == least[squares + size]).any():
        return None
    colours[squares] = least[squares] != squares[firsts][labels[squares]]
    return colours


def _least_reached(size: int, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return the least node of each component. Edges are given in both directions."""
    label = np.arange(size)
    while True:
        # A label is a node of the same component that is not above the node.
        next_label = label.copy()
        near = label[label[heads]]
        np.minimum.at(next_label, label[tails], near)
        np.minimum.at(next_label, tails, near)
        next_label = np.minimum(next_label, next_label[next_label])
        if np.array_equal(next_label, label):
            return label
        label = next_label


def given_ends(problem: Problem) -> list[int]:
    """Return the square numbers of the given ends of an open tour, the start first; empty if closed."""
    if problem.closed:
        return []
    return [s for s in (start_index(problem), end_index(problem)) if s is not None]


def name(board: Board, square: int) -> str:
    """Return the name of a square number."""
    return board.square_name(divmod(square, board.cols))


def names(board: Board, squares: Iterable[int], most: int = 8) -> str:
    """Return the names of squares as text, shortened if there are many.

    >>> names(Board(8, 8), [0, 1, 2])
    'a8, b8 and c8'
    """
    listed = [name(board, s) for s in squares]
    if len(listed) > most:
        return f"{', '.join(listed[: most - 1])} and {len(listed) - most + 1} more"
    return " and ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))


def most_squares(problem: Problem) -> tuple[int, str]:
    """Return an upper bound on the squares that a tour visits, by parts and colours of the board, and its source.

    >>> most_squares(Problem((5, 5), closed=True, partial=True))
    (24, 'colour argument')
    """
    board = problem.board
    part, colours = components(board), colour_classes(board)
    start, end = start_index(problem), end_index(problem)
    given = next((square for square in (start, end) if square is not None), None)
    parts = range(int(part.max()) + 1) if given is None else [int(part[given])]
    best = 0
    for number in parts:
        inside = part == number
        if colours is None:
            best = max(best, int(inside.sum()))
            continue
        ones = [int((inside & (colours == colour)).sum()) for colour in (0, 1)]
        less = min(ones)
        if problem.closed:
            most = 2 * less
        elif start is not None and end is not None:
            mine, other = ones[colours[start]], ones[1 - colours[start]]
            most = min(2 * mine - 1, 2 * other + 1) if colours[start] == colours[end] else 2 * less
        elif given is not None:
            mine, other = ones[colours[given]], ones[1 - colours[given]]
            most = min(2 * mine, 2 * other + 1)
        else:
            most = min(2 * less + 1, sum(ones))
        best = max(best, most)
    return (
        best,
        "colour argument" if colours is not None and best < square_count(board) else "there are no other squares",
    )
