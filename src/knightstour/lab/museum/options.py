"""Options of the methods of the museum: names, values and defaults. Does not import NumPy."""

from __future__ import annotations

from typing import Final

from knightstour.core.model.option import Option, by_name

UPDATES: Final[dict[str, str]] = {
    "asynchronous": "one neuron after the other, in random order",
    "synchronous": "all at once",
}
OF_NEURAL: Final = by_name(
    Option("update", str, "order in which neurons are updated", choices=UPDATES, default="asynchronous")
)

COVERS: Final[dict[str, str]] = {"greedy": "walks by Warnsdorff's rule", "random": "any order of the squares"}
TURNS: Final = 100
OF_ANNEALING: Final = by_name(
    Option("cover", str, "the first paths", choices=COVERS, default="greedy"),
    Option("hot", float, "first temperature (default: 1 / ln(10 n) for n squares)", above=0),
    Option("cold", float, "last temperature (default: half of the first)", above=0),
    Option(
        "turns",
        int,
        "proposed changes per square in one run from hot to cold",
        least=1,
        most=(1 << 40) - 1,
        default=TURNS,
    ),
)

KINDS: Final[dict[str, str]] = {
    "bits": "a string of bits that encodes the moves of a walk",
    "segments": "lines of all squares, whose children inherit links of both parents",
}
# By kind: number of members of the population, and thousandths of the genes that change randomly.
POPULATION: Final = {"bits": 500, "segments": 20}
MUTATION: Final = {"bits": 20, "segments": 5}
GENERATIONS: Final = 30
REPAIR: Final = 100
OF_GENETIC: Final = by_name(
    Option("kind", str, "representation of a member", choices=KINDS, default="segments"),
    Option(
        "population",
        int,
        "members of the population (default: 500 of kind bits, 20 of kind segments)",
        least=1,
        most=10**6,
    ),
    Option(
        "generations", int, "generations before a new population is founded", least=1, most=10**9, default=GENERATIONS
    ),
    Option(
        "repair",
        int,
        "percentage of possible repairs to make; at most 100 for bits",
        least=0,
        most=1000,
        default=REPAIR,
    ),
    Option(
        "mutation",
        int,
        "thousandths of the genes that change randomly (default: 20 of kind bits, 5 of kind segments)",
        least=0,
        most=1000,
    ),
)
