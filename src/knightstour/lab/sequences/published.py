"""The terms that the OEIS shows, from published.toml: data to compare with, which no count reads."""

from __future__ import annotations

import functools
import tomllib
from datetime import date
from importlib import resources
from typing import NamedTuple


class Published(NamedTuple):
    """What an entry of the OEIS shows.

    author: as the entry names it. offset: the index of the first term. terms: those of its data lines. read: the day on
    which they were read.
    """

    author: str
    offset: int
    terms: tuple[int, ...]
    read: date


@functools.cache
def published() -> dict[str, Published]:
    """All entries of published.toml, by A-number.

    >>> published()["A001230"].terms
    (0, 0, 9862, 13267364410532)
    """
    text = resources.files("knightstour.lab.sequences").joinpath("published.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    read = entries.pop("read")
    return {
        number: Published(entry["author"], entry["offset"][0], tuple(map(int, entry["terms"].split(","))), read)
        for number, entry in entries.items()
    }
