"""Tests of files of directed graphs: ambiguous files need `directed`, and files of edges are then rejected."""

import io
import json
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run

ARCS = ((1, 2), (2,), (0,))
DIRECTED = {
    "arrows": "a -> b\nb -> c\nc -> a\na -> c\n",
    "facts": "arc(a,b). arc(b,c).\narc(c,a). arc(a,c).\n",
    "names of columns": "source,target,type\na,b,Directed\nb,c,Directed\nc,a,Directed\na,c,Directed\n",
    "comment": "# Directed graph: x\n0 1\n1 2\n2 0\n0 2\n",
    "edges": "0 1\n1 2\n2 0\n0 2\n",
    "neighbours": "0: 1 2\n1: 2\n2: 0\n",
    "matrix": "0 1 1\n0 0 1\n1 0 0\n",
    "signs": ".++\n-.+\n+-.\n",
    "mapping": '{"a": ["b", "c"], "b": ["c"], "c": ["a"]}',
    "pairs": "[(0, 1), (1, 2), (2, 0), (0, 2)]",
    "shortest paths": "p sp 3 4\na 1 2 5\na 2 3 5\na 3 1 5\na 1 3 5\n",
    "digraph6": "&BX_\n",
}
BY_NETWORKX = ["gml", "graphml", "gexf", "pajek", "node-link", "adjlist", "dot"]
UNDIRECTED = {
    "dashes": "a -- b\nb -- c\n",
    "graph6": "DQc\n",
    "DIMACS": "p edge 3 2\ne 1 2\ne 2 3\n",
    "HCP": "NAME : g\nTYPE : HCP\nDIMENSION : 2\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\nEOF\n",
    "type": "source,target,type\na,b,Undirected\n",
}


@pytest.mark.parametrize("form", DIRECTED)
def test_file_of_arcs_requires_the_choice_directed(form: str) -> None:
    with pytest.raises(kt.FormatError) as caught:
        next(kt.read_boards(io.StringIO(DIRECTED[form])))
    assert "directed=True" in caught.value.help and "direct" in str(caught.value)
    board = kt.Board.from_file(io.StringIO(DIRECTED[form]), directed=True)
    assert board.is_directed and board.graph == ARCS


@pytest.mark.parametrize("form", UNDIRECTED)
def test_file_of_edges_is_not_directed(form: str) -> None:
    assert not kt.Board.from_file(io.StringIO(UNDIRECTED[form])).is_directed
    with pytest.raises(kt.FormatError) as caught:
        kt.Board.from_file(io.StringIO(UNDIRECTED[form]), directed=True)
    assert "omit :directed" in caught.value.help


@pytest.mark.parametrize("form", BY_NETWORKX)
def test_files_of_networkx_are_read_with_arcs(form: str, tmp_path: Path) -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")])
    path = tmp_path / "graph"
    if form == "dot":
        pytest.importorskip("pydot")
        path.write_text("digraph g { a -> b -> c; c -> a; a -> c }")
    elif form == "node-link":
        path.write_text(json.dumps(networkx.node_link_data(graph, edges="links")))
    else:
        getattr(networkx, f"write_{form}")(graph, path)
    with pytest.raises(kt.FormatError) as caught:
        kt.Board.from_file(path, form)
    assert "directed=True" in caught.value.help
    board = kt.Board.from_file(path, form, directed=True)
    assert set(board.to_networkx().edges) == set(graph.edges)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("&BX_?\n", "the line is too long"),
        ("&B\n", "the line is truncated"),
        ("NAME: x\nTYPE: ATSP\nDIMENSION: 3\n", "unsupported type: ATSP"),
        ("0: 1 2\n1: 2\n", "'0' leads to '2', which has no line"),
        ("a -> b\nb -- c\n", "an undirected edge"),
        ("1 2\n2 3\n1 2\n", "this edge is also listed in line 1"),
        ("2 3\n3 1\n1 2\n", "looks like the numbers of nodes and edges"),
    ],
)
def test_files_of_arcs_that_are_damaged_or_mean_two_things(text: str, message: str) -> None:
    with pytest.raises(kt.FormatError, match=message):
        kt.Board.from_file(io.StringIO(text), directed=True)


def test_arcs_on_the_command_line(tmp_path: Path, run: Run) -> None:
    path, many, tours = tmp_path / "g.arrows", tmp_path / "many.d6", tmp_path / "tours.txt"
    path.write_text(DIRECTED["arrows"])
    many.write_text("&BX_\n&BP_\n")
    code, out, _ = run("solve", f"{path}:directed", "--closed")
    assert code == 0 and out.split() in (["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"])
    code, out, err = run("count", f"{path}:directed", "--closed")
    assert (code, out) == (0, "1\n") and "closed tours of the directed graph of 3 nodes" in err
    assert run("enumerate", f"{path}:directed", "--closed")[1] == "a b c\n"
    code, out, err = run("solve", f"{many}:directed", "--closed")
    assert out.splitlines() == ["1\t3\tfound", "2\t3\tfound"]
    tours.write_text("a b c\n")
    assert run("check", f"algebraic:{tours}", f"{path}:directed", "--closed")[0] == 0
    tours.write_text("c b a\n")
    code, out, _ = run("check", f"algebraic:{tours}", f"{path}:directed")
    assert code == 1 and "c to b is not an arc of the graph" in out
