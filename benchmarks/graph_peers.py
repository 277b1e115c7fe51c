"""Hamiltonian cycles of graphs beside CP-SAT: whole processes, processor seconds. Writes the table of docs/graphs.md.

    python benchmarks/graph_peers.py [--python PYTHON] [NAME ...]        or with PEERS_PYTHON=PYTHON

PYTHON has ortools (pip install ortools); without it only ours is measured. Both programs get the same graph with its
nodes shuffled, one worker, and LIMIT processor seconds, after which the system ends them. Each answer is compared with
the theorem or the construction that says what it must be.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import networkx as nx
from measure import clean_environment, knightstour, row, table, yardstick

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from helpers.graph_families import flower, petersen, sheehan

LIMIT = 10
PEER = Path(__file__).parent / "peers" / "graph_circuit.py"


def hexagons(n: int) -> nx.Graph:
    """n x n hexagons on a torus."""
    cells = [(i, j) for i in range(n) for j in range(n)]
    near = ((0, 0), (1, 0), (0, 1))
    return nx.Graph(((i, j, "a"), ((i + x) % n, (j + y) % n, "b")) for i, j in cells for x, y in near)


# Name -> (how it is made, the right answer).
GRAPHS: dict[str, tuple[Callable[[], nx.Graph], str]] = {
    "dodecahedron": (nx.dodecahedral_graph, "found"),
    "5-cube": (lambda: nx.hypercube_graph(5), "found"),
    "K(20,21)": (lambda: nx.complete_bipartite_graph(20, 21), "impossible"),
    "flower snark J21": (lambda: flower(21), "impossible"),
    "flower snark J251": (lambda: flower(251), "impossible"),
    "G(101,2)": (lambda: petersen(101, 2), "impossible"),
    "G(499,2)": (lambda: petersen(499, 2), "found"),
    "G(503,2)": (lambda: petersen(503, 2), "impossible"),
    "random cubic, 1,000": (lambda: nx.random_regular_graph(3, 1000, seed=1), "found"),
    "random cubic, 2,000": (lambda: nx.random_regular_graph(3, 2000, seed=1), "found"),
    "hexagons on a torus": (lambda: hexagons(22), "found"),
    "a single cycle": (lambda: sheehan(500), "found"),
}


def shuffled(graph: nx.Graph) -> nx.Graph:
    """The graph with the nodes 0, 1, ... in an order drawn at random, the same each time."""
    numbers = list(range(len(graph)))
    random.Random(1).shuffle(numbers)
    made = nx.Graph()
    made.add_nodes_from(range(len(graph)))
    made.add_edges_from(nx.relabel_nodes(graph, dict(zip(graph, numbers, strict=True))).edges)
    return made


def once(words: Sequence[str]) -> tuple[str, float]:
    """What a process printed, and its processor seconds; nothing where the limit ended it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        words,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode < 0 and seconds > 0.95 * LIMIT:
        return "", seconds
    if done.returncode not in (0, 1):
        raise SystemExit(f"{words}: exit code {done.returncode} after {seconds:.1f} s\n{done.stderr}")
    return done.stdout.strip(), seconds


def answered(words: Sequence[str], expected: str) -> float | None:
    """The median of the processor seconds of three runs, or None where the first one came to no answer."""
    seconds = []
    for _ in range(3):
        said, took = once(words)
        answer = json.loads(said)["status"] if said.startswith("{") else said
        if answer in ("", "undecided"):
            return None
        if answer != expected:
            raise SystemExit(f"{words}: {answer}, and {expected} is right")
        seconds.append(took)
    return median(seconds)


def compare(name: str, folder: Path, python: str | None) -> None:
    """The row of a graph. The first run of ours is not counted: it may compile."""
    make, expected = GRAPHS[name]
    graph = shuffled(make())
    packed, edges = folder / "graph.s6", folder / "edges.txt"
    nx.write_sparse6(graph, packed, header=False)
    edges.write_text("".join(f"{a} {b}\n" for a, b in graph.edges))
    ours = knightstour("solve", str(packed), "--closed", "--json", "--timeout", "inf")
    once(ours)
    y = yardstick()
    our_seconds = answered(ours, expected)
    their_seconds = None if python is None else answered([python, str(PEER), str(len(graph)), str(edges)], expected)
    ratio = "" if our_seconds is None or their_seconds is None else f"{our_seconds / their_seconds:.2g}"
    theirs = ["not installed", ""] if python is None else _cells(their_seconds, y)
    row(name, f"{len(graph):,}", f"{graph.number_of_edges():,}", expected, *_cells(our_seconds, y), *theirs, ratio)


def _cells(seconds: float | None, y: float) -> list[str]:
    return [f"{seconds:.2f}", f"{seconds / y:.0f}"] if seconds is not None else [f"none in {LIMIT}", ""]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("PEERS_PYTHON", sys.executable)
    parser.add_argument("--python", default=default, help="the Python that has ortools")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these graphs; default all")
    asked = parser.parse_args()
    has_it = subprocess.run([asked.python, "-c", "import ortools"], stderr=subprocess.DEVNULL, check=False)
    python = asked.python if has_it.returncode == 0 else None
    table("graph", "nodes", "edges", "answer", "ours, s", "y", "CP-SAT, s", "y", "ratio")
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.names or GRAPHS:
            compare(name, Path(folder), python)


if __name__ == "__main__":
    main()
