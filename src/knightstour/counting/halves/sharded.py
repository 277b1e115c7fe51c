"""Tours counted by halves with the work shared out: layers as blocks of classes in files, each made by one worker.

The way is that of count_halves.py; here is how it is cut. A layer is a row of files, each the states of some classes. A
target class pulls its states from few source classes, so a block of targets is one piece of work: it reads the lists
of its sources from the files of the layer before, makes its own, writes them to a file, and gives back how long they
are. Whoever hands out the pieces holds the classes and lengths alone, never a state. In the end the two last layers are
joined in blocks, whose sums are added up here. Pieces are cut by the problem, so all files are the same for any
workers, and a piece whose worker dies is simply done again. All workers must see the same directory.

**Going on.** After each layer, and every few seconds of the join, `progress.json` in the directory (stores.Checkpoint)
names the layers that are needed to go on; then those before are deleted. Files are whole or not there, and each says
what it is (block_files.py). So who goes on, after whatever end, hands out the pieces of the layer at work again, and a
piece whose file is there already and whole only tells what is in it: no finished block is made twice. A file of that
layer which is foreign or damaged is made again; one of the layers before cannot be, and ends the work with an error.

In the directory: `pass-P/SIDE-T/K.states`, block K of the layer after T steps of a half, counted modulo P (exactly if
0); `pass-P/SIDE/000000.states`, all of its last layer; `pass-P/join/000000.states`, the classes to be joined.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from knightstour.counting.halves.block_files import Place, place_of, write_block
from knightstour.counting.halves.block_work import (
    Block,
    Made,
    check_block,
    forget_join,
    join_blocks,
    lists_of,
    make_block,
    put_together,
)
from knightstour.counting.halves.count_halves import HalvesProgress, count_by_halves
from knightstour.counting.halves.cut import Half, count_without_cut, the_cut
from knightstour.counting.halves.layers import (
    MOST_COUNT,
    CountsTooLarge,
    Index,
    Layer,
    class_edges,
    fold_of,
    most_states,
    start_layer,
)
from knightstour.counting.halves.middle import JOIN_BLOCK, Joined, find_classes, total_of_passes
from knightstour.counting.halves.stores import Checkpoint, fingerprint
from knightstour.counting.residues import Residues
from knightstour.kernels.counting import class_lists
from knightstour.kernels.counting.class_lists import OP_BITS, OP_MASK
from knightstour.machine import engine, sharing
from knightstour.machine.files import locked, make_directory
from knightstour.model.errors import FormatError
from knightstour.model.problem import Problem

# States looked at for one file of a layer, and blocks of last classes joined in one piece.
BLOCK_STATES = 1 << 22
JOIN_BLOCKS = 8
# Partial sums of the join are written down not more often than this.
_SAVE_SECONDS = 2.0
_OUR_FOLDERS = re.compile(r"(left|right)(-\d{3,})?|join")
_OUR_FILES = re.compile(r"\d{6,}\.states|\.\d{6,}\.states\..*\.part")


class ShardedCount(NamedTuple):
    """The answer, and what it took. tours: undirected. states: made in all layers, in earlier runs too. Of this run:
    pieces: of work; read, written: bytes of states by workers; seconds: wall clock. moduli: the primes counted by, if
    any."""

    tours: int
    states: int
    pieces: int
    read: int
    written: int
    seconds: float
    moduli: tuple[int, ...]


class _Files(NamedTuple):
    """A layer in files: file k has the classes cuts[k] .. cuts[k + 1] - 1, one list after the other. `layer` has no
    states, and its offsets are places in the file. step: so many steps of the half are done."""

    step: int
    folder: str
    places: list[Place]
    cuts: np.ndarray
    layer: Layer


def _blocks_of(
    source: _Files, half: Half, index: Index, targets: np.ndarray, modulus: int, size: int
) -> Iterator[Block]:
    """The pieces of the layer after `source`, but for their places, in order."""
    layer = source.layer
    edges = class_edges(engine.compiled(class_lists), half, source.step, index, layer, targets)
    if modulus == 0 and len(targets) and edges.bounds.max() >= MOST_COUNT:
        raise CountsTooLarge
    most = np.minimum(edges.inputs, most_states(targets))
    # Tables are at most two thirds full.
    room = np.int64(1) << np.ceil(np.log2(np.maximum(most * 3 // 2 + 1, 16))).astype(np.int64)
    ends = np.cumsum(edges.inputs)
    marks = np.arange(size, int(ends[-1]) if len(ends) else 0, size)
    cuts = np.unique(np.concatenate([[0], np.searchsorted(ends, marks), [len(targets)]])).astype(np.int64)
    turn = fold_of(half, source.step).turn
    for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        codes = edges.edges[edges.starts[first] : edges.starts[last]]
        needed, places = np.unique(codes >> OP_BITS, return_inverse=True)
        where = np.searchsorted(source.cuts, needed, side="right") - 1
        sources = [
            (source.places[file], layer.offsets[needed[where == file]], layer.lengths[needed[where == file]])
            for file in np.unique(where).tolist()
        ]
        yield Block(
            Place("", b""),
            targets[first:last],
            sources,
            layer.classes[needed],
            edges.starts[first : last + 1] - edges.starts[first],
            places.reshape(-1).astype(np.int64) << OP_BITS | codes & OP_MASK,
            room[first:last],
            edges.bounds[first:last],
            int(most[first:last].sum()),
            turn,
            modulus,
        )


def count_sharded(
    problem: Problem,
    directory: str | os.PathLike[str],
    *,
    workers: sharing.Workers = None,
    resume: bool = False,
    block_states: int = BLOCK_STATES,
    on_progress: Callable[[HalvesProgress], None] | None = None,
) -> ShardedCount:
    """The number of tours, undirected, as `count_by_halves` gives it, with the work shared out.

    directory: for the layers, seen by all workers under the same name; of finished work only the answer stays in it.
    workers: None, a number of processes, or a Dask client. resume: take up the work that the directory holds, with the
    same or with other workers. block_states: states looked at for one file. on_progress: called after each piece.

    Raises BoardError where the board cannot be cut, FormatError where a file cannot be written, where another run works
    in the directory, or it holds work that is foreign or damaged, or any without `resume`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     count_sharded(Problem.of((6, 6), closed=True), directory).tours
    9862
    """
    began = time.monotonic()
    sharing.check_workers(workers)
    known = count_without_cut(problem)
    if known is not None:
        return ShardedCount(known, 0, 0, 0, 0, 0.0, ())
    work = _Work(problem, Path(directory).absolute(), block_states, on_progress, began)
    # Of this run alone: its workers, wherever they are, write what it tells them to.
    with locked(work.directory):
        work.open(resume)
        if work.total is None:
            # Processes that compile the same kernel at once may spoil its cache.
            count_by_halves(Problem.of((3, 4)), threads=1)
        with sharing.crew_of(workers) as crew:
            total = work.run(crew)
    count, rest = divmod(total, 4 if work.cut.is_folded else 1)
    assert rest == 0, "folded halves count everything twice each"
    numbers = (work.states, work.pieces, work.read, work.written)
    return ShardedCount(count, *numbers, time.monotonic() - began, tuple(work.residues.moduli))


class _Work:
    """One count while it is made. `known`: the layers to go on from, by name, as progress.json has them: "left",
    "right", that of the half reached last; "fork", where the halves part, while it is needed. `files`: those that
    this run has made or checked."""

    def __init__(
        self,
        problem: Problem,
        directory: Path,
        block_states: int,
        on_progress: Callable[[HalvesProgress], None] | None,
        began: float,
    ) -> None:
        self.problem, self.directory, self.block_states = problem, directory, block_states
        self.on_progress, self.began = on_progress, began
        self.crew: sharing.Workers = None
        self.cut = the_cut(problem)
        way = ("shared out", block_states, JOIN_BLOCK, JOIN_BLOCKS)
        self.saved = Checkpoint(directory, fingerprint(problem, self.cut, *way))
        self.states = self.pieces = self.read = self.written = 0
        self.residues = Residues()
        self.known: dict[str, dict[str, Any]] = {}
        self.files: dict[str, _Files] = {}
        self.joined = 0  # pieces of the join
        self.sum = Joined(0, 0, 0, 0.0)
        self.total: int | None = None  # the answer, once it is there

    # -- progress

    def tell(self, stage: str, done: int, todo: int) -> None:
        """Call on_progress."""
        if self.on_progress is not None:
            residues, seconds = self.residues, time.monotonic() - self.began
            numbers = (residues.modulus, max(1, len(residues.moduli)), residues.passes)
            self.on_progress(HalvesProgress(stage, done, todo, self.states, 0, seconds, *numbers))

    def open(self, resume: bool) -> None:
        """Look what the directory holds, and make it this work's."""
        details = self.saved.begin(resume)
        if details is not None:
            self.states, self.joined = int(details["states"]), int(details["joined"])
            self.residues = Residues.from_json(details)
            self.sum = Joined.from_json(details["sum"])
            self.total = None if details["total"] is None else int(details["total"])
            self.known = details["files"]
        else:
            self.save()
        self.saved.sweep()
        self.sweep()

    def save(self) -> None:
        """Write down how far it is."""
        details = {
            "states": self.states,
            "joined": self.joined,
            "sum": self.sum.to_json(),
            "files": self.known,
            "total": None if self.total is None else str(self.total),
        }
        self.saved.save({**details, **self.residues.to_json()}, {})

    def sweep(self) -> None:
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
                    file.unlink(missing_ok=True)
            if not is_kept:
                _remove_if_empty(path)
        for path in list(self.directory.glob("pass-*")):
            _remove_if_empty(path)

    def _folder(self, *names: str | int) -> str:
        words = (f"{name:03}" if isinstance(name, int) else name for name in names)
        return f"pass-{self.residues.modulus}/{'-'.join(words)}"

    # -- the work

    def run(self, crew: sharing.Workers) -> int:
        """The total over the folded halves, exactly or from as many residues as it takes."""
        self.crew = crew
        if self.total is None:
            lists = engine.compiled(class_lists)
            self.classes = find_classes(lists, self.cut, lambda done, todo: self.tell("classes", done, todo))
            self.total = total_of_passes(self.residues, self._one_pass, self._forget)
            self._forget()
        return self.total

    def _forget(self) -> None:
        """Write down that this pass is over, and delete its files."""
        self.known, self.files = {}, {}
        self.joined, self.sum = 0, Joined(0, 0, 0, 0.0)
        # It has the last layers open.
        forget_join()
        self.save()
        self.sweep()

    def _one_pass(self) -> Joined:
        left = self._half("left")
        return self._join(left, left if self.cut.is_even else self._half("right"))

    def _half(self, side: str) -> Place:
        """The last layer of a half in one file, made from where the work stands."""
        cut, is_right = self.cut, side == "right"
        half, classes = (cut.right, self.classes.right) if is_right else (cut.left, self.classes.left)
        todo = len(cut.left.steps) + (0 if cut.is_even else len(cut.right.steps) - cut.shared)
        before = len(cut.left.steps) - cut.shared if is_right else 0

        def tell(step: int) -> None:
            self.tell("layers", before + step, todo)

        layer = self._layer(side, classes, tell)
        if layer is None and is_right and cut.shared:
            layer = self._layer("fork", classes, tell)
        layer = layer or self._start(side)
        for t in range(layer.step, len(half.steps)):

            def tell_made(made: Made, t: int = t) -> None:
                self.states += int(made.lengths.sum())
                tell(t)

            index = self.classes.indices[int(is_right)]
            blocks = _blocks_of(layer, half, index, classes[t + 1], self.residues.modulus, self.block_states)
            folder = self._folder(side, t + 1)
            calls = ((block._replace(place=self._place(folder, k)),) for k, block in enumerate(blocks))
            layer = self._made(t + 1, folder, make_block, calls, tell_made)
            self._keep(side, layer)
            tell(t + 1)
        if layer.folder != self._folder(side):
            whole = self._place(self._folder(side), 0)
            layer = self._made(layer.step, self._folder(side), put_together, [(layer.places, whole)])
            self._keep(side, layer)
        return layer.places[0]

    def _layer(self, name: str, classes: list[np.ndarray], tell: Callable[[int], None]) -> _Files | None:
        """A layer that this run has made, or else one of an earlier run, once all its files are looked at."""
        known = self.known.get(name)
        if name not in self.files and known is not None:
            folder, step = known["folder"], known["step"]
            calls = ((self._place(folder, k),) for k in range(known["blocks"]))
            layer = self._made(step, folder, check_block, calls, lambda made: tell(step))
            if not np.array_equal(layer.layer.classes, classes[step]):
                raise FormatError("does not fit the question: it has other classes", path=str(self.directory / folder))
            self.files[name] = layer
        return self.files.get(name)

    def _start(self, side: str) -> _Files:
        """The layer before the first step."""
        start, folder = start_layer(), self._folder(side, 0)
        place = self._place(self._folder_there(folder), 0)
        write_block(place, start.classes, start.lengths, start.masses, [start.states])
        return _Files(0, folder, [place], np.array([0, 1]), start)

    def _made(
        self,
        step: int,
        folder: str,
        function: Callable[..., Made],
        calls: Iterable[tuple[Any, ...]],
        tell: Callable[[Made], None] = lambda made: None,
    ) -> _Files:
        """A layer of files, each told of by a piece of work. tell: called after each."""
        self._folder_there(folder)
        made: list[Made] = []
        with closing(sharing.run_pieces(function, calls, self.crew, in_order=True)) as values:
            for _, block in values:
                made.append(block)
                self.pieces += block.is_new
                self.read += block.read
                self.written += block.written
                tell(block)
        classes, lengths, masses = lists_of(made)
        offsets = np.concatenate([np.empty(0, np.int64), *(np.cumsum(b.lengths) - b.lengths for b in made)])
        layer = Layer(classes, offsets, lengths, np.empty((0, 2), dtype=np.int64), masses)
        cuts = np.cumsum([0, *(len(block.classes) for block in made)])
        return _Files(step, folder, [self._place(folder, k) for k in range(len(made))], cuts, layer)

    def _keep(self, side: str, layer: _Files) -> None:
        """Write down that a layer is there, and delete what is not needed any more."""
        names = [side]
        if side == "right":
            self.known.pop("fork", None)
            self.files.pop("fork", None)
        elif layer.step == self.cut.shared and not self.cut.is_even:
            names.append("fork")
        for name in names:
            self.known[name] = {"step": layer.step, "folder": layer.folder, "blocks": len(layer.places)}
            self.files[name] = layer
        self.save()
        self.sweep()

    def _place(self, folder: str, number: int) -> Place:
        return place_of(self.directory, self.saved.key, folder, number)

    def _folder_there(self, folder: str) -> str:
        make_directory(self.directory / folder)
        return folder

    def _join(self, left: Place, right: Place) -> Joined:
        finals, modulus = self.classes.finals, self.residues.modulus
        count = -(-len(finals) // JOIN_BLOCK)
        firsts = range(0, count, JOIN_BLOCKS)
        if self.joined < len(firsts):
            place = self._place(self._folder_there(self._folder("join")), 0)
            write_block(place, finals, np.zeros_like(finals), np.zeros(len(finals)), [])
        calls = (
            (self.problem, left, right, place, modulus, first, min(first + JOIN_BLOCKS, count))
            for first in firsts[self.joined :]
        )
        saved_at = float("-inf")
        with closing(sharing.run_pieces(join_blocks, calls, self.crew, in_order=True)) as parts:
            for _, part in parts:
                self.sum = self.sum.plus(part)
                self.joined += 1
                self.pieces += 1
                if time.monotonic() - saved_at >= _SAVE_SECONDS or self.joined == len(firsts):
                    self.save()
                    saved_at = time.monotonic()
                self.tell("join", self.joined, len(firsts))
        return self.sum


def _remove_if_empty(path: Path) -> None:
    # Somebody else may keep something there, or have removed it.
    with suppress(OSError):
        path.rmdir()
