"""Tests of graph families: results by search and by hand, cycles, and errors."""

import io
import itertools
import json
from pathlib import Path

import networkx as nx
import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.graph_board import GraphBoard

SMALL: dict[str, dict[str, object]] = {
    "petersen": {"n": range(5, 8), "k": range(1, 4)},
    "flower": {"n": 3},
    "sheehan": {"m": range(2, 7)},
    "cubic": {"n": range(4, 15), "seed": range(2)},
    "hypohamiltonian": {"n": 5, "removed": range(11)},
    "torus": {"rows": range(3, 5), "cols": range(3, 5)},
    "knight": {"rows": range(2, 5), "cols": range(2, 6)},
    "knight-torus": {"rows": 3, "cols": range(3, 6)},
}
LARGER: dict[str, dict[str, object]] = {
    "petersen": {"n": range(8, 30), "k": range(1, 12)},
    "flower": {"n": range(5, 14)},
    "cubic": {"n": range(16, 60), "seed": range(3)},
    "hypohamiltonian": {"n": (11, 17), "removed": range(35)},
    "torus": {"rows": range(3, 9), "cols": range(3, 9)},
    "knight": {"rows": range(2, 9), "cols": range(6, 9)},
    "knight-torus": {"rows": range(3, 8), "cols": range(3, 8)},
    "knight-holes": {"n": (6, 8), "holes": range(1, 12), "seed": range(3)},
}


def _has_cycle(graph: nx.Graph) -> bool:
    """Whether a small graph has a Hamiltonian cycle, by recursion."""
    first = next(iter(graph))

    def goes_on(path: list[object]) -> bool:
        if len(path) == len(graph):
            return len(path) > 2 and graph.has_edge(path[-1], first)
        return any(goes_on([*path, other]) for other in graph[path[-1]] if other not in path)

    return goes_on([first])


def _is_cycle(graph: nx.Graph, nodes: list[object]) -> bool:
    return sorted(map(str, nodes)) == sorted(map(str, graph)) and all(
        graph.has_edge(a, b) for a, b in itertools.pairwise([*nodes, nodes[0]])
    )


def test_every_family_is_tested() -> None:
    assert set(kt.examples.FAMILIES) == SMALL.keys() | LARGER.keys()


@pytest.mark.parametrize("family", SMALL)
def test_the_answer_of_a_small_graph_is_right(family: str) -> None:
    for one in kt.examples.instances(family, **SMALL[family]):  # type: ignore[arg-type]
        graph = one.board.to_networkx()
        assert _has_cycle(graph) == one.is_hamiltonian, one.name
        if one.tour is not None:
            assert _is_cycle(graph, list(one.tour.labels if isinstance(one.board, GraphBoard) else one.tour)), one.name


@pytest.mark.long
@pytest.mark.parametrize("family", LARGER)
def test_a_search_agrees_with_the_theorem(family: str) -> None:
    for one in kt.examples.instances(family, **LARGER[family]):  # type: ignore[arg-type]
        assert kt.solve(one.board, closed=True).status.value == ("found" if one.is_hamiltonian else "impossible"), (
            one.name
        )
        if one.tour is not None:
            nodes = list(one.tour.labels if isinstance(one.board, GraphBoard) else one.tour)
            assert _is_cycle(one.board.to_networkx(), nodes), one.name


@pytest.mark.parametrize("family", SMALL)
def test_sat_solver_finds_the_tour_in_a_graph_formula(family: str) -> None:
    cadical = pytest.importorskip("pysat.solvers").Cadical153
    for one in kt.examples.instances(family, **SMALL[family]):  # type: ignore[arg-type]
        text = io.StringIO()
        one.board.save(text, "cnf")
        lines = [line.split() for line in text.getvalue().splitlines()]
        edges = [(int(line[2]), int(line[3])) for line in lines if line[:2] == ["c", "edge"]]
        formula = [[int(word) for word in line[:-1]] for line in lines if line[0] not in "cp"]
        assert ["p", "cnf", str(max(abs(x) for clause in formula for x in clause)), str(len(formula))] in lines
        with cadical(bootstrap_with=formula) as solver:
            assert solver.solve() == one.is_hamiltonian, one.name
            true = set(solver.get_model() or [])
        arcs = [arc for k, (a, b) in enumerate(edges) for arc, is_true in
                (((a, b), 2 * k + 1 in true), ((b, a), 2 * k + 2 in true)) if is_true]  # fmt: skip
        loops = nx.DiGraph(arcs)
        assert one.is_hamiltonian == (len(arcs) > 0)
        if arcs:
            assert len(arcs) == len(one.board) and nx.is_strongly_connected(loops)


def test_rejects_formulas_without_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "cube.cnf"
    kt.Board.from_graph(nx.cubical_graph()).save(path)
    text = path.read_text()
    for spoilt, said in (
        (text[: len(text) // 2], "is the file truncated"),
        (text.replace("c edge 1 2\n", "c edge 1 9\n"), "a node is not between 1 and 8"),
        (text.replace("c edge 1 2\n", ""), "do not match the graph"),
        (text.replace("c graph", "c graf"), "a problem for a SAT solver, not a graph"),
        ("p cnf 1 1\n1 0\n", "a problem for a SAT solver, not a graph"),
    ):
        path.write_text(spoilt)
        with pytest.raises(kt.FormatError, match=said):
            kt.Board.from_file(path)
    with pytest.raises(kt.FormatError, match="too many clauses"):
        kt.Board.from_graph(nx.complete_graph(400)).save(path)


def test_graphs_match_their_definitions() -> None:
    [petersen] = kt.examples.instances("petersen", n=5, k=2)
    assert nx.is_isomorphic(petersen.board.to_networkx(), nx.petersen_graph())
    [flower] = kt.examples.instances("flower", n=5)
    graph = flower.board.to_networkx()
    assert (len(graph), {degree for _, degree in graph.degree}, nx.girth(graph)) == (20, {3}, 5)
    [torus] = kt.examples.instances("torus", rows=4, cols=7)
    assert nx.is_isomorphic(torus.board.to_networkx(), nx.grid_2d_graph(4, 7, periodic=True))
    [sheehan] = kt.examples.instances("sheehan", m=5)
    assert (len(sheehan.board), sheehan.board.to_networkx().number_of_edges()) == (10, 26)
    assert kt.count(sheehan.board, closed=True) == 1
    for one in kt.examples.instances("cubic", n=range(4, 30, 2), seed=range(4)):
        assert {degree for _, degree in one.board.to_networkx().degree} == {3}
    [holes] = kt.examples.instances("knight-holes", n=8, holes=10)
    assert (len(holes.board), holes.is_hamiltonian) == (54, True)


def test_the_same_seed_gives_the_same_graph() -> None:
    for family, parameters in (("cubic", {"n": 20}), ("knight-holes", {"n": 6, "holes": 4})):
        first, again = (next(kt.examples.instances(family, **parameters, seed=3)) for _ in range(2))
        assert first.board == again.board and first.tour == again.tour
        assert first.board != next(kt.examples.instances(family, **parameters, seed=4)).board


@pytest.mark.parametrize("name", ["petersen:n=5,k=2", "hypohamiltonian:n=5,removed=3", "cubic:n=12,seed=1"])
def test_an_answer_has_a_certificate(name: str) -> None:
    from knightstour.lab.instances.table import read_family

    family, parameters = read_family(name)
    [one] = kt.examples.instances(family, **parameters)
    assert one.name == name
    assert kt.certificates.verify(one.certificate).is_right


@pytest.mark.parametrize(
    ("family", "parameters", "said"),
    [
        ("peterson", {"n": 5}, "unknown family 'peterson'; did you mean 'petersen'?"),
        ("petersen", {}, "the family petersen needs n, nodes of the outer cycle"),
        ("petersen", {"n": 6, "k": 3}, "no graph of the family petersen: k must be less than half of n, 6"),
        ("petersen", {"n": 4}, "n must be 5 or more, not 4"),
        ("petersen", {"n": "7"}, "n must be a whole number, not '7'"),
        ("petersen", {"n": []}, "no value of n is given"),
        ("petersen", {"n": 10**30}, "n must be at most 1,000,000"),
        ("petersen", {"n": range(5, 10**12)}, "more than 1,000,000 values of n are given"),
        ("torus", {"rows": 5, "cols": 10**6}, "cols must be at most 1,000"),
        ("flower", {"n": 6}, "no graph of the family flower: n must be odd, not 6"),
        ("flower", {"n": range(6, 7)}, "no graph of the family flower: n must be odd, not 6"),
        ("cubic", {"n": 6, "sed": 1}, "the family cubic has no parameter 'sed'; did you mean 'seed'?"),
        ("cubic", {"n": 7}, "a graph of degree 3 has an even number of nodes, not 7"),
        ("hypohamiltonian", {"n": 12}, "n must be 5 more than a multiple of 6, not 12"),
        ("hypohamiltonian", {"n": 5, "removed": 11}, "the graph has 10 nodes, and no node 11"),
        ("knight-holes", {"n": 7, "holes": 2}, "n must be even and at least 6, not 7"),
        ("knight-holes", {"n": 6, "holes": 19}, "more than half of the 36 squares would be holes"),
    ],
)
def test_rejects_input_without_a_graph(family: str, parameters: dict[str, int], said: str) -> None:
    with pytest.raises((ProblemError, TypeError)) as error:
        kt.examples.instances(family, **parameters)
    assert said in str(error.value)


def test_range_omits_values_without_a_graph() -> None:
    assert [one.parameters["n"] for one in kt.examples.instances("flower", n=range(4, 10))] == [5, 7, 9]


def test_the_command_writes_graphs_and_answers(tmp_path: Path, run: Run) -> None:
    code, out, err = run("examples", "petersen:n=5..11,k=2", "--format", "graph6")
    assert code == 0 and "7 graphs: 5 have a Hamiltonian cycle, 2 have none" in err
    graphs = [nx.from_graph6_bytes(line.encode()) for line in out.split()]
    assert [len(graph) for graph in graphs] == [10, 12, 14, 16, 18, 20, 22]
    code, out, _ = run("examples", "cubic:n=8,seed=0..1", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    assert [(record["name"], record["is_hamiltonian"]) for record in records] == [
        ("cubic:n=8,seed=0", True),
        ("cubic:n=8,seed=1", True),
    ]
    assert all(len(record["squares"]) == 8 for record in records)
    folder = tmp_path / "graphs"
    code, _, _ = run("examples", "torus:rows=3..4,cols=5", "--format", "dimacs", "-o", f"{folder}/")
    assert code == 0 and sorted(path.name for path in folder.iterdir()) == ["1.col", "2.col", "answers.jsonl"]
    code, _, err = run("convert")
    assert code == 2 and "missing argument 'FILE'" in err


@pytest.mark.parametrize("form", ["cnf", "hcp", "edges", "dimacs", "graph6"])
def test_a_folder_of_instances_has_names_and_an_index(form: str, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "graphs"
    code, _, err = run("examples", "petersen:n=5..7", "--format", form, "-o", str(folder))
    assert code == 0 and "answers.jsonl" in err and "2 have a Hamiltonian cycle, 1 has none" in err
    lines = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    assert [(line["name"], line["is_hamiltonian"]) for line in lines] == [
        ("petersen:n=5,k=2", False),
        ("petersen:n=6,k=2", True),
        ("petersen:n=7,k=2", True),
    ]
    for line, one in zip(lines, kt.examples.instances("petersen", n=range(5, 8)), strict=True):
        text = (folder / line["file"]).read_text()
        assert kt.Board.from_file(folder / line["file"]).to_networkx().number_of_edges() == 3 * len(one.board) // 2
        assert form == "graph6" or line["name"] in text.splitlines()[0]
        if form == "cnf":
            assert text.splitlines()[1] == f"c {'' if one.is_hamiltonian else 'UN'}SATISFIABLE"
    (folder / "letter.txt").write_text("mine")
    code, _, err = run("examples", "petersen:n=5", "--format", form, "-o", str(folder))
    assert code == 2 and "the folder contains other files" in err
