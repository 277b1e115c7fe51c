"""Files of spaces that are kept between processes: where they are, and which are worth it.

Making the space of all closed 8x8 tours takes some ten seconds, opening its file a fraction of one. So a TourSpace that
took long is written to a folder for what programs can make again, under a name made from the question, and found there
the next time. Deleting the folder loses nothing.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

from knightstour.core.model.problem import Problem

# Seconds after which a space is worth a file.
_WORTH_KEEPING_SECONDS = 2.0
# Numbers of more bits, those of long narrow boards, take as long to read from a file, of gigabytes, as to make.
_MAX_KEPT_BITS = 1000


def is_worth_keeping(seconds: float, count: int) -> bool:
    """Whether a space that took these seconds and has this number of tours is kept."""
    return seconds > _WORTH_KEEPING_SECONDS and count.bit_length() <= _MAX_KEPT_BITS


def cache_folder() -> Path:
    """Where programs keep what they can make again."""
    home = Path(os.path.expanduser("~"))
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
    parts = (board.rows, board.cols, sorted(board.holes), board.wrap, board.piece.leaps, board.graph, board.labels)
    question = repr((*parts, problem.closed, problem.start, problem.end))
    key = hashlib.sha256(question.encode()).hexdigest()[:16]
    kind = "closed" if problem.closed else "open"
    # Systems take names of up to 255 characters.
    size = f"{board.rows}x{board.cols}"[:100]
    return cache_folder() / f"{size}-{kind}-{key}.space"
