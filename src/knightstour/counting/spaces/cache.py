"""The space of a question, made or found: those that take seconds to make are kept in files in the user's cache.

Making the space of all closed 8x8 tours takes some ten seconds, opening its file a fraction of one. So a space that
took long is written to a folder for what programs can make again, under a name made from the question, and found there
the next time. Deleting the folder loses nothing.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Unpack

from knightstour.counting.means import CountOptions
from knightstour.counting.spaces.tour_space import TourSpace
from knightstour.model.errors import FormatError, NoTour
from knightstour.model.problem import Problem
from knightstour.model.result import Result, Status
from knightstour.model.wording import in_words
from knightstour.proofs.arguments import known_proof

_log = logging.getLogger("knightstour")

# Seconds after which a space is worth a file.
_WORTH_KEEPING_SECONDS = 2.0
# Numbers of more bits, those of long narrow boards, take as long to read from a file, of gigabytes, as to make.
_MOST_KEPT_BITS = 1000


def cache_folder() -> Path:
    """Where programs keep what they can make again."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "knightstour"


def kept_files() -> dict[Path, int]:
    """The files of the spaces that are kept, and their bytes, the largest first."""
    sizes = {}
    for path in cache_folder().glob("*.space"):
        with suppress(OSError):
            sizes[path] = path.stat().st_size
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def path_of(problem: Problem) -> Path:
    """The file of a question's space, whether it is there or not."""
    board = problem.board
    parts = (board.rows, board.cols, sorted(board.holes), board.wrap, board.leaper, board.graph, board.labels)
    question = repr((*parts, problem.closed, problem.start, problem.end))
    key = hashlib.sha256(question.encode()).hexdigest()[:16]
    kind = "closed" if problem.closed else "open"
    return cache_folder() / f"{board.rows}x{board.cols}-{kind}-{key}.space"


def space_of(
    problem: Problem,
    path: str | os.PathLike[str] | None = None,
    **options: Unpack[CountOptions],
) -> TourSpace:
    """The space of a question: from the file `path`, which is made if it is not there, or else from the cache, or made.

    options: limits, threads and on_progress, as for TourSpace.
    Raises what TourSpace does; FormatError where `path` holds the space of another question.
    """
    if path is not None and Path(path).exists():
        space = TourSpace.open(path)
        if space.problem != problem:
            raise FormatError(f"holds another space: {space.problem}", path=os.fspath(path), help="name another file")
        return space
    kept = path_of(problem)
    if path is None and kept.is_file():
        try:
            space = TourSpace.open(kept)
            if space.problem == problem:
                return space
        except FormatError:
            # Written by another version, or damaged: it is made again.
            pass
    started = time.monotonic()
    space = TourSpace(problem, **options)
    if path is not None:
        space.save(path)
    elif time.monotonic() - started > _WORTH_KEEPING_SECONDS and space.count.bit_length() <= _MOST_KEPT_BITS:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            space.save(kept, force=True)
            size = in_words(kept.stat().st_size)
            _log.info("kept for next time: %s, %s; `knightstour cache --clear` deletes it", kept, size)
        except (FormatError, OSError):
            # No room, or no right to write there: it serves from memory.
            pass
    return space


def no_tours(problem: Problem) -> NoTour:
    """The error that says why a question has no tour, when its space is empty."""
    proof = known_proof(problem)
    reason, source = ("all were counted", "exact count") if proof is None else (proof.reason, proof.source)
    return NoTour(Result(Status.IMPOSSIBLE, problem, (), reason, source, "count", 0, 0, 0.0))
