"""make_puzzle: numbers of a random tour, taken away one after another for as long as the rest has one solution.

A level is the hardest kind of reasoning that may be needed (reasoning.py): a number stays when the puzzle could not be
solved without it in that way. So the level is chosen and the count of numbers follows, or `clues` says where to stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

from knightstour.methods.solve import find_tour, solve
from knightstour.model.board import Board, BoardLike
from knightstour.model.budget import NO_LIMITS, Budget, Limits
from knightstour.model.errors import ProblemError
from knightstour.model.symmetry import TURN_NAMED, turned_square
from knightstour.model.tour import Tour
from knightstour.model.validation import Randomness, each, flag, one_of, seed_of, whole_number
from knightstour.puzzles.puzzle import Puzzle
from knightstour.puzzles.reasoning import CHAIN, DEAD_ENDS, GUESS, LEVELS, REACH, reasoning_of
from knightstour.search.clues import Numberings, places_of

# Which squares are given together: those that this turn takes into each other.
PATTERNS: Final = {"180": "180", "90": "90", "mirror": "vertical"}
# Nodes of the search in which a number must be seen to be needless. With 800 an 8x8 puzzle has a quarter of a number
# less, and takes twice as long.
_NODES = 250
_LARGE_NODES = 500
_LARGE = 100
# Tours tried for a puzzle that really needs the level asked for.
_TRIES = 20

# Square numbers, each with the numbers it may have.
Given: TypeAlias = dict[int, tuple[int, ...]]


class Wish(NamedTuple):
    """What a puzzle is to be like, in checked form."""

    board: Board
    closed: bool
    kind: str | None
    clues: int | None
    pattern: str | None
    keep: frozenset[int]
    every: int | None = None
    places: int | None = None
    text: str = ""


def make_puzzle(
    board: BoardLike,
    *,
    closed: bool = False,
    level: str | None = None,
    clues: int | None = None,
    pattern: str | None = None,
    keep: Iterable[int] = (),
    every: int | None = None,
    places: int | None = None,
    text: str | None = None,
    rng: Randomness = None,
) -> Puzzle:
    """A puzzle with exactly one solution, of a random tour.

    board: of up to 256 squares. closed: whether its tour is closed.
    level: "easy", "medium", "hard" or "expert": the hardest step that it needs; None for any.
    clues: how many numbers are given; None for as few as the level allows: none of them can be left out, or a short
        search does not see that it could. With a pattern there may be a few more.
    pattern: the given squares are symmetric: "180", "90" or "mirror"; None for any.
    keep: numbers that are given in any case, such as the first and the last, (1, 64).
    every: each k-th number is given, and others as needed. places: the squares of each k-th number are marked, without
        their numbers, and numbers are given as needed. text: each square has the letter of its number in a text of as
        many letters as the board has squares (spaces do not count), and numbers are given as needed, so that it reads
        in one way only. Of these three one at most.
    rng: a seed, a numpy Generator, or None for a random seed; the same seed gives the same puzzle.

    Raises BoardError or ProblemError for a wish that makes no sense, NoTour where the board has no such tour, and
    LimitReached where no tour, or no puzzle of the level, is found soon.

    >>> puzzle = make_puzzle("5x5", rng=1)
    >>> puzzle.solution.numbers[tuple(puzzle.given)[0]] in puzzle.given.values()
    True
    """
    wish = wished(board, closed=closed, level=level, clues=clues, pattern=pattern, keep=keep)
    wish = styled(wish, every=every, places=places, text=text)
    seed = seed_of(rng)
    chance = random.Random(seed)
    best = None
    for _ in range(_TRIES):
        tour = random_tour(wish.board, wish.closed, chance.getrandbits(32))
        given = reduced(wish, beginning(wish, tour, chance), chance)
        best = puzzle_of(wish.board, given, wish.closed, tour, seed, wish.text)
        if level is None or best.level == level:
            return best
    assert best is not None
    raise ProblemError(
        f"no {level} puzzle was found in {_TRIES} tours, but {best.level} ones",
        help="leave out the count of clues or the pattern, or take another level or board",
    )


def wished(
    board: BoardLike,
    *,
    closed: bool = False,
    level: str | None = None,
    clues: int | None = None,
    pattern: str | None = None,
    keep: Iterable[int] = (),
) -> Wish:
    """The wish in checked form; the arguments are those of make_puzzle."""
    board = Board.of(board)
    count = places_of(board).count
    kind = None if level is None else LEVELS[one_of(level, LEVELS, "level")]
    if clues is not None and not 1 <= whole_number(clues, "clues") <= count:
        raise ProblemError(f"{clues} clues are not possible", help=f"give 1 to {count}")
    if pattern is not None:
        one_of(pattern, PATTERNS, "pattern")
        orbits(board, pattern)
    numbers = frozenset(whole_number(number, "a number to keep") for number in each(keep, "keep"))
    for number in numbers:
        if not 1 <= number <= count:
            raise ProblemError(f"there is no number {number} to keep", help=f"numbers are 1 to {count} on this board")
    return Wish(board, flag(closed, "closed"), kind, clues, pattern, numbers)


def random_tour(board: Board, closed: bool, seed: int) -> Tour:
    """A tour, by rotations and, where they find none soon, by the method auto."""
    limits = Limits(nodes=2000 * board.square_count)
    found = solve(board, closed=closed, method="rotation", rng=seed, limits=limits)
    if found.tour is not None:
        return found.tour
    return find_tour(board, closed=closed, rng=seed)


def orbits(board: Board, pattern: str | None) -> list[list[int]]:
    """The squares by number, in groups that are given together; a ProblemError where the pattern does not fit."""
    squares = places_of(board).squares
    if pattern is None:
        return [[s] for s in squares]
    if board.graph is not None or (pattern == "90" and board.rows != board.cols):
        raise ProblemError(f"the pattern {pattern} does not fit {board}", help="leave it out, or take a square board")
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
                raise ProblemError(f"the pattern {pattern} does not fit the holes of the board", help="leave it out")
            if image == s:
                break
            orbit.append(image)
        if s not in seen:
            found.append(orbit)
            seen.update(orbit)
    return found


def styled(wish: Wish, *, every: int | None, places: int | None, text: str | None) -> Wish:
    """The wish with its style in checked form."""
    count = wish.board.square_count
    if sum(style is not None for style in (every, places, text)) > 1:
        raise ProblemError("every, places and text are three kinds of puzzles", help="give one of them")
    for name, number in (("every", every), ("places", places)):
        if number is not None and not 2 <= whole_number(number, name) <= count:
            raise ProblemError(f"{name} cannot be {number}", help=f"give 2 to {count}")
    if text is None:
        return wish._replace(every=every, places=places)
    letters = "".join(str(text).split())
    if len(letters) != count:
        raise ProblemError(f"the text has {len(letters)} letters, and the board {count} squares")
    return wish._replace(text=letters)


def beginning(wish: Wish, tour: Tour, chance: random.Random) -> Given:
    """What is given before anything is taken away: of all squares the number, or its letter, or that it is a place.

    Letters and places alone may not be enough. Then numbers are given for some, and for none that need none.
    """
    order = tour.order.tolist()
    numbers: Given = {s: (t,) for t, s in enumerate(order, 1)}
    if wish.text:
        vague: Given = {s: _same_letter(wish.text, t) for t, s in enumerate(order, 1)}
    elif wish.places is not None:
        marked = tuple(range(wish.places, len(order) + 1, wish.places))
        vague = {s: marked if t in marked else (t,) for t, s in enumerate(order, 1)}
    else:
        return numbers
    vague |= {s: number for s, number in numbers.items() if number[0] in wish.keep}
    is_enough = _TESTS[wish.kind or GUESS]
    unsure = [s for s in order if len(vague[s]) > 1]
    chance.shuffle(unsure)
    given = dict(vague)
    # In steps that double, for as long as it is not enough.
    done = 0
    while done < len(unsure) and not is_enough(wish.board, wish.closed, given):
        more = unsure[done : 2 * done + 1]
        given |= {s: numbers[s] for s in more}
        done += len(more)
    for s in unsure[:done]:
        less = {**given, s: vague[s]}
        if is_enough(wish.board, wish.closed, less):
            given = less
    return given


def _same_letter(text: str, number: int) -> tuple[int, ...]:
    """The numbers whose letters in a text are the same."""
    return tuple(k for k, letter in enumerate(text, 1) if letter == text[number - 1])


def reduced(wish: Wish, given: Given, chance: random.Random) -> Given:
    """What is left of the given squares when needless ones are taken away, in random order."""
    if wish.text:
        return given
    parts = orbits(wish.board, wish.pattern)
    chance.shuffle(parts)
    is_enough = _TESTS[wish.kind or GUESS]
    for part in parts:
        here = [s for s in part if s in given]
        if not here or any(_must_stay(wish, given[s]) for s in here):
            continue
        if wish.clues is not None and len(given) - len(here) < wish.clues:
            continue
        less = {s: numbers for s, numbers in given.items() if s not in here}
        if is_enough(wish.board, wish.closed, less):
            given = less
    return given


def _must_stay(wish: Wish, numbers: tuple[int, ...]) -> bool:
    """Whether a given square is never taken away."""
    is_kept = len(numbers) > 1 or numbers[0] in wish.keep
    return is_kept or any(k is not None and numbers[0] % k == 0 for k in (wish.every, wish.places))


def has_one_solution(board: Board, closed: bool, given: Given) -> bool:
    """Whether there is exactly one numbering; False also where that is not seen soon."""
    nodes = _NODES if board.square_count < _LARGE else _LARGE_NODES
    search = Numberings(
        board, given.items(), Budget(Limits(seconds=None, nodes=nodes)), closed=closed, takes_turns=False
    )
    return sum(1 for _ in zip(search, range(2), strict=False)) == 1 and search.is_finished


def follows(board: Board, closed: bool, given: Given) -> bool:
    """Whether everything follows from the given numbers without trying anything."""
    search = Numberings(board, given.items(), Budget(NO_LIMITS), closed=closed, takes_turns=False)
    return all(bits and bits & (bits - 1) == 0 for bits in search.settled())


def _by_kind(kind: str) -> Callable[[Board, bool, Given], bool]:
    return lambda board, closed, given: reasoning_of(places_of(board), closed, given.items()).solves(kind)


# Whether a kind of reasoning, with the easier ones, solves it.
_TESTS: Final[dict[str, Callable[[Board, bool, Given], bool]]] = {
    REACH: _by_kind(REACH),
    CHAIN: _by_kind(CHAIN),
    DEAD_ENDS: follows,
    GUESS: has_one_solution,
}


def level_needed(board: Board, closed: bool, given: Given) -> str:
    """The level of a puzzle that has one solution."""
    return next((level for level, kind in LEVELS.items() if _TESTS[kind](board, closed, given)), "expert")


def puzzle_of(board: Board, given: Given, closed: bool, solution: Tour, seed: int, text: str = "") -> Puzzle:
    """The puzzle with its level."""
    squares = {
        divmod(s, board.cols): numbers[0] if len(numbers) == 1 else frozenset(numbers)
        for s, numbers in sorted(given.items())
    }
    return Puzzle(board, squares, closed, solution, level_needed(board, closed, given), seed, text)
