"""Tests of tours written and read, at once or in parts, and of all faults of files."""

import errno
import io
import json
import shutil
from itertools import islice
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.format_samples import GRAPH, HOLED, NAMED, POINT, ROOK, SMALL, TOUR_FORMATS, WRAPPED, Endless, written
from helpers.strategies import boards, tours
from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.formats import streaming
from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.formats.streaming import stream_tour
from knightstour.core.formats.table import FORMATS
from knightstour.core.formats.tours import (
    format_tour,
    iter_tours_from,
    parse_tours,
    read_board,
    read_tours,
    write_board,
    write_tours,
)
from knightstour.core.machine import files
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.tour import Tour

# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("format", TOUR_FORMATS)
@given(tour=tours(), repeats=st.integers(1, 3))
def test_every_format_gives_back_the_tours_it_was_given(format, tour, repeats):
    board = tour.board
    # The one format whose arrays name neither wrap nor leaper.
    given_board = board if format == "npy" and (board.wrap or board.piece.leaper != (1, 2)) else None
    many = [tour, tour.reversed()] * repeats
    data = written(format, many)
    assert read_tours(io.BytesIO(data), format, given_board) == many
    assert read_tours(io.BytesIO(data), format, board) == many
    # The same without a word about the format.
    assert read_tours(io.BytesIO(data), None, given_board) == many


@pytest.mark.parametrize("tour", [GRAPH, NAMED, POINT], ids=["petersen", "named", "one square"])
@pytest.mark.parametrize("format", TOUR_FORMATS)
def test_graph_and_one_square_tours_are_read_back(format, tour):
    needs = isinstance(tour.board, GraphBoard) and FORMATS[format].needs_board != "none"
    if isinstance(tour.board, GraphBoard) and format in ("san", "uci"):
        with pytest.raises(FormatError, match=f"{format} does not support tours of graphs"):
            written(format, [tour])
        return
    data = written(format, [tour, tour, tour])
    assert read_tours(io.BytesIO(data), format, tour.board if needs else None) == [tour, tour, tour]


@pytest.mark.parametrize("format", [name for name in TOUR_FORMATS if name not in ("npy", "npz")])
def test_one_file_holds_tours_of_different_boards(format):
    several = [SMALL, HOLED, SMALL, WRAPPED, POINT, POINT, ROOK, SMALL, SMALL]
    data = written(format, several)
    assert read_tours(io.BytesIO(data), format) == several
    assert read_tours(io.BytesIO(data)) == several


@pytest.mark.parametrize("format", ["npy", "npz"])
def test_numpy_files_refuse_tours_of_different_boards(format):
    with pytest.raises(FormatError, match="tours of two boards") as caught:
        write_tours(io.BytesIO(), [SMALL, HOLED], format)
    assert "json" in caught.value.help


@pytest.mark.parametrize("format", TOUR_FORMATS)
def test_files_are_known_by_suffix_and_by_content(format, tmp_path):
    for suffix in FORMATS[format].suffixes:
        path = tmp_path / f"tours{suffix}"
        assert write_tours(path, iter([SMALL, SMALL.reversed()])) == 2
        assert read_tours(path) == [SMALL, SMALL.reversed()]
    for name in ("a.txt", "b"):
        assert write_tours(tmp_path / name, SMALL, format) == 1
        assert read_tours(str(tmp_path / name)) == [SMALL]


@given(board=boards(), graph=st.booleans())
def test_json_gives_back_any_board_with_its_moves_in_order(board, graph):
    if graph:
        board = Board.from_graph(dict(enumerate(move_graph(board).neighbour_lists())))
    again = board_from_dict(json.loads(json.dumps(board_to_dict(board))))
    assert (again.rows, again.cols, type(again)) == (board.rows, board.cols, type(board))
    if not graph:
        assert again == board
    assert sorted(move_graph(again).edges().tolist()) == sorted(move_graph(board).edges().tolist())


# ---------------------------------------------------------------- text


def test_the_texts_look_as_documented():
    assert format_tour(SMALL) == " 1  4  7 10\n 8 11  2  5\n 3  6  9 12\n"
    assert format_tour(SMALL, "grid0") == " 0  3  6  9\n 7 10  1  4\n 2  5  8 11\n"
    assert format_tour(HOLED, "grid") == "1 4 7\n6 . 2\n3 8 5\n"
    assert format_tour(WRAPPED, "grid") == "# board 1x3:torus\n1 2 3\n"
    assert format_tour(SMALL, "algebraic") == "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1\n"
    assert format_tour(SMALL, "squares").startswith("0,0 1,2 2,0 0,1")
    assert format_tour(SMALL, "xy").startswith("X: 1\tY: 1\nX: 3\tY: 2\nX: 1\tY: 3\n")
    assert format_tour(SMALL, "csv").startswith("tour,step,row,col\n0,0,0,0\n0,1,1,2\n")
    assert format_tour(HOLED, "algebraic").startswith("# board 3x3:-b2\na3 c2")
    assert format_tour([POINT, POINT], "xy") == "X: 1\tY: 1\n\nX: 1\tY: 1\n"
    record = json.loads(format_tour(HOLED, "json"))
    assert (record["status"], record["closed"], record["rows"], record["cols"]) == ("found", True, 3, 3)
    assert record["squares"] == HOLED.squares.tolist() and record["holes"] == [[1, 1]]
    assert format_tour(HOLED, "tour") == (
        "NAME : 3x3\nCOMMENT : board 3x3:-b2\nTYPE : TOUR\nDIMENSION : 8\nTOUR_SECTION\n"
        "1\n5\n6\n2\n8\n4\n3\n7\n-1\n-1\nEOF\n"
    )


def test_the_arrays_are_as_documented(tmp_path):
    write_tours(tmp_path / "t.npy", [HOLED, HOLED.reversed()])
    diagrams = np.load(tmp_path / "t.npy")
    assert diagrams.dtype == np.int32
    # A 0 may be the first number.
    single = [np.where(tour.numbers == 0, -1, tour.numbers) for tour in (HOLED, HOLED.reversed())]
    assert np.array_equal(diagrams, single)
    write_tours(tmp_path / "t.npz", [WRAPPED])
    with np.load(tmp_path / "t.npz") as arrays:
        assert arrays["order"].tolist() == [[0, 1, 2]]
        assert json.loads(str(arrays["board"])) == {"rows": 1, "cols": 3, "wrap": "torus"}


def test_an_hcp_file_is_the_graph_of_the_board(tmp_path):
    text = io.StringIO()
    write_board(text, HOLED.board)
    lines = text.getvalue().splitlines()
    assert lines[:4] == ["NAME : 3x3", "COMMENT : board 3x3:-b2", "TYPE : HCP", "DIMENSION : 8"]
    assert lines[-2:] == ["-1", "EOF"]
    assert format_tour(HOLED, "hcp") == text.getvalue()
    write_board(tmp_path / "b.hcp", HOLED.board)
    board = read_board(tmp_path / "b.hcp")
    assert board.labels == tuple(range(1, 9))
    assert nx.is_isomorphic(board.to_networkx(), nx.cycle_graph(8))


def test_an_extra_vertex_makes_cycles_of_open_tours():
    file = io.StringIO()
    write_board(file, (3, 4), extra_vertex=True)
    file.seek(0)
    board = read_board(file)
    assert len(board) == 13
    cycle_through = Tour(board, [*(r * 4 + c + 1 for r, c in SMALL), 13])
    assert cycle_through.is_closed
    # The cycle of another solver, started anywhere, is read as the open tour.
    nodes = [*cycle_through.shifted(5).labels, -1]
    text = "TYPE: TOUR\nDIMENSION: 13\nTOUR_SECTION\n" + "\n".join(map(str, nodes)) + "\nEOF\n"
    assert parse_tours(text, "tour", (3, 4)) == [SMALL]


# ---------------------------------------------------------------- other people's files


@pytest.mark.parametrize(
    "text",
    [
        "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1",
        "A3-C2-A1-B3-D2-B1-C3-A2-C1-D3-B2-D1\r\n",
        "\ufeff\n\n# a comment\na3, c2, a1, b3, d2, b1, c3, a2, c1, d3, b2, d1\n\n\n",
        "a3\nc2\na1\nb3\nd2\nb1\nc3\na2\nc1\nd3\nb2\nd1\n",
        "0,0 1,2 2,0 0,1 1,3 2,1 0,2 1,0 2,2 0,3 1,1 2,3",
        "(0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (1, 0), (2, 2), (0, 3), (1, 1), (2, 3)",
        "[[0,0],[1,2],[2,0],[0,1],[1,3],[2,1],[0,2],[1,0],[2,2],[0,3],[1,1],[2,3]]",
        "0,0\n1,2\n2,0\n0,1\n1,3\n2,1\n0,2\n1,0\n2,2\n0,3\n1,1\n2,3\n",
        "row,col\n0,0\n1,2\n2,0\n0,1\n1,3\n2,1\n0,2\n1,0\n2,2\n0,3\n1,1\n2,3\n",
        "1 4 7 10\n8 11 2 5\n3 6 9 12",
        "1\t4\t7\t10\n8\t11\t2\t5\n3\t6\t9\t12\n",
        "1,4,7,10\n8,11,2,5\n3,6,9,12\n",
        "0 3 6 9\n7 10 1 4\n2 5 8 11\n",
        "1 4 7 10; 8 11 2 5; 3 6 9 12",
        "# rows; of three\n1, 4, 7, 10 ;8, 11, 2, 5 ;\n3, 6, 9, 12;;\n",
        "1;4;7;10\n8;11;2;5;\n3;6;9;12",
        "x: 1 y: 1\nx: 3 y: 2\nx: 1 y: 3\nx: 2 y: 1\nx: 4 y: 2\nx: 2 y: 3\nx: 3 y: 1\nx: 1 y: 2\n"
        "x: 3 y: 3\nx: 4 y: 1\nx: 2 y: 2\nx: 4 y: 3",
    ],
)
def test_common_spellings_of_a_tour_are_read(text):
    assert parse_tours(text) == [SMALL]
    # Windows shells write UTF-16.
    assert read_tours(io.BytesIO(text.removeprefix("\ufeff").encode("utf-16"))) == [SMALL]


def test_the_objects_of_the_command_line_are_read():
    record = {"status": "found", "closed": False, "rows": 3, "cols": 4, "squares": SMALL.squares.tolist()}
    record |= {"method": "explicit", "reason": None, "source": None, "seed": 5, "nodes": 0, "seconds": 0.01}
    line = json.dumps(record) + "\n"
    assert parse_tours(line * 3) == [SMALL] * 3
    assert parse_tours(json.dumps(record, indent=2)) == [SMALL]
    assert parse_tours(json.dumps([record, record])) == [SMALL] * 2
    assert parse_tours(line, board=(3, 4)) == [SMALL]


def test_record_without_wrap_uses_the_given_board():
    line = json.dumps({"rows": 1, "cols": 3, "squares": WRAPPED.squares.tolist()})
    assert parse_tours(line, board=WRAPPED.board) == [WRAPPED]
    with pytest.raises(InvalidTour):
        parse_tours(line)


def test_arrays_of_other_shapes_are_read(tmp_path):
    for array in (SMALL.numbers, SMALL.numbers[None], SMALL.squares, SMALL.squares[None]):
        np.save(tmp_path / "a.npy", array)
        assert read_tours(tmp_path / "a.npy") == [SMALL]
        assert read_tours(tmp_path / "a.npy", board=(3, 4)) == [SMALL]
    for array in (SMALL.order, SMALL.order[None], np.stack([SMALL.order] * 4)):
        np.save(tmp_path / "a.npy", array)
        with pytest.raises(FormatError, match="do not define their board"):
            read_tours(tmp_path / "a.npy")
        assert read_tours(tmp_path / "a.npy", board=(3, 4))[-1] == SMALL
        np.savez(tmp_path / "a.npz", tours=array)
        assert read_tours(tmp_path / "a.npz", board=(3, 4))[0] == SMALL


def test_streams_of_text_and_bytes_are_written_and_read():
    text, data = io.StringIO(), io.BytesIO()
    assert write_tours(text, [SMALL]) == write_tours(data, SMALL) == 1
    assert text.getvalue().encode() == data.getvalue()
    text.seek(0)
    assert read_tours(text) == [SMALL]
    over = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    write_tours(over, SMALL, "npy")
    over.seek(0)
    assert read_tours(over) == [SMALL]
    with pytest.raises(FormatError, match="binary"):
        write_tours(io.StringIO(), SMALL, "npy")
    with pytest.raises(FormatError, match="binary"):
        format_tour(SMALL, "npz")


def test_reading_stops_at_the_requested_amount():
    endless = Endless(b"", lambda: written("grid", [SMALL]) + b"\n")
    assert list(islice(iter_tours_from(endless), 20)) == [SMALL] * 20
    assert endless.given < 1_000_000


def test_a_line_of_several_pieces_is_one_tour(monkeypatch):
    monkeypatch.setattr(files, "PIECE_CHARS", 1000)
    # A rook's way through a strip whose list is longer than a piece.
    count = 1000
    strip = Tour(Board(1, count, leaper=(0, 1)), np.stack([np.zeros(count, int), np.arange(count)], axis=1))
    for format in ("algebraic", "squares", "grid"):
        data = written(format, [strip, strip])
        assert data.index(b"\n", 30) > files.PIECE_CHARS
        assert read_tours(io.BytesIO(data), format) == [strip, strip]


# ---------------------------------------------------------------- a part at a time


IMPLICIT = [
    implicit_tour((10, 12), closed=True),
    implicit_tour((3, 25), start=(0, 0)),
    implicit_tour((31, 7)),
    implicit_tour((1, 1)),
]


@pytest.mark.parametrize("tour", IMPLICIT, ids=str)
@pytest.mark.parametrize("at_once", [7, 40, 10**6])
def test_streamed_file_matches_the_direct_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tour: ImplicitTour, at_once: int
) -> None:
    monkeypatch.setattr(streaming, "_BUFFER_BYTES", 4 * at_once)
    reported: list[tuple[int, int | None]] = []
    size = stream_tour(tour, tmp_path / "a.npy", on_progress=lambda p: reported.append((p.done, p.total)))
    whole = Tour.from_array(tour.order(), tour.board)
    write_tours(tmp_path / "b.npy", whole)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    assert size == (tmp_path / "a.npy").stat().st_size
    assert reported[-1] == (tour.length, tour.length) and reported == sorted(reported)
    assert read_tours(tmp_path / "a.npy") == [whole]


def test_boards_with_over_2_to_the_31_squares_have_int64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Exception):
        pass

    def stop(self: ImplicitTour, rows: slice, cols: slice, *, out: np.ndarray) -> np.ndarray:
        assert out.dtype == np.int64
        raise Full

    monkeypatch.setattr(ImplicitTour, "numbers", stop)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: type("Usage", (), {"free": 10**11}))
    with pytest.raises(Full):
        stream_tour(implicit_tour((1 << 16, 1 << 16)), tmp_path / "tour.npy")


def test_other_formats_and_tours_are_refused(tmp_path: Path) -> None:
    for name in ("x", "x.json", "x.txt", "x.npz", "x.exe"):
        with pytest.raises(FormatError):
            stream_tour(IMPLICIT[0], tmp_path / name)
    with pytest.raises(TypeError, match="ImplicitTour"):
        stream_tour(Tour.from_array([0], (1, 1)), tmp_path / "x.npy")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_disk_with_too_little_room_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 10**9})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(OSError, match=r"needs 1\.6 GB") as caught:
        stream_tour(implicit_tour((20000, 20000), closed=True), tmp_path / "tour.npy")
    assert caught.value.errno == errno.ENOSPC and "note: 1 GB is free" in caught.value.__notes__
    with pytest.raises(OSError, match="bytes"):
        stream_tour(implicit_tour((10**30, 10**30)), tmp_path / "tour.npy")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, out: np.ndarray) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ImplicitTour, "numbers", full)
    with pytest.raises(OSError, match="No space left") as caught:
        stream_tour(IMPLICIT[0], tmp_path / "tour.npy")
    assert caught.value.errno == errno.ENOSPC and caught.value.filename == str(tmp_path / "tour.npy")
    assert caught.value.__notes__ == ["help: make room there, or give another place"]
    assert list(tmp_path.iterdir()) == []


def test_grid_shows_long_lists_of_holes_as_signs() -> None:
    board = Board(3, 40, moves="wazir", holes=[(r, c) for r in (0, 2) for c in range(40)])
    text = format_tour(Tour(board, [(1, c) for c in range(40)]))
    assert text.startswith("# board 3x40:0,1\n ") and text.splitlines()[1].split() == ["."] * 40
    assert parse_tours(text)[0].board == parse_tours(text, board=board)[0].board == board
    with pytest.raises(FormatError, match="not on the"):
        parse_tours(text, board=Board(3, 40, moves="wazir"))
