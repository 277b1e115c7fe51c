"""Sentences about the steps of a search, with reasons.

SENTENCES contains all texts. Each row is a moment: the meaning of an event in its context, such as "tie" for a move to
one of several squares with equally few onward moves. `moment` examines an event and the view after it, and returns the
moment and its facts. A fact is a word, a number, a list, or a phrase with facts of its own (a row of PHRASES), so that
the page can translate it: `moment_record` returns its data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.trace import Event, View

SENTENCES: Final[dict[str, str]] = {
    "stage": "{method} begins on an empty board",
    # A path grows.
    "put": "the knight is put down on {square}",
    "last": "to {square}, the last free square",
    "instead": "to {square} instead of {failed}, which led nowhere",
    "only": "to {square}, the only way on",
    "tried": "to {square}, the first that is tried of {squares}",
    "fewest": "to {square}: {ways}, the fewest of {degrees}",
    "tie": "to {square}: {ways}, the fewest of {degrees}; a tie",
    "stray": "to {square}: {ways}, for once not the fewest of {degrees}",
    "on": "to {squares}",
    # Possible next squares.
    "ahead": "next may be {squares}",
    "stuck": "{square} is a dead end: {around}",
    # It goes back.
    "back": "{count} taken back, to {square}, where there is another way",
    "critical": "{count} taken back, to {square}, the latest critical point: another of its ties may do",
    "refused": "{failed} is taken back at once: a pruning shows that no tour goes on from there",
    "emptied": "{count} taken back: the board is empty",
    "turned": "{comes} comes in and {goes} goes out: the path is turned round from there, and ends on {square}",
    "restart": "{given_up} given up: the search begins again",
    "path": "the path is now another one, of {count}",
    "walk": "child {births} is the best yet: a walk of {count}",
    # Many moves at once.
    "cover": "{parts} cover the board",
    "sweep": "{moves} on; {open} not two of them yet",
    "rest": "the network is at rest: all squares have two moves, in {parts}",
    "round": "round {round}: {parts}, of {sizes} squares; each but the longest is barred",
    "single": "round {round}: the moves hang together, in {parts}",
    "child": "child {births} is the best yet: {moves} in {parts}",
    "join": "{change}: two loops become one, and {parts} left",
    "repair": "no two loops can be joined, so {change}: {parts} now",
    "better": "{change}: {moves} in use, more than before",
    "equal": "{change}: as good as before, {moves} in use",
    "worse": "{change}: worse, {moves} in use; allowed while it is hot",
    "tour": "a tour is found, from {first} to {last}",
}

# Phrases in sentences: for one, for several, and optionally for none; phrases without n have one form.
PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "squares": ("{n} square", "{n} squares"),
    "moves": ("{n} move", "{n} moves"),
    "ways": ("{n} way on", "{n} ways on"),
    "loops": ("{n} loop", "{n} loops"),
    "paths": ("{n} path", "{n} paths"),
    "noParts": ("no moves",),
    "range": ("{least} to {most}",),
    "around": ("{n} square around it", "{n} squares around it"),
    "visited": ("{squares} is visited", "{squares} are visited"),
    "notHere": ("{squares} may not follow here",),
    "noMove": ("no move leads on",),
    "out": ("out {moves}",),
    "in": ("in {moves}",),
    "left": ("{parts} is", "{parts} are"),
    "givenUp": ("{n} square is", "{n} squares are", "all moves are"),
    "areOn": ("{n} move is", "{n} moves are"),
    "have": ("{n} square has", "{n} squares have"),
}

# The methods that choose the square with the fewest ways on.
_BY_FEWEST: Final = ("warnsdorff", "rotation")
# More squares, moves or sizes than these are not listed.
_MAX_LISTED = 4
_MAX_SIZES = 6


class Phrase(NamedTuple):
    """A row of PHRASES and its facts."""

    name: str
    facts: Mapping[str, Fact]


class FactList(NamedTuple):
    """Facts in a row. joint: "and" or "or" before the last of them, or "," alone."""

    joint: str
    parts: Sequence[Fact]


Fact: TypeAlias = str | int | Phrase | FactList
Moment: TypeAlias = tuple[str, dict[str, Fact]]


def sentence(event: Event, view: View) -> str:
    """Return the effect of an event and its reason, given the view after it; "" for events without a sentence.

    >>> view = View((3, 4))
    >>> for event in [Event("visit", (0,)), Event("candidates", (6, 9), (1, 2)), Event("visit", (6,))]:
    ...     view.apply(event)
    ...     print(sentence(event, view))
    the knight is put down on a3
    next may be c2 (1) or b1 (2)
    to c2, the first that is tried of c2 and b1
    """
    name, facts = moment(event, view)
    return SENTENCES[name].format(**_in_words(facts)) if name else ""


def _in_words(facts: Mapping[str, Fact]) -> dict[str, str]:
    return {name: _words(fact) for name, fact in facts.items()}


def _words(fact: Fact) -> str:
    if isinstance(fact, Phrase):
        n, forms = fact.facts.get("n", 1), PHRASES[fact.name]
        form = forms[0] if n == 1 else forms[2] if n == 0 and len(forms) > 2 else forms[min(1, len(forms) - 1)]
        return form.format(**_in_words(fact.facts))
    if isinstance(fact, FactList):
        *first, last = map(_words, fact.parts or [""])
        joint = ", " if fact.joint == "," else f" {fact.joint} "
        return f"{', '.join(first)}{joint}{last}" if first else last
    return f"{fact:,}" if isinstance(fact, int) else fact


def moment_record(event: Event, view: View) -> list[object]:
    """Return the moment of an event as a JSON-serialisable list: [name, facts], or [] for events without a sentence.

    A list is [joint, ...], a phrase is {"say": its name, ...its facts}.

    >>> view = View((3, 4))
    >>> for event in [Event("visit", (0,)), Event("candidates", (6, 9), (1, 2)), Event("visit", (6,))]:
    ...     view.apply(event)
    >>> moment_record(event, view)
    ['tried', {'square': 'c2', 'squares': ['and', 'c2', 'b1']}]
    """
    name, facts = moment(event, view)
    return [name, _facts_record(facts)] if name else []


def _facts_record(facts: Mapping[str, Fact]) -> dict[str, object]:
    return {name: _fact_record(fact) for name, fact in facts.items()}


def _fact_record(fact: Fact) -> object:
    if isinstance(fact, Phrase):
        return {"say": fact.name, **_facts_record(fact.facts)}
    return [fact.joint, *map(_fact_record, fact.parts)] if isinstance(fact, FactList) else fact


def moment(event: Event, view: View) -> Moment:
    """Return the row of SENTENCES of an event, given the view after it, and the facts of its sentence.

    The row is "" for events without a sentence.
    """
    kind = event.kind
    if kind == "visit":
        return _visit(event, view)
    if kind == "candidates":
        return _ahead(event, view)
    if kind == "unvisit":
        return _back(event, view)
    if kind in ("cover", "join", "repair"):
        return _moves(event, view)
    names = _Names(view)
    if kind == "stage":
        return "stage", {"method": event.name}
    if kind == "reverse":
        first, end = event.values
        path = view.path
        # The old end is now the first square of the reversed part.
        pivot, old, new = path[first - 1], path[first], path[end - 1]
        moves = {"comes": names.move(pivot, old), "goes": names.move(pivot, new)}
        return "turned", {**moves, "square": names.square(new)}
    if kind == "restart":
        return "restart", {"given_up": _count_phrase(view.before.length, "givenUp")}
    if kind == "path":
        count = _count_phrase(len(view.path), "squares")
        if view.stage == "genetic":
            return "walk", {"count": count, "births": view.counters["births"]}
        return "path", {"count": count}
    if kind == "tour":
        return "tour", {"first": names.square(event.squares[0]), "last": names.square(event.squares[-1])}
    return "", {}


def _visit(event: Event, view: View) -> Moment:
    names, before, square = _Names(view), view.before, event.squares[-1]
    facts: dict[str, Fact] = {"square": names.square(square)}
    if len(view.path) == len(event.squares):
        return "put", {"square": names.square(event.squares[0])}
    if len(event.squares) > 1:
        return "on", {"squares": FactList("and", names.squares(event.squares))}
    if len(view.path) == square_count(view.board):
        return "last", facts
    if before.failed is not None:
        return "instead", {**facts, "failed": names.square(before.failed)}
    offered = before.candidates
    if offered is None or square not in offered:
        return "on", {"squares": names.square(square)}
    if len(offered) == 1:
        return "only", facts
    if view.stage not in _BY_FEWEST:
        return "tried", {**facts, "squares": FactList("and", names.squares(offered))}
    degrees, degree = sorted(offered.values()), offered[square]
    facts |= {"ways": _count_phrase(degree, "ways"), "degrees": FactList(",", degrees)}
    if degree > degrees[0]:
        return "stray", facts
    return ("tie" if degrees[1] == degree else "fewest"), facts


def _ahead(event: Event, view: View) -> Moment:
    names = _Names(view)
    if event.squares:
        ways = [f"{names.square(s)} ({degree})" for s, degree in zip(event.squares, event.values, strict=True)]
        return "ahead", {"squares": FactList("or", ways)}
    if not view.path or len(view.path) == square_count(view.board):
        return "", {}
    here = view.path[-1]
    visited = set(view.path)
    low, high = move_graph(view.board).offsets[here : here + 2]
    around = sorted(move_graph(view.board).targets[low:high].tolist())
    been = [s for s in around if s in visited]
    words = []
    if been:
        words.append(Phrase("visited", {"squares": _some(names, been), "n": len(been)}))
    if len(been) < len(around):
        words.append(Phrase("notHere", {"squares": _some(names, [s for s in around if s not in visited])}))
    return "stuck", {"square": names.square(here), "around": FactList(",", words) if words else Phrase("noMove", {})}


def _back(event: Event, view: View) -> Moment:
    names = _Names(view)
    facts: dict[str, Fact] = {"count": _count_phrase(len(event.squares), "squares")}
    if not view.path:
        return "emptied", facts
    facts["square"] = names.square(view.path[-1])
    if view.stage == "warnsdorff":
        return "critical", facts
    if view.before.candidates is None and len(event.squares) == 1:
        return "refused", {"failed": names.square(event.squares[0])}
    return "back", facts


def _moves(event: Event, view: View) -> Moment:
    names = _Names(view)
    parts = view.components
    made = sum(map(len, view.links.values())) // 2
    facts: dict[str, Fact] = {"parts": _parts(view, parts), "moves": _count_phrase(made, "moves")}
    if event.kind == "cover":
        return _cover(view, parts, made, facts)
    pairs = list(zip(event.squares[::2], event.squares[1::2], strict=True))
    out = event.values[0]
    changed = [(word, some) for word, some in (("out", pairs[:out]), ("in", pairs[out:])) if some]
    facts["change"] = FactList(",", [Phrase(word, {"moves": _some_moves(names, some)}) for word, some in changed])
    if view.stage == "annealing":
        more = len(pairs) - 2 * out
        return ("better" if more > 0 else "worse" if more < 0 else "equal"), facts
    if event.kind == "join":
        facts["parts"] = Phrase("left", {"parts": facts["parts"], "n": len(parts)})
    return event.kind, facts


def _cover(view: View, parts: list[list[int]], made: int, facts: dict[str, Fact]) -> Moment:
    if view.stage == "sat":
        sizes = sorted(map(len, parts))
        few = len(sizes) <= _MAX_SIZES
        facts["sizes"] = FactList("and", sizes) if few else Phrase("range", {"least": sizes[0], "most": sizes[-1]})
        facts["round"] = view.counters["covers"]
        return ("round" if len(parts) > 1 else "single"), facts
    if view.stage == "genetic":
        return "child", {**facts, "births": view.counters["births"]}
    if view.stage.startswith("neural"):
        unsettled = square_count(view.board) - sum(len(others) == 2 for others in view.links.values())
        if not unsettled:
            return "rest", facts
        return "sweep", {"moves": _count_phrase(made, "areOn"), "open": _count_phrase(unsettled, "have")}
    return "cover", facts


def _parts(view: View, parts: list[list[int]]) -> Fact:
    loops = sum(all(len(view.links[square]) > 1 for square in part) for part in parts)
    words = [_count_phrase(count, word) for count, word in ((loops, "loops"), (len(parts) - loops, "paths")) if count]
    return FactList("and", words) if words else Phrase("noParts", {})


class _Names:
    """Names of squares and moves of a view's board."""

    def __init__(self, view: View) -> None:
        self._board = view.board

    def square(self, square: int) -> str:
        return self._board.square_name(divmod(square, self._board.cols))

    def squares(self, squares: Iterable[int]) -> list[str]:
        return [self.square(square) for square in squares]

    def move(self, a: int, b: int) -> str:
        return f"{self.square(a)}-{self.square(b)}"


def _count_phrase(count: int, name: str) -> Phrase:
    return Phrase(name, {"n": count})


def _some(names: _Names, squares: Sequence[int]) -> Fact:
    few = len(squares) <= _MAX_LISTED
    return FactList("and", names.squares(squares)) if few else _count_phrase(len(squares), "around")


def _some_moves(names: _Names, moves: Sequence[tuple[int, int]]) -> Fact:
    few = len(moves) <= _MAX_LISTED
    return FactList("and", [names.move(*move) for move in moves]) if few else _count_phrase(len(moves), "moves")
