"""Progress of a count by halves, from the notes of its Progress."""

import re
from collections.abc import Callable
from typing import NamedTuple

from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.progress import Progress
from knightstour.lab.counting.settings import count_budget

_STAGES = {"listing the classes of states": "classes", "making states": "layers", "joining the halves": "join"}
_NOTE = re.compile(r"(.*?): ([\d,]*\d) of ([\d,]*\d)(?:, pass (\d+) of \d+)?(?:, ([\d,]*\d) states)?")


class Step(NamedTuple):
    """stage: "classes", "layers" or "join", with done of todo steps. states: created so far. pass_number: from 1."""

    stage: str
    done: int
    todo: int
    pass_number: int
    states: int


def step_of(progress: Progress) -> Step:
    found = _NOTE.match(progress.note)
    assert found is not None, progress
    done, todo, number, states = (int((text or "0").replace(",", "")) for text in found.groups()[1:])
    return Step(_STAGES[found[1]], done, todo, max(1, number), states)


def steps_to(on_step: Callable[[Step], object]) -> Budget:
    """Return an unlimited budget that passes its progress to `on_step`."""
    return count_budget(Limits(seconds=None), lambda progress: on_step(step_of(progress)))
