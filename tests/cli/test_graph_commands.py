"""Files of graphs at the command line."""

import networkx as nx

from knightstour.core.formats.tours import write_board
from knightstour.core.model.board import Board

CUBE = Board.from_graph(nx.convert_node_labels_to_integers(nx.hypercube_graph(3)))


def test_a_text_file_may_hold_a_graph_or_a_drawing(tmp_path, run):
    path = tmp_path / "some.txt"
    path.write_text("Ada Bob\nBob Cy\nCy Ada\n")
    assert run("count", str(path), "--closed")[:2] == (0, "1\n")
    path.write_text("....\n....\n....\n")
    assert run("count", str(path))[:2] == (0, "8\n")
    path.write_text("Ada Bob\nBob Cy Ada\n")
    code, _, err = run("solve", str(path))
    assert (code, "2: 3 words, and others have 2: 'Bob Cy Ada'" in err) == (2, True)


def test_a_graph_is_written_in_another_format(tmp_path, run):
    write_board(tmp_path / "cube.hcp", CUBE)
    code, out, _ = run("convert", str(tmp_path / "cube.hcp"), "--to", "graph6")
    assert code == 0
    assert nx.is_isomorphic(nx.from_graph6_bytes(out.strip().encode()), CUBE.to_networkx())
    assert run("convert", str(tmp_path / "cube.hcp"), "-o", str(tmp_path / "cube.col"))[0] == 0
    code, out, _ = run("convert", str(tmp_path / "cube.col"), "--to", "edges")
    assert out.startswith("# an edge a line\n1 2\n")
    code, _, err = run("convert", str(tmp_path / "cube.col"), "--to", "json")
    assert (code, "holds tours, no boards" in err) == (2, True)
