"""METHODS: the methods in one table.

A method is one function, `name(problem, budget, seed, **options) -> Outcome`, and one row here. The command line,
`knightstour methods`, the page, the documentation and the tests read the rows, so there is nothing else to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from knightstour.constructions import explicit
from knightstour.methods import portfolio
from knightstour.methods.auto import auto
from knightstour.model.errors import MethodError
from knightstour.model.option import Option, by_name, checked_options
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome
from knightstour.model.validation import one_of
from knightstour.search import backtracking, merging, rotation, sat, shared_backtracking, warnsdorff
from knightstour.search.cycle_graph import why_not_listed
from knightstour.search.frontier import exact
from knightstour.search.museum import annealing, ants, genetic, neural
from knightstour.search.objectives import straight


@dataclass(frozen=True, slots=True)
class Method:
    """A row of METHODS.

    run: run(problem, budget, seed, **options) -> Outcome.
    summary, source: for people: what it does, and who described it.
    why_not: a sentence why it cannot be asked this, or None where it can.
    complete: running dry proves that there is no tour.
    varies: another seed gives another tour.
    options: the keyword arguments of `run`, each an Option, by name.
    varied: options that make it vary more, taken when several tours are asked for and the person did not choose.
    watchable: reports its steps to a Trace; the others only the tour they find.
    shares: takes `workers`, among which its work is shared out.
    proves: asks theorems and arguments itself; the others are asked only where none of these answers.
    """

    run: Callable[..., Outcome]
    summary: str
    source: str
    why_not: Callable[[Problem], str | None] = lambda problem: None
    complete: bool = False
    varies: bool = True
    options: Mapping[str, Option] = field(default_factory=dict)
    varied: Mapping[str, Any] = field(default_factory=dict)
    watchable: bool = False
    shares: bool = False
    proves: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON knows it: for `methods --json` and the page."""
        names = ("summary", "source", "complete", "varies", "watchable", "shares")
        return {
            **{name: getattr(self, name) for name in names},
            "options": {name: option.to_dict() for name, option in self.options.items()},
        }


_UPDATE = Option("update", str, "how neurons take their steps", choices=neural.UPDATES, default="asynchronous")

METHODS: dict[str, Method] = {
    "auto": Method(
        auto,
        "constructs the tour, or proves that there is none, or searches: small boards completely, others by turns",
        "the methods below",
        complete=True,
        watchable=True,
        proves=True,
    ),
    "explicit": Method(
        explicit.explicit,
        "builds the tour of any rectangle, of any size, from fixed tiles and one small searched window",
        "the project's own construction, after Parberry 1997 and Cull & De Curtins 1978",
        explicit.why_not_explicit,
        complete=True,
        varies=False,
        proves=True,
    ),
    "backtracking": Method(
        shared_backtracking.first_tour,
        "tries the moves in a fixed order and takes the last one back at a dead end",
        "the textbooks' method since the 1960s",
        complete=True,
        varies=False,
        options=by_name(
            Option(
                "order",
                str,
                "order of the moves: " + ", ".join(backtracking.ORDERS) + " or digits such as 13572468",
                default="classic",
                examples=tuple(backtracking.ORDERS),
                check=backtracking.check_order,
            ),
            Option(
                "prune",
                str,
                "what is cut early: all, none or some of " + ",".join(backtracking.PRUNINGS),
                default="none",
                examples=("all", "none", *backtracking.PRUNINGS),
                check=backtracking.pruning_bits,
            ),
        ),
        watchable=True,
        shares=True,
    ),
    "warnsdorff": Method(
        warnsdorff.warnsdorff,
        "goes to the square with the fewest ways on; at a dead end back to the latest tie",
        "von Warnsdorff 1823; Pohl 1967; Roth; Squirrel & Cull 1996",
        options=by_name(
            Option("ties", str, "how ties are broken", choices=dict.fromkeys(warnsdorff.TIES, ""), default="roth"),
            Option(
                "critical_budget",
                int,
                "dead ends that are mended at the latest tie before it starts afresh",
                least=0,
                default=warnsdorff.CRITICAL_BUDGET,
            ),
        ),
        varied=warnsdorff.VARIED,
        watchable=True,
    ),
    "merge": Method(
        merging.merge,
        "covers the board with small loops and joins them until one is left",
        "de Moivre, Roget; in this form: loop merging",
        merging.why_not_merge,
        options=by_name(merging.RANDOMNESS_OPTION),
        watchable=True,
    ),
    "rotation": Method(
        rotation.rotation,
        "grows a path by Warnsdorff's rule and turns its end round where it is stuck",
        "Posa 1976",
        watchable=True,
    ),
    "neural": Method(
        neural.neural,
        "a neural network in which every square wants two moves; starts again until they make a single loop",
        "Takefuji & Lee 1992; Parberry 1996",
        why_not_listed,
        options=by_name(_UPDATE),
        watchable=True,
    ),
    "neural+merge": Method(
        neural.neural_merge,
        "the same network, and the loops in which it comes to rest are joined",
        "Takefuji & Lee 1992; loop merging",
        why_not_listed,
        options=by_name(_UPDATE),
        watchable=True,
    ),
    "annealing": Method(
        annealing.annealing,
        "covers the board with paths and turns parts of them round, some for the worse while it is hot",
        "Kirkpatrick, Gelatt & Vecchi 1983; Croes 1958",
        why_not_listed,
        options=by_name(
            Option("cover", str, "the first paths", choices=annealing.COVERS, default="greedy"),
            Option("hot", float, "the first temperature, 1 / ln(10 n) for n squares if none is given", above=0),
            Option("cold", float, "the last temperature, half of the first if none is given", above=0),
            Option(
                "turns",
                int,
                "turns proposed a square while it cools",
                least=1,
                most=(1 << 40) - 1,
                default=annealing.TURNS,
            ),
        ),
        watchable=True,
    ),
    "ants": Method(
        ants.ants,
        "walks that choose their moves by the scent that earlier and longer ones have left",
        "Hingston & Kendall 2005",
        why_not_listed,
        options=by_name(
            Option("ants", int, "ants in a round", least=1, most=10**6, default=ants.ANTS),
            Option(
                "fading",
                int,
                "how much of the scent fades after a round, in thousandths",
                least=0,
                most=1000,
                default=ants.FADING,
            ),
            Option(
                "sight",
                int,
                "how much squares with few ways on are preferred; 0 sees only scent",
                least=0,
                most=ants.MOST_SIGHT,
                default=ants.SIGHT,
            ),
        ),
        watchable=True,
    ),
    "genetic": Method(
        genetic.genetic,
        "a population of half-made tours, whose children inherit moves from two of them",
        "Gordon & Slocum 2004; Whitley, Starkweather & Fuquay 1989",
        why_not_listed,
        options=by_name(
            Option("kind", str, "what a member is", choices=genetic.KINDS, default="segments"),
            Option("population", int, "its members; 500 of bits, 20 of segments if none is given", least=1, most=10**6),
            Option(
                "generations",
                int,
                "how many until a new population is founded",
                least=1,
                most=10**9,
                default=genetic.GENERATIONS,
            ),
            Option(
                "repair",
                int,
                "percentage of what may be repaired that is; at most 100 of bits",
                least=0,
                most=1000,
                default=genetic.REPAIR,
            ),
            Option(
                "mutation",
                int,
                "thousandths of the genes that change by chance; 20 of bits, 5 of segments if none is given",
                least=0,
                most=1000,
            ),
        ),
        watchable=True,
    ),
    "exact": Method(
        exact.exact,
        "makes all states of a frontier: finds a tour or proves that there is none",
        "frontier method: Knuth, TAOCP 4A (simpath); Minato 2013",
        exact.why_not_exact,
        complete=True,
        varies=False,
    ),
    "straight": Method(
        straight.straight,
        "lays straight lines, turned back at the borders: large closed tours with few turns and crossings",
        "after Besa, Johnson, Mamano, Osegueda & Williams 2022",
        straight.why_not_straight,
    ),
    "sat": Method(
        sat.sat,
        "a SAT solver chooses two moves at every square and is told of each loop that is too short",
        "CaDiCaL 2023; Dantzig, Fulkerson & Johnson 1954",
        sat.why_not_sat,
        complete=True,
        watchable=True,
    ),
    "portfolio": Method(
        portfolio.portfolio,
        "runs several methods in processes side by side; the first answer wins",
        "Huberman, Lukose & Hogg 1997",
        complete=True,
        shares=True,
    ),
}


def checked_method(
    problem: Problem, name: str, options: Mapping[str, Any], workers: Any = None
) -> tuple[Method, dict[str, Any]]:
    """The row of METHODS and its checked options, if it can be asked this; else a MethodError that says why."""
    row = METHODS[one_of(name, METHODS, "method", error=MethodError)]
    for option in options:
        if option not in row.options:
            owners = [other for other, row in METHODS.items() if option in row.options]
            raise MethodError(
                f"method {name} has no option {option!r}",
                help=f"{option} goes with method {' or '.join(owners)}" if owners else "see knightstour methods",
            )
    if workers is not None and not row.shares:
        owners = [other for other, row in METHODS.items() if row.shares]
        raise MethodError(f"method {name} does not share its work out", help=f"workers go with {' or '.join(owners)}")
    excuse = row.why_not(problem)
    if excuse is not None:
        raise MethodError(f"method {name} does not apply: {excuse}", help="use method auto, or see knightstour methods")
    return row, checked_options(row.options, options, f"method {name}")
