"""Tests of files of graphs, and of pipes: one result per graph."""

import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

import knightstour as kt
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.interfaces.cli import each_graph

SIX = [graph for graph in nx.graph_atlas_g() if len(graph) == 6 and nx.is_connected(graph)]
PETERSEN, SQUARE = nx.petersen_graph(), nx.cycle_graph(4)


def packed(*graphs: nx.Graph, sparse: bool = False) -> str:
    write = nx.to_sparse6_bytes if sparse else nx.to_graph6_bytes
    return "".join(write(graph, header=False).decode() for graph in graphs)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch):
    """Return a function that sets stdin."""

    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return give


def cycles(graph: nx.Graph) -> int:
    """Count Hamiltonian cycles by trying all orders of the nodes."""
    first, *rest = graph
    orders = ((first, *order, first) for order in itertools.permutations(rest))
    return sum(all(graph.has_edge(*pair) for pair in itertools.pairwise(order)) for order in orders) // 2


@pytest.mark.parametrize("sparse", [False, True])
def test_each_graph_gets_a_line(sparse, tmp_path, run):
    path = tmp_path / ("some.s6" if sparse else "some.g6")
    path.write_text(packed(*SIX, sparse=sparse))
    code, out, err = run("solve", str(path), "--closed")
    lines = [line.split("\t") for line in out.splitlines()]
    assert [(int(number), nodes) for number, nodes, *_ in lines] == [(k, "6") for k in range(1, 113)]
    assert [line[2] == "found" for line in lines] == [cycles(graph) > 0 for graph in SIX]
    # A003216 of the OEIS.
    assert Counter(line[2] for line in lines) == {"found": 48, "impossible": 64}
    assert all(len(line) == (3 if line[2] == "found" else 4) for line in lines)
    assert (code, err) == (1, "note: 112 graphs, 64 of them impossible\n")


def test_records_match_single_graphs_with_their_index(tmp_path, run):
    path, alone = tmp_path / "some.g6", tmp_path / "one.g6"
    path.write_text(packed(SQUARE, PETERSEN))
    code, out, _ = run("solve", str(path), "--closed", "--json", "--seed", "1")
    assert code == 1
    for number, (line, graph) in enumerate(zip(out.splitlines(), (SQUARE, PETERSEN), strict=True), 1):
        alone.write_text(packed(graph))
        _, single, _ = run("solve", str(alone), "--closed", "--json", "--seed", "1")
        record, expected = json.loads(line), json.loads(single)
        assert record.pop("number") == number
        assert record.keys() == expected.keys()
        assert {**record, "seconds": 0} == {**expected, "seconds": 0}


def test_each_graph_is_counted(typed, run):
    typed(packed(*SIX[::9]))
    code, out, err = run("count", "-", "--closed")
    assert [int(line.split("\t")[2]) for line in out.splitlines()] == [cycles(graph) for graph in SIX[::9]]
    assert (code, err) == (0, "note: 13 graphs\n")
    typed(packed(*SIX[::9]))
    records = [json.loads(line) for line in run("count", "-", "--closed", "--json")[1].splitlines()]
    assert [(r["number"], int(r["count"])) for r in records] == [(k, cycles(g)) for k, g in enumerate(SIX[::9], 1)]


def test_a_count_that_is_given_up_leaves_the_others(typed, run, monkeypatch):
    monkeypatch.setattr("knightstour.interfaces.cli.options.limits_of", lambda timeout, memory=None: Limits(nodes=9))
    hard = nx.convert_node_labels_to_integers(nx.hypercube_graph(4))
    typed(packed(SQUARE, hard, SQUARE))
    code, out, err = run("count", "-", "--closed", "--timeout", "60")
    first, second, third = (line.split("\t") for line in out.splitlines())
    assert (first[2], second[2], third[2]) == ("1", "undecided", "1")
    assert second[3] and (code, err) == (3, "note: 3 graphs, 1 of them undecided\n")
    typed(packed(SQUARE, hard))
    _, out, _ = run("count", "-", "--closed", "--timeout", "60", "--json")
    record = json.loads(out.splitlines()[1])
    assert (record["number"], record["count"], record["cols"]) == (2, None, 16) and record["reason"]


def test_facts_of_each_graph(typed, run):
    typed(packed(SQUARE, PETERSEN))
    code, out, _ = run("facts", "-")
    pages = out.split("\n\n")
    assert code == 0 and [page.splitlines()[0] for page in pages] == ["graph 1", "graph 2"]
    assert "graph of 10 nodes" in pages[1]
    typed(packed(SQUARE, PETERSEN))
    records = [json.loads(line) for line in run("facts", "-", "--json")[1].splitlines()]
    assert [(r["number"], r["facts"]["squares"]) for r in records] == [(1, 4), (2, 10)]


def test_a_file_with_one_graph_is_answered_as_a_board(typed, run):
    typed(packed(SQUARE))
    code, out, err = run("solve", "-", "--closed", "--seed", "1")
    assert (code, err) == (0, "") and sorted(out.split()) == ["0", "1", "2", "3"]
    typed("....\n....\n....\n")
    assert run("count", "-")[:2] == (0, "8\n")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (packed(SQUARE, SQUARE) + "C~~\n", "3: the line is too long"),
        (packed(SQUARE, SQUARE) + "?\n", "3: the graph has no node"),
    ],
)
def test_bad_line_is_reported_once_and_earlier_answers_stay(text, fault, typed, run):
    typed(text)
    code, out, err = run("solve", "-", "--closed")
    assert code == 2 and fault in err and err.count("error:") == 1
    assert [line.split("\t")[2] for line in out.splitlines()] == ["found", "found"]


def test_unsupported_problem_of_a_later_graph_names_it(typed, run):
    typed(packed(PETERSEN, SQUARE))
    code, out, err = run("solve", "-", "--start", "7")
    assert (code, len(out.splitlines())) == (2, 1)
    assert "no node '7'" in err and "graph 2 of the file" in err


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no /dev/stdin here")
def test_ctrl_c_keeps_printed_output():
    # It has no Hamiltonian cycle, which this search does not find out in a lifetime.
    hard = nx.Graph()
    for k in range(89):
        hard.add_edges_from([(k, (k + 1) % 89), (k, 89 + k), (89 + k, 89 + (k + 2) % 89)])
    words = ["solve", "/dev/stdin", "--closed", "--method", "backtracking", "--set", "proofs=no"]
    process = subprocess.Popen(
        [sys.executable, "-m", "knightstour", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(packed(SQUARE, hard, SQUARE))
        process.stdin.close()
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, err = process.stdout.read(), process.stderr.read()
    assert (first, rest, process.returncode) == ("1\t4\tfound\n", "", 130)
    # The signal may come before the second search, or even before the first one is done with.
    assert re.search("interrupted at graph [12]", err) and re.search("note: [01] graphs?\n", err)


def test_each_graph_gets_a_file_for_tour_and_certificate(tmp_path, run):
    path, tours, proofs = tmp_path / "some.g6", tmp_path / "tours", tmp_path / "proofs"
    path.write_text(packed(SQUARE, PETERSEN, SQUARE))
    words = ["solve", str(path), "--closed", "-o", str(tours), "--format", "tour", "--proof", str(proofs)]
    code, out, _ = run(*words)
    assert (code, [line.split("\t")[2] for line in out.splitlines()]) == (1, ["found", "impossible", "found"])
    assert sorted(os.listdir(tours)) == ["1.tour", "3.tour"] and sorted(os.listdir(proofs)) == [
        "1.json",
        "2.json",
        "3.json",
    ]
    read = kt.read_tours(tours / "3.tour", board=Board.from_graph(SQUARE))
    assert [tour.is_closed for tour in read] == [True]
    assert run("check", str(proofs / "2.json"))[0] == 0
    assert run(*words)[0] == 1
    (tours / "letter.txt").write_text("mine")
    code, _, err = run(*words)
    assert code == 2 and "the folder contains other files" in err
    (tours / "letter.txt").unlink()
    code, _, err = run("solve", str(path), "-o", str(tours), "--format", "hcp")
    assert code == 2 and "hcp" in err


@pytest.mark.parametrize("as_json", [False, True])
def test_a_graph_without_a_certificate_does_not_end_the_others(tmp_path, run, monkeypatch, as_json):
    from knightstour.lab.certificates import certify

    path, proofs = tmp_path / "some.g6", tmp_path / "proofs"
    path.write_text(packed(SQUARE, PETERSEN, SQUARE))
    monkeypatch.setattr(certify, "search_for", lambda record, budget: None)
    monkeypatch.setattr(certify, "has_solver", lambda: True)
    words = ["solve", str(path), "--closed", "--proof", str(proofs), "--format", "drat"]
    code, out, _ = run(*words, *["--json"] * as_json)
    lines = out.splitlines()
    assert (code, len(lines), sorted(os.listdir(proofs))) == (1, 3, [])
    if as_json:
        assert [json.loads(line).get("certificate_error", "") for line in lines] == [
            "",
            "no proof by search was found",
            "",
        ]
    else:
        assert lines[1].startswith("2\t10\timpossible\tno certificate: no proof by search was found; ")
        assert [lines[k].split("\t")[2:] for k in (0, 2)] == [["found"], ["found"]]


def test_several_graphs_are_converted(tmp_path, run):
    path, folder = tmp_path / "some.g6", tmp_path / "graphs"
    path.write_text(packed(SQUARE, PETERSEN))
    code, out, _ = run("convert", str(path), "--format", "sparse6")
    assert code == 0 and [len(board) for board in kt.read_boards(io.StringIO(out))] == [4, 10]
    assert run("convert", str(path), "-o", str(tmp_path / "all.s6"))[0] == 0
    assert (tmp_path / "all.s6").read_text() == out
    assert run("convert", str(path), "--format", "hcp", "-o", str(folder))[0] == 0
    again = [kt.Board.from_file(folder / f"{k}.hcp") for k in (1, 2)]
    assert [
        nx.is_isomorphic(board.to_networkx(), graph) for board, graph in zip(again, (SQUARE, PETERSEN), strict=True)
    ]
    code, out, err = run("convert", str(path), "--format", "hcp")
    assert (code, out) == (2, "") and "several graphs" in err and "-o graphs/" in err


@pytest.mark.processes
def test_workers_share_the_graphs_and_the_answers_keep_their_order(tmp_path, run):
    path = tmp_path / "some.g6"
    path.write_text(packed(*SIX[::7]))
    alone = run("solve", str(path), "--closed")
    assert run("solve", str(path), "--closed", "--workers", "2") == alone


def test_an_interrupt_while_the_next_graph_is_read(capsys):
    def read():
        yield from [Board.from_graph(SQUARE)] * 2
        raise KeyboardInterrupt

    assert each_graph.answer_each(read(), lambda board, place: 0) == 130
    assert capsys.readouterr().err == "note: interrupted at graph 2\nnote: 2 graphs\n"


# ---------------------------------------------------------------- single graphs


CUBE = Board.from_graph(nx.convert_node_labels_to_integers(nx.hypercube_graph(3)))


def test_a_text_file_may_hold_a_graph_or_a_drawing(tmp_path, run):
    path = tmp_path / "some.txt"
    path.write_text("Ada Bob\nBob Cy\nCy Ada\n")
    assert run("count", str(path), "--closed")[:2] == (0, "1\n")
    path.write_text("....\n....\n....\n")
    assert run("count", str(path))[:2] == (0, "8\n")
    path.write_text("Ada Bob\nBob Cy Ada\n")
    code, _, err = run("solve", str(path))
    assert (code, "2: 3 words, but other lines have 2: 'Bob Cy Ada'" in err) == (2, True)


def test_a_graph_is_written_in_another_format(tmp_path, run):
    CUBE.save(tmp_path / "cube.hcp")
    code, out, _ = run("convert", str(tmp_path / "cube.hcp"), "--format", "graph6")
    assert code == 0
    assert nx.is_isomorphic(nx.from_graph6_bytes(out.strip().encode()), CUBE.to_networkx())
    assert run("convert", str(tmp_path / "cube.hcp"), "-o", str(tmp_path / "cube.col"))[0] == 0
    code, out, _ = run("convert", str(tmp_path / "cube.col"), "--format", "edges")
    assert out.startswith("# an edge a line\n1 2\n")
    code, _, err = run("convert", str(tmp_path / "cube.col"), "--format", "json")
    assert (code, "supports tours, not boards" in err) == (2, True)
