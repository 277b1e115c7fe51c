"""Storage "blocks": tours counted by halves with the work shared out, the layers in files that workers make.

The order of the work is that of march.py; this module cuts it into pieces. A layer is a row of files, each with the
states of some classes. A block of target classes is one piece of work: a worker reads the lists of its sources from the
files of the layer before, makes the lists of its targets, writes them to a file, and returns how long they are. The
process that hands out the pieces holds only classes and lengths, never a state. In the end the two last layers are
joined in blocks. How the work is cut depends on the problem alone, so all files are the same for any workers, and a
piece whose worker dies is done again. All workers must see the same directory.

**Going on.** After each layer, and every few seconds of the join, `progress.json` in the directory (stores.Checkpoint)
names the layers that are needed to go on; then earlier ones are deleted. Files are whole or not there, and each says
what it is (block_files.py). A run that goes on hands out all pieces of the unfinished layer again. Where the file of a
piece is there and whole, the worker only reports what is in it, so no finished block is made twice. A foreign or
damaged file of that layer is made again; one of the layer before cannot be, and ends the work with an error.

In the directory: `pass-P/SIDE-T/K.states`, block K of the layer after T steps of a half, in pass P (exactly counted if
0); `pass-P/SIDE/000000.states`, all of its last layer; `pass-P/join/000000.states`, the classes to be joined.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting.classes import OP_BITS, OP_MASK
from knightstour.core.machine import sharing
from knightstour.core.machine.files import discard, locked, make_directory
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import block_work as work
from knightstour.lab.counting.halves.block_files import Place, place_of, write_block
from knightstour.lab.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.lab.counting.halves.layers import Layer
from knightstour.lab.counting.halves.machine import Counts, block_cuts, foresee
from knightstour.lab.counting.halves.march import March
from knightstour.lab.counting.halves.middle import JOIN_BLOCK, Joined
from knightstour.lab.counting.halves.stores import Checkpoint, Details, KnownFiles, fingerprint
from knightstour.lab.counting.settings import Watch

# States looked at for one file of a layer, and blocks of last classes joined in one piece.
BLOCK_STATES = 1 << 22
JOIN_BLOCKS = 8
_OUR_FOLDERS = re.compile(r"(left|right)(-\d{3,})?|join")
_OUR_FILES = re.compile(r"\d{6,}\.states|\.\d{6,}\.states\..*\.part")


class ShardedCount(NamedTuple):
    """The answer, and what it took.

    tours: undirected. states: made in all layers, in earlier runs too. pieces: of work, in this run. moduli: the primes
    counted by, if any.
    """

    tours: int
    states: int
    pieces: int
    moduli: tuple[int, ...]


def count_sharded(
    problem: Problem,
    directory: str | os.PathLike[str],
    *,
    cut: Cut | None = None,
    workers: sharing.Workers = None,
    resume: bool = False,
    block_states: int = BLOCK_STATES,
    budget: Budget | None = None,
) -> ShardedCount:
    """The number of tours, undirected, as `count_by_halves` gives it, with the work shared out.

    directory: for the layers, seen by all workers under the same name; of finished work only the answer stays in it.
    cut: the best one known of the board, if it is at hand.
    workers: None, a number of processes, or a Dask client.
    resume: whether to go on from what the directory holds, with the same or with other workers.
    block_states: states looked at for one file.
    budget: limits of seconds and of nodes (states), and who is called with a Progress after each piece.

    Raises BoardError where the board cannot be cut, LimitReached at a limit, FormatError where a file cannot be
    written, where another run works in the directory, or it holds work that is foreign or damaged, or any work without
    `resume`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     count_sharded(Problem.of((6, 6), closed=True), directory).tours
    9862
    """
    sharing.check_workers(workers)
    known = count_without_cut(problem)
    if known is not None:
        return ShardedCount(known, 0, 0, ())
    march = _March(problem, cut or the_cut(problem), Path(directory).absolute(), block_states, Watch(problem, budget))
    # The directory belongs to this run alone: its workers, wherever they are, write what it has them write.
    with locked(march.directory):
        march.open(resume)
        with sharing.pool_of(workers) as pool:
            march.pool = pool
            tours = march.run()
    return ShardedCount(tours, march.states, march.pieces, tuple(march.residues.moduli))


class _Files(NamedTuple):
    """A layer in files: file k has the classes cuts[k] .. cuts[k + 1] - 1, one list after the other. `layer` has no
    states, and its offsets are places in the file. step: how many steps of the half are done."""

    step: int
    folder: str
    places: list[Place]
    cuts: np.ndarray
    layer: Layer


class _March(March[_Files, Place]):
    """A march whose work is shared out.

    known: the layers to go on from, by name, as progress.json has them: "left" and "right", of each half the one that
    was reached last; "fork", where the halves part, while it is needed. files: those that this run has made or checked.
    pieces: of work that were done.
    """

    saved: Checkpoint

    def __init__(self, problem: Problem, cut: Cut, directory: Path, block_states: int, watch: Watch) -> None:
        way = ("shared out", block_states, JOIN_BLOCK, JOIN_BLOCKS)
        super().__init__(cut, Checkpoint(directory, fingerprint(problem, cut, *way)), watch)
        self.problem, self.directory, self.block_states = problem, directory, block_states
        self.report_seconds = 0.0
        self.pool: sharing.Workers = None
        self.pieces = 0
        self.known: dict[str, KnownFiles] = {}
        self.files: dict[str, _Files] = {}

    def open(self, resume: bool) -> None:
        super().open(resume)
        self._sweep()

    def take(self, details: Details) -> None:
        super().take(details)
        self.known = details["files"]

    def details(self) -> Details:
        return {**super().details(), "files": self.known}

    def _sweep(self) -> None:
        """Delete files of ours that are neither needed to go on nor of the layer at work."""
        keep = {known["folder"] for known in self.known.values()}
        for side in ("left", "right") if self.total is None else ():
            before = self.known.get(side) or (self.known.get("fork") if side == "right" else None)
            step = before["step"] if before else 0
            keep |= {self._folder(side), self._folder(side, step + 1)}
        for path in list(self.directory.glob("pass-*/*")):
            if not _OUR_FOLDERS.fullmatch(path.name) or not path.is_dir():
                continue
            is_kept = f"{path.parent.name}/{path.name}" in keep
            for file in list(path.iterdir()):
                if _OUR_FILES.fullmatch(file.name) and (not is_kept or file.suffix == ".part"):
                    discard(file)
            if not is_kept:
                _remove_if_empty(path)
        for path in list(self.directory.glob("pass-*")):
            _remove_if_empty(path)

    def _folder(self, side: str, step: int | None = None) -> str:
        """The folder of a layer; of the join, or of the last layer in one file, where there is no step."""
        return f"pass-{len(self.residues.moduli) // 2}/{side}" + ("" if step is None else f"-{step:03}")

    def _place(self, folder: str, number: int) -> Place:
        return place_of(self.directory, self.saved.key, folder, number)

    # -- layers

    def load(self, name: str) -> _Files | None:
        """A layer that this run has made, or else one of an earlier run, once all its files are checked."""
        known = self.known.get(name)
        if name not in self.files and known is not None:
            folder, step = known["folder"], known["step"]
            calls = ((self._place(folder, k),) for k in range(known["blocks"]))
            layer = self._made(step, folder, work.check_block, calls, lambda made: self.report_step(step))
            if not np.array_equal(layer.layer.classes, self.side.classes[step]):
                raise FormatError("does not fit the question: it has other classes", path=str(self.directory / folder))
            self.files[name] = layer
        return self.files.get(name)

    def start(self) -> _Files:
        start, folder = Counts(self.residues.pair).first(), self._folder(self.name, 0)
        make_directory(self.directory / folder)
        place = self._place(folder, 0)
        write_block(place, start.classes, start.lengths, start.masses, [start.states])
        return _Files(0, folder, [place], np.array([0, 1]), start)

    def next(self, layer: _Files) -> _Files:
        step, folder = layer.step, self._folder(self.name, layer.step + 1)

        def report(made: work.Made) -> None:
            self.states += int(made.lengths.sum())
            self.report_step(step)

        blocks = enumerate(self._blocks_after(layer))
        calls = ((block._replace(place=self._place(folder, k)),) for k, block in blocks)
        return self._made(step + 1, folder, work.make_block, calls, report)

    def _blocks_after(self, source: _Files) -> Iterator[work.Block]:
        """The pieces of the layer after `source`, but for their places, in order."""
        layer, algebra, turn = source.layer, Counts(self.residues.pair), self.side.turn(source.step)
        ahead = foresee(self.side, source.step, layer, algebra.most)
        for first, last in itertools.pairwise(block_cuts(ahead.edges.inputs, self.block_states)):
            part = ahead.part(first, last)
            codes = part.edges.edges
            needed, places = np.unique(codes >> OP_BITS, return_inverse=True)
            where = np.searchsorted(source.cuts, needed, side="right") - 1
            sources = [
                (source.places[file], layer.offsets[needed[where == file]], layer.lengths[needed[where == file]])
                for file in np.unique(where).tolist()
            ]
            own = places.reshape(-1).astype(np.int64) << OP_BITS | codes & OP_MASK
            part = part._replace(edges=part.edges._replace(edges=own))
            yield work.Block(Place("", b""), sources, layer.classes[needed], part, turn, algebra.modulus)

    def _made(
        self,
        step: int,
        folder: str,
        function: Callable[..., work.Made],
        calls: Iterable[tuple[object, ...]],
        report: Callable[[work.Made], None] = lambda made: None,
    ) -> _Files:
        """A layer of files, each the outcome of a piece of work. report: called after each."""
        make_directory(self.directory / folder)
        made: list[work.Made] = []
        with closing(sharing.run_pieces(function, calls, self.pool, in_order=True)) as values:
            for _, block in values:
                made.append(block)
                self.pieces += block.is_new
                report(block)
        classes, lengths, masses = work.lists_of(made)
        offsets = np.concatenate([np.empty(0, np.int64), *(np.cumsum(b.lengths) - b.lengths for b in made)])
        layer = Layer(classes, offsets, lengths, np.empty((0, 2), dtype=np.int64), masses)
        cuts = np.cumsum([0, *(len(block.classes) for block in made)])
        return _Files(step, folder, [self._place(folder, k) for k in range(len(made))], cuts, layer)

    def keep(self, layer: _Files) -> None:
        names = [self.name]
        if self.name == "right":
            self.known.pop("fork", None)
            self.files.pop("fork", None)
        elif layer.step == self.fork:
            names.append("fork")
        for name in names:
            self.known[name] = {"step": layer.step, "folder": layer.folder, "blocks": len(layer.places)}
            self.files[name] = layer
        self.save({})
        self._sweep()

    def finish(self, layer: _Files) -> Place:
        """The last layer in one file."""
        folder = self._folder(self.name)
        if layer.folder != folder:
            whole = self._place(folder, 0)
            layer = self._made(layer.step, folder, work.put_together, [(layer.places, whole)])
            self.keep(layer)
        return layer.places[0]

    def forget_layers(self) -> None:
        self.known, self.files = {}, {}
        # It has the last layers open.
        work.forget_join()

    def pass_forgotten(self) -> None:
        self._sweep()

    # -- the join

    def join(self, left: Place, right: Place) -> tuple[int, Iterator[Joined]]:
        finals = self.classes.finals
        count = -(-len(finals) // JOIN_BLOCK)
        firsts = range(0, count, JOIN_BLOCKS)
        place = self._place(self._folder("join"), 0)
        if self.joined < len(firsts):
            make_directory(self.directory / self._folder("join"))
            write_block(place, finals, np.zeros_like(finals), np.zeros(len(finals)), [])
        asked = work.JoinPiece(
            self.problem, left, right, place, self.residues.modulus, self.residues.place, self.cut.across
        )

        def parts() -> Iterator[Joined]:
            calls = ((asked, first, min(first + JOIN_BLOCKS, count)) for first in firsts[self.joined :])
            with closing(sharing.run_pieces(work.join_blocks, calls, self.pool, in_order=True)) as made:
                for _, part in made:
                    self.pieces += 1
                    yield part

        return len(firsts), parts()


def _remove_if_empty(path: Path) -> None:
    # Somebody else may keep something there, or have removed it.
    with suppress(OSError):
        path.rmdir()
