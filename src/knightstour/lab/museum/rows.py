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
    Line("  for each neuron: more charge if its squares lack moves, less if they have too many"),
    Line("  switch on the neurons with high potential, and off those with low potential", ("sweep",)),
    Line("  if nothing changes: the network is at rest", ("rest",)),
)

METHODS["neural"] = Method(
    _neural.neural,
    "a neural network in which every square wants two moves; restarts until they make a single loop",
    "Takefuji & Lee 1992; Parberry 1996",
    _cycle_graph.why_not_listed,
    options=options.OF_NEURAL,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        *_NETWORK,
        Line("    if in a single loop: that is the tour", ("tour",)),
        Line("    else, or after too many rounds: begin again with random charges", ("restart",)),
    ),
)

METHODS["neural+merge"] = Method(
    _neural.neural_merge,
    "the same network; the loops in which it rests are joined",
    "Takefuji & Lee 1992; loop merging",
    _cycle_graph.why_not_listed,
    options=options.OF_NEURAL,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        *_NETWORK,
        Line("    while there are several loops: exchange moves so that two become one", ("join",)),
        Line("      if no two can be joined: exchange moves at random, to get on", ("repair",)),
        Line("    the loop that is left is the tour", ("tour",)),
        Line("  after too many rounds: begin again with random charges", ("restart",)),
    ),
)

METHODS["annealing"] = Method(
    _annealing.annealing,
    "covers the board with paths and turns parts of them round, some for the worse while it is hot",
    "Kirkpatrick, Gelatt & Vecchi 1983; Croes 1958",
    _cycle_graph.why_not_listed,
    options=options.OF_ANNEALING,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        Line("cover the board with paths", ("stage", "cover")),
        Line("while it cools:"),
        Line("  choose a part of the line of squares, and turn it round if"),
        Line("    that closes a gap", ("better",)),
        Line("    or changes nothing for the worse", ("equal",)),
        Line("    or makes it worse, with a chance that falls with the temperature", ("worse",)),
        Line("if gaps are left: begin again", ("restart",)),
        Line("without a gap the line is the tour", ("tour",)),
    ),
)

METHODS["genetic"] = Method(
    _genetic.genetic,
    "a population of half-made tours, whose children inherit moves from two of them",
    "Gordon & Slocum 2004; Whitley, Starkweather & Fuquay 1989",
    _cycle_graph.why_not_listed,
    options=options.OF_GENETIC,
    watchable=True,
    ways=ON_GRAPHS,
    pseudocode=(
        Line("make a population at random", ("stage",)),
        Line("for each generation:"),
        Line("  choose two parents, good ones more often"),
        Line("  the child inherits moves from both; some change by chance"),
        Line("  repair it if that makes it longer", ("child", "walk")),
        Line("  it takes the place of a worse one"),
        Line("after too many generations: found a new population", ("restart",)),
        Line("if a child visits all squares: that is the tour", ("tour",)),
    ),
)
