"""Certificates of graphs, from a file to the verdict."""

from __future__ import annotations

import networkx as nx
import pytest

from helpers.command_line import run
from helpers.graph_families import flower, petersen, shuffled
from knightstour.core.formats.tours import write_board
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.result import Status
from knightstour.lab.certificates.verify import verify


@pytest.mark.parametrize(
    ("graph", "status"),
    [
        (nx.petersen_graph(), Status.IMPOSSIBLE),
        (nx.complete_bipartite_graph(4, 5), Status.IMPOSSIBLE),
        (nx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]), Status.IMPOSSIBLE),
        (nx.dodecahedral_graph(), Status.FOUND),
        (flower(9), Status.IMPOSSIBLE),
        (petersen(59, 2), Status.IMPOSSIBLE),
        (petersen(199, 2), Status.FOUND),
    ],
    ids=["Petersen", "K4,5", "alone", "dodecahedron", "flower", "G(59,2)", "G(199,2)"],
)
def test_the_certificate_of_a_graph_is_right(graph: nx.Graph, status: Status) -> None:
    result = solve(shuffled(graph, 3), closed=True, rng=1)
    assert result.status is status
    verdict = verify(result.certificate)
    assert verdict.is_right, verdict
    assert result.certificate.record["proof"]["kind"] != "theorem"


def test_files_of_graphs_have_proofs(tmp_path, capsys) -> None:
    path, proof = str(tmp_path / "petersen.g6"), str(tmp_path / "proof.json")
    write_board(path, Board.from_graph(nx.petersen_graph()))
    assert run("solve", path, "--closed", "--proof", proof, capsys=capsys)[0] == 1
    code, out, _ = run("verify", proof, capsys=capsys)
    assert (code, out.splitlines()[0]) == (0, "right: there is no closed tour of the graph of 10 nodes")
