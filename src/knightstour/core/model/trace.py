"""Events of a search: recorded in a Trace, and replayed into views of the board.

A search with a Trace adds an Event for each step, in order. Viewers (the terminal, the page, an animation) replay the
events: a View contains the path or the loops after each event, and counters. So methods and viewers are independent.

Squares are numbers, row * cols + col. Most methods extend a path; its first square is the start of the search, so a
backward search runs from the tour's end. Methods that join loops report moves instead. The last event is always `tour`,
with the final tour.

KINDS describes the kinds of events. A trace is bounded: it keeps the first events and counts the others.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from knightstour.core.model.board import Board, BoardLike, board_of
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.validation import callback, each, quoted, whole_number

KINDS: Final[dict[str, str]] = {
    "stage": "a method begins on an empty board; name: the method",
    "visit": "the path goes on to these squares, in this order; the first visit of all puts the knight down",
    "unvisit": "a dead end: these squares are taken off the path's end again, the last one first",
    "candidates": "the squares that may come next; values: their degrees, the numbers of ways on from each",
    "reverse": "values (i, j): the part of the path from step i to before step j now runs the other way round",
    "path": "the path is now this one",
    "cover": "the moves in use are now these, as pairs of squares one after another; a pair given twice is a loop of 2",
    "join": "moves change and two loops become one; values (out, in): first `out` pairs go, then `in` come",
    "repair": "moves change otherwise; squares and values as for `join`",
    "restart": "the search gives up what it has and begins again on an empty board",
    "count": "a counter of the method; name: which, values: one number, its total since the method began",
    "tour": "the tour that was found, start first",
}

MAX_EVENTS: Final = 100_000
# Maximum average of numbers (squares and values) per event: a trace keeps `limit` times as many.
NUMBERS_PER_EVENT = 10


class Event(NamedTuple):
    """Step of a search. KINDS describes squares, values and name for each kind."""

    kind: str
    squares: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    name: str = ""


class Trace:
    """Events of a search, at most `limit` of them and ten numbers in each on average.

    Args:
        limit: Number of first events to keep; a tour is always kept, since it corrects the end. A trace of the default
            limit needs at most about 60 MB.
        on_event: Callback with each event, even if it is not kept. An exception in it ends the search and is raised by
            solve(), so a viewer can cancel.

    >>> trace = Trace()
    >>> trace.add("visit", (0,)); trace.add("visit", (6,))
    >>> len(trace), list(trace)[1]
    (2, Event(kind='visit', squares=(6,), values=(), name=''))
    """

    __slots__ = ("_events", "_numbers", "board", "dropped", "limit", "on_event")

    def __init__(self, limit: int = MAX_EVENTS, on_event: Callable[[Event], None] | None = None) -> None:
        if whole_number(limit, "limit") < 0:
            raise ProblemError(f"invalid number of events: {limit}", help="use 0 or more")
        callback(on_event, "on_event")
        self.limit = limit
        self.on_event = on_event
        # The board of the search, once a search uses the trace.
        self.board: Board | None = None
        # Events that were not kept. The number is a lower bound: a search without listeners stops creating events.
        self.dropped = 0
        self._events: list[Event] = []
        self._numbers = 0

    def replay(self) -> Iterator[View]:
        """Yield the view after each event. It is one and the same View, which continues: copy what you want to keep.

        Raises:
            ProblemError: If no search has used the trace.
        """
        if self.board is None:
            raise ProblemError("no search has used this trace", help="solve(board, trace=trace) fills it")
        return replay(self, self.board)

    @property
    def is_full(self) -> bool:
        """Whether no more events are kept."""
        return len(self._events) >= self.limit or self._numbers >= NUMBERS_PER_EVENT * self.limit

    @property
    def is_wanted(self) -> bool:
        """Whether another event would be kept or passed on. If not, a search need not make any."""
        return self.on_event is not None or not self.is_full

    def add(self, kind: str, squares: Iterable[int] = (), values: Iterable[int] = (), name: str = "") -> None:
        """Record that this happened. Numbers may be numpy's."""
        event = Event(kind, tuple(map(int, squares)), tuple(map(int, values)), name)
        if kind == "tour" or not self.is_full:
            self._events.append(event)
            self._numbers += len(event.squares) + len(event.values)
        else:
            self.dropped += 1
        if self.on_event is not None:
            self.on_event(event)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def __repr__(self) -> str:
        return f"<Trace: {len(self):,} events{f', {self.dropped:,} dropped' if self.dropped else ''}>"


class Before(NamedTuple):
    """State of a view before the last event that changed it, for explanations.

    Attributes:
        length: Number of squares on the path.
        candidates: The degree of each possible next square, None if they were not listed.
        failed: The square that was just removed, or None.
    """

    length: int = 0
    candidates: dict[int, int] | None = None
    failed: int | None = None


class View:
    """Board after some events.

    Args:
        board: The Board.

    Attributes:
        path: Square numbers, first to last; empty while a cover is shown.
        links: The squares joined to each square of a cover; empty while a path is shown.
        candidates: Degrees of the possible next squares.
        is_listed: Whether they are known; if so and empty, the path is at a dead end, or complete.
        counters: `nodes`, the method's latest number of them, and the visits and reversals since; `dead_ends`,
            `taken_back` (squares), `restarts`, `reversals`, `covers`, `joins`, `repairs`, and counters of the method,
            such as `critical_points`; all stages together.
        stage: The current method.
        tour: The tour found, or None.
        before: State before the last change.

    >>> view = View((3, 4))
    >>> for event in [Event("visit", (0,)), Event("visit", (6,)), Event("unvisit", (6,)), Event("visit", (9,))]:
    ...     view.apply(event)
    >>> view.path, view.counters["nodes"], view.counters["dead_ends"]
    ([0, 9], 3, 1)
    """

    def __init__(self, board: BoardLike) -> None:
        self.board = board_of(board)
        self.path: list[int] = []
        self.links: dict[int, list[int]] = {}
        self.candidates: dict[int, int] = {}
        self.is_listed = False
        self.counters: collections.Counter[str] = collections.Counter()
        self.stage = ""
        self.tour: tuple[int, ...] | None = None
        self.before = Before()
        self._failed: int | None = None
        # Counters of the method in earlier stages, and in this one so far.
        self._before: collections.Counter[str] = collections.Counter()
        self._now: collections.Counter[str] = collections.Counter()

    def apply(self, event: Event) -> None:
        """Go on to the board after this event, the next one."""
        if not isinstance(event, Event):
            raise FormatError(f"not an event of a search: {quoted(event)}")
        kind, squares, values, name = event
        counters = self.counters
        if kind == "count":
            self._now[name] = values[0]
            counters[name] = self._before[name] + values[0]
            return
        if kind == "candidates":
            self.candidates = dict(zip(squares, values, strict=True))
            self.is_listed = True
            return
        self.before = Before(len(self.path), self.candidates if self.is_listed else None, self._failed)
        self._failed = squares[-1] if kind == "unvisit" and squares else None
        self.candidates, self.is_listed = {}, False
        if kind == "visit":
            self.links = {}
            self.path.extend(squares)
            self._enter(len(squares))
        elif kind == "unvisit":
            if squares:
                del self.path[-len(squares) :]
            counters["taken_back"] += len(squares)
            counters["dead_ends"] += 1
        elif kind == "reverse":
            first, end = values
            self.path[first:end] = self.path[first:end][::-1]
            self._enter(1)
            counters["reversals"] += 1
        elif kind in ("join", "repair"):
            self._exchange(squares, values[0])
            counters["joins" if kind == "join" else "repairs"] += 1
        else:
            # The others start over.
            self.path, self.links = [], {}
            if kind == "cover":
                self._exchange(squares, 0)
                counters["covers"] += 1
            elif kind == "path":
                self.path = list(squares)
            elif kind == "tour":
                self.path, self.tour = list(squares), squares
            elif kind == "restart":
                counters["restarts"] += 1
            elif kind == "stage":
                self.stage, self.tour = name, None
                self._before += self._now
                self._now = collections.Counter()
            else:
                raise FormatError(f"there is no event of kind {kind!r}", help="one of " + ", ".join(KINDS))

    def _enter(self, nodes: int) -> None:
        """Add unreported nodes."""
        self._now["nodes"] += nodes
        self.counters["nodes"] += nodes

    def _exchange(self, squares: Sequence[int], out: int) -> None:
        """Replace the first `out` pairs of squares by the others."""
        links = self.links
        for i in range(0, len(squares), 2):
            a, b = squares[i], squares[i + 1]
            for x, y in ((a, b), (b, a)):
                if i < 2 * out:
                    links[x].remove(y)
                else:
                    links.setdefault(x, []).append(y)

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Moves in use, each once as a pair of squares, in the order of the path, or sorted for a cover."""
        if self.links:
            return sorted({(a, b) if a < b else (b, a) for a, others in self.links.items() for b in others})
        return list(itertools.pairwise(self.path))

    @property
    def components(self) -> list[list[int]]:
        """Loops and paths, each as a list of consecutive squares, without isolated squares.

        A loop begins with its lowest square, a path with the lower of its ends; they are sorted by their first squares.
        A search with a path has one component. If squares have more than two moves, a component is a connected set.
        """
        if not self.links:
            return [list(self.path)] if self.path else []
        seen: set[int] = set()
        parts = []
        ends = sorted(square for square, others in self.links.items() if len(others) == 1)
        for first in [*ends, *sorted(self.links)]:
            if first in seen or not self.links[first]:
                continue
            part, waiting = [], [first]
            while waiting:
                square = waiting.pop()
                if square not in seen:
                    seen.add(square)
                    part.append(square)
                    waiting.extend(reversed(self.links[square]))
            parts.append(part)
        return sorted(parts)


def replay(events: Iterable[Event], board: BoardLike) -> Iterator[View]:
    """The view after each event. It is one and the same View, which goes on: take from it what you want to keep.

    Raises FormatError for an event that does not exist.

    >>> [list(view.path) for view in replay([Event("visit", (0, 6)), Event("reverse", (), (0, 2))], (3, 4))]
    [[0, 6], [6, 0]]
    """
    view = View(board)
    for event in each(events, "events"):
        view.apply(event)
        yield view


def to_json(events: Iterable[Event]) -> list[list[object]]:
    """Return the events as JSON-serialisable lists: [kind, squares, values, name], without empty items at the end.

    >>> to_json([Event("visit", (0,)), Event("restart"), Event("count", (), (12,), "nodes")])
    [['visit', [0]], ['restart'], ['count', [], [12], 'nodes']]
    """
    rows: list[list[object]] = []
    for kind, squares, values, name in events:
        row: list[object] = [kind, list(squares), list(values), name]
        while len(row) > 1 and not row[-1]:
            row.pop()
        rows.append(row)
    return rows


def from_json(rows: Iterable[Sequence[object]]) -> list[Event]:
    """The events that `to_json` made this of; a FormatError for anything else.

    >>> from_json([["candidates", [6, 9], [2, 1]]])
    [Event(kind='candidates', squares=(6, 9), values=(2, 1), name='')]
    """
    events = []
    empty: tuple[object, ...] = ((), (), "")
    for number, row in enumerate(rows, 1):
        try:
            kind, *rest = row
            squares, values, name = *rest, *empty[len(rest) :]
            lists = [tuple(part) for part in (squares, values) if isinstance(part, list | tuple)]
            is_event = isinstance(kind, str) and kind in KINDS and isinstance(name, str) and len(lists) == 2
        except (TypeError, ValueError):
            is_event = False
        if not is_event or not all(type(item) is int for part in lists for item in part):
            raise FormatError(f"event {number} makes no sense: {row!r}", help="[kind, squares, values, name]")
        events.append(Event(str(kind), lists[0], lists[1], str(name)))
    return events


class Counter(NamedTuple):
    """Row of COUNTERS: a name for people, and a description."""

    name: str
    meaning: str


# In the order in which they are shown.
COUNTERS: Final[dict[str, Counter]] = {
    "nodes": Counter(
        "nodes", "steps of the search by which methods are compared: a square entered, an end turned round"
    ),
    "taken_back": Counter("failed moves", "steps of the path that were taken back"),
    "dead_ends": Counter("dead ends", "times that the path could not go on and was taken back"),
    "critical_points": Counter(
        "critical points", "squares where Warnsdorff's rule had a tie, so another choice is as good"
    ),
    "reversals": Counter("ends turned", "times that the end of the path was turned round"),
    "covers": Counter("covers", "times that the moves on the whole board were chosen at once"),
    "joins": Counter("loops joined", "exchanges of moves that made one of two loops or paths"),
    "repairs": Counter("repairs", "exchanges of moves that joined nothing, used when nothing could be joined"),
    "restarts": Counter("restarts", "times that the search gave up what it had and began again"),
    "births": Counter("children", "walks or lines bred from two others of the population"),
    "converged": Counter("rests", "times that the network came to rest"),
}
