"""Thousands of spoilt texts of graphs: none is read as another graph than it says, whatever its form."""

from __future__ import annotations

import io
import random
import re

import pytest

from helpers.graph_texts import EXTENSIONS, FORMS, Content, content_of, random_graph, spoilt
from knightstour.core.formats.tours import read_board
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import KnightsTourError

# How many texts of each form are spoilt.
COUNTS = pytest.mark.parametrize("count", [160, pytest.param(400, marks=pytest.mark.long)])
# Forms that are read as they stand, and those of which a line lost or changed is another graph in good order.
EXACT = ("spaces", "commas", "tabs", "semicolons")
CHECKED = ("counts", "a count", "colons", "a mapping", "lists under counts", "a matrix")
# A first line that counts by chance is left out, and that is said.
BY_CHANCE = "is left out: it counts"


class Named(io.BytesIO):
    """A file with a name, which has the suffix of a form."""

    def __init__(self, text: str, form: str) -> None:
        super().__init__(text.encode())
        self.name = "graph" + EXTENSIONS.get(form, ".txt")


def content(board: Board) -> Content:
    assert board.labels is not None
    names = [str(label) for label in board.labels]
    return content_of(names, [(names[a], names[b]) for a, b in move_graph(board).edges().tolist()])


@COUNTS
@pytest.mark.parametrize("form", FORMS)
def test_graphs_in_the_forms_of_people_are_read(form: str, count: int) -> None:
    rng = random.Random(form)
    refused = 0
    for _ in range(count // 4):
        graph = random_graph(rng)
        text = FORMS[form].write(graph)
        try:
            board = read_board(Named(text, form))
        except KnightsTourError as error:
            # A list may be as good as another form, or its first edge look like counts.
            assert re.search("two graphs|numbers of nodes and edges|several graphs|or a heading", str(error)), text
            refused += 1
            continue
        expected = FORMS[form].content(text)
        assert content(board) == expected or any(BY_CHANCE in remark for remark in board.read_as), text
        if form not in EXACT:
            assert board.read_as or str(text.split()[0]) in map(str, graph), text
    assert refused <= count // 20


@COUNTS
@pytest.mark.parametrize("form", FORMS)
def test_a_spoilt_text_is_no_other_graph(form: str, count: int) -> None:
    rng = random.Random(form)
    outcomes = {"the graph that it says": 0, "refused": 0, "by chance": 0}
    for _ in range(count):
        text = spoilt(FORMS[form].write(random_graph(rng)), rng, counts=FORMS[form].counts)
        expected = FORMS[form].content(text)
        try:
            board = read_board(Named(text, form))
        except KnightsTourError:
            outcomes["refused"] += 1
            continue
        if content(board) == expected:
            outcomes["the graph that it says"] += 1
            continue
        said = " ".join(board.read_as)
        is_said = BY_CHANCE in said or "is read as an edge: there are" in said
        assert is_said, f"{text}\n{board.read_as}\n{content(board)}\n{expected}"
        outcomes["by chance"] += 1
    assert outcomes["by chance"] <= count // 10, outcomes
    assert outcomes["the graph that it says"] and (outcomes["refused"] or form not in CHECKED), outcomes
