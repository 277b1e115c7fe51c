"""Create puzzles: numbers of a random tour are removed one after another while the solution stays unique.

A level is the hardest kind of reasoning that a puzzle may need (reasoning.py): a number stays if the puzzle cannot be
solved at the level without it. `clues` may set a lower limit on the number of clues.

A complete search with few nodes decides whether a number can be removed. Undecided cases are repeated with more nodes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias, TypedDict

from knightstour.core.methods.solve import SolveSettings, find_tour, search
from knightstour.core.model.arguments import with_hints
from knightstour.core.model.board import Board, BoardLike, board_of, square_at, square_count, title_of
from knightstour.core.model.budget import DEFAULT_SECONDS, NO_LIMITS, Budget, Limits, as_arguments, limits_of
from knightstour.core.model.conditions import Given, Steps, Where, steps_given
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.literals import LevelName, PuzzleKind
from knightstour.core.model.problem import (
    Problem,
    condition_names,
    keyword_arguments,
    replace_conditions,
)
from knightstour.core.model.progress import OnProgress, log_result
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.symmetry import TURN_NAMED, turned_square
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import Seed, each, flag, one_of, seed_of, whole_number, wrong_type
from knightstour.core.search.clues import Numberings, places_of
from knightstour.lab.puzzles.puzzle import Details, Puzzle, check_size_for_puzzles, check_text, puzzle_with
from knightstour.lab.puzzles.reasoning import CHAIN, DEAD_ENDS, GUESS, LEVELS, REACH, reasoning_of
from knightstour.lab.puzzles.zips import add_walls, check_zip

# The default level.
USUAL_LEVEL: Final = "medium"
KINDS: Final = ("numbers", "zip", "every", "places")
# Rotations by pattern; the squares of an orbit are given together.
PATTERNS: Final = {"180": "180", "90": "90", "mirror": "vertical"}
# Nodes of the first decision about a number. Each repetition multiplies them by _MORE_NODES; all repetitions together
# have _NODES_OF_DOUBT.
_NODES = 250
_LARGE_NODES = 500
_LARGE = 100
_MORE_NODES = 4
_NODES_OF_DOUBT = 10_000
# Number of tours tried for a puzzle of the requested level.
_TRIES = 20
_MAX_SQUARES_DRAWN = 36
# The allowed numbers of each square number.
Domains: TypeAlias = "dict[int, tuple[int, ...]]"

# Most searches need few nodes. Otherwise other solutions are searched near the known one, in _PLACES places, with half
# of the tour free at first and four fifths at the end.
_FEW_NODES = 20
_PLACES, _NODES_PER_PLACE = 12, 40
_FREE = (0.5, 0.8)


class PuzzleOptions(NamedTuple):
    """Properties of a puzzle to create, as arguments of make_puzzle. text: "" for none.

    may_be_easier: whether an easier puzzle is accepted if no tour leads to the level (the default level).
    """

    board: Board
    closed: bool
    level: str | None
    clues: int | None
    pattern: str | None
    keep: frozenset[int]
    every: int | None
    places: int | None
    text: str
    in_order: int | None = None
    given: Steps = ()
    where: tuple[tuple[str, int, int], ...] = ()
    may_be_easier: bool = False

    def generator(self, seed: int) -> random.Random:
        """Return the random generator of a seed for these properties.

        Other properties give other solutions. Equal properties give equal generators on every machine.
        """
        steps = [(square, sorted(numbers)) for square, numbers in self.given]
        ranges = [(name, int(least), int(most)) for name, least, most in self.where]
        kind = (self.pattern, self.every, self.places, self.text, self.in_order)
        words = (self.closed, self.level, self.clues, sorted(self.keep), kind, steps, ranges)
        return random.Random(f"{seed} {words}")

    def check(self, *, has_text: bool) -> None:
        """Raise BoardError or ProblemError for invalid or conflicting properties."""
        count = places_of(self.board).count
        if self.in_order is not None:
            self._check_zip(count)
        if self.level is not None:
            one_of(self.level, LEVELS, "level")
        if self.clues is not None and not 1 <= whole_number(self.clues, "clues") <= count:
            raise ProblemError(f"{self.clues} clues are not possible", help=f"pass 1 to {count}")
        if self.pattern is not None:
            one_of(self.pattern, PATTERNS, "pattern")
            orbits(self.board, self.pattern)
        for number in self.keep:
            if not 1 <= number <= count:
                raise ProblemError(
                    f"there is no number {number} to keep", help=f"numbers are 1 to {count} on this board"
                )
        if (self.every is not None) + (self.places is not None) + has_text > 1:
            raise ProblemError(
                f"kind {'every' if self.every else 'places'!r} cannot be combined with text", help="omit one of them"
            )
        for name, k in (("every", self.every), ("places", self.places)):
            if k is not None and not 2 <= whole_number(k, "clues") <= count:
                raise ProblemError(f"clues cannot be {k} for kind {name!r}", help=f"pass 2 to {count}")
        if has_text:
            check_text(self.text, count)

    def _check_zip(self, count: int) -> None:
        assert self.in_order is not None
        check_zip(self.board)
        if not 2 <= whole_number(self.in_order, "clues") <= count:
            raise ProblemError(f"clues cannot be {self.in_order}", help=f"pass 2 to {count}")
        others = ("closed", "level", "clues", "pattern", "given", "keep", "every", "places", "text", "where")
        strange = [name for name in others if getattr(self, name)]
        if strange:
            raise ProblemError(f"a Zip cannot be combined with {strange[0]}", help=f"omit {strange[0]}")

    @property
    def kind(self) -> str:
        """The hardest kind of reasoning allowed."""
        return GUESS if self.level is None else LEVELS[self.level]

    @property
    def problem(self) -> Problem:
        """The problem whose tours are used."""
        return replace_conditions(Problem(self.board, closed=self.closed), where=self.where)


@with_hints
def make_puzzle(
    board: BoardLike,
    *,
    closed: bool = False,
    level: LevelName | None = "auto",
    clues: int | None = None,
    pattern: str | None = None,
    keep: Iterable[int] = (),
    kind: PuzzleKind = "numbers",
    text: str | None = None,
    given: Given | None = None,
    where: Where | None = None,
    seed: Seed = None,
    timeout: float | None = DEFAULT_SECONDS,
    max_nodes: int | None = None,
    on_progress: OnProgress | None = None,
) -> Puzzle:
    """Create a puzzle with exactly one solution from a random tour.

    Args:
        board: A board of up to 256 squares.
        closed: Whether the tour is closed.
        level: "easy", "medium", "hard" or "expert", the hardest step that is needed; "any" or None for any level.
            "auto" is medium (or easy, if the board has no medium puzzles), and any level with `clues` or `text`. Easy
            puzzles give the number 1, except puzzles of letters.
        clues: With kind "numbers", a lower limit on the number of given squares. By default, numbers are removed until
            the puzzle would become harder or ambiguous; `is_minimal` of its JSON states whether this is proved.
        pattern: Symmetry of the given squares: "180", "90" or "mirror"; None for any.
        keep: Numbers that are always given, such as (1, 64).
        kind: "numbers", or one of three others that require `clues`.
            "zip": `clues` squares are in order, including the first and the last, without their numbers. Walls forbid
            moves between adjacent squares. The board needs the wazir or the king, or hexagons with the wazir. A Zip
            has no level.
            "every": each multiple of `clues` is given, and further numbers as needed.
            "places": the squares of these numbers are marked, without their numbers, and others are given as needed.
        text: Show the letters of a text, one letter per square, and numbers as needed for a unique solution.
        given: Numbers on squares, such as a date in the top row, {"a6": 24, "b6": 12}, which are always given.
        where: Ranges of statistics of the solution, as for solve(). {"magic-rows": 8, "magic-columns": 8} requires a
            magic tour.
        seed: An integer, a random generator, or None for a random seed. The same arguments give the same puzzle.
        timeout: Limit in seconds.
        max_nodes: Limit of search steps, in addition to a first short search; None means 10,000.
        on_progress: Callback with a Progress every fraction of a second.

    Raises:
        BoardError, ProblemError: If the arguments are invalid, or no puzzle of the level is found.
        NoTour: If the board has no such tour.
        LimitReached: If the time is over before a puzzle exists.

    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> puzzle.solution.numbers[tuple(puzzle.given)[0]] in puzzle.given.values()
    True
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    wanted = _checked_options(
        board_of(board),
        closed=closed,
        level=level,
        pattern=pattern,
        keep=keep,
        text=text,
        given=given,
        where=where,
        **clues_of(kind, clues),
    )
    first_seed = seed_of(seed)
    return create_puzzle(wanted, first_seed, wanted.generator(first_seed), limits, on_progress)


class CluesOfKind(TypedDict, total=False):
    """The number of clues under its name for each kind of puzzle."""

    clues: int | None
    every: int | None
    places: int | None
    in_order: int | None


def clues_of(kind: str, clues: int | None) -> CluesOfKind:
    """Return the number of clues under its name for a kind of puzzle.

    >>> clues_of("numbers", None), clues_of("zip", 8)
    ({'clues': None}, {'in_order': 8})
    """
    one_of(kind, KINDS, "kind of puzzle")
    if kind == "numbers":
        return {"clues": clues}
    if clues is None:
        raise ProblemError(f"kind {kind!r} requires clues", help="use clues=8 or --clues 8")
    return {"every": clues} if kind == "every" else {"places": clues} if kind == "places" else {"in_order": clues}


def seeded_puzzle(
    board: BoardLike,
    *,
    closed: bool = False,
    level: str | None,
    pattern: str | None = None,
    in_order: int | None = None,
    seed: int,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Puzzle:
    """Create the puzzle of a day or of a link: the generator depends only on the seed, unlike that of make_puzzle.
    >>> seeded_puzzle("5x5", level="easy", seed=1).seed
    1
    """
    wanted = _checked_options(board_of(board), closed=closed, level=level, pattern=pattern, in_order=in_order)
    return create_puzzle(wanted, seed, random.Random(seed), limits, on_progress)


def _checked_options(
    board: Board,
    *,
    closed: bool = False,
    level: str | None = None,
    clues: int | None = None,
    pattern: str | None = None,
    keep: Iterable[int] = (),
    every: int | None = None,
    places: int | None = None,
    text: str | None = None,
    in_order: int | None = None,
    given: Given | None = None,
    where: Where | None = None,
) -> PuzzleOptions:
    numbers = frozenset(whole_number(number, "a number to keep") for number in each(keep, "keep"))
    if not isinstance(level, str | None):
        raise wrong_type("level", "a text", level)
    is_usual = level == "auto"
    if is_usual:
        level = USUAL_LEVEL if clues is None and text is None and in_order is None else None
    elif level == "any":
        level = None
    if level == "easy" and text is None and in_order is None:
        # Beginners start at 1.
        numbers |= {1}
    letters = "" if text is None else "".join(str(text).split())
    fixed = _numbers_given(board, given)
    numbers |= {number for _, (number,) in fixed}
    wanted = PuzzleOptions(
        *(board, flag(closed, "closed"), level, _optional_integer(clues, "clues"), pattern, numbers),
        *(_optional_integer(every, "clues"), _optional_integer(places, "clues"), letters),
        *(_optional_integer(in_order, "clues"), fixed),
        where=Problem(board, closed=closed, where=where).where if where else (),
        may_be_easier=is_usual,
    )
    wanted.check(has_text=text is not None)
    return wanted


def _optional_integer(value: int | None, name: str) -> int | None:
    return None if value is None else whole_number(value, name)


def create_puzzle(
    wanted: PuzzleOptions,
    seed: int,
    chance: random.Random,
    limits: Limits | None,
    on_progress: OnProgress | None,
) -> Puzzle:
    """Create a puzzle with these properties. seed is stored in the puzzle, and `chance` is the random generator."""
    limits = Limits() if limits is None else limits
    budget = Budget(replace(limits, nodes=None), on_progress, stage="making a puzzle")
    best = None
    for _ in range(_TRIES):
        tour = random_tour(wanted.problem, chance.getrandbits(32), budget, wanted.given)
        if wanted.in_order is not None:
            best = zip_of(wanted, tour, seed, chance, budget)
        else:
            given = first_clues(wanted, tour, chance, budget)
            given, is_minimal = remove_clues(wanted, tour, given, chance, budget, limits.nodes or _NODES_OF_DOUBT)
            best = puzzle_of(wanted, given, tour, seed, is_minimal)
        if wanted.level is None or best.level == wanted.level:
            break
    assert best is not None
    if wanted.level not in (None, best.level) and not wanted.may_be_easier:
        raise ProblemError(
            f"no {wanted.level} puzzle was found in {_TRIES} tours, but {best.level} ones",
            help="omit the number of clues or the pattern, or use another level or board",
        )
    log_result("make_puzzle", wanted.board, best.level, seed, budget.seconds)
    return best


def zip_of(wanted: PuzzleOptions, tour: Tour, seed: int, chance: random.Random, budget: Budget) -> Puzzle:
    """Create the Zip of a tour; it has no level."""
    assert wanted.in_order is not None
    board = wanted.board
    made = add_walls(tour, wanted.in_order, chance, budget)
    check_time(wanted.problem, budget)
    named = tuple(square_at(board, square) for square in made.named)
    details = Details("", made.is_minimal, named, made.walls)
    return puzzle_with(Puzzle(board, {}), solution=tour, seed=seed, _details=details)


def _numbers_given(board: Board, given: Given | None) -> Steps:
    """Raise ProblemError for several numbers at a square."""
    steps = steps_given(board, given)
    for square, numbers in steps:
        if len(numbers) > 1:
            name = board.square_name(divmod(square, board.cols))
            raise ProblemError(f"given: {name} has {len(numbers)} numbers", help="pass one number per square")
    return steps


def random_tour(problem: Problem, seed: int, budget: Budget, given: Steps = ()) -> Tour:
    """Return a tour, by rotations, or by the method auto if these fail soon or there are other conditions.

    On a small board with a limited statistic the tour is a random sample, since the search would list tours in order.
    """
    check_time(problem, budget)
    board, limits = problem.board, replace(budget.part().limits, nodes=None)
    if given:
        conditions = keyword_arguments(problem)
        conditions["given"] = {square_at(board, square): numbers for square, numbers in given}
        return find_tour(Problem(board, **conditions), seed=seed, **as_arguments(limits))
    if condition_names(problem) and square_count(board) <= _MAX_SQUARES_DRAWN:
        # Imported here, since few puzzles limit a statistic.
        from knightstour.lab.sampling.sample import sample

        drawn = sample(problem, 1, seed=seed, **as_arguments(limits))
        return drawn[0] if len(drawn) else find_tour(problem, seed=seed, **as_arguments(limits))
    if not condition_names(problem):
        few = budget.part(nodes=2000 * square_count(board)).limits
        found = search(problem, SolveSettings(method="rotation", seed=seed, limits=few))
        if found.tour is not None:
            return found.tour
    return find_tour(problem, seed=seed, **as_arguments(limits))


def check_time(problem: Problem, budget: Budget) -> None:
    """Raise LimitReached if the time is over."""
    if budget.is_spent:
        reason = f"no puzzle was made: {budget.why_stopped()}"
        raise LimitReached(
            Result(Status.UNDECIDED, problem, None, reason, "", "puzzle", 0, budget.nodes, budget.seconds)
        )


def orbits(board: Board, pattern: str | None) -> list[list[int]]:
    """Return the square numbers in groups that are given together; raise ProblemError if the pattern does not fit."""
    check_size_for_puzzles(board)
    squares = places_of(board).squares
    if pattern is None:
        return [[s] for s in squares]
    if isinstance(board, GraphBoard) or (pattern == "90" and board.rows != board.cols):
        why = f"the pattern {pattern} does not fit {title_of(board)}"
        raise ProblemError(why, help="omit it, or use a square board")
    turn = TURN_NAMED[PATTERNS[pattern]]
    there = set(squares)
    found: list[list[int]] = []
    seen: set[int] = set()
    for s in squares:
        orbit = [s]
        while True:
            row, col = turned_square(divmod(orbit[-1], board.cols), turn, board.rows, board.cols)
            image = row * board.cols + col
            if image not in there:
                raise ProblemError(f"the pattern {pattern} does not fit the holes of the board", help="omit it")
            if image == s:
                break
            orbit.append(image)
        if s not in seen:
            found.append(orbit)
            seen.update(orbit)
    return found


def first_clues(wanted: PuzzleOptions, tour: Tour, chance: random.Random, budget: Budget) -> Domains:
    """Return the first clues: the number of each square, or its letter or mark and as few numbers as necessary."""
    order = tour.order.tolist()
    numbers: Domains = {s: (t,) for t, s in enumerate(order, 1)}
    if wanted.text:
        vague: Domains = {s: _same_letter(wanted.text, t) for t, s in enumerate(order, 1)}
    elif wanted.places is not None:
        marked = tuple(range(wanted.places, len(order) + 1, wanted.places))
        vague = {s: marked if t in marked else (t,) for t, s in enumerate(order, 1)}
    else:
        return numbers
    vague |= {s: number for s, number in numbers.items() if number[0] in wanted.keep}
    is_enough = _TESTS[wanted.kind]
    unsure = [s for s in order if len(vague[s]) > 1]
    chance.shuffle(unsure)
    given = dict(vague)
    # The number of added clues doubles until they are enough.
    done = 0
    while done < len(unsure) and not is_enough(wanted.board, wanted.closed, given):
        check_time(wanted.problem, budget)
        more = unsure[done : 2 * done + 1]
        given |= {s: numbers[s] for s in more}
        done += len(more)
    for s in unsure[:done]:
        check_time(wanted.problem, budget)
        less = {**given, s: vague[s]}
        if is_enough(wanted.board, wanted.closed, less):
            given = less
    return given


def _same_letter(text: str, number: int) -> tuple[int, ...]:
    """Return the numbers with the same letter in a text."""
    return tuple(k for k, letter in enumerate(text, 1) if letter == text[number - 1])


def remove_clues(
    wanted: PuzzleOptions, tour: Tour, given: Domains, chance: random.Random, budget: Budget, most_nodes: int
) -> tuple[Domains, bool | None]:
    """Return the clues that remain after unnecessary ones were removed in random order.

    The second result states whether it is proved that all remaining clues are necessary (None: not requested).

    tour: the unique solution. most_nodes: limit of all searches except the first short ones.
    """
    if wanted.text:
        return given, None
    parts = [
        part for part in orbits(wanted.board, wanted.pattern) if not any(_must_stay(wanted, given[s]) for s in part)
    ]
    chance.shuffle(parts)
    solved = SolvedPuzzle(wanted.board, wanted.closed, {s: step for step, s in enumerate(tour.order.tolist(), 1)})
    nodes = _NODES if square_count(wanted.board) < _LARGE else _LARGE_NODES
    left = budget
    while parts and not left.is_spent:
        unsure = []
        for part in parts:
            if left is budget:
                check_time(wanted.problem, budget)
            if wanted.clues is not None and len(given) - len(part) < wanted.clues:
                continue
            is_needed = None if left.is_spent else _is_needed(wanted, given, part, solved, left, nodes, chance)
            if is_needed is None:
                unsure.append(part)
            elif not is_needed:
                given = {s: numbers for s, numbers in given.items() if s not in part}
        parts = unsure
        nodes *= _MORE_NODES
        if left is budget:
            left = budget.part(nodes=most_nodes)
    return given, None if wanted.clues is not None else not parts


def _is_needed(
    wanted: PuzzleOptions,
    given: Domains,
    part: list[int],
    solved: SolvedPuzzle,
    budget: Budget,
    nodes: int,
    chance: random.Random,
) -> bool | None:
    """Whether these clues are necessary; None if the nodes do not suffice."""
    if wanted.kind == GUESS:
        return has_another_solution(solved, given, part, budget, nodes, chance)
    return not _TESTS[wanted.kind](wanted.board, wanted.closed, {s: few for s, few in given.items() if s not in part})


def _must_stay(wanted: PuzzleOptions, numbers: tuple[int, ...]) -> bool:
    """Whether a clue is never removed."""
    is_kept = len(numbers) > 1 or numbers[0] in wanted.keep
    return is_kept or any(k is not None and numbers[0] % k == 0 for k in (wanted.every, wanted.places))


def has_one_solution(board: Board, closed: bool, given: Domains) -> bool:
    """Whether exactly one numbering exists; also False if a short search cannot decide."""
    nodes = _NODES if square_count(board) < _LARGE else _LARGE_NODES
    search = Numberings(
        board, given.items(), Budget(Limits(seconds=None, nodes=nodes)), closed=closed, takes_turns=False
    )
    return sum(1 for _ in zip(search, range(2), strict=False)) == 1 and search.is_finished


def needs_no_guess(board: Board, closed: bool, given: Domains) -> bool:
    """Whether everything follows from the given numbers without trial and error."""
    search = Numberings(board, given.items(), Budget(NO_LIMITS), closed=closed, takes_turns=False)
    return all(bits and bits & (bits - 1) == 0 for bits in search.possible_steps())


def _by_kind(kind: str) -> Callable[[Board, bool, Domains], bool]:
    return lambda board, closed, given: reasoning_of(places_of(board), closed, given.items()).solves(kind)


# Tests whether a kind of reasoning, with the easier ones, solves a puzzle.
_TESTS: Final[dict[str, Callable[[Board, bool, Domains], bool]]] = {
    REACH: _by_kind(REACH),
    CHAIN: _by_kind(CHAIN),
    DEAD_ENDS: needs_no_guess,
    GUESS: has_one_solution,
}


def level_needed(board: Board, closed: bool, given: Domains) -> str:
    """Return the level of a puzzle with one solution."""
    easier = (level for level, kind in LEVELS.items() if kind != GUESS and _TESTS[kind](board, closed, given))
    return next(easier, "expert")


def puzzle_of(wanted: PuzzleOptions, given: Domains, solution: Tour, seed: int, is_minimal: bool | None) -> Puzzle:
    """Return the puzzle with its level."""
    board = wanted.board
    squares = {
        square_at(board, s): numbers[0] if len(numbers) == 1 else frozenset(numbers)
        for s, numbers in sorted(given.items())
    }
    level = level_needed(board, wanted.closed, given)
    empty = Puzzle(board, {}, closed=wanted.closed)
    details = Details(wanted.text, is_minimal)
    return puzzle_with(empty, given=squares, solution=solution, level=level, seed=seed, _details=details)


class SolvedPuzzle(NamedTuple):
    """A puzzle with its solution: the step of each square."""

    board: Board
    closed: bool
    step: Mapping[int, int]


def has_another_solution(
    solved: SolvedPuzzle, given: Domains, part: list[int], budget: Budget, nodes: int, chance: random.Random
) -> bool | None:
    """Whether another solution exists without the clues of some squares; None if the nodes do not suffice to decide.

    Another solution has another number on one of these squares. First it is searched near the known one: two stretches
    of the tour are free. With few clues that needs about ten nodes on 8x8, and the complete search about a hundred.
    Only the complete search can prove that no other solution exists.

    given: clues with a unique solution. part: the squares, each with one given number. nodes: of a complete search.
    """
    left = {s: numbers for s, numbers in given.items() if s not in part}
    is_sure = True
    for s in part:
        # Another solution with the numbers of the previous squares, but another number on this one.
        others = {**left, s: tuple(step for step in range(1, len(solved.step) + 1) if step != solved.step[s])}
        found = _has_solution(solved, others, budget, min(nodes, _FEW_NODES))
        if found is None and nodes > _FEW_NODES:
            found = _has_solution_nearby(solved, others, s, budget, chance) or _has_solution(
                solved, others, budget, nodes
            )
        if found:
            return True
        is_sure = is_sure and found is False
        left[s] = given[s]
    return False if is_sure else None


def _has_solution(solved: SolvedPuzzle, domains: Domains, budget: Budget, nodes: int) -> bool | None:
    """Return None if the nodes do not suffice."""
    share = budget.part(nodes=nodes)
    search = Numberings(solved.board, domains.items(), share, closed=solved.closed, takes_turns=False)
    is_found = next(search, None) is not None
    budget.spend(share.nodes)
    return True if is_found else False if search.is_finished else None


def _has_solution_nearby(solved: SolvedPuzzle, domains: Domains, s: int, budget: Budget, chance: random.Random) -> bool:
    """Whether a solution differs from the known one in two stretches only, one of them around s."""
    count = len(solved.step)
    for k in range(_PLACES):
        length = max(2, round(count * (_FREE[0] + (_FREE[1] - _FREE[0]) * k / (_PLACES - 1)) / 2))
        firsts = (solved.step[s] - chance.randrange(length), chance.randrange(count))
        free = {(first + i - 1) % count + 1 for first in firsts for i in range(length)}
        fixed = {u: (step,) for u, step in solved.step.items() if step not in free}
        if not budget.is_spent and _has_solution(solved, fixed | domains, budget, _NODES_PER_PLACE):
            return True
    return False
