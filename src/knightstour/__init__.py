"""Knight's tours and other Hamiltonian paths: find, count, sample, check, draw.

    kt.find_tour("8x8", closed=True)         a Tour, or NoTour with the reason
    kt.solve("8x8:torus", start="a1")        a Result: found, impossible or undecided
    kt.count("6x6", closed=True)             9862
    kt.sample("8x8", 1000, seed=1)           random tours as an array
    kt.check("tour.txt")                     valid, or the first invalid step
    kt.draw(tour, style="curve").save("t.svg")
    kt.make_puzzle("6x6", level="hard")

A board is "8x8", (8, 8), "8x8:king", "8x8:torus", "4x4x4", "hex:6", a Board, a path object, or a NetworkX graph.
Squares are "a1" (bottom left) or (row, col) from the top left. `kt.Problem` lists the conditions (given, require, ...).
Further names are in kt.certificates, kt.constructions, kt.datasets, kt.examples, kt.notebook, kt.puzzles,
kt.sequences and kt.typing.
"""

from __future__ import annotations

from knightstour import _names
from knightstour import _plugins as _plugins

__getattr__, __dir__, __all__ = _names.attach(__name__, __file__)

__version__ = "0.2.0.dev0"
