"""Sequences as b-files, the plain text that the On-Line Encyclopedia of Integer Sequences keeps: "n a(n)" a line.

Lines that begin with # are comments; the first of ours say what is counted, and by which program.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from knightstour.core.machine.files import PathOrFile, open_source, open_target
from knightstour.core.model.errors import ProblemError

# The Encyclopedia asks for shorter lines.
_MAX_DIGITS = 1000
_WHOLE = re.compile(rf"-?\d{{1,{_MAX_DIGITS}}}")


def bfile_lines(terms: Iterable[tuple[int, int, str]], comments: Iterable[str] = ()) -> Iterator[str]:
    """The lines of a b-file, without line ends, of (n, a(n), how it was counted) for rising n without gaps.

    comments: lines before the first. How is a comment before the first term that it holds of. Raises ProblemError at a
    gap, and at a term of over 1000 digits, which is where b-files end.

    >>> list(bfile_lines([(1, 0, "by hand"), (2, 8, "by hand")], ["a title"]))
    ['# a title', '# by hand', '1 0', '2 8']
    """
    yield from (f"# {comment}" for comment in comments)
    before, said = None, ""
    for n, value, how in terms:
        if before is not None and n != before + 1:
            raise ProblemError(f"a b-file has no gaps, but after n = {before} comes {n}")
        if abs(value) >= 10**_MAX_DIGITS:
            raise ProblemError(
                f"the term for n = {n} has more than {_MAX_DIGITS} digits, and a b-file takes no longer ones",
                help=f"end at n = {n - 1}",
            )
        if how != said:
            yield f"# {how}"
        before, said = n, how
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
