"""A graph as BOARD: a format before the file, as in dimacs:roads.dat, goes before its name and content."""

from __future__ import annotations

import io
import sys

import pytest

from helpers.command_line import run
from knightstour.core.formats.table import FORMATS, GRAPH_FORMATS
from knightstour.core.formats.tours import write_board
from knightstour.core.model.board import Board

# A house with a roof, which has a closed tour; its nodes have names that every format can hold.
HOUSE = Board.from_graph({1: [2, 4], 2: [1, 3, 5], 3: [2, 4, 5], 4: [1, 3], 5: [2, 3]})
COMMANDS = {
    "solve": ["solve", "{}", "--closed", "--seed", "1"],
    "count": ["count", "{}", "--closed"],
    "facts": ["facts", "{}"],
}


@pytest.fixture(params=GRAPH_FORMATS)
def graph(request, tmp_path) -> tuple[str, str]:
    """A format, and the graph in it as a text."""
    path = tmp_path / "house"
    write_board(str(path), HOUSE, request.param)
    return request.param, path.read_text("utf-8")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["house.txt", "house", "house.json", "house.g6", "-"])
def test_the_format_goes_before_the_name_and_the_content(command, name, graph, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    format_name, text = graph
    sure = tmp_path / f"sure{FORMATS[format_name].suffixes[0]}"
    sure.write_text(text, "utf-8")
    if name != "-":
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    words = [word.format(f"{format_name}:{name}") for word in COMMANDS[command]]
    code, out, said = run(*words, capsys=capsys)
    assert code == 0 and out, said
    assert (code, out) == run(*(word.format(sure) for word in COMMANDS[command]), capsys=capsys)[:2]
