"""Tours counted by halves in parts, for halves whose layers memory cannot hold, and nor can a disk.

parts.py says what a part is. The work has two stages, and each consists of pieces that do not depend on each other, so
that workers may share them:

1. Each part of a half is made, layer after layer, as a whole half is (count_halves.py). Its last layer stays in the
   directory until all is joined: as words, which together take the room of one whole last layer, or as counts by rank
   where these are the better form (rank_join.py), in half the room where most matchings have counts.
2. Each pair of parts is joined, and its sum is written down. The sums added up are the count.

part_work.py does the pieces. In the directory, for each pass (exact if 0, else modulo two primes): `pass-P/left-K/`,
the checkpoint of part K of the left half, and its last layer once that is made; `pass-P/pair-K-L.json`, the sum of the
pair of left part K and right part L (in a pass modulo two primes, that of each in a file). Files are whole or not
there, and carry checksums. What is done is not done again: a run that goes on looks which files are there.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from knightstour.counting.halves.count_halves import count_by_halves
from knightstour.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.counting.halves.middle import NOTHING_JOINED, Joined, total_of_passes, tours_of
from knightstour.counting.halves.part_work import Asked, Shelf, join_pair, make_part
from knightstour.counting.halves.parts import pairs_of_parts
from knightstour.counting.halves.stores import HALVES_SHARE, Checkpoint, Details, fingerprint
from knightstour.counting.means import Watch
from knightstour.counting.residues import Residues
from knightstour.machine import sharing
from knightstour.machine.files import locked
from knightstour.machine.memory import available_bytes
from knightstour.model.budget import Budget
from knightstour.model.problem import Problem

_OUR_FILES = re.compile(r"\.?(progress\.json|pair-\d+-\d+(-[01])?\.json|left-\d+|right-\d+|spill-\d+-\d+)(\..*)?")
# Of the work of a pass, for the line of progress: making the parts takes about this share.
_PARTS_SHARE = 0.3


class PartsCount(NamedTuple):
    """The answer, and what it took.

    tours: undirected. states: made in all layers of all parts. pairs: of parts that were joined. seconds: wall clock,
    of this run. moduli: the primes counted by, if any.
    """

    tours: int
    states: int
    pairs: int
    seconds: float
    moduli: tuple[int, ...]


def count_in_parts(
    problem: Problem,
    directory: str | os.PathLike[str],
    *,
    parts: int,
    cut: Cut | None = None,
    workers: sharing.Workers = None,
    threads: int | None = None,
    resume: bool = False,
    budget: Budget | None = None,
) -> PartsCount:
    """The number of tours, undirected, as `count_by_halves` gives it, with each half made in parts.

    directory: for the parts and the sums, seen by all workers under the same name; of finished work only the answer
    stays in it. parts: of a half. cut: the best one known of the board, if it is at hand.
    workers: None, a number of processes, or a Dask client. threads: without workers; by default all processors.
    resume: whether to go on from what the directory holds, with the same or with other workers.
    budget: limits of seconds, nodes (states) and bytes, and who is called with a Progress now and then.

    Raises BoardError where the board cannot be cut, or a part fits neither into memory nor on the disk; LimitReached at
    a limit; FormatError for a directory that is foreign, damaged, in the way or in use.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     count_in_parts(Problem.of((6, 6), closed=True), directory, parts=3).tours
    9862
    """
    started = time.monotonic()
    sharing.check_workers(workers)
    known = count_without_cut(problem)
    if known is not None:
        return PartsCount(known, 0, 0, 0.0, ())
    work = _Parts(problem, cut or the_cut(problem), Path(directory).absolute(), parts, Watch(problem, budget))
    # A process of a crew takes its share of the memory, and one processor.
    shared = workers if isinstance(workers, int) else 1
    most = work.watch.most_bytes
    work.most_bytes = (int(available_bytes() * HALVES_SHARE) if most is None else most) // shared
    work.threads = (threads or os.cpu_count() or 1) if workers is None else 1
    with locked(work.directory):
        work.open(resume)
        if workers is not None and work.total is None:
            # Processes that compile the same kernel at once may spoil its cache.
            count_by_halves(Problem.of((3, 4)), threads=1)
        with sharing.crew_of(workers) as crew:
            work.crew = crew
            tours = work.run()
    seconds = time.monotonic() - started
    return PartsCount(tours, work.states, work.joined, seconds, tuple(work.residues.moduli))


class _Parts:
    """One count in parts while it is made. states: made so far. joined: pairs. total: over the folded halves."""

    def __init__(self, problem: Problem, cut: Cut, directory: Path, parts: int, watch: Watch) -> None:
        self.problem, self.cut, self.directory, self.parts, self.watch = problem, cut, directory, parts, watch
        self.saved = Checkpoint(directory, fingerprint(problem, cut, "parts", parts))
        self.crew: sharing.Workers = None
        self.most_bytes, self.threads = 0, 1
        self.residues = Residues()
        self.states = self.joined = 0
        self.total: int | None = None

    def open(self, resume: bool) -> None:
        """Go on from what the directory holds, if there is anything; a FormatError for that without `resume`."""
        details = self.saved.begin(resume)
        if details is not None:
            self.states, self.joined = int(details["states"]), int(details["joined"])
            self.residues = Residues.from_json(details)
            self.total = None if details["total"] is None else int(details["total"])
        self._save()
        self._sweep()

    def run(self) -> int:
        """The number of tours, exactly, or from as many residues as it takes."""
        if self.total is None:
            self.total = total_of_passes(self.residues, self._one_pass, self._save, self._start_over)
            self._start_over()
        return tours_of(self.total, self.cut)

    def _save(self) -> None:
        total = None if self.total is None else str(self.total)
        details: Details = {"states": self.states, "joined": self.joined, "total": total, **self.residues.to_json()}
        self.saved.save(details, {})

    def _start_over(self) -> None:
        """Write down that this pass is over, and delete its files."""
        self._save()
        self._sweep()

    @property
    def _pass(self) -> Path:
        return self.directory / f"pass-{len(self.residues.moduli) // 2}"

    def _sweep(self) -> None:
        """Delete files of ours of other passes; of all, once the answer is known."""
        for folder in self.directory.glob("pass-*"):
            if folder == self._pass and self.total is None:
                continue
            for path in sorted(folder.rglob("*"), reverse=True):
                if _OUR_FILES.fullmatch(path.name):
                    # Somebody else may keep something there, or have removed it.
                    with suppress(OSError):
                        path.rmdir() if path.is_dir() else path.unlink()
            with suppress(OSError):
                folder.rmdir()

    # -- the work of a pass

    def _one_pass(self) -> Joined:
        moduli = tuple(self.residues.moduli[-2:])
        asked = Asked(
            problem=self.problem,
            across=self.cut.across,
            parts=self.parts,
            directory=str(self._pass),
            key=self.saved.key,
            moduli=moduli,
            residues=len(self.residues.residues) % 2,
            most_bytes=self.most_bytes,
            threads=self.threads,
        )
        watch = self.watch if self.crew is None else None
        halves = ("left",) if self.cut.is_even else ("left", "right")
        wanted = [(asked, name, k, watch) for name in halves for k in range(self.parts)]
        made = 0

        def part_made(states: int) -> None:
            nonlocal made
            made += 1
            self.states += states
            self._report(f"making parts: {made:,} of {len(wanted):,}", _PARTS_SHARE * made / len(wanted))

        self._share_out(make_part, wanted, part_made)
        pairs = pairs_of_parts(self.parts, self.cut.is_even)
        total, done = NOTHING_JOINED, 0

        def pair_joined(part: Joined) -> None:
            nonlocal total, done
            total, done = total.plus(part), done + 1
            self.joined = max(self.joined, done)
            within = _PARTS_SHARE + (1 - _PARTS_SHARE) * done / len(pairs)
            self._report(f"joining pairs of parts: {done:,} of {len(pairs):,}", within)

        # In this process pairs are joined one after the other; others keep nothing from piece to piece.
        shelf: Shelf = {}
        self._share_out(join_pair, [(asked, pair, watch, shelf) for pair in pairs], pair_joined)
        return total

    def _share_out(
        self, function: Callable[..., Any], calls: Iterable[tuple[object, ...]], done: Callable[[Any], None]
    ) -> None:
        with closing(sharing.run_pieces(function, calls, self.crew, in_order=True)) as values:
            for _, value in values:
                done(value)

    def _report(self, text: str, within: float) -> None:
        number, passes = max(1, len(self.residues.moduli) // 2), self.residues.passes
        if passes > 1:
            text += f", pass {number} of {passes}"
        self.watch.report(text, (number - 1 + within) / max(passes, 1), self.states)
