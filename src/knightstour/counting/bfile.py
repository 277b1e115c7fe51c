"""Sequences as b-files, the plain text that the On-Line Encyclopedia of Integer Sequences keeps: "n a(n)" a line.

Lines that begin with # are comments; the first of ours says what is counted, the second by which program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Unpack

from knightstour.counting import plan
from knightstour.counting.count import count
from knightstour.counting.means import CountOptions, Means
from knightstour.counting.narrow import has_recurrence, narrow_terms
from knightstour.machine.files import PathOrFile, open_source, open_target
from knightstour.model.arguments import shows_arguments
from knightstour.model.errors import ProblemError
from knightstour.model.problem import Problem, Question
from knightstour.model.validation import flag

# The Encyclopedia asks for shorter lines.
_MOST_DIGITS = 1000
_WHOLE = re.compile(rf"-?\d{{1,{_MOST_DIGITS}}}")


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
        if abs(value) >= 10**_MOST_DIGITS:
            raise ProblemError(
                f"the term for n = {n} has more than {_MOST_DIGITS} digits, and a b-file takes no longer ones",
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


def board_lines(problem: Problem, *, directed: bool = False, means: Means | None = None) -> Iterator[str]:
    """The lines of the b-file that `write_bfile` writes."""
    if not problem.board.is_rectangle or (problem.start, problem.end) != (None, None):
        raise ProblemError("a b-file holds the counts of plain boards of all lengths", help="give rows x cols only")
    way = "directed" if directed else "undirected"
    kind = "closed knight's tours"
    if not problem.closed:
        kind = "open knight's tours (Hamiltonian paths, re-entrant ones included)"
    title = f"number of {way} {kind} of the {problem.board.rows} x n board"
    return bfile_lines(_terms(problem, directed, means or Means()), title)


def _terms(problem: Problem, directed: bool, means: Means) -> Iterator[tuple[int, int]]:
    """(n, the number of tours of the rows x n board), up to the length of the board."""
    rows, cols, closed = problem.board.rows, problem.board.cols, problem.closed
    if has_recurrence(rows, closed=closed) or (rows <= cols and plan.has_recurrence(problem)):
        yield from narrow_terms(rows, 1, cols, closed=closed, directed=directed)
        return
    for n in range(1, cols + 1):
        yield n, count(Problem.of((rows, n), closed=closed), directed=directed, means=means).tours


@shows_arguments
def write_bfile(
    path: str | os.PathLike[str],
    board: Question,
    *,
    closed: bool = False,
    directed: bool = False,
    force: bool = False,
    **options: Unpack[CountOptions],
) -> int:
    """Count the tours of the rows x 1, rows x 2, ... boards up to the length of this one, and write them as a b-file.

    path: the file, written whole or not at all; one that exists is replaced only if `force`.
    board, closed, directed: as for count_tours; a plain board.
    options: limits (of each count), threads and on_progress, as for count_tours.

    Returns the number of terms. Raises ProblemError for a board that is not plain, and for a term of over 1000 digits,
    which a b-file does not take; FormatError where the file cannot be written; and what count_tours raises.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bfile(f"{folder}/b003.txt", (3, 20), closed=True)
    20
    """
    problem = Problem.of(board, closed=closed)
    problem.check_takes("a b-file")
    lines = board_lines(problem, directed=flag(directed, "directed"), means=Means(**options))
    terms = 0
    with open_target(path, force=force) as file:
        for line in lines:
            file.write(line.encode("ascii") + b"\n")
            terms += not line.startswith("#")
    return terms
