"""Sequences as b-files, the plain text that the On-Line Encyclopedia of Integer Sequences keeps: "n a(n)" a line.

Lines that begin with # are comments; the first of ours says what is counted, the second by which program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, Unpack

from knightstour.core.machine.files import PathOrFile, open_source, open_target
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.errors import BoardError, LimitReached, ProblemError
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.validation import amount, flag, one_of
from knightstour.lab.counting import ways
from knightstour.lab.counting.count import count
from knightstour.lab.counting.narrow import has_recurrence, narrow_terms
from knightstour.lab.counting.settings import CountOptions, CountSettings, count_budget
from knightstour.lab.counting.symmetric import moves_no_square

# The Encyclopedia asks for shorter lines.
_MAX_DIGITS = 1000
_WHOLE = re.compile(rf"-?\d{{1,{_MAX_DIGITS}}}")


def bfile_lines(terms: Iterable[tuple[int, int]], title: str = "") -> Iterator[str]:
    """The lines of a b-file, without line ends, of (n, a(n)) for rising n without gaps.

    Raises ProblemError at a gap, and at a term of over 1000 digits, which is where b-files end.

    >>> list(bfile_lines([(1, 0), (2, 8)], "a title"))
    ['# a title', '# counted by knightstour', '1 0', '2 8']
    """
    if title:
        yield f"# {title}"
    yield "# counted by knightstour"
    before: int | None = None
    for n, value in terms:
        if before is not None and n != before + 1:
            raise ProblemError(f"a b-file has no gaps, but after n = {before} comes {n}")
        if abs(value) >= 10**_MAX_DIGITS:
            raise ProblemError(
                f"the term for n = {n} has more than {_MAX_DIGITS} digits, and a b-file takes no longer ones",
                help=f"end at n = {n - 1}",
            )
        before = n
        yield f"{n} {value}"


def read_bfile(path_or_file: PathOrFile) -> dict[int, int]:
    """The terms of a b-file, by index: at least one, for rising n without gaps.

    path_or_file: a path, or a stream of text or bytes. Raises FormatError, with the line, for what is no b-file, and at
    a gap.

    >>> import io
    >>> read_bfile(io.StringIO("# a title\\n1 0\\n2 8\\n"))
    {1: 0, 2: 8}
    """
    found: dict[int, int] = {}
    last: int | None = None
    with open_source(path_or_file) as source:
        for line, text, _ in source.pieces():
            words = text.partition("#")[0].split()
            if not words:
                continue
            if len(words) != 2 or not all(_WHOLE.fullmatch(word) for word in words):
                raise source.fail(f'this is no line of a b-file: "{text.strip()[:40]}"', line, help="write n a(n)")
            n = int(words[0])
            if last is not None and n != last + 1:
                raise source.fail(f"a b-file has no gaps, but after n = {last} comes {n}", line)
            found[n], last = int(words[1]), n
        if not found:
            raise source.fail("this b-file has no terms", help="write n a(n) on each line")
    return found


# How the boards of a sequence grow up to the one that is given: what is n in "rows x n".
GROWTHS: Mapping[str, tuple[str, Callable[[int, int, int], tuple[int, int]]]] = {
    "columns": ("{rows} x n", lambda rows, cols, n: (rows, n)),
    "rows": ("n x {cols}", lambda rows, cols, n: (n, cols)),
    "squares": ("n x n", lambda rows, cols, n: (n, n)),
}


# Of surfaces with one pair of sides joined, which.
_JOINED = {
    "cylinder": ", its last column joined to its first",
    "mobius": ", its last column joined to its first, turned",
}


class Growing(NamedTuple):
    """The counts of boards that grow up to a given one, with its joined sides and its leaper.

    problem: the question about the last of them. growth: a name of GROWTHS. The others are those of count_tours.
    """

    problem: Problem
    growth: str
    directed: bool = False
    symmetry: str | None = None
    up_to_symmetry: bool = False

    @classmethod
    def of(
        cls, problem: Problem, growth: str, *, directed: bool, symmetry: str | None, up_to_symmetry: bool
    ) -> Growing:
        """The counts, checked: a ProblemError for boards and questions that do not grow."""
        one_of(growth, GROWTHS, "growth", error=ProblemError)
        problem, symmetry = ways.what_to_count(problem, symmetry, up_to_symmetry)
        problem.check_takes("a b-file")
        board = problem.board
        if board.graph is not None or board.holes or problem.has_given_end or problem.start is not None:
            raise ProblemError(
                "a b-file holds the counts of boards of all lengths", help="leave out holes, graphs, starts and ends"
            )
        if growth == "squares" and board.rows != board.cols:
            raise ProblemError(f"square boards do not grow to {board.rows}x{board.cols}", help="give a square board")
        return cls(problem, growth, directed, symmetry, up_to_symmetry)

    @property
    def last(self) -> int:
        """The n of the given board."""
        return self.problem.board.rows if self.growth == "rows" else self.problem.board.cols

    @property
    def title(self) -> str:
        """What is counted, of which boards."""
        board = self.problem.board
        whose = "knight's" if board.is_knights else f"{board.piece.title}'s"
        way = "classes of" if self.up_to_symmetry else "directed" if self.directed else "undirected"
        kind = f"closed {whose} tours"
        if not self.problem.closed:
            kind = f"open {whose} tours (Hamiltonian paths, re-entrant ones included)"
        if self.symmetry is not None:
            kind += f" with symmetry {self.symmetry}"
        boards = GROWTHS[self.growth][0].format(rows=board.rows, cols=board.cols)
        joined = _JOINED.get(board.wrap or "", "")
        return f"number of {way} {kind} of the {boards} {board.wrap or 'board'}{joined}"

    def problem_at(self, n: int) -> Problem:
        """The question of index n."""
        board = self.problem.board
        rows, cols = GROWTHS[self.growth][1](board.rows, board.cols, n)
        return Problem.of(board.changed((rows, cols)), closed=self.problem.closed)

    def terms(self, settings: CountSettings) -> Iterator[tuple[int, int]]:
        """(n, the count) from 1 up to the given board, or to the limits: the seconds are for all counts together.

        Raises LimitReached, or BoardError for a board that is too large, where there is not a single term.
        """
        if self._has_recurrence:
            fixed = self.problem.board.cols if self.growth == "rows" else self.problem.board.rows
            yield from narrow_terms(fixed, 1, self.last, closed=self.problem.closed, directed=self.directed)
            return
        budget = count_budget(settings.limits)
        for n in range(1, self.last + 1):
            problem = self.problem_at(n)
            # On boards that it leaves as they are, all tours have it.
            symmetry = self.symmetry
            if symmetry is not None and moves_no_square(problem.board, symmetry):
                symmetry = None
            limits = None if settings.limits is None else replace(settings.limits, seconds=budget.part().limits.seconds)
            try:
                found = count(
                    problem,
                    directed=self.directed,
                    symmetry=symmetry,
                    up_to_symmetry=self.up_to_symmetry,
                    settings=settings._replace(limits=limits),
                )
            except (LimitReached, BoardError):
                if n == 1:
                    raise
                return
            yield n, found.tours

    @property
    def _has_recurrence(self) -> bool:
        if self.symmetry is not None or self.up_to_symmetry or self.growth == "squares":
            return False
        rows, cols = self.problem.board.rows, self.problem.board.cols
        if self.growth == "rows":
            rows, cols = cols, rows
        is_plain = self.problem.board.is_rectangle
        return is_plain and (
            has_recurrence(rows, closed=self.problem.closed)
            or (rows <= cols and ways.has_recurrence(Problem.of((rows, cols), closed=self.problem.closed)))
        )

    def lines(self, settings: CountSettings, on_term: Callable[[int, int], None] | None = None) -> Iterator[str]:
        """The lines of the b-file. on_term: called with each term before its line."""

        def reported() -> Iterator[tuple[int, int]]:
            for n, value in self.terms(settings):
                if on_term is not None:
                    on_term(n, value)
                yield n, value

        return bfile_lines(reported(), self.title)


def write_lines(path: str | os.PathLike[str], lines: Iterable[str], *, force: bool = False) -> int:
    """Write the lines of a b-file, whole or not at all; returns the number of terms.

    At Ctrl-C the terms so far are written, and it is raised again; a file without terms is not written.
    """
    terms = 0
    interrupted = None
    with open_target(path, force=force) as file:
        try:
            for line in lines:
                file.write(line.encode("ascii") + b"\n")
                terms += not line.startswith("#")
        except KeyboardInterrupt as stopped:
            if not terms:
                raise
            interrupted = stopped
    if interrupted is not None:
        raise interrupted
    return terms


@shows_arguments
def write_bfile(
    path: str | os.PathLike[str],
    board: Question,
    *,
    closed: bool = False,
    directed: bool = False,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
    growth: str = "columns",
    force: bool = False,
    **options: Unpack[CountOptions],
) -> int:
    """Count the tours of boards that grow up to this one, and write the counts as a b-file.

    path: the file, written whole or not at all; one that exists is replaced only if `force`.
    board, closed, directed, symmetry, up_to_symmetry: as for count_tours. The smaller boards have the joined sides and
        the piece of this one, which has no holes.
    growth: "columns" for the rows x 1, rows x 2, ... boards; "rows" for 1 x cols, 2 x cols, ...; "squares" for
        1 x 1, 2 x 2, ...
    limits, threads, on_progress: as for count_tours; limits of seconds are for all counts together.

    Returns the number of terms. At a limit, and at Ctrl-C, the terms that were counted are written. Raises ProblemError
    for holes, graphs, starts and ends, and for a term of over 1000 digits, which a b-file does not take; FormatError
    where the file cannot be written; LimitReached if the limits allow not a single term.

    >>> import tempfile
    >>> from knightstour.core.model.board import Board
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bfile(f"{folder}/b003.txt", (3, 20), closed=True)
    ...     write_bfile(f"{folder}/torus.txt", Board(5, 5, wrap="torus"), closed=True, growth="squares", symmetry="90")
    20
    5
    """
    growing = Growing.of(
        Problem.of(board, closed=closed),
        growth,
        directed=flag(directed, "directed"),
        symmetry=symmetry,
        up_to_symmetry=flag(up_to_symmetry, "up_to_symmetry"),
    )
    amount(options.get("threads"), "threads")
    return write_lines(path, growing.lines(CountSettings(**options)), force=force)
