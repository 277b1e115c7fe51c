"""What a reader says of how it read a file that has no exact form."""

from __future__ import annotations

import io
import json

from helpers.command_line import run
from knightstour.core.formats.tours import read_board, read_boards
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, board_read_as

LOOPED = "a b\nb c\nc a\nb b\na b\n"
SAID = ("1 loop is left out: a tour never stays where it is", "1 edge is listed again, and each counts once")


def test_a_board_knows_how_it_was_read():
    board = read_board(io.StringIO(LOOPED), "edges")
    assert board.read_as == SAID
    assert solve(board, closed=True).to_dict()["read_as"] == list(SAID)
    assert read_board(io.StringIO("a b\nb c\nc a\n")).read_as == ()


def test_remarks_are_no_part_of_the_board():
    board = Board(3, 4)
    noted = board_read_as(board, ["a", "b", "a"])
    assert noted.read_as == ("a", "b") and board.read_as == ()
    assert noted == board and hash(noted) == hash(board)
    assert board_read_as(noted, ["b", "c"]).read_as == ("a", "b", "c")
    assert "read_as" not in solve(board).to_dict()


def test_each_graph_of_a_file_has_its_own_remarks():
    # The middle one has a loop at its first node.
    boards = list(read_boards(io.StringIO(":Bc\n:B_\n:Bc\n")))
    assert [len(board.read_as) for board in boards] == [0, 1, 0]


def test_the_command_line_says_it_on_stderr_and_in_json(tmp_path, capsys):
    (tmp_path / "a.edges").write_text(LOOPED)
    path = f"edges:{tmp_path / 'a.edges'}"
    for command in (["solve", path, "--closed"], ["facts", path], ["convert", path, "--to", "graph6"]):
        code, out, err = run(*command, capsys=capsys)
        assert code == 0 and "left out" not in out
        assert [line for line in err.splitlines() if "loop" in line] == [f"note: {SAID[0]}"]
        if command[0] != "convert":
            command = [*command, "--json"]
            assert json.loads(run(*command, capsys=capsys)[1])["read_as"] == list(SAID)
    assert json.loads(run("convert", path, "--json", capsys=capsys)[1])["read_as"] == list(SAID)
