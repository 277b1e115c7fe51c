"""METHODS: the methods in one table.

A method is one function, `name(problem, budget, seed, **options) -> Outcome`, and one row here. The command line,
`knightstour explain`, the page, the documentation and the tests read the rows, so there is nothing else to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from knightstour.core.methods.pseudocode import PSEUDOCODE, Line
from knightstour.core.model.arguments import meant_by
from knightstour.core.model.errors import MethodError
from knightstour.core.model.late import Late
from knightstour.core.model.option import Option, checked_options
from knightstour.core.model.validation import one_of
from knightstour.core.search import options

if TYPE_CHECKING:
    from knightstour.core.model.budget import Budget
    from knightstour.core.model.problem import Problem
    from knightstour.core.model.result import Outcome


@dataclass(frozen=True, slots=True)
class Method:
    """A row of METHODS.

    run: run(problem, budget, seed, **options) -> Outcome.
    summary, source: for people: what it does, and who described it.
    why_not: a sentence why it cannot be asked this, or None where it can.
    complete: running dry proves that there is no tour.
    also_proves: the boards that it proves to have no tour although it is not complete, in words.
    varies: another seed gives another tour.
    options: the keyword arguments of `run`, each an Option, by name.
    varied: options that make it vary more, taken when several tours are asked for and the person did not choose.
    watchable: reports its steps to a Trace; the others only the tour they find.
    shares: takes `workers`, among which its work is shared out.
    proves: asks theorems and arguments itself; the others are asked only where none of these answers.
    takes: what else may be asked: of given, through, avoid and symmetry, as Problem has them.
    is_whole: gets the question with its conditions. The others get it as one about a graph, see
    core/search/conditioned.py.
    pseudocode: what it does, line by line, each with the moments of a watched search at which it is shown.
    """

    run: Callable[..., Outcome]
    summary: str
    source: str
    why_not: Callable[[Problem], str | None] = lambda problem: None
    complete: bool = False
    also_proves: str = ""
    varies: bool = True
    options: Mapping[str, Option] = field(default_factory=dict)
    varied: Mapping[str, object] = field(default_factory=dict)
    watchable: bool = False
    shares: bool = False
    proves: bool = False
    takes: frozenset[str] = frozenset()
    is_whole: bool = False
    pseudocode: tuple[Line, ...] = ()

    def ask(self, problem: Problem, budget: Budget, seed: int, **options: object) -> Outcome:
        """What it answers; its tour is not checked yet."""
        if not problem.asked or self.is_whole:
            return self.run(problem, budget, seed, **options)
        return _answer(self.run, problem, budget, seed, is_complete=self.complete, **options)

    def excuse(self, problem: Problem) -> str | None:
        """A sentence why it cannot be asked this, whatever is asked; None where it can."""
        if not problem.asked:
            return self.why_not(problem)
        excuse = problem.not_taken(self.takes) or _why_not_listed(problem)
        if excuse is not None:
            return excuse
        return self.why_not(problem) if self.is_whole else _why_not_reduced(self.why_not, problem)

    @property
    def proves_impossible(self) -> str:
        """Of which boards it can prove that they have no tour: "all", some of them in words, or "none"."""
        return "all" if self.complete else self.also_proves or "none"

    def to_dict(self) -> dict[str, object]:
        """The row as JSON knows it: for `methods --json` and the page."""
        names = ("summary", "source", "complete", "proves_impossible", "varies", "watchable", "shares")
        return {
            **{name: getattr(self, name) for name in names},
            "takes": sorted(self.takes),
            "options": {name: option.to_dict() for name, option in self.options.items()},
            "pseudocode": [line.to_dict() for line in self.pseudocode],
        }


_auto = Late("knightstour.core.methods.auto")
_portfolio = Late("knightstour.core.methods.portfolio")
_explicit = Late("knightstour.core.constructions.explicit")
_shared_backtracking = Late("knightstour.core.search.shared_backtracking")
_warnsdorff = Late("knightstour.core.search.warnsdorff")
_merging = Late("knightstour.core.search.merging")
_rotation = Late("knightstour.core.search.rotation")
_sat = Late("knightstour.core.search.sat")
_exact = Late("knightstour.core.search.frontier.exact")
_clues = Late("knightstour.core.search.clues")
_annealing = Late("knightstour.lab.museum.annealing")
_ants = Late("knightstour.lab.museum.ants")
_genetic = Late("knightstour.lab.museum.genetic")
_neural = Late("knightstour.lab.museum.neural")
_straight = Late("knightstour.lab.objectives.straight")
_answer = Late("knightstour.core.search.conditioned").answer
_why_not_reduced = Late("knightstour.core.search.conditioned").why_not_reduced
_why_not_listed = Late("knightstour.core.model.cycle_graph").why_not_listed

# What every method takes that takes graphs.
_ON_GRAPHS: Final = frozenset({"through", "avoid", "symmetry"})

METHODS: dict[str, Method] = {
    "auto": Method(
        _auto.auto,
        "constructs the tour, or proves that there is none, or searches: small boards completely, others by turns",
        "the methods below",
        _auto.why_not_auto,
        complete=True,
        watchable=True,
        proves=True,
        takes=_ON_GRAPHS | {"given"},
        is_whole=True,
        pseudocode=PSEUDOCODE["auto"],
    ),
    "explicit": Method(
        _explicit.explicit,
        "builds the tour of any rectangle, of any size, from fixed tiles and one small searched window",
        "the project's own construction, after Parberry 1997 and Cull & De Curtins 1978",
        _explicit.why_not_explicit,
        complete=True,
        varies=False,
        proves=True,
        pseudocode=PSEUDOCODE["explicit"],
    ),
    "backtracking": Method(
        _shared_backtracking.backtracking,
        "tries the moves in a fixed order and takes the last one back at a dead end",
        "the textbooks' method since the 1960s",
        complete=True,
        varies=False,
        options=options.OF_BACKTRACKING,
        watchable=True,
        shares=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["backtracking"],
    ),
    "warnsdorff": Method(
        _warnsdorff.warnsdorff,
        "goes to the square with the fewest ways on; at a dead end back to the latest tie",
        "von Warnsdorff 1823; Pohl 1967; Roth; Squirrel & Cull 1996",
        options=options.OF_WARNSDORFF,
        varied=options.VARIED,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["warnsdorff"],
    ),
    "merge": Method(
        _merging.merge,
        "covers the board with small loops and joins them until one is left",
        "de Moivre, Roget; in this form: loop merging",
        _why_not_listed,
        also_proves="boards that no loops can cover",
        options=options.OF_MERGE,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["merge"],
    ),
    "rotation": Method(
        _rotation.rotation,
        "grows a path by Warnsdorff's rule and turns its end round where it is stuck",
        "Posa 1976",
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["rotation"],
    ),
    "neural": Method(
        _neural.neural,
        "a neural network in which every square wants two moves; starts again until they make a single loop",
        "Takefuji & Lee 1992; Parberry 1996",
        _why_not_listed,
        options=options.OF_NEURAL,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["neural"],
    ),
    "neural+merge": Method(
        _neural.neural_merge,
        "the same network, and the loops in which it comes to rest are joined",
        "Takefuji & Lee 1992; loop merging",
        _why_not_listed,
        options=options.OF_NEURAL,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["neural+merge"],
    ),
    "annealing": Method(
        _annealing.annealing,
        "covers the board with paths and turns parts of them round, some for the worse while it is hot",
        "Kirkpatrick, Gelatt & Vecchi 1983; Croes 1958",
        _why_not_listed,
        options=options.OF_ANNEALING,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["annealing"],
    ),
    "ants": Method(
        _ants.ants,
        "walks that choose their moves by the scent that earlier and longer ones have left",
        "Hingston & Kendall 2005",
        _why_not_listed,
        options=options.OF_ANTS,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["ants"],
    ),
    "genetic": Method(
        _genetic.genetic,
        "a population of half-made tours, whose children inherit moves from two of them",
        "Gordon & Slocum 2004; Whitley, Starkweather & Fuquay 1989",
        _why_not_listed,
        options=options.OF_GENETIC,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["genetic"],
    ),
    "exact": Method(
        _exact.exact,
        "makes all states of a frontier: finds a tour or proves that there is none",
        "frontier method: Knuth, TAOCP 4A (simpath); Minato 2013",
        _exact.why_not_exact,
        complete=True,
        varies=False,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["exact"],
    ),
    "straight": Method(
        _straight.straight,
        "lays straight lines, turned back or folded: large closed tours with few turns or few crossings",
        "after Besa, Johnson, Mamano, Osegueda & Williams 2022; Mamano 2026",
        _straight.why_not_straight,
        options=options.OF_STRAIGHT,
        pseudocode=PSEUDOCODE["straight"],
    ),
    "sat": Method(
        _sat.sat,
        "a SAT solver chooses two moves at every square, and each loop that is too short becomes a new condition",
        "CaDiCaL 2023; Dantzig, Fulkerson & Johnson 1954",
        _sat.why_not_sat,
        complete=True,
        watchable=True,
        takes=_ON_GRAPHS,
        pseudocode=PSEUDOCODE["sat"],
    ),
    "clues": Method(
        _clues.clues,
        "keeps the steps left for each square and the moves left between them, and tries where they are fewest",
        "Mackworth 1977; Freuder 1978; Rubin 1974; Gomes, Selman & Kautz 1998",
        _clues.why_not_clues,
        complete=True,
        takes=frozenset({"given", "through", "avoid"}),
        is_whole=True,
        pseudocode=PSEUDOCODE["clues"],
    ),
    "portfolio": Method(
        _portfolio.portfolio,
        "runs several methods in processes side by side; the first answer wins",
        "Huberman, Lukose & Hogg 1997",
        complete=True,
        shares=True,
        takes=_ON_GRAPHS,
        is_whole=True,
        pseudocode=PSEUDOCODE["portfolio"],
    ),
}


# What every method is asked, besides its options.
_ASKED = ("board", "closed", "start", "end", "given", "through", "avoid", "symmetry", "method", "rng", "limits", "n")


def checked_method(
    problem: Problem, name: str, options: Mapping[str, object], workers: object = None
) -> tuple[Method, dict[str, object]]:
    """The row of METHODS and its checked options, if it can be asked this; else a MethodError that says why."""
    row = METHODS[one_of(name, METHODS, "method", error=MethodError)]
    for option in options:
        if option not in row.options:
            owners = [other for other, row in METHODS.items() if option in row.options]
            raise MethodError(
                f"method {name} has no option {option!r}",
                help=f"{option} goes with method {' or '.join(owners)}"
                if owners
                else meant_by(option, (*row.options, *_ASKED)) or f"see knightstour explain {name}",
            )
    if workers is not None and not row.shares:
        owners = [other for other, row in METHODS.items() if row.shares]
        raise MethodError(f"method {name} does not share its work", help=f"workers go with {' or '.join(owners)}")
    excuse = row.excuse(problem)
    if excuse is not None:
        raise MethodError(f"method {name} does not apply: {excuse}", help="use method auto, or see knightstour explain")
    return row, checked_options(row.options, options, f"method {name}")
