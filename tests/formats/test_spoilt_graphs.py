"""Tests of thousands of damaged graph texts: none is read as another graph."""

import io
import random
import re
from collections import Counter

import pytest

from helpers.graph_texts import EXTENSIONS, FORMS, KINDS, Content, content_of, random_graph, spoilt
from knightstour.core.formats.tours import read_boards
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import KnightsTourError
from knightstour.core.model.graph_board import GraphBoard

# Number of texts of each notation, and of each kind of damage.
COUNTS = pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.long)])
# The text without its first line.
HEADLESS = {"counts": "spaces", "a count": "spaces", "columns": "commas"}
# A note reports a damaged text that is valid in another way.
SAID = re.compile(
    "is omitted: it counts|is read as an edge, though|have no edge|count them twice|listed again|loops? (is|are) left"
)


class Named(io.BytesIO):
    """A file whose name has the suffix of a form."""

    def __init__(self, text: str, form: str) -> None:
        super().__init__(text.encode())
        self.name = "graph" + EXTENSIONS.get(form, ".txt")


def contents(text: str, form: str) -> tuple[list[Content], str]:
    """Return the graphs in a text, and the messages."""
    boards = list(read_boards(Named(text, form)))
    return [content(board) for board in boards], " ".join(remark for board in boards for remark in board.read_as)


def content(board: Board) -> Content:
    assert isinstance(board, GraphBoard)
    names = [str(label) for label in board.labels]
    return content_of(names, [(names[a], names[b]) for a, b in move_graph(board).edges().tolist()])


def second(text: str, form: str) -> Content:
    """Return the result of the plain reader, or None."""
    try:
        return FORMS[form].content(text)
    except (ValueError, IndexError):
        return None


@COUNTS
@pytest.mark.parametrize("form", FORMS)
def test_graphs_in_their_forms_are_read(form: str, count: int) -> None:
    if form in ("dot", "leda"):
        pytest.importorskip("pydot")
    rng = random.Random(form)
    refused = 0
    for _ in range(count):
        text = FORMS[form].write(random_graph(rng))
        try:
            found, said = contents(text, form)
        except KnightsTourError as error:
            # A list may be as good as another form, or its first edge look like counts.
            assert re.search("different graphs|numbers of nodes and edges|or a heading|several graphs", str(error)), (
                text
            )
            refused += 1
            continue
        assert found == [second(text, form)] or SAID.search(said), text
    assert refused <= count // 5


@COUNTS
@pytest.mark.parametrize("form", FORMS)
def test_a_spoilt_text_is_no_other_graph(form: str, count: int) -> None:
    if form in ("dot", "leda"):
        pytest.importorskip("pydot")
    rng = random.Random(form)
    outcomes = Counter[str]()
    for k in range(count):
        whole = FORMS[form].write(random_graph(rng))
        text = spoilt(whole, KINDS[k % len(KINDS)], rng)
        try:
            found, said = contents(text, form)
        except KnightsTourError:
            outcomes["refused"] += 1
            continue
        judge = HEADLESS.get(form, form) if text.lstrip() == whole.partition("\n")[2] else form
        is_right = found == [second(text, judge)]
        assert is_right or SAID.search(said), f"{text}\n{said}\n{found}\n{second(text, judge)}"
        outcomes["the graph that it says" if is_right else "by chance, and said"] += 1
    assert outcomes["by chance, and said"] <= count // 10, outcomes
    assert outcomes["refused"], outcomes
