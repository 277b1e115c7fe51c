"""What a step of a search did, and why, as a sentence.

SENTENCES is the one place of the words. Each row is a moment: what an event meant where it happened, such as "tie" for
a move to one of several squares with equally few ways on. `moment` looks at an event and the view after it, and says
which moment it is and what its sentence names; the page does the same
(interfaces/web/static/views/explore/sentences.js) with the same words, which it gets from the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from knightstour.core.model.board import move_graph
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
    "tie": "to {square}: {ways}, the fewest of {degrees}; one of those that tie",
    "stray": "to {square}: {ways}, for once not the fewest of {degrees}",
    "on": "to {squares}",
    # What lies ahead of it.
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

# The methods that choose the square with the fewest ways on.
_BY_FEWEST: Final = ("warnsdorff", "rotation")
# More squares, moves or sizes than these are not listed.
_MAX_LISTED = 4
_MAX_SIZES = 6


def sentence(event: Event, view: View) -> str:
    """What an event did, and why, given the view after it; "" for events that no sentence is about.

    >>> view = View((3, 4))
    >>> for event in [Event("visit", (0,)), Event("candidates", (6, 9), (1, 2)), Event("visit", (6,))]:
    ...     view.apply(event)
    ...     print(sentence(event, view))
    the knight is put down on a3
    next may be c2 (1) or b1 (2)
    to c2, the first that is tried of c2 and b1
    """
    name, facts = moment(event, view)
    return SENTENCES[name].format(**facts) if name else ""


def moment(event: Event, view: View) -> tuple[str, dict[str, object]]:
    """The row of SENTENCES that an event belongs to, given the view after it, and what its sentence names.

    The row is "" for events that no sentence is about.
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
        # What was the end is now where the turned part begins.
        pivot, old, new = path[first - 1], path[first], path[end - 1]
        moves = {"comes": names.move(pivot, old), "goes": names.move(pivot, new)}
        return "turned", {**moves, "square": names.square(new)}
    if kind == "restart":
        length = view.before.length
        squares = _counted(length, "square")
        return "restart", {"given_up": f"{squares} {'is' if length == 1 else 'are'}" if length else "all moves are"}
    if kind == "path":
        count = _counted(len(view.path), "square")
        if view.stage == "genetic":
            return "walk", {"count": count, "births": f"{view.counters['births']:,}"}
        return "path", {"count": count}
    if kind == "tour":
        return "tour", {"first": names.square(event.squares[0]), "last": names.square(event.squares[-1])}
    return "", {}


def _visit(event: Event, view: View) -> tuple[str, dict[str, object]]:
    names, before, square = _Names(view), view.before, event.squares[-1]
    facts: dict[str, object] = {"square": names.square(square)}
    if len(view.path) == len(event.squares):
        return "put", {"square": names.square(event.squares[0])}
    if len(event.squares) > 1:
        return "on", {"squares": _listed(map(names.square, event.squares))}
    if len(view.path) == view.board.square_count:
        return "last", facts
    if before.failed is not None:
        return "instead", {**facts, "failed": names.square(before.failed)}
    offered = before.candidates
    if offered is None or square not in offered:
        return "on", {"squares": names.square(square)}
    if len(offered) == 1:
        return "only", facts
    if view.stage not in _BY_FEWEST:
        return "tried", {**facts, "squares": _listed(map(names.square, offered))}
    degrees, degree = sorted(offered.values()), offered[square]
    facts |= {"ways": _counted(degree, "way") + " on", "degrees": ", ".join(map(str, degrees))}
    if degree > degrees[0]:
        return "stray", facts
    return ("tie" if degrees[1] == degree else "fewest"), facts


def _ahead(event: Event, view: View) -> tuple[str, dict[str, object]]:
    names = _Names(view)
    if event.squares:
        ways = (f"{names.square(s)} ({degree})" for s, degree in zip(event.squares, event.values, strict=True))
        return "ahead", {"squares": _listed(ways, "or")}
    if not view.path or len(view.path) == view.board.square_count:
        return "", {}
    here = view.path[-1]
    visited = set(view.path)
    low, high = move_graph(view.board).offsets[here : here + 2]
    around = sorted(move_graph(view.board).targets[low:high].tolist())
    been = [s for s in around if s in visited]
    words = []
    if been:
        words.append(_some(names, been) + (" is" if len(been) == 1 else " are") + " visited")
    if len(been) < len(around):
        words.append(_some(names, [s for s in around if s not in visited]) + " may not follow here")
    return "stuck", {"square": names.square(here), "around": ", ".join(words) or "no move leads on"}


def _back(event: Event, view: View) -> tuple[str, dict[str, object]]:
    names = _Names(view)
    facts: dict[str, object] = {"count": _counted(len(event.squares), "square")}
    if not view.path:
        return "emptied", facts
    facts["square"] = names.square(view.path[-1])
    if view.stage == "warnsdorff":
        return "critical", facts
    if view.before.candidates is None and len(event.squares) == 1:
        return "refused", {"failed": names.square(event.squares[0])}
    return "back", facts


def _moves(event: Event, view: View) -> tuple[str, dict[str, object]]:
    names = _Names(view)
    parts = view.components
    moves = _counted(sum(map(len, view.links.values())) // 2, "move")
    facts: dict[str, object] = {"parts": _parts(view, parts), "moves": moves}
    if event.kind == "cover":
        return _cover(view, parts, facts)
    pairs = list(zip(event.squares[::2], event.squares[1::2], strict=True))
    out = event.values[0]
    facts["change"] = ", ".join(
        f"{word} {_some_moves(names, some)}" for word, some in (("out", pairs[:out]), ("in", pairs[out:])) if some
    )
    if view.stage == "annealing":
        more = len(pairs) - 2 * out
        return ("better" if more > 0 else "worse" if more < 0 else "equal"), facts
    if event.kind == "join":
        facts["parts"] = f"{facts['parts']} {'is' if len(parts) == 1 else 'are'}"
    return event.kind, facts


def _cover(view: View, parts: list[list[int]], facts: dict[str, object]) -> tuple[str, dict[str, object]]:
    if view.stage == "sat":
        sizes = sorted(map(len, parts))
        few = len(sizes) <= _MAX_SIZES
        facts["sizes"] = _listed(map(str, sizes)) if few else f"{sizes[0]} to {sizes[-1]}"
        facts["round"] = f"{view.counters['covers']:,}"
        return ("round" if len(parts) > 1 else "single"), facts
    if view.stage == "genetic":
        return "child", {**facts, "births": f"{view.counters['births']:,}"}
    if view.stage.startswith("neural"):
        unsettled = view.board.square_count - sum(len(others) == 2 for others in view.links.values())
        if not unsettled:
            return "rest", facts
        is_are = "is" if facts["moves"] == "1 move" else "are"
        has_have = "has" if unsettled == 1 else "have"
        return "sweep", {"moves": f"{facts['moves']} {is_are}", "open": f"{_counted(unsettled, 'square')} {has_have}"}
    return "cover", facts


def _parts(view: View, parts: list[list[int]]) -> str:
    loops = sum(all(len(view.links[square]) > 1 for square in part) for part in parts)
    words = [_counted(count, word) for count, word in ((loops, "loop"), (len(parts) - loops, "path")) if count]
    return " and ".join(words) or "no moves"


class _Names:
    """Names of squares and moves of a view's board."""

    def __init__(self, view: View) -> None:
        self._board = view.board

    def square(self, square: int) -> str:
        return self._board.name(divmod(square, self._board.cols))

    def move(self, a: int, b: int) -> str:
        return f"{self.square(a)}-{self.square(b)}"


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _listed(words: Iterable[str], joint: str = "and") -> str:
    *first, last = words
    return f"{', '.join(first)} {joint} {last}" if first else last


def _some(names: _Names, squares: Sequence[int]) -> str:
    few = len(squares) <= _MAX_LISTED
    return _listed(map(names.square, squares)) if few else f"{len(squares)} squares around it"


def _some_moves(names: _Names, moves: Sequence[tuple[int, int]]) -> str:
    few = len(moves) <= _MAX_LISTED
    return _listed(names.move(*move) for move in moves) if few else f"{len(moves):,} moves"
