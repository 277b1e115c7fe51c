"""What commands that count may use: --timeout, --max-nodes, --memory and --threads."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.wording import in_time, in_words
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.options import Decorator, LimitWords, bundled, timeout_option

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


class EffortWords(NamedTuple):
    """What was typed of the time, the states, the memory and the threads."""

    timeout: float | None
    max_nodes: int | None = None
    memory: str | None = None
    threads: int | None = None

    @property
    def limits(self) -> Limits:
        """As Limits: half of the free memory and no other limit where nothing was typed."""
        most = available_bytes() // 2 if self.memory is None else bytes_of(self.memory)
        return replace(LimitWords(self.timeout, self.max_nodes).limits(None), bytes=most)


def effort_options(
    *,
    without: tuple[str, ...] = (),
    memory: str = "Memory that may be used, such as 8GB; default half of what is free.",
) -> Decorator:
    """The options of EffortWords, which the command is given as `effort`. memory: the help of --memory.

    without: names of those that the command does not have.
    """
    every = {
        "timeout": timeout_option(),
        "max_nodes": option("--max-nodes", type=int, metavar="N", help="States before giving up; default none."),
        "memory": option("--memory", metavar="SIZE", help=memory),
        "threads": option("--threads", type=int, metavar="N", help="Default one a core."),
    }
    return bundled("effort", EffortWords, *(each for name, each in every.items() if name not in without))


def bytes_of(text: str) -> int:
    """A size as people write it.

    >>> bytes_of("8GB"), bytes_of("500 M"), bytes_of("1e9")
    (8000000000, 500000000, 1000000000)
    """
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:e[0-9]+)?)\s*([kmgt]?)i?b?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise ProblemError(f"not a size: {text!r}", help="write it like 8GB or 500MB")
    return int(float(match[1]) * _UNITS[match[2]])


def say_if_many(problem: Problem) -> bool:
    """Print at the start about how many tours are listed, if they are many; returns whether they are."""
    from knightstour.core.proofs.arguments import known_proof
    from knightstour.lab.counting import listed

    tours = listed.estimated_tours(problem, is_quick=True)
    is_many = tours > listed.MANY and known_proof(problem) is None
    if is_many:
        console.say("note", listed.excuse(tours))
    return is_many


def say_what_it_takes(what: str, seconds: float, size: float, *, is_least: bool = False) -> None:
    """Say at the start of long work what it will take: seconds of one processor, and bytes of memory."""
    about = "at least" if is_least else "about"
    console.say("note", f"{what} takes {about} {in_time(seconds)} of one processor and {in_words(int(size))}")
