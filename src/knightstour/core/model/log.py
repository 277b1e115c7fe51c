"""The logger `knightstour`, for programs that call the package; nothing is shown unless they ask for it.

DEBUG: what was answered, by which method, with which seed, in how many seconds. INFO: what is kept on disk for next
time. WARNING: where something else was done than what was asked for.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging


@functools.cache
def logger() -> logging.Logger:
    """The logger; it is loaded late, as most questions at a terminal do without."""
    import logging

    found = logging.getLogger("knightstour")
    found.addHandler(logging.NullHandler())
    return found


def answered(what: str, subject: object, how: str, seed: int | None, seconds: float) -> None:
    """Say that a question was answered. what: the function that was asked. how: the method, way or distribution."""
    drawn = "" if seed is None else f", seed {seed}"
    logger().debug("%s: %s, by %s%s, %.3f s", what, subject, how, drawn, seconds)
