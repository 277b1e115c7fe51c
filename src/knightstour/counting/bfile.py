"""Sequences as b-files, the plain text that the On-Line Encyclopedia of Integer Sequences keeps: "n a(n)" a line.

Lines that begin with # are comments; the first of ours says what is counted, the second by which program.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from knightstour.machine.files import open_target
from knightstour.model.errors import ProblemError

# The Encyclopedia asks for shorter lines.
_MOST_DIGITS = 1000


def count_title(rows: str | int, *, closed: bool, directed: bool = False) -> str:
    """What a sequence counts, with the convention, for the head of a b-file.

    >>> count_title(3, closed=True)
    "number of undirected closed knight's tours of the 3 x n board"
    """
    way = "directed" if directed else "undirected"
    kind = "closed knight's tours" if closed else "open knight's tours (Hamiltonian paths, re-entrant ones included)"
    return f"number of {way} {kind} of the {rows} x n board"


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


def write_bfile(
    path: str | os.PathLike[str], terms: Iterable[tuple[int, int]], title: str = "", *, force: bool = False
) -> int:
    """Write a b-file, whole or not at all; the number of its terms. An existing file is replaced only if `force`."""
    count = 0
    with open_target(path, force=force) as file:
        for line in bfile_lines(terms, title):
            file.write(line.encode("ascii") + b"\n")
            count += not line.startswith("#")
    return count
