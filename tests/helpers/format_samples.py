"""Tours and files for the tests of formats."""

import io

import networkx as nx

from helpers.both_ways import both_ways
from knightstour.core.formats.table import FORMATS, GRAPH_FORMATS
from knightstour.core.formats.tours import write_tours
from knightstour.core.model.board import Board
from knightstour.core.model.tour import Tour

SMALL = Tour((3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
HOLED = Tour(Board(3, 3, holes=[(1, 1)]), [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)])
WRAPPED = Tour(Board(1, 3, wrap="torus"), [(0, 0), (0, 1), (0, 2)])
ROOK = Tour(Board(2, 2, leaper=(0, 1)), [(0, 0), (0, 1), (1, 1), (1, 0)])
POINT = Tour((1, 1), ["a1"])
GRAPH = Tour(Board.from_graph(nx.petersen_graph()), [0, 1, 2, 3, 4, 9, 6, 8, 5, 7])
NAMED = Tour(Board.from_graph(both_ways({"x": ["y"], ("p", 3): ["y"], "y": []})), ["x", "y", ("p", 3)])

TOUR_FORMATS = [name for name in FORMATS if name not in GRAPH_FORMATS]


def written(format, tours):
    file = io.BytesIO()
    write_tours(file, tours, format)
    return file.getvalue()


class Endless(io.RawIOBase):
    """A file of a terabyte, generated on reading."""

    def __init__(self, first, again):
        self._left, self._again, self.given = first, again, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        parts = [self._left]
        while sum(map(len, parts)) < len(buffer):
            parts.append(self._again())
        data = b"".join(parts)
        buffer[:] = data[: len(buffer)]
        self._left = data[len(buffer) :]
        self.given += len(buffer)
        assert self.given < 20_000_000, "noise was read on and on"
        return len(buffer)
