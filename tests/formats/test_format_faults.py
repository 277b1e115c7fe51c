"""Tests of invalid files: messages and positions."""

import io
import json
import os
import random
import stat
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.both_ways import both_ways
from helpers.format_samples import HOLED, SMALL, TOUR_FORMATS, WRAPPED, Endless, written
from knightstour.core.checking.check import check
from knightstour.core.formats.tours import (
    format_tour,
    parse_tours,
    read_board,
    read_boards,
    read_candidates,
    read_tours,
    write_tours,
)
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import (
    BoardError,
    FormatError,
    InvalidTour,
    KnightsTourError,
    ProblemError,
    in_one_line,
)
from knightstour.core.model.tour import Tour

# ---------------------------------------------------------------- faults and positions


@pytest.mark.parametrize(
    ("text", "format", "line", "message"),
    [
        ("", None, None, "empty"),
        ("\n \n", None, None, "no tour"),
        ("# only a comment\n", "grid", None, "no tour"),
        ("hello world\n", None, 1, "unknown format: it begins with 'hello world'"),
        ("1 4 7 10\n8 11 2\n3 6 9 12\n", None, 2, "this line has 3 numbers, but line 1 has 4"),
        ("1 4 7 10\n8 x 2 5\n", None, 2, "'x' is not a number"),
        ("1 4\n8 " + "9" * 30 + "\n", None, 2, "too large"),
        (". .\n. .\n", None, 1, "this is a drawing of a board"),
        ("a1 b3 c9z\n", None, 1, "'c9z' is not the name of a square"),
        ("a1 b3\n\na1 \x00", None, 3, "binary data"),
        ("0,0 1,2 3\n", None, 1, "'3' is not a square"),
        ("X: 1\tY: 1\nX: 2\tZ: 3\n", None, 2, "is not a square like 'X: 1 Y: 1'"),
        ("tour,step,row,col\n0,0,0,0\n0,2,1,2\n", None, 3, "expected step 1, found '2'"),
        ("tour,step,row,col\n0,0,0\n", None, 2, "3 fields, the heading 4"),
        ("step,x,y\n0,0,0\n", "csv", 1, "must contain column names"),
        ("row,col,row\n0,0,0\n", "csv", 1, "two columns have the same name"),
        ("# board 0x3\n1 2\n", "grid", 1, "has no square"),
        ("# board 3x4\n1 2\n", "grid", 2, "1 rows and 2 columns, but the 3x4 board has 3 and 4"),
        ('{"rows": 3, "cols": 4, "squares": [[0,0],[1,2', None, 1, "is truncated"),
        ('{"rows": 3,\n "cols" 4}', None, 2, "invalid JSON"),
        ('{"status": "impossible", "squares": null}', None, 1, "its status is 'impossible'"),
        ('{"rows": 3, "cols": 4}', None, 1, "has no squares"),
        ('{"rows": 3, "cols": 4, "squares": [[0,0,0]]}', None, 1, "pairs of integers"),
        ('{"rows": "3", "cols": 4, "squares": [[0,0]]}', None, 1, "rows must be a whole number"),
        ('{"rows": 3, "cols": 4, "holes": 7, "squares": [[0,0]]}', None, 1, "cannot be understood"),
        ('{"rows": 3, "squares": [[0,0]]}', None, 1, "rows and cols are missing"),
        ('{"squares": [[0,0]]}\n{"squares": 5}', None, 2, "pairs of integers"),
        ("[1, 2, 3]", None, 1, "not the JSON of a tour"),
        ("TYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n", None, 3, "without their board"),
        ("NAME : x\nCOMMENT : board 3x4\nDIMENSION : 12\nTOUR_SECTION\n1\n7\n", None, 6, "truncated"),
        ("NAME : x\nCOMMENT : board 3x4\nDIMENSION : 12\nTOUR_SECTION\n1\n13\n-1\n", None, 6, "not between 1 and 12"),
        ("NAME : x\nCOMMENT : board 3x4\nDIMENSION : 11\nTOUR_SECTION\n1\n", None, 4, "dimension is 11"),
        ("NAME : x\nCOMMENT : board 1x1\nDIMENSION : 1\nTOUR_SECTION\n1\n1\n1\n", None, 6, "longer than its dimension"),
        ("TYPE : TSP\n", None, 1, "unsupported type: TSP"),
        ("3x4&t=", None, 1, "the link is truncated after t="),
        ("https://example.org/#3x4&c&t=", None, 1, "the link is truncated after t="),
        ("3x4&c=2&t=A", None, 1, "invalid flag: c=2"),
        ("3x4&c=yes&t=A", None, 1, "invalid flag: c=yes"),
        ("NAME : x\nSIZE : 4\n", None, 2, "unknown TSPLIB keyword 'SIZE'"),
        ("NAME : x\nTYPE : HCP\n", None, None, "the format hcp contains graphs of boards, not tours"),
    ],
)
def test_a_text_that_cannot_be_read_names_its_line(text, format, line, message):
    with pytest.raises(FormatError) as caught:
        parse_tours(text, format)
    assert message in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "step", "message"),
    [
        ("1 4 7 10\n8 11 2 5\n", 2, "number 3 is missing from the grid: after 2 comes 4"),
        ("1 4 7 10\n8 11 2 5\n3 6 9 9\n", 9, "9 is there twice, at c1 (row 2, column 2) and d1 (row 2, column 3)"),
        ("2 4 7 10\n8 11 3 5\n13 6 9 12\n", 0, "number 1 is missing from the grid: the first is 2"),
        ("1 4 7 12\n8 11 2 5\n3 6 9 10\n", 9, "c1 to d1 is not a knight's move"),
        ("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2\n", 11, "only 11 of 12 squares are visited; d1 is not"),
        ("a3 c2 a3 b3 d2 b1 c3 a2 c1 d3 b2 d1\n", 2, "square a3 was visited before"),
        ("X: 0\tY: 1\nX: 2\tY: 3\n", 0, "is not on the"),
        ("a1 zzzzzz99999999\n", 2, "only 2 of the"),
        ("0,0 123456789012345678,1\n", 2, "only 2 of the"),
        ('{"rows": 1000000000, "cols": 1000000000, "squares": [[0,0]]}', 1, "only 1 of the"),
    ],
)
def test_invalid_tour_error_has_step_and_place(text, step, message):
    with pytest.raises(InvalidTour) as caught:
        parse_tours(text)
    assert message in str(caught.value)
    assert "tour 1" in str(caught.value)
    assert caught.value.step == step


def test_explicit_grid_rejects_zero_as_number_and_hole():
    with pytest.raises(InvalidTour, match="number 0 at row 0, column 0, but this grid counts from 1"):
        parse_tours("0 3 6 9\n7 10 1 4\n2 5 8 11\n", "grid")


def test_wrong_tour_is_named_with_path_and_line(tmp_path):
    path = tmp_path / "three.txt"
    path.write_text(format_tour([SMALL, SMALL]) + "\n1 2\n3 4\n")
    with pytest.raises(InvalidTour) as caught:
        read_tours(path)
    assert str(caught.value).startswith(f"{path}: tour 3 (line 9): step 1 (number 2)")
    with pytest.raises(FormatError) as failed:
        path.write_text(format_tour([SMALL, SMALL]) + "\n1 2\n3\n")
        read_tours(path)
    assert str(failed.value).startswith(f"{path}:10: ")
    assert (failed.value.path, failed.value.line) == (str(path), 10)


def test_candidates_are_tours_or_name_the_wrong_step():
    text = format_tour(SMALL, "algebraic") + "a3 c2 a1 b3\n" + "a1 a2 a3 b1 b2 b3\n"
    found = list(read_candidates(io.StringIO(text)))
    assert [(one.board.rows, one.board.cols) for one in found] == [(3, 4), (3, 3), (3, 2)]
    assert found[0].tour == SMALL and found[0].fault is None
    for one in found[1:]:
        assert one.tour is None and one.fault is not None
        with pytest.raises(InvalidTour):
            Tour(one.board, one.squares)


def test_rejects_given_board_that_differs_from_the_file():
    for format in ("algebraic", "json", "tour"):
        with pytest.raises(FormatError, match="not on the"):
            parse_tours(format_tour(WRAPPED, format), format, (1, 3) if format != "json" else (3, 1))
    with pytest.raises(FormatError, match="3 rows and 4 columns, but the 4x3 board has 4 and 3"):
        parse_tours(format_tour(SMALL), board=(4, 3))


def test_unknown_formats_and_suffixes_are_refused_with_the_list(tmp_path):
    for call, name in (
        (lambda: parse_tours("a1", "pdf"), "algebraic"),
        (lambda: format_tour(SMALL, "pdf"), "algebraic"),
        (lambda: write_tours(tmp_path / "t.pdf", SMALL), ".txt .csv"),
        (lambda: write_tours(tmp_path / "t", SMALL), ".txt .csv"),
    ):
        with pytest.raises(FormatError) as caught:
            call()
        assert name in caught.value.help
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_json_cannot_hold_is_refused():
    tour = Tour(Board.from_graph(both_ways({frozenset(): []})), [(0, 0)])
    with pytest.raises(BoardError, match="cannot be written as JSON"):
        format_tour(tour, "json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n", "truncated"),
        ("TYPE : HCP\nDIMENSION : 3\n", "truncated"),
        ("TYPE : HCP\nEDGE_DATA_SECTION\n1 2\n", "precede TYPE and DIMENSION"),
        ("TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 4\n-1\n", "node 4 is not between 1 and 3"),
        ("TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2 3\n-1\n", "a line of two nodes"),
        ("TYPE : HCP\nDIMENSION : 0\n", "invalid dimension"),
        ("TYPE : HCP\nDIMENSION : 99999999999\n", "too many"),
        ("TYPE : HCP\nDIMENSION : 49999999\nEDGE_DATA_SECTION\n1 2\n-1\n", "cannot connect"),
        ("TYPE : TOUR\n", "unsupported type: TOUR"),
        ("TYPE : HCP\nDIMENSION : 3\nTOUR_SECTION\n1\n", "TOUR_SECTION is for the type TOUR"),
        ("TYPE : HCP_DIRECTED\n", "unsupported type: HCP_DIRECTED"),
        ("x : 2\n2 3\n", "unknown TSPLIB keyword"),
        ("TYPE : HCP\nTYPE : HCP\nDIMENSION : 2\n", "TYPE is repeated"),
        ("TYPE : HCP\nDIMENSION : 2\nEDGE_DATA_SECTION 3\n1 2\n-1\n", "EDGE_DATA_SECTION must be alone"),
        ("TYPE : HCP\nDIMENSION : 2\nFIXED_EDGES_SECTION\n1 2\n-1\n", "requires moves"),
        *(
            (f"TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n2 3\n{after}", message)
            for after, message in (
                ("-1\nFIXED_EDGES_SECTION\n1 2\n-1\nEOF\n", "requires moves"),
                ("-1\nDISPLAY_DATA_SECTION\n1 0 0\nEOF\n", "'DISPLAY_DATA_SECTION' follows the edges"),
                ("-1\n1 3\nEOF\n", "'1 3' follows the edges"),
                ("-1\nEOF\n1 3\n", "'1 3' follows the edges"),
                ("-1\nEOF\nEOF\n", "EOF is repeated"),
                ("-1\nEOF 1\n", "'EOF 1' follows the edges"),
                ("-1\nEOF\nNAME : b\nTYPE : HCP\n", "truncated"),
            )
        ),
        (
            "TYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\nEDGE_DATA_SECTION\n1 2 -1 2 3 -1 -1 1 3 -1\n",
            "1 follows the -1 that ends the edges",
        ),
    ],
)
def test_a_bad_hcp_file_is_refused(text, message):
    with pytest.raises(FormatError, match=message):
        read_board(io.StringIO(text), "hcp")


def test_both_kinds_of_edge_lists_are_read():
    head = "NAME: x\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: "
    as_edges = read_board(io.StringIO(head + "EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n 2 3\n-1\nEOF\n"))
    as_lists = read_board(io.StringIO(head + "ADJ_LIST\nEDGE_DATA_SECTION\n1 2 -1\n2 3 -1\n-1\nEOF\n"))
    assert as_edges == as_lists
    assert move_graph(as_edges).edges().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("end", ["-1\nEOF\n", "-1\n", "EOF\n\n"])
def test_reads_each_graph_of_an_hcp_file(end):
    first = f"NAME: a\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_SECTION\n1 2\n2 3\n{end}"
    second = f"NAME: b\nTYPE: HCP\nDIMENSION: 2\nEDGE_DATA_FORMAT: ADJ_LIST\nEDGE_DATA_SECTION\n1 2 -1\n{end}"
    boards = read_boards(io.StringIO(first + second), "hcp")
    assert [move_graph(board).edges().tolist() for board in boards] == [[[0, 1], [1, 2]], [[0, 1]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TOUR_SECTION\n1\n-1\n-1 1\nEOF\n", "1 follows the -1 that ends the section"),
        ("TOUR_SECTION 1\n1\n-1\n-1\nEOF\n", "TOUR_SECTION must be alone"),
        ("TOUR_SECTION\n1\n-1\n-1\nEOF 1\n", "EOF must be alone"),
    ],
)
def test_rejects_words_outside_the_sections_of_a_tour_file(text, message):
    with pytest.raises(FormatError, match=message):
        list(read_tours(io.StringIO("TYPE : TOUR\nDIMENSION : 1\nCOMMENT : board 1x1\n" + text), "tour"))


# ---------------------------------------------------------------- noise and damage


RANDOM = random.Random(1)
NOISE = {
    "bytes": (b"", lambda: RANDOM.randbytes(10_000)),
    "numbers in lines": (b"", lambda: "\n".join(str(RANDOM.randrange(10**6)) for _ in range(1000)).encode() + b"\n"),
    "dots": (b"1 ", lambda: b". " * 5000),
    "comments": (b"", lambda: b"# \n" * 3000),
    "names in a line": (b"", lambda: b"a1 b2 " * 1000),
    "xy": (b"", lambda: b"X: 5\tY: 5\n" * 1000),
    "csv": (b"row,col\n", lambda: b"1,2\n" * 2500),
    "json pairs": (b"[", lambda: b"[1,1]," * 1500),
    "json lists": (b"", lambda: b"[" * 10_000),
    "json text": (b'{"', lambda: b"a" * 10_000),
    "tour": (b"NAME : x\nDIMENSION : 4\nCOMMENT : board 2x2\nTOUR_SECTION\n", lambda: b"1\n" * 5000),
    "npy": (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<i4', 'fortran_order': False, 'shape': (900000000000000, 8, 8)}".ljust(128),
        lambda: b"abc\x00" * 2500,
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", NOISE)
def test_endless_noise_is_refused_within_its_first_megabytes(kind):
    noise = Endless(*NOISE[kind])
    with pytest.raises(FormatError):
        read_tours(noise)
    assert noise.given < 5_000_000


@pytest.mark.parametrize("format", TOUR_FORMATS)
@pytest.mark.parametrize("noise", [b"", b"\x00" * 500, b"hello, world\n" * 50, bytes(range(256)), b"{[(\n", b"-1 -1\n"])
def test_every_reader_refuses_what_is_not_its_format(format, noise):
    with pytest.raises(KnightsTourError):
        read_tours(io.BytesIO(noise), format)


@pytest.mark.long
@pytest.mark.parametrize("format", TOUR_FORMATS)
@given(data=st.data())
def test_damaged_file_yields_valid_tours_or_a_package_error(format, data):
    whole = bytearray(written(format, [SMALL, HOLED] if format not in ("npy", "npz") else [HOLED, HOLED]))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for name in (format, None):
        try:
            found = read_tours(io.BytesIO(cut), name)
        except KnightsTourError:
            continue
        for tour in found:
            assert reference.is_tour(reference.adjacency(reference.spec_of(tour.board)), list(tour))


@pytest.mark.parametrize("format", TOUR_FORMATS)
def test_truncated_file_never_yields_a_wrong_last_tour(format):
    whole = written(format, [SMALL])
    for end in range(0, len(whole) - 2, 3):
        try:
            found = read_tours(io.BytesIO(whole[:end]), format, (3, 4))
        except KnightsTourError:
            continue
        assert found == [SMALL]


def test_damaged_numpy_files_on_disk_are_refused(tmp_path):
    path = tmp_path / "t.npy"
    path.write_bytes(written("npy", [SMALL] * 100)[:500])
    with pytest.raises(FormatError, match=r"damaged \.npy"):
        read_tours(path)
    np.save(path, np.array([{"a": 1}], dtype=object))
    with pytest.raises(FormatError, match=r"damaged \.npy"):
        read_tours(path)
    np.save(path, np.zeros((3, 4)))
    with pytest.raises(FormatError, match="this diagram has no number"):
        read_tours(path)
    np.save(path, np.full((3, 4), 0.5))
    with pytest.raises(FormatError, match="integers"):
        read_tours(path)
    np.save(path, np.ones((2, 5, 5), dtype=int))
    with pytest.raises(FormatError, match=r"holds no tours of the 3x4 board"):
        read_tours(path, board=(3, 4))
    path = tmp_path / "t.npz"
    path.write_bytes(written("npz", [SMALL])[:300])
    with pytest.raises(FormatError, match=r"damaged \.npz"):
        read_tours(path)
    np.savez(path, a=np.zeros(3), b=np.zeros(3))
    with pytest.raises(FormatError, match="must contain one array of tours"):
        read_tours(path)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("board", [Board(1, 1), Board.from_graph([[1], [0, 2], [1, 3], [2]])], ids=str)
def test_one_row_tour_round_trips_through_npz(board, tmp_path):
    tour = Tour(board, [(0, k) for k in range(len(board))])
    for count in (1, 3):
        write_tours(tmp_path / "t.npz", [tour] * count)
        assert read_tours(tmp_path / "t.npz") == [tour] * count
        assert check(tmp_path / "t.npz").closed_count == 0


def test_rejects_npz_members_that_are_not_arrays(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        archive.writestr("order", b"1 2 3")
    with pytest.raises(FormatError, match="its member 'order' is not an array"):
        read_tours(tmp_path / "t.npz")


def test_one_long_label_uses_little_memory():
    squares = [["a" * 100_000, 1], *[[0, 1]] * 1000]
    text = json.dumps({"rows": 3, "cols": 4, "squares": squares})
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="pairs of integers"):
            parse_tours(text)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_names_are_short_and_free_of_control_characters():
    for name, said in (("a\x1b[2Jb", r"a\x1b[2Jb"), ("x" * 5000, "xxx...xxx")):
        with pytest.raises(OSError) as error:
            read_tours(name)
        line = in_one_line(error.value)
        assert said in line and len(line) < 300 and line.isprintable()


def test_an_empty_name_is_refused_as_such():
    for ask in (read_tours, Board.from_file, lambda name: write_tours(name, Tour((1, 1), ["a1"]), "grid")):
        with pytest.raises(FileNotFoundError, match="the path is empty"):
            ask("")


def test_leftovers_of_a_killed_writer_are_removed(tmp_path):
    old, young, other = (tmp_path / name for name in (".t.txt.0a.part", ".t.txt.0b.part", ".other.txt.0a.part"))
    for path in (old, young, other):
        path.write_text("half a tour")
    for path in (old, other):
        os.utime(path, (time.time() - 7200,) * 2)
    write_tours(tmp_path / "t.txt", Tour((1, 1), ["a1"]))
    assert not old.exists() and young.exists() and other.exists()


def test_an_existing_file_is_replaced_with_its_mode(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("precious")
    path.chmod(0o640)
    write_tours(path, SMALL)
    assert read_tours(path) == [SMALL]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_rights(tmp_path):
    write_tours(tmp_path / "t.txt", SMALL)
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "t.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_interrupted_writing_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("precious")

    def some():
        yield SMALL
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_tours(path, some())
    with pytest.raises(FormatError, match="no tour to write"):
        write_tours(path, [])
    with pytest.raises(TypeError, match="not a Tour"):
        write_tours(path, [SMALL, "a1"])
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_paths_that_cannot_be_written_or_read_are_named(tmp_path):
    for place in (tmp_path / "none" / "t.txt", tmp_path):
        expected = IsADirectoryError if place == tmp_path else FileNotFoundError
        with pytest.raises(expected) as caught:
            write_tours(place, SMALL, "grid")
        assert caught.value.filename == str(place)
        with pytest.raises(expected) as caught:
            read_tours(place)
        assert Path(caught.value.filename) == place
    with pytest.raises(ProblemError, match="NUL"):
        read_tours("a\0b")
    with pytest.raises(ProblemError, match="NUL"):
        write_tours("a\0b.txt", SMALL)


def test_missing_input_of_a_writer_keeps_its_name(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_tours(tmp_path / "t.txt", (tour for name in ["none.txt"] for tour in read_tours(name)))
    assert caught.value.filename == "none.txt" and list(tmp_path.iterdir()) == []


def test_devices_are_written_to_and_not_replaced():
    assert write_tours(os.devnull, SMALL, "grid") == 1
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_tours(tmp_path / "link.txt", SMALL)
    assert (tmp_path / "link.txt").is_symlink()
    assert read_tours(tmp_path / "real.txt") == [SMALL]
