"""Tests of pieces: named sets of leaps, and their boards, against plain code and published counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from knightstour.core.model.board import WRAPS, move_graph
from knightstour.core.model.pieces import PIECES, NamedPiece, Piece

LEAPS = st.tuples(st.integers(0, 4), st.integers(1, 4))
PIECE = st.one_of(
    st.sampled_from(sorted(PIECES)),
    st.lists(LEAPS, min_size=1, max_size=4),
    st.sampled_from(["knight+camel", "0,1+2,3"]),
)


@st.composite
def boards(draw: st.DrawFn) -> kt.Board:
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    wrap = draw(st.sampled_from([None, None, *WRAPS]))
    holes = draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)), max_size=rows * cols // 4))
    return kt.Board(rows, cols, holes=holes, wrap=wrap, moves=draw(PIECE))


@given(boards())
def test_moves_of_any_piece_match_the_reference(board: kt.Board) -> None:
    near = reference.adjacency(reference.spec_of(board))
    assert {square: set(board.neighbors(square)) for square in near} == near
    lists = move_graph(board).neighbour_lists()
    assert {s: {divmod(t, board.cols) for t in lists[s[0] * board.cols + s[1]]} for s in near} == near


@given(boards())
def test_boards_of_any_piece_round_trip_through_word_and_json(board: kt.Board) -> None:
    from knightstour.core.formats.boards import board_from_dict, board_to_dict

    assert kt.Board(str(board)) == board == eval(repr(board), {"Board": kt.Board})
    assert board_from_dict(board_to_dict(board)) == board


@pytest.mark.parametrize(
    "moves",
    ["king", "King", "wazir+ferz", "0,1+1,1", [(0, 1), (1, 1)], [(1, 0), "ferz"], ("wazir", "ferz"), Piece.of("king")],
)
def test_a_piece_may_be_written_in_many_ways(moves: object) -> None:
    assert kt.Board(5, 5, moves=moves) == kt.Board("5x5:king")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("kng", "no piece is called 'kng'; did you mean 'king'?"),
        ("knight+", "no piece is called ''"),
        ("queen", "no piece is called 'queen'"),
        ((1, 2, 3), "not a leaper: (1, 2, 3)"),
        ((0, 0), "no piece leaps (0, 0)"),
        ((1, -2), "no piece leaps (1, -2)"),
        ([], "not a leaper: []"),
        (None, None),
        ([(1, 2), (1, 2, 3)], "not a leaper: (1, 2, 3)"),
    ],
)
def test_invalid_piece_is_one_clear_error(moves: object, said: str | None) -> None:
    if said is None:
        assert kt.Board(8, 8, moves=None) == kt.Board(8, 8)
        return
    with pytest.raises(kt.BoardError) as caught:
        kt.Board(8, 8, moves=moves)  # type: ignore[arg-type]
    assert str(caught.value).startswith(said) and caught.value.help


def test_piece_is_named_once() -> None:
    assert kt.Board("8x8:king", moves="king", leaper=None).piece.name == "king"
    for more in ({"moves": "wazir"}, {"leaper": (1, 2)}):
        with pytest.raises(kt.BoardError, match="contradict each other"):
            kt.Board("8x8:king", **more)  # type: ignore[arg-type]
    with pytest.raises(kt.BoardError, match="contradict each other"):
        kt.Board(8, 8, moves="king", leaper=(1, 2))


# N. J. A. Sloane (editor), The On-Line Encyclopedia of Integer Sequences, A140519.
KINGS = {3: 16, 4: 2_830, 5: 2_462_064, 6: 22_853_860_116, 7: 1_622_043_117_414_624, 8: 961_742_089_476_282_321_684}


@pytest.mark.parametrize("n", KINGS)
def test_closed_tours_of_kings_are_the_published_ones(n: int) -> None:
    assert kt.count(kt.Board(n, n, moves="king"), closed=True) == KINGS[n]


@given(boards(), st.booleans())
def test_tours_of_any_piece_match_the_reference(board: kt.Board, closed: bool) -> None:
    near = reference.adjacency(reference.spec_of(board))
    # The reference walks every path: on more moves it would take minutes.
    if not 0 < len(board) <= 12 or sum(map(len, near.values())) > 56:
        return
    count = reference.count(near, closed=closed)
    result = kt.solve(board, closed=closed)
    assert result.status is (kt.Status.FOUND if count else kt.Status.IMPOSSIBLE), (board, result.reason)
    assert kt.count(board, closed=closed) == count


WIDE = ["okapi", "knight+camel+zebra", "0,1+1,1+0,2+1,2+2,2"]  # 16, 24 and 24 moves and more


@pytest.mark.parametrize("moves", ["king", *WIDE])
@pytest.mark.parametrize("closed", [False, True])
def test_statistics_take_more_than_eight_moves(moves: str, closed: bool) -> None:
    tour = kt.find_tour(kt.Board(7, 8, moves=moves), closed=closed, seed=3)
    measured = kt.measure([tour], ["turns", "crossings"])
    turns, crossings = (count(list(tour), tour.is_closed) for count in (reference.turns, reference.crossings))
    assert (tour.turns, tour.crossings) == (turns, crossings)
    assert (measured["turns"][0], measured["crossings"][0]) == (turns, crossings)


def test_one_row_adds_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PIECES, "squirrel", NamedPiece("squirrel", ((0, 2), (1, 2), (2, 2)), "a test"))
    board = kt.Board("6x6:squirrel")
    assert str(board) == "6x6:squirrel" and board.piece.its_move == "a squirrel's move"
    assert kt.solve(board, closed=True).status is kt.Status.FOUND
