"""Answers about sequences of counts: the list, one of them, and those to which a count belongs.

As in answers.py, the workers run these functions. Terms are text, since browsers read numbers exactly only up to 2**53.
"""

from __future__ import annotations

from knightstour.core.model.problem import Problem
from knightstour.interfaces.web.answers import to_bytes
from knightstour.interfaces.web.many import Counting
from knightstour.lab.sequences.table import SEQUENCES, find_sequences, sequence_named


def describe_sequences() -> bytes:
    """What `oeis --json` prints."""
    return to_bytes([sequence.to_dict() for sequence in SEQUENCES.values()])


def sequence(name: str) -> bytes:
    """What `oeis NUMBER --json` prints."""
    return to_bytes(sequence_named(name).to_dict())


def places(problem: Problem, what: Counting) -> bytes:
    """What `oeis --of BOARD --json` prints, as the list `places`."""
    return to_bytes({"places": [place.to_dict() for place in find_sequences(problem, **what._asdict())]})
