"""What commands that count may use: --timeout, --max-nodes, --memory and --threads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.machine.memory import available_bytes
from knightstour.core.model.budget import Limits, memory_size
from knightstour.core.model.wording import in_time, in_words
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.options import Decorator, LimitWords, bundled, timeout_option

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem


class EffortWords(NamedTuple):
    """What was typed of the time, the states, the memory and the threads."""

    timeout: float | None
    max_nodes: int | None = None
    memory: str | None = None
    threads: int | None = None

    @property
    def limits(self) -> Limits:
        """As Limits: half of the free memory and no other limit where nothing was typed."""
        most = available_bytes() // 2 if self.memory is None else memory_size(self.memory)
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
