"""Storage "memory, disk and checkpoint": tours counted exactly by halves, of boards cut over at most 16 squares.

Every plain board of up to 8 rows can, whatever its length, and so can many other boards. march.py says in which order
the work is done. This module does it in one process, and makes it safe:

- *Memory* is counted as arrays are made, and the work ends with a clear error before the limit is passed, or, given a
  directory, goes on with layers on disk.
- *Checkpoints*: after each layer, and every few seconds of the join, the directory holds all that is needed to go on.
- *Overflow*: where the counts of a half might not fit into 60 bits, the work is done again modulo as many primes as the
  answer needs, two in each pass. With a checkpoint, each pass begins from the last layer whose counts are exact.

A tour is counted as a set of moves, so tours are undirected; from a given start there is only one direction.
"""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from knightstour.core.machine.files import locked
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.lab.counting.halves.machine import Machine, Workers
from knightstour.lab.counting.halves.march import March
from knightstour.lab.counting.halves.stores import Checkpoint, Store, fingerprint
from knightstour.lab.counting.settings import Watch


class Count(NamedTuple):
    """The answer, and what it took.

    tours: undirected tours. states: made in all layers. transitions: states looked at to make them. peak_bytes: the
    most that arrays took. spilled_bytes: of layers that memory could not hold. moduli: the primes modulo which tours
    were counted, none where 64 bits sufficed.
    """

    tours: int
    states: int
    transitions: int
    peak_bytes: int
    spilled_bytes: int
    moduli: tuple[int, ...]


def count_by_halves(
    problem: Problem,
    *,
    cut: Cut | None = None,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    budget: Budget | None = None,
) -> Count:
    """The number of tours, undirected; of all tours with the given start, end or both, each once.

    cut: how the board is cut, by default the best way known; another cut counts by another route.
    threads: by default all processors.
    checkpoint: a directory for what is needed to go on, and for layers that do not fit into memory.
    resume: whether to go on from what the checkpoint holds.
    budget: limits of seconds, of nodes (states) and of bytes, by default most of the memory that is free; and who is
        called with a Progress now and then.

    Raises BoardError where the board cannot be cut (`cut.make_cut`) or memory does not suffice, LimitReached at a
    limit, FormatError for a checkpoint that is foreign or damaged, in the way, or in use by another run.

    >>> count_by_halves(Problem.of((6, 6), closed=True)).tours
    9862
    """
    known = count_without_cut(problem)
    if known is not None:
        return Count(known, 0, 0, 0, 0, ())
    cut = cut or the_cut(problem)
    watch = Watch(problem, budget)
    directory = Path(checkpoint) if checkpoint is not None else None
    saved = Checkpoint(directory, fingerprint(problem, cut)) if directory is not None else None
    store = Store(watch.most_bytes, directory)
    with Workers(threads) as workers, locked(directory) if directory else nullcontext():
        march = March(cut, saved, watch, Machine(workers, store))
        march.open(resume)
        tours = march.run()
    return Count(
        tours=tours,
        states=march.states,
        transitions=march.machine.transitions,
        peak_bytes=store.peak,
        spilled_bytes=store.spilled,
        moduli=tuple(march.residues.moduli),
    )
