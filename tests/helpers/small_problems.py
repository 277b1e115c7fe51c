"""Random problems of small boards, and their moves as sets."""

from hypothesis import assume
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.strategies import boards
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem, has_given_end, keyword_arguments

MAX_SQUARES = 14


def adjacency_of(board: Board) -> dict[tuple[int, int], set[tuple[int, int]]]:
    if isinstance(board, GraphBoard):
        return {(0, i): {(0, j) for j in near} for i, near in enumerate(board.graph)}
    return reference.adjacency(reference.spec_of(board))


def tours_of(problem: Problem, *, directed: bool = False) -> list[tuple[tuple[int, int], ...]]:
    """Return all tours by plain recursion; each in one direction, unless directed."""
    asked = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    tours = map(tuple, reference.all_tours(adjacency_of(problem.board), **asked))
    if directed or has_given_end(problem):
        return list(tours)
    return [tour for tour in tours if len(tour) == 1 or tour[1 if problem.closed else 0] < tour[-1]]


@st.composite
def problems(draw: st.DrawFn, *, most_squares: int = MAX_SQUARES) -> Problem:
    """Draw a problem of a small board or graph."""
    if draw(st.integers(0, 4)) == 0:
        size = draw(st.integers(1, 8))
        pairs = [(i, j) for i in range(size) for j in range(i)]
        kept = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
        board = Board.from_graph(both_ways([[j for i, j in kept if i == node] for node in range(size)]))
    else:
        board = draw(boards().filter(lambda board: len(board) <= most_squares))
    squares = sorted(adjacency_of(board))
    closed = draw(st.booleans())
    start = draw(st.none() | st.sampled_from(squares))
    end = None if closed else draw(st.none() | st.sampled_from(squares))
    if start == end and len(squares) > 1:
        end = None
    return Problem(board, closed=closed, start=start, end=end)


@st.composite
def conditioned_problems(draw: st.DrawFn, *, most_squares: int = 10, numbers: bool = True) -> Problem:
    """Draw a problem with required and forbidden moves and given numbers."""
    problem = draw(problems(most_squares=most_squares))
    board = problem.board
    edges = move_graph(board).edges().tolist() if len(board) > 1 else []
    some = draw(st.lists(st.sampled_from(edges), unique_by=tuple, max_size=3)) if edges else []
    cut = draw(st.integers(0, len(some)))
    through, avoid = (
        [(divmod(a, board.cols), divmod(b, board.cols)) for a, b in part] for part in (some[:cut], some[cut:])
    )
    squares = sorted(adjacency_of(board))
    steps = st.integers(1, len(squares)) | st.lists(st.integers(1, len(squares)), min_size=1, max_size=3)
    given_numbers = draw(st.dictionaries(st.sampled_from(squares), steps, max_size=3)) if numbers else {}
    try:
        return Problem(board, **keyword_arguments(problem), given=given_numbers, require=through, forbid=avoid)
    except KnightsTourError:
        assume(False)
