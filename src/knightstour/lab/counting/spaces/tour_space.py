"""All tours of a board as one object: their number, ranking and unranking, and samples.

No tours are listed: a TourSpace contains states with the number of tours behind each, and every tour takes the same
time.

Ranks run from 1 to `count`. The order depends only on the problem, never on the machine, the workers or the run. Its
name is `numbering`: "ways 1" (by_states.py), or "halves 1" (by_halves.py) for boards with many states that can be cut
into two halves. Another order would have another name.

Tours are undirected: a tour and its reverse are one, unless a start or an end is given. A closed tour starts at the
given start, or else at the square with the lowest number row * cols + col, and goes to the lower of its two neighbours
there. An open tour without given ends starts at the lower of its two ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import numpy as np

from knightstour.core.checking.rows import Checker
from knightstour.core.machine import memory
from knightstour.core.machine.files import check_target
from knightstour.core.machine.native import kernel_function
from knightstour.core.machine.sharing import Workers
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Board, Square, move_graph, square_at, title_of
from knightstour.core.model.budget import NO_LIMITS, Budget, limits_of
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import FormatError, InvalidTour, KnightsTourError, ProblemError
from knightstour.core.model.exports import page_of
from knightstour.core.model.problem import (
    Problem,
    Question,
    check_supported,
    end_index,
    plural_of,
    problem_of,
    start_index,
)
from knightstour.core.model.progress import OnProgress, logger
from knightstour.core.model.sample import Sample, order_type
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.validation import Seed, as_list, check_amount, flag, seed_of, whole_number
from knightstour.core.model.wording import in_words, short_repr
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.counting.forecast import guess_states
from knightstour.lab.counting.halves.cut import make_cut
from knightstour.lab.counting.halves.layers import CountsTooLarge, spans
from knightstour.lab.counting.needs import NUMBERING, bytes_of_space, is_giant
from knightstour.lab.counting.plan import refuse
from knightstour.lab.counting.settings import CountOptions
from knightstour.lab.counting.spaces import file
from knightstour.lab.counting.spaces import step_counts as space_steps
from knightstour.lab.counting.spaces.by_halves import HalvesSpace, why_not_halves
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.counting.spaces.move_counts import count_uses
from knightstour.lab.counting.spaces.step_counts import StepEstimates
from knightstour.lab.counting.ways import STATES, Task

# Maximum number of tours unranked together during iteration.
_CHUNK = 256
# Number of tours per piece of work, if arrays of tours are requested.
_AT_ONCE = 1 << 14
_MAX_INT64 = 1 << 63
# Boards with more states, by the estimate, are cut into halves if possible.
_MAX_STATES_IN_WAYS = 1.2e6


class TourSpace:
    """All tours of a board, closed or open, with the given start or end.

    board, closed, start, end: the problem, as for solve().
    timeout, max_nodes, memory: limits for the construction in seconds, states, and bytes (or a text like "8GB"). By
        default there is no limit of time or states, and the memory is 0.6 of the free memory.
    workers: number of threads, by default one per core; the tours do not depend on it.
    on_progress: called with a Progress now and then.
    keep: whether to use the user's cache: an existing space is opened, and a new one is saved if it took over two
        seconds. The logger `knightstour` reports path and size; `knightstour cache --clear` deletes the files.
    path: a file for the space instead of the cache: an existing file is opened, otherwise it is written.

    Raises FormatError if the file contains another space, OSError if it cannot be read or written, and LimitReached at
    a limit, immediately if the space is infeasible. The space of a problem without tours has count 0.

    >>> space = TourSpace((5, 6), closed=True)
    >>> space.count, space.rank(space.unrank(3))
    (8, 3)
    >>> print(space.unrank(1))
     1 18  7 26  3 16
     8 27  2 17 12 25
    19 30 21  6 15  4
    22  9 28 13 24 11
    29 20 23 10  5 14
    """

    @with_hints
    def __init__(
        self,
        board: Question,
        *,
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        memory: int | str | None = None,
        workers: Workers = None,
        on_progress: OnProgress | None = None,
        keep: bool = True,
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        limits = limits_of(timeout, max_nodes=max_nodes, memory=memory)
        problem = problem_of(board, closed=closed, start=start, end=end)
        check_supported(problem, "a numbering of all tours")
        threads = check_amount(workers, "workers")
        budget = Budget(NO_LIMITS if limits is None else limits, on_progress, stage="numbering", unit="states")
        keep = flag(keep, "keep")
        if path is not None:
            if os.path.exists(path):
                self._open_file(problem, path)
                return
            check_target(path)
        elif keep and self._open_cached(problem):
            return
        self._set_tours(problem, _make_tours(problem, budget, threads))
        if path is not None:
            self.save(path)
        elif keep and file.is_worth_keeping(budget.seconds, self.count):
            self._cache()

    def _open_file(self, problem: Problem, path: str | os.PathLike[str]) -> None:
        """Open the file; raise FormatError if it has the space of another problem."""
        space = TourSpace.open(path)
        if space.problem != problem:
            raise FormatError(f"contains another space: {space.problem}", path=os.fspath(path), help="use another file")
        self._set_tours(problem, space._tours)

    def _open_cached(self, problem: Problem) -> bool:
        path = file.path_of(problem)
        if not path.is_file():
            return False
        try:
            space = TourSpace.open(path)
        except (FormatError, OSError) as error:
            # Written by another version, or damaged: it is built again.
            logger().warning("a damaged file in the cache is replaced: %s", error)
            return False
        if space.problem == problem:
            self._set_tours(problem, space._tours)
        return space.problem == problem

    def _cache(self) -> None:
        path = file.path_of(self.problem)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.save(path)
            size = in_words(path.stat().st_size)
            logger().info("kept for next time: %s, %s; `knightstour cache --clear` deletes it", path, size)
        except (FormatError, OSError) as error:
            # The space in memory is still usable.
            logger().warning("not kept for next time: %s", error)

    def _set_tours(self, problem: Problem, tours: WaySpace | HalvesSpace) -> None:
        self.problem = problem
        self._tours = tours
        self._squares = move_graph(problem.board).squares

    # -- on disk

    @classmethod
    def build(
        cls,
        board: Question,
        *,
        path: str | os.PathLike[str],
        closed: bool = False,
        start: Square | str | None = None,
        end: Square | str | None = None,
        timeout: float | None = None,
        max_nodes: int | None = None,
        memory: int | str | None = None,
        workers: Workers = None,
        on_progress: OnProgress | None = None,
    ) -> TourSpace:
        """Build the space, write it to a file, and open the file. An existing file is replaced.

        Raises OSError if the file cannot be written, and the errors of the class.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     TourSpace.build((5, 6), path=f"{folder}/5x6.space", closed=True).count
        8
        """
        options: CountOptions = {"timeout": timeout, "max_nodes": max_nodes, "memory": memory, "workers": workers}
        options["on_progress"] = on_progress
        check_target(path)
        cls(board, closed=closed, start=start, end=end, keep=False, **options).save(path)
        return cls.open(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the space completely to a file, which `open` reads.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     TourSpace((3, 4)).save(f"{folder}/3x4.space")
        ...     TourSpace.open(f"{folder}/3x4.space").count
        8
        """
        file.write_space(path, self.problem, self.numbering, self.count, self._tours.to_arrays())

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> TourSpace:
        """Open the space in a file, mapped into memory.

        Raises FormatError for a file that is damaged, truncated, foreign, or of a later version.
        """
        stored = file.read_space(path)
        makers: dict[str, type[WaySpace | HalvesSpace]] = {kind.numbering: kind for kind in (WaySpace, HalvesSpace)}
        maker = makers.get(stored.numbering)
        if maker is None:
            raise stored.fault(f"this version does not support the numbering {stored.numbering!r}")
        space = cls.__new__(cls)
        try:
            space._set_tours(stored.problem, maker.from_arrays(stored.problem, stored.arrays))
        except (KeyError, IndexError, ValueError, AssertionError) as error:
            raise stored.fault(f"its arrays are inconsistent: {error}") from error
        if space.count != stored.count:
            raise stored.fault("its arrays do not agree with its count")
        return space

    # -- properties

    @property
    def board(self) -> Board:
        """The board."""
        return self.problem.board

    @property
    def closed(self) -> bool:
        """Whether the tours are closed."""
        return self.problem.closed

    @property
    def count(self) -> int:
        """Number of tours."""
        return self._tours.count

    @property
    def numbering(self) -> str:
        """Name of the order in which the tours are numbered."""
        return self._tours.numbering

    def __len__(self) -> int:
        """Return `count`; Python's len supports only numbers below 2**63."""
        return self.count

    def __bool__(self) -> bool:
        return self.count > 0

    def _repr_html_(self) -> str:
        return page_of(repr(self), (self.unrank(number) for number in sorted({1, self.count})) if self.count else ())

    def __repr__(self) -> str:
        return short_repr(self, f"{self.count:,} times {self.problem}")

    # -- ranks and tours

    def unrank(self, number: int) -> Tour:
        """Return the tour of a rank, 1 to `count`; raise ProblemError for any other number.

        >>> space = TourSpace((6, 6), closed=True)
        >>> space.rank(space.unrank(4000))
        4000
        """
        return self._checked_tour(self.orders([number])[0])

    def orders(self, numbers: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the tours of these ranks as square numbers `row * cols + col` in order of visit: (n, squares).

        The dtype is uint8 up to 256 squares, uint16 up to 65,536, then int32. Raises ProblemError for an invalid rank,
        BoardError if the memory is too small.

        >>> TourSpace((3, 4)).orders([1, 8]).shape
        (2, 12)
        """
        wanted = [whole_number(k, "the number of a tour") for k in as_list(numbers, "numbers of tours")]
        if wanted and not self.count:
            raise ProblemError(f"there are no {plural_of(self.problem)} to number")
        for number in wanted:
            if not 1 <= number <= self.count:
                raise ProblemError(
                    f"there is no tour number {number:,}",
                    note=f"there are {self.count:,} {plural_of(self.problem)}",
                    help=f"pass a number from 1 to {self.count}",
                )
        kind = np.dtype(order_type(self.board))
        size = len(wanted) * len(self._squares) * kind.itemsize
        memory.require_memory(size, f"an array of {len(wanted):,} tours", "request fewer at a time")
        orders = np.empty((len(wanted), len(self._squares)), dtype=kind)
        for first, end in spans(len(wanted), _AT_ONCE):
            links = self._tours.links([number - 1 for number in wanted[first:end]])
            orders[first:end] = walk_links(links, self.problem)
        return orders

    def rank(self, tour: Tour | Sequence[Square | str] | np.ndarray) -> int:
        """Return the rank of a tour; raise ProblemError or InvalidTour if it is not in the space.

        The start of a closed tour is irrelevant, and so is the direction, except in open tours with a given end.
        """
        if not isinstance(tour, Tour):
            tour = Tour(self.board, tour)
        if tour.board != self.board:
            raise ProblemError(f"this is a tour of the {title_of(tour.board)}, not of the {title_of(self.board)}")
        problem = self.problem
        if problem.closed and not tour.is_closed:
            raise ProblemError("this tour is not closed, but the space contains closed tours only")
        if not problem.closed and problem.start not in (None, tour.start):
            raise ProblemError(f"this is not {problem}: it starts at {self.board.square_name(tour.start)}")
        if not problem.closed and problem.end not in (None, tour.end):
            raise ProblemError(f"this is not {problem}: it ends at {self.board.square_name(tour.end)}")
        return self._tours.numbers(links_of(tour.order[None, :], problem))[0] + 1

    def ranks(self, orders: np.ndarray) -> list[int]:
        """Return the ranks of many tours, given as by `orders`, or as the orders of a Sample.

        Raises InvalidTour if a tour is not in the space.

        >>> space = TourSpace((3, 4))
        >>> space.ranks(space.orders([8, 3]))
        [8, 3]
        """
        try:
            orders = np.asarray(orders if isinstance(orders, np.ndarray) else as_list(orders, "orders"))
        except ValueError:  # lists of different lengths
            orders = np.empty(0)
        if orders.ndim != 2 or orders.dtype.kind not in "iu":
            raise InvalidTour("orders must be a table of square numbers, one tour per row")
        problem = self.problem
        Checker(Problem(self.board, closed=True) if problem.closed else problem).check(orders)
        numbers: list[int] = []
        for first, end in spans(len(orders), _AT_ONCE):
            links = links_of(orders[first:end].astype(np.int64), problem)
            numbers += [k + 1 for k in self._tours.numbers(links)]
        return numbers

    def __contains__(self, tour: object) -> bool:
        try:
            self.rank(tour)  # type: ignore[arg-type]
        except (KnightsTourError, TypeError, ValueError):
            return False
        return True

    def iterate(self, first: int = 1, last: int | None = None) -> Iterator[Tour]:
        """Yield the tours in order of their ranks, from `first` to `last` or to the end; raise ProblemError if `first`
        is below 1.

        >>> space = TourSpace((3, 4))
        >>> [space.rank(tour) for tour in space.iterate(6)]
        [6, 7, 8]
        """
        first = whole_number(first, "the first number")
        last = self.count if last is None else min(self.count, whole_number(last, "the last number"))
        if first < 1:
            raise ProblemError(f"there is no tour number {first:,}", help="numbers start with 1")
        return self._iterate(first, last)

    def _iterate(self, first: int, last: int) -> Iterator[Tour]:
        size = 1
        while first <= last:
            upto = min(last, first + size - 1)
            for order in self.orders(list(range(first, upto + 1))):
                yield self._checked_tour(order)
            first = upto + 1
            size = min(_CHUNK, 2 * size)

    def _checked_tour(self, order: np.ndarray) -> Tour:
        tour = tour_of(self.board, order)
        confirm_answer(self.problem, tour, "a number")
        return tour

    def __iter__(self) -> Iterator[Tour]:
        return self.iterate()

    # -- random tours

    def random_numbers(self, n: int, seed: Seed = None) -> list[int]:
        """Return n uniform random ranks; a larger n continues the same sequence.

        >>> TourSpace((6, 6), closed=True).random_numbers(3, seed=7)
        [9319, 6165, 6748]
        """
        n = whole_number(n, "n", least=0)
        memory.require_memory(8 * n, f"an array of {n:,} numbers", "request fewer at a time")
        if n and not self.count:
            raise ProblemError(f"there are no {plural_of(self.problem)} to draw from")
        generator = np.random.default_rng(seed_of(seed))
        if self.count < _MAX_INT64:
            return [int(k) for k in generator.integers(1, self.count, size=n, endpoint=True)]
        bits = self.count.bit_length()
        numbers: list[int] = []
        while len(numbers) < n:
            k = int.from_bytes(generator.bytes(-(-bits // 8)), "little") & ((1 << bits) - 1)
            if k < self.count:
                numbers.append(k + 1)
        return numbers

    def sample(self, n: int, seed: Seed = None) -> Sample:
        """Return n uniform independent random tours: the tours of `random_numbers`, checked.

        >>> sample = TourSpace((6, 6), closed=True).sample(100, seed=7)
        >>> sample.orders.shape, sample.distribution, sample[0].is_closed
        ((100, 36), 'uniform', True)
        """
        first_seed = seed_of(seed)
        orders = self.orders(self.random_numbers(n, first_seed))
        Checker(self.problem).check(orders)
        return Sample(orders, self.problem, "uniform", {}, first_seed)

    def move_counts(self) -> dict[tuple[Square, Square], int]:
        """Return the exact number of tours that use each move of the board, including unused moves.

        A move is a pair of squares, the one with the lower number first. The probability that a uniform random tour
        uses a move is its value divided by `count`.

        >>> counts = TourSpace((3, 4)).move_counts()
        >>> counts[(0, 0), (2, 1)], sum(counts.values()) == 8 * 11
        (6, True)
        """
        found = self._tours.move_counts() if isinstance(self._tours, WaySpace) else count_uses(self._tours)
        edges = move_graph(self.board).edges().tolist()
        return {(square_at(self.board, a), square_at(self.board, b)): found.get((a, b), 0) for a, b in edges}

    def step_counts(self, *, directed: bool = False, most_tours: int = 10_000_000) -> np.ndarray:
        """Return the exact number of tours by square and step: int64 (rows, cols, steps), steps from 0.

        Each tour counts once, as `unrank` writes it; squares are compared by number, row * cols + col. A closed tour
        begins at the given start, otherwise at its lowest square, and goes first to the lower of the two neighbours. An
        open tour begins at the given start, otherwise at its lower end. Holes have 0.

        Args:
            directed: Whether to count each tour in both directions, so that no end and no neighbour is preferred:
                closed tours from the same square; open tours with a given start or end have one direction only.
            most_tours: Maximum number of tours of the space. All tours are listed, in about half a microsecond per tour
                of 36 squares. `estimate_step_counts` uses a sample instead.

        Raises:
            ProblemError: If there are more tours.

        >>> counts = TourSpace((3, 4)).step_counts(directed=True)
        >>> counts.shape, counts[0, 0].tolist()
        ((3, 4, 12), [2, 0, 4, 0, 2, 0, 0, 2, 0, 4, 0, 2])
        """
        directed = flag(directed, "directed")
        if self.count > whole_number(most_tours, "most_tours", least=0):
            raise ProblemError(
                f"step counts list all tours, up to {most_tours:,}, and there are {self.count:,}",
                note="states record the pairs of ends of paths, but not their lengths, so steps cannot be counted "
                "without listing the tours",
                help="estimate_step_counts(samples, seed=) estimates them from a "
                "sample, with errors; or pass most_tours=",
            )
        counts = space_steps.count_steps(
            self._tours, self.problem, lambda first, last: self.orders(range(first, last + 1))
        )
        return self._by_square(space_steps.both_ways(counts, self.problem) if directed else counts)

    def estimate_step_counts(
        self, samples: int = 10_000, seed: Seed = None, *, directed: bool = False
    ) -> StepEstimates:
        """Estimate the step counts from uniform random tours, with standard errors: for spaces of any size.

        >>> found = TourSpace((6, 6), closed=True).estimate_step_counts(1000, seed=7)
        >>> float(found.counts[0, 0, 0]), float(found.counts.sum().round()) == 36 * 9862
        (9862.0, True)
        """
        directed, first_seed = flag(directed, "directed"), seed_of(seed)
        samples = whole_number(samples, "samples", least=1)
        hits = space_steps.new_counts(self.problem)
        numbers = self.random_numbers(samples, first_seed)
        for first, end in spans(samples, _AT_ONCE):
            space_steps.add_orders(hits, self.orders(numbers[first:end]))
        counts, errors = space_steps.estimates_of(
            hits, self.problem, total=self.count, samples=samples, directed=directed
        )
        return StepEstimates(self._by_square(counts), self._by_square(errors), samples, first_seed)

    def _by_square(self, table: np.ndarray) -> np.ndarray:
        return table.reshape(self.board.rows, self.board.cols, -1)


def bytes_needed(problem: Problem) -> tuple[float, float]:
    """Return the approximate bytes of memory to build the space of a problem, and of its file."""
    return bytes_of_space(problem, make_cut(problem, fold=False) if _is_cut(problem) else None)


def _is_cut(problem: Problem) -> bool:
    return guess_states(make_plan(problem))[1] > _MAX_STATES_IN_WAYS and why_not_halves(problem) is None


def _make_tours(problem: Problem, budget: Budget, threads: int | None) -> WaySpace | HalvesSpace:
    """Choose the algorithm by the problem alone."""
    if is_giant(problem.board):
        refuse(STATES.fit(Task(problem, purpose=NUMBERING)), budget.limits.bytes)
    if _is_cut(problem):
        try:
            return HalvesSpace.build(problem, budget, threads=threads)
        except CountsTooLarge:
            pass  # also a property of the problem
    return WaySpace.build(problem, budget)


# ---------------------------------------------------------------- tours as the links of their squares


def links_of(orders: np.ndarray, problem: Problem) -> np.ndarray:
    """Return the squares before and after each square of each tour, -1 for none: int64 (n, size, 2)."""
    size = problem.board.rows * problem.board.cols
    links = np.full((len(orders), size, 2), -1, dtype=np.int64)
    rows = np.arange(len(orders))[:, None]
    links[rows, orders, 0] = np.roll(orders, 1, axis=1)
    links[rows, orders, 1] = np.roll(orders, -1, axis=1)
    if not problem.closed:
        links[rows[:, 0], orders[:, 0], 0] = -1
        links[rows[:, 0], orders[:, -1], 1] = -1
    return links


def walk_links(links: np.ndarray, problem: Problem) -> np.ndarray:
    """Return the tours in order of visit, from the neighbours of their squares: (n, squares), of the dtype of orders.

    They start at the given start, else at the other end than the given one, else at the lowest square (closed) or the
    lower end (open); a closed tour goes to its lower neighbour first.
    """
    squares = move_graph(problem.board).squares
    n, count = len(links), len(squares)
    orders = np.empty((n, count), dtype=order_type(problem.board))
    if start_index(problem) is not None:
        first = np.full(n, start_index(problem))
    elif problem.closed or count == 1:
        first = np.full(n, squares[0])
    else:
        is_end = (links[:, squares] < 0).any(axis=2)
        ends = squares[np.nonzero(is_end)[1]].reshape(n, 2)
        first = ends[:, 0]
        if end_index(problem) is not None:
            first = np.where(first == end_index(problem), ends[:, 1], first)
    kernel_function("space_write_orders")(links, links.shape[1], first.astype(np.int64), orders)
    return orders
