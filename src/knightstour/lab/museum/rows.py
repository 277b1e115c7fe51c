"""The methods of the museum as rows of METHODS (core/methods/table.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.methods.pseudocode import Line
from knightstour.core.methods.table import METHODS, ON_GRAPHS, Method
from knightstour.core.model.lazy import Lazy
from knightstour.lab.museum import options

if TYPE_CHECKING:
    from knightstour.core.model import cycle_graph as _cycle_graph
    from knightstour.lab.museum import annealing as _annealing
    from knightstour.lab.museum import genetic as _genetic
    from knightstour.lab.museum import neural as _neural
else:
    _annealing = Lazy("knightstour.lab.museum.annealing")
    _genetic = Lazy("knightstour.lab.museum.genetic")
    _neural = Lazy("knightstour.lab.museum.neural")
    _cycle_graph = Lazy("knightstour.core.model.cycle_graph")

_NETWORK = (
    Line("make a neuron for each move, on or off", ("stage",)),
    Line("repeat:"),
    Line("  for each neuron: add charge if its squares lack moves, remove charge if they have too many"),
    Line("  switch on the neurons with high potential, and off the neurons with low potential", ("sweep",)),
    Line("  if nothing changes: the network is at rest", ("rest",)),
)

METHODS["neural"] = Method(
    _neural.neural,
    "a neural network with two active moves at each square; restarts until they form a single loop",
    "Takefuji & Lee 1992; Parberry 1996",
    _cycle_graph.why_not_listed,
    options=options.OF_NEURAL,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        *_NETWORK,
        Line("    if in a single loop: that is the tour", ("tour",)),
        Line("    otherwise, or after too many rounds: restart with random charges", ("restart",)),
    ),
)

METHODS["neural+merge"] = Method(
    _neural.neural_merge,
    "the same network; the loops of its result are joined",
    "Takefuji & Lee 1992; loop merging",
    _cycle_graph.why_not_listed,
    options=options.OF_NEURAL,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        *_NETWORK,
        Line("    while there are several loops: exchange moves so that two become one", ("join",)),
        Line("      if no two can be joined: exchange moves at random", ("repair",)),
        Line("    the last loop is the tour", ("tour",)),
        Line("  after too many rounds: restart with random charges", ("restart",)),
    ),
)

METHODS["annealing"] = Method(
    _annealing.annealing,
    "covers the board with paths and reverses parts of them, accepting worse covers while the temperature is high",
    "Kirkpatrick, Gelatt & Vecchi 1983; Croes 1958",
    _cycle_graph.why_not_listed,
    options=options.OF_ANNEALING,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        Line("cover the board with paths", ("stage", "cover")),
        Line("while it cools:"),
        Line("  choose a part of the line of squares, and reverse it if"),
        Line("    that closes a gap", ("better",)),
        Line("    or adds no gap", ("equal",)),
        Line("    or adds a gap, with a probability that falls with the temperature", ("worse",)),
        Line("if gaps are left: restart", ("restart",)),
        Line("without a gap the line is the tour", ("tour",)),
    ),
)

METHODS["genetic"] = Method(
    _genetic.genetic,
    "a population of partial tours, whose children inherit moves from two of them",
    "Gordon & Slocum 2004; Whitley, Starkweather & Fuquay 1989",
    _cycle_graph.why_not_listed,
    options=options.OF_GENETIC,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        Line("create a random population", ("stage",)),
        Line("for each generation:"),
        Line("  choose two parents, good ones more often"),
        Line("  the child inherits moves from both; some change randomly"),
        Line("  repair it if that makes it longer", ("child", "walk")),
        Line("  it replaces a worse member"),
        Line("after too many generations: found a new population", ("restart",)),
        Line("if a child visits all squares: that is the tour", ("tour",)),
    ),
)
