"""Encoding "mates of a strip": the transfer graph of boards of few rows and any length, and their recurrences.

The frontier search (core/search/frontier) along a board of `rows` rows does the same thing in every column. When it
comes to a column, all that matters is the state of this column and the next: which squares are bare, inner or mates of
each other. The states that one column leads to do not depend on which column it is. So the states form a graph, the
*transfer graph*: start with the state e in which all squares are bare, and deal with one column after another until no
new state appears. With T the matrix of that graph, and f(s) the number of ways to complete a tour from state s with the
last three columns, the number of tours is

    a(n) = e T^(n-3) f    for n >= 3.

(A tour is completed only in the last three columns, since earlier ones have no moves to the last column.) So a(n)
follows a linear recurrence, and its generating function, the sum of a(n) x^n, is a quotient P(x) / Q(x) of polynomials
with Q(0) = 1. Both have whole coefficients (Fatou's lemma). They are in recurrences.json, which
scripts/make_recurrences.py makes of the transfer graphs. A term is a sum over `order` earlier terms. (Halving n by
products of polynomials, as Bostan and Mori do, was slower: these have larger coefficients than the terms.)

For open tours one more square is added, beyond the board and next to all others, where the two ends of a tour meet.

Conventions: undirected tours; open ones are Hamiltonian paths, re-entrant ones included; a(0) = 0.

Sources: D. E. Knuth, Leaper graphs, 1994, and N. D. Elkies and R. P. Stanley, The mathematical knight, 2003 (3 rows
closed).
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.indices import reduceat
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.validation import whole_number

_INNER = -1
# Larger transfer graphs are not made.
MOST_STATES = 400_000

# Terms of a recurrence between two reports; each takes from a microsecond to some milliseconds.
_COLUMNS_AT_ONCE = 64
# From this term on the terms of a recurrence grow evenly, from each to the next but one (those of odd n may be 0).
_EVEN_GROWTH = 200
# Columns to make before the growth of a transfer graph is known; it is measured in the second half of them.
_POWERS = 40

# Seconds for an edge of a transfer graph and for each byte of its number; for a product in a recurrence, and each byte.
_EDGE_SECONDS = (17e-9, 0.2e-9)
_PRODUCT_SECONDS = (250e-9, 0.75e-9)

# Called with the number of columns that are done.
OnColumn = Callable[[int], None]

# The state of a frontier: for each square of three columns, and for the square beyond the board, its mate; the square
# itself if it is bare; _INNER if it is inner or done.
State = tuple[int, ...]


class Recurrence(NamedTuple):
    """The numbers a(n) of tours of the boards of a width: the sum of a(n) x^n is numerator / denominator.

    numerator, denominator: lowest coefficients first. order: the length of the recurrence
    a(n) = -(denominator[1] a(n - 1) + ...), which holds for n above the degree of the numerator. fitted: the number of
    terms that it was found from. checked: the number of further terms that agree with it.
    """

    rows: int
    closed: bool
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    fitted: int
    checked: int

    @property
    def order(self) -> int:
        """Number of earlier terms that determine a term."""
        return len(self.denominator) - 1

    def terms(self) -> Iterator[int]:
        """a(0), a(1), a(2), ... without end."""
        back = [(k, -q) for k, q in enumerate(self.denominator) if k and q]
        last: list[int] = [0] * self.order  # the newest last
        for n in itertools.count():
            value = self.numerator[n] if n < len(self.numerator) else 0
            value += sum([q * last[-k] for k, q in back])
            yield value
            last.append(value)
            # The numbers get long, so only few more are held than are needed.
            if len(last) > 2 * self.order + 16:
                del last[: -self.order or None]

    def term(self, n: int, on_column: OnColumn | None = None) -> int:
        """a(n), exactly. on_column: called now and then with the number of the current term."""
        terms = self.terms()
        for k, _ in enumerate(itertools.islice(terms, n)):
            if on_column is not None and k % _COLUMNS_AT_ONCE == 0:
                on_column(k)
        return next(terms)


# ---------------------------------------------------------------- the transfer graph


class _Phase(NamedTuple):
    """The edges from the states of one phase to those of the next, sorted by the state that they lead to.

    tails: the state that each edge leads from. heads: the states that edges lead to; the edges to heads[h] are those
    from starts[h] to the next start. size: the number of states of the next phase.
    """

    tails: np.ndarray
    heads: np.ndarray
    starts: np.ndarray
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class TransferGraph:
    """The states of a strip of `rows` rows, one phase for each row of a column: those that some tour passes through.

    phases: the edges from phase r to the next. endings: for each state of phase 0, the number of ways to complete a
    tour from it with three columns. short: a(0), a(1), a(2). first: the number of the state in which all squares are
    bare, -1 if there are no tours.
    """

    rows: int
    closed: bool
    phases: tuple[_Phase, ...]
    endings: tuple[int, ...]
    short: tuple[int, ...]
    first: int

    @property
    def states(self) -> int:
        """Number of states between two columns."""
        return len(self.endings)

    @property
    def edges(self) -> int:
        """Number of edges, all phases taken together."""
        return sum(len(phase.tails) for phase in self.phases)

    def terms(self, count: int, prime: int = 0, on_column: OnColumn | None = None) -> list[int]:
        """a(0) .. a(count - 1): exact, or modulo a prime below 2**31. on_column: called with each n."""
        found = [a % prime if prime else a for a in self.short[:count]]
        if self.first < 0:
            return found + [0] * (count - len(found))
        dtype = np.int64 if prime else object
        endings = np.array([f % prime if prime else f for f in self.endings], dtype=dtype)
        vector = np.zeros(self.states, dtype=dtype)
        vector[self.first] = 1
        while len(found) < count:
            # Residues one by one: a sum of products of two would not fit into 64 bits.
            found.append(int(((vector * endings) % prime).sum() % prime if prime else (vector * endings).sum()))
            if on_column is not None:
                on_column(len(found) - 1)
            vector = self._after_a_column(vector, prime)
        return found

    def _after_a_column(self, vector: np.ndarray, prime: int = 0) -> np.ndarray:
        """The number of ways to each state of phase 0 after one more column; modulo a prime if given."""
        for phase in self.phases:
            moved = np.zeros(phase.size, dtype=vector.dtype)
            moved[phase.heads] = reduceat(np.add, vector[phase.tails], phase.starts)
            vector = moved % prime if prime else moved
        return vector

    def bits_per_column(self) -> float:
        """How many bits the number of tours grows by with each column, in the limit: by the power method."""
        vector = np.zeros(self.states)
        vector[self.first] = 1
        bits = 0.0
        for column in range(_POWERS):
            vector = self._after_a_column(vector)
            largest = float(vector.max())
            vector /= largest
            if column >= _POWERS // 2:
                bits += math.log2(largest)
        return bits / (_POWERS - _POWERS // 2)


def transfer_graph(rows: int, *, closed: bool, most_states: int = MOST_STATES) -> TransferGraph:
    """Find the transfer graph; a ProblemError where it has more than `most_states` states.

    >>> graph = transfer_graph(3, closed=True)
    >>> graph.terms(15)
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 176, 0, 1536]
    """
    strip = _Strip(rows, closed)
    layers: list[dict[State, int]] = [{strip.bare: 0}, *({} for _ in range(rows - 1))]
    edges: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
    queue = [(0, strip.bare)]
    made = 0
    for r, state in queue:
        here, following = layers[r], layers[(r + 1) % rows]
        for child in strip.children(state, r, 3)[0]:
            if child not in following:
                following[child] = len(following)
                queue.append(((r + 1) % rows, child))
                made += 1
                if made > most_states:
                    raise ProblemError(
                        f"the transfer graph of boards with {rows} rows has more than {most_states:,} states",
                        help="count boards of a given length one by one",
                    )
            edges[r].append((here[state], following[child]))
    known: dict[tuple[int, State], int] = {}
    endings = [strip.endings(state, 3, known) for state in layers[0]]
    short = (0, strip.endings(strip.bare, 1, known), strip.endings(strip.bare, 2, known))
    return _trimmed(rows, closed, [len(layer) for layer in layers], edges, endings, short)


class _Strip:
    """The steps of the frontier search on a strip. Squares are numbered down the columns, from the current one on."""

    def __init__(self, rows: int, closed: bool) -> None:
        self.rows = rows
        self.beyond = None if closed else 3 * rows
        self.bare: State = tuple(range(3 * rows + (not closed)))
        # Moves from row r of the current column to later squares.
        self.later = [
            [dc * rows + row for dc, dr in ((1, 2), (1, -2), (2, 1), (2, -1)) if 0 <= (row := r + dr) < rows]
            for r in range(rows)
        ]

    def children(self, state: State, r: int, columns: int) -> tuple[list[State], int]:
        """The states after dealing with row r, and the number of ways in which that completes the tour.

        columns: the number of columns that are left, the current one included (3 for 3 or more).
        """
        if state[r] == _INNER:
            return [self._moved_on(list(state), r)], 0
        free = [u for u in self.later[r] if u < columns * self.rows and state[u] != _INNER]
        if self.beyond is not None and state[self.beyond] != _INNER:
            free.append(self.beyond)
        ways = [(u,) for u in free] if state[r] != r else list(itertools.combinations(free, 2))
        found: list[State] = []
        complete = 0
        for way in ways:
            mates = list(state)
            is_cycle = False
            for u in way:
                x, y = mates[r], mates[u]
                is_cycle = x == u
                # The far ends become mates, and an end that is joined becomes inner. A bare square is its own far end.
                mates[x], mates[y] = y, x
                if x != r or is_cycle:
                    mates[r] = _INNER
                if y != u or is_cycle:
                    mates[u] = _INNER
            mates[r] = _INNER
            if not is_cycle:
                found.append(self._moved_on(mates, r))
            else:
                places = mates[: columns * self.rows] + ([] if self.beyond is None else mates[self.beyond :])
                complete += all(mate == _INNER for mate in places)
        return found, complete

    def _moved_on(self, mates: list[int], r: int) -> State:
        """The state once row r is done; after the last row the next column is the current one."""
        mates[r] = _INNER
        rows = self.rows
        if r < rows - 1:
            return tuple(mates)
        moved = [self._shifted(mate) for mate in mates[rows : 3 * rows]]
        moved += range(2 * rows, 3 * rows)
        if self.beyond is not None:
            moved.append(self._shifted(mates[self.beyond]))
        return tuple(moved)

    def _shifted(self, mate: int) -> int:
        return mate if mate in (_INNER, self.beyond) else mate - self.rows

    def endings(self, state: State, columns: int, known: dict[tuple[int, State], int], r: int = 0) -> int:
        """The number of ways to complete a tour from row r on. columns: as for `children`. known: earlier answers."""
        if columns == 0:
            return 0
        key = (columns * self.rows - r, state)
        if key not in known:
            children, total = self.children(state, r, columns)
            next_r = (r + 1) % self.rows
            for child in children:
                total += self.endings(child, columns - (next_r == 0), known, next_r)
            known[key] = total
        return known[key]


def _trimmed(
    rows: int,
    closed: bool,
    sizes: list[int],
    edges: list[list[tuple[int, int]]],
    endings: list[int],
    short: tuple[int, ...],
) -> TransferGraph:
    """The graph without the states from which no tour can be completed."""
    tables = [np.array(pairs, dtype=np.int64).reshape(-1, 2) for pairs in edges]
    alive = [np.zeros(size, dtype=bool) for size in sizes]
    alive[0] = np.array([f > 0 for f in endings], dtype=bool)
    while True:
        before = sum(int(a.sum()) for a in alive)
        for r in reversed(range(rows)):
            good = tables[r][alive[(r + 1) % rows][tables[r][:, 1]], 0]
            alive[r][good] = True
        if sum(int(a.sum()) for a in alive) == before:
            break
    number = [np.cumsum(a) - 1 for a in alive]
    phases = []
    for r, table in enumerate(tables):
        following = (r + 1) % rows
        kept = table[alive[r][table[:, 0]] & alive[following][table[:, 1]]]
        kept = kept[np.argsort(kept[:, 1], kind="stable")]
        heads, starts = np.unique(number[following][kept[:, 1]], return_index=True)
        phases.append(_Phase(number[r][kept[:, 0]], heads, starts, int(alive[following].sum())))
    first = int(number[0][0]) if alive[0][0] else -1
    if rows == 1 and not closed:
        # One square is a tour by itself, and the only one without a move.
        short = (0, 1, 0)
    return TransferGraph(
        rows, closed, tuple(phases), tuple(f for f, a in zip(endings, alive[0], strict=True) if a), short, first
    )


# ---------------------------------------------------------------- the numbers of tours

# Widths whose recurrence is in recurrences.json: (rows, closed).
NARROW = ((1, False), (1, True), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True))
# Widths whose terms come from the transfer graph itself: the recurrence of 5 rows, closed, has order 8214.
TRANSFERRED = ((5, True),)


def has_recurrence(rows: int, *, closed: bool) -> bool:
    """Whether `narrow_recurrence` has an answer for boards of this width."""
    return (rows, closed) in NARROW


def narrow_recurrence(rows: int, *, closed: bool) -> Recurrence:
    """The recurrence and generating function of boards of this width; a ProblemError where it is not known.

    >>> found = narrow_recurrence(3, closed=True)
    >>> found.order, found.numerator[10], found.denominator[:5]
    (42, 16, (1, 0, -6, 0, -64))
    """
    if not has_recurrence(rows, closed=closed):
        raise ProblemError(
            f"no recurrence is known here for {'closed' if closed else 'open'} tours of boards with {rows} rows",
            note="known: 1 to 4 rows, open and closed",
            help="count boards of a given length one by one",
        )
    return _kept_recurrences()[rows, closed]


@functools.cache
def _kept_recurrences() -> dict[tuple[int, bool], Recurrence]:
    """The recurrences of recurrences.json, by rows and closed."""
    from importlib import resources

    text = resources.files("knightstour.lab.counting").joinpath("recurrences.json").read_text(encoding="ascii")
    found = {}
    for item in json.loads(text):
        item["numerator"], item["denominator"] = tuple(item["numerator"]), tuple(item["denominator"])
        found[item["rows"], item["closed"]] = Recurrence(**item)
    return found


_kept_graph = functools.cache(transfer_graph)


def narrow_count(
    rows: int, cols: int, *, closed: bool, directed: bool = False, on_column: OnColumn | None = None
) -> int:
    """Number of tours of the plain board with few rows and any number of columns, exactly.

    directed: count a tour and the same walked backwards as two. on_column: called now and then with the number of
    columns that are done; 5 rows take seconds, and more for each column. Raises ProblemError for rows that have no
    recurrence or transfer graph here.

    >>> narrow_count(3, 10, closed=True), narrow_count(4, 5, closed=False)
    (16, 82)
    >>> len(str(narrow_count(3, 1000, closed=True)))
    491
    """
    cols = whole_number(cols, "the number of columns")
    if cols < 1:
        raise ProblemError(f"a board of {cols} columns has no square", help="give 1 or more")
    if (rows, closed) in TRANSFERRED:
        count = _kept_graph(rows, closed=closed).terms(cols + 1, on_column=on_column)[cols]
    else:
        count = narrow_recurrence(rows, closed=closed).term(cols, on_column)
    return 2 * count if directed and rows * cols > 1 else count


class Effort(NamedTuple):
    """Estimates of what counting on a long board takes. digits: of the answer. bytes: held at a time. seconds: of one
    processor, up to four times too many."""

    digits: float
    bytes: float
    seconds: float


def narrow_effort(rows: int, cols: int, *, closed: bool) -> Effort:
    """What `narrow_count` takes.

    >>> effort = narrow_effort(3, 10**6, closed=True)
    >>> round(effort.digits, -3), effort.bytes < 10**8, effort.seconds > 60
    (495000.0, True, True)
    """
    if (rows, closed) in TRANSFERRED:
        graph = _kept_graph(rows, closed=closed)
        bits = cols * graph.bits_per_column()
        held, products, seconds = 3.0 * graph.states, graph.edges, _EDGE_SECONDS
    else:
        recurrence = narrow_recurrence(rows, closed=closed)
        few, more = itertools.islice(recurrence.terms(), _EVEN_GROWTH, 2 * _EVEN_GROWTH + 1, _EVEN_GROWTH)
        bits = cols * (more.bit_length() - few.bit_length()) / _EVEN_GROWTH
        held, products = 2.0 * recurrence.order + 16, sum(map(bool, recurrence.denominator))
        seconds = _PRODUCT_SECONDS
    # The numbers grow evenly, so that on average they are half as long as the last.
    each = seconds[0] + bits / 16 * seconds[1]
    return Effort(bits * math.log10(2), held * (bits / 8 + 28), cols * products * each)


def narrow_terms(
    rows: int, first: int, last: int, *, closed: bool, directed: bool = False
) -> Iterator[tuple[int, int]]:
    """(n, number of tours of the rows x n board) for n from `first` to `last`.

    >>> list(narrow_terms(3, 10, 12, closed=True))
    [(10, 16), (11, 0), (12, 176)]
    """
    terms: Iterable[int]
    if (rows, closed) in TRANSFERRED:
        terms = _kept_graph(rows, closed=closed).terms(last + 1)
    else:
        terms = narrow_recurrence(rows, closed=closed).terms()
    for n, count in itertools.islice(enumerate(terms), first, last + 1):
        yield n, 2 * count if directed and rows * n > 1 else count


@explains_arguments
def count_recurrence(board: Question, *, closed: bool = False) -> Recurrence:
    """The linear recurrence, and the generating function, of the numbers of tours of boards with few rows.

    board: any board of that width: the shorter side counts. closed: as for count_tours.

    Raises ProblemError for boards that are not plain, and for those of which no recurrence is known: up to 4 rows have
    one.

    >>> found = count_recurrence((3, 10), closed=True)
    >>> found.order, list(zip(range(13), found.terms()))[10:]
    (42, [(10, 16), (11, 0), (12, 176)])
    """
    problem = Problem.of(board, closed=closed)
    problem.check_takes("a recurrence")
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("recurrences are those of plain boards, all tours", help="give rows x cols only")
    return narrow_recurrence(min(problem.board.rows, problem.board.cols), closed=problem.closed)
