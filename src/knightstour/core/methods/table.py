"""METHODS: the table of methods.

A method is a function, `name(problem, budget, seed, **options) -> Outcome`, and a row. The command line, `knightstour
explain`, the page, the documentation and the tests read the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from knightstour.core.methods.pseudocode import PSEUDOCODE, Line
from knightstour.core.model.arguments import meant_by
from knightstour.core.model.condition_table import IMAGES, LISTED, MOVES, PARTIAL, STEPS, conditions_of, question_names
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.lazy import Lazy, Table, load_function
from knightstour.core.model.option import Option, checked_options
from knightstour.core.model.problem import (
    checked_conditions,
    condition_names,
    is_numbered,
    why_not_supported,
    without_checked,
)
from knightstour.core.model.validation import one_of
from knightstour.core.search import options

if TYPE_CHECKING:
    from knightstour.core.model.budget import Budget
    from knightstour.core.model.problem import Problem
    from knightstour.core.model.result import Outcome


@dataclass(frozen=True, slots=True, repr=False)
class Method:
    """Row of METHODS.

    Attributes:
        run: run(problem, budget, seed, **options) -> Outcome.
        summary, source: Description, and origin.
        why_not: Function that returns the reason why `run` does not support a problem, or None; the method
            `why_unsupported` checks the conditions, too.
        complete: Whether an exhausted search proves that there is no tour.
        also_proves: Boards whose impossibility an incomplete method can prove.
        varies: Whether the tour depends on the seed.
        options: Keyword arguments of `run`, by name.
        varied: Default options for several tours.
        watchable: Whether it reports its steps to a Trace.
        shares: Whether it supports `workers`.
        proves: Whether it runs theorems and arguments itself.
        ways: Kinds of search conditions that it supports (core/model/condition_table.py).
        is_whole: Whether it handles conditions itself. Other methods receive a reduced graph
            (core/search/conditioned.py).
        pseudocode: Its lines.
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
    ways: tuple[str, ...] = ()
    is_whole: bool = False
    pseudocode: tuple[Line, ...] = ()

    def run_on(self, problem: Problem, budget: Budget, seed: int, **options: object) -> Outcome:
        """Run the method. Its tour is not checked yet."""
        if not condition_names(problem) or self.is_whole:
            outcome: Outcome = load_function(self.run)(problem, budget, seed, **options)
            return outcome
        from knightstour.core.search.conditioned import run_reduced

        return run_reduced(load_function(self.run), problem, budget, seed, is_complete=self.complete, **options)

    def why_unsupported(self, problem: Problem) -> str | None:
        """Return the reason why the method does not support a problem with its conditions, or None."""
        reason = why_not_supported(problem, self.ways)
        if reason is None and not condition_names(problem):
            return self.why_not(problem)
        from knightstour.core.model.cycle_graph import why_not_listed
        from knightstour.core.search.conditioned import why_not_reduced

        reason = reason or why_not_listed(problem)
        if reason is not None:
            return reason
        if checked_conditions(problem) and not self.is_whole:
            return self.why_unsupported(without_checked(problem))
        return self.why_not(problem) if self.is_whole else why_not_reduced(self.why_not, problem)

    def __repr__(self) -> str:
        names = [name for name, row in METHODS.items() if row is self]
        return ": ".join([*names, self.summary])

    @property
    def takes(self) -> frozenset[str]:
        """Names of the supported conditions; "visits" for partial tours."""
        return frozenset((*conditions_of(*self.ways), *((PARTIAL,) if PARTIAL in self.ways else ())))

    @property
    def proves_impossible(self) -> str:
        """Boards whose impossibility it can prove: "all", a description, or "none"."""
        return "all" if self.complete else self.also_proves or "none"

    def to_dict(self) -> dict[str, object]:
        """Return the row as a JSON-serialisable dict."""
        names = ("summary", "source", "complete", "proves_impossible", "varies", "watchable", "shares")
        return {
            **{name: getattr(self, name) for name in names},
            "takes": sorted(self.takes),
            "options": {name: option.to_dict() for name, option in self.options.items()},
            "pseudocode": [line.to_dict() for line in self.pseudocode],
        }


# The help reads this table without importing the methods: Lazy imports a module when one of its functions is called.
# Type checkers and editors follow the imports.
if TYPE_CHECKING:
    from knightstour.core.constructions import explicit as _explicit
    from knightstour.core.methods import auto as _auto
    from knightstour.core.methods import portfolio as _portfolio
    from knightstour.core.model import cycle_graph as _cycle_graph
    from knightstour.core.search import clues as _clues
    from knightstour.core.search import merging as _merging
    from knightstour.core.search import rotation as _rotation
    from knightstour.core.search import sat as _sat
    from knightstour.core.search import shared_backtracking as _shared_backtracking
    from knightstour.core.search import warnsdorff as _warnsdorff
    from knightstour.core.search.frontier import exact as _exact
else:
    _auto = Lazy("knightstour.core.methods.auto")
    _portfolio = Lazy("knightstour.core.methods.portfolio")
    _explicit = Lazy("knightstour.core.constructions.explicit")
    _cycle_graph = Lazy("knightstour.core.model.cycle_graph")
    _shared_backtracking = Lazy("knightstour.core.search.shared_backtracking")
    _warnsdorff = Lazy("knightstour.core.search.warnsdorff")
    _merging = Lazy("knightstour.core.search.merging")
    _rotation = Lazy("knightstour.core.search.rotation")
    _sat = Lazy("knightstour.core.search.sat")
    _exact = Lazy("knightstour.core.search.frontier.exact")
    _clues = Lazy("knightstour.core.search.clues")

# Conditions supported by every method that supports graphs.
ON_GRAPHS: Final = (MOVES, IMAGES)

_ROWS: Final[dict[str, Method]] = {
    "auto": Method(
        _auto.auto,
        "constructs the tour, proves that none exists, or searches: small boards completely, others by several methods",
        "the methods below",
        _auto.why_not_auto,
        complete=True,
        watchable=True,
        proves=True,
        ways=(*ON_GRAPHS, STEPS, LISTED, PARTIAL),
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
        ways=(*ON_GRAPHS, LISTED, PARTIAL),
        pseudocode=PSEUDOCODE["backtracking"],
    ),
    "warnsdorff": Method(
        _warnsdorff.warnsdorff,
        "goes to the square with the fewest onward moves; at a dead end, returns to the last equal choice",
        "von Warnsdorff 1823; Pohl 1967; Roth; Squirrel & Cull 1996",
        options=options.OF_WARNSDORFF,
        varied=options.VARIED,
        watchable=True,
        ways=ON_GRAPHS,
        pseudocode=PSEUDOCODE["warnsdorff"],
    ),
    "merge": Method(
        _merging.merge,
        "covers the board with small loops and joins them until one is left",
        "de Moivre, Roget; in this form: loop merging",
        _cycle_graph.why_not_listed,
        also_proves="boards that no loops can cover",
        options=options.OF_MERGE,
        watchable=True,
        ways=ON_GRAPHS,
        pseudocode=PSEUDOCODE["merge"],
    ),
    "rotation": Method(
        _rotation.rotation,
        "grows a path by Warnsdorff's rule and turns its end round where it is stuck",
        "Posa 1976",
        watchable=True,
        ways=ON_GRAPHS,
        pseudocode=PSEUDOCODE["rotation"],
    ),
    "exact": Method(
        _exact.exact,
        "builds all states of a frontier: finds a tour or proves that none exists",
        "frontier method: Knuth, TAOCP 4A (simpath); Minato 2013",
        _exact.why_not_exact,
        complete=True,
        varies=False,
        ways=(*ON_GRAPHS, PARTIAL),
        pseudocode=PSEUDOCODE["exact"],
    ),
    "sat": Method(
        _sat.sat,
        "a SAT solver chooses two moves at every square, and each loop that is too short becomes a new condition",
        "CaDiCaL 2023; Dantzig, Fulkerson & Johnson 1954",
        _sat.why_not_sat,
        complete=True,
        watchable=True,
        ways=ON_GRAPHS,
        pseudocode=PSEUDOCODE["sat"],
    ),
    "clues": Method(
        _clues.clues,
        "stores the possible steps of each square and the possible moves, and branches where the fewest remain",
        "Mackworth 1977; Freuder 1978; Rubin 1974; Gomes, Selman & Kautz 1998",
        _clues.why_not_clues,
        complete=True,
        ways=(STEPS, MOVES),
        is_whole=True,
        pseudocode=PSEUDOCODE["clues"],
    ),
    "portfolio": Method(
        _portfolio.portfolio,
        "runs several methods in processes side by side; the first answer wins",
        "Huberman, Lukose & Hogg 1997",
        complete=True,
        shares=True,
        ways=ON_GRAPHS,
        is_whole=True,
        pseudocode=PSEUDOCODE["portfolio"],
    ),
}
METHODS: Table[Method] = Table("methods", _ROWS)


# Common names of algorithms, and the methods that implement them.
_OTHER_NAMES: Final = {
    **dict.fromkeys(("dfs", "depth-first", "recursive", "brute-force", "bruteforce"), "backtracking"),
    **dict.fromkeys(("heuristic", "greedy"), "warnsdorff"),
    **dict.fromkeys(("divide-and-conquer", "construction"), "explicit"),
    **dict.fromkeys(("dp", "dynamic-programming"), "exact"),
    **dict.fromkeys(("simulated-annealing", "sa"), "annealing"),
    **dict.fromkeys(("ga", "evolutionary"), "genetic"),
}


def checked_method_name(name: object) -> str:
    """Return the name of a method; raise ProblemError, with the method that is meant, for another name."""
    if isinstance(name, str) and name in _OTHER_NAMES:
        raise ProblemError(f"unknown method {name!r}", help=f"use method {_OTHER_NAMES[name]!r}")
    return one_of(name, METHODS, "method", error=ProblemError)


# Arguments that every method supports.
_ASKED = ("board", "method", "seed", "timeout", "max_nodes")


def checked_method(
    problem: Problem, name: str, options: Mapping[str, object], workers: object = None
) -> tuple[Method, dict[str, object]]:
    """Return the row of METHODS and its checked options. Raises ProblemError if it does not support the problem."""
    row = METHODS[checked_method_name(name)]
    for option in options:
        if option not in row.options:
            owners = [other for other, row in METHODS.items() if option in row.options]
            if owners:
                help = f"{option} is an option of method {' or '.join(owners)}"
                raise ProblemError(f"method {name} has no option {option!r}", help=help)
            meant = meant_by(option, (*row.options, *question_names(), *_ASKED))
            known = f"knightstour explain {name} lists the options of the method"
            raise ProblemError(f"method {name} has no option {option!r}", help=meant or known)
    if workers is not None and not row.shares:
        owners = [other for other, row in METHODS.items() if row.shares]
        raise ProblemError(f"method {name} does not support workers", help=f"use method {' or '.join(owners)}")
    reason = row.why_unsupported(problem)
    if reason is not None:
        if name == "auto" and is_numbered(problem):
            raise ProblemError(f"no method supports this: {reason}", help="omit given numbers, or visit_order")
        raise ProblemError(f"method {name} does not apply: {reason}", help="use method auto; see knightstour explain")
    return row, checked_options(row.options, options, f"method {name}")
