"""Storage: where the states of layers are kept: in memory, on disk when they are too many, and in files to go on from.

A layer is made in blocks, one after the other. A `Store` takes the blocks as they come and holds them together: in
memory up to its limit, beyond that in a file that is mapped, so that the system decides which pages stay in memory. A
class of the next layer reads few lists of the layer before, and these lie close together, so a disk is fast enough.

A `Checkpoint` is a directory with what is needed to go on after a crash, a power cut or `kill -9`. A layer is a file,
which is written under another name, flushed and renamed, and has a checksum. Then `progress.json`, which names the
files, is replaced in the same way, and files that it no longer names are deleted. So at any moment the directory holds
one whole state of the work. It holds a fingerprint of the question, and of the way it is cut; a directory with another
fingerprint is refused.
"""

from __future__ import annotations

import itertools
import math
import os
import re
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypedDict

import numpy as np

from knightstour.core.machine import files, memory
from knightstour.core.machine.files import make_directory
from knightstour.core.machine.records import flush, read_record, write_record
from knightstour.core.model import wording
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.halves.cut import Cut
from knightstour.lab.counting.halves.layers import Layer, spans

# Raise when the meaning of the files changes.
FORMAT = 5
# Of the fingerprint: the same as long as a question is cut and marched through in the same way.
_WAY = 2
_PROGRESS = "progress.json"
_OURS = re.compile(r"(left|right|fork|trunk|weights)-\d+\.layer|\..*\.part|spill-.*\.part")
_PIECE = 1 << 20  # states written at a time
# What is left to the rest of the system when no limit is given.
HALVES_SHARE = 0.85


class Store:
    """Keeps layers. limit: bytes of memory that all arrays together may take. directory: for layers beyond it, or None.

    `held` counts the bytes in memory, `peak` the most there were. kept: layers that are not to be dropped, by name.
    """

    @classmethod
    def without_limit(cls, directory: Path | None = None) -> Store:
        """One for those who look after the memory themselves; with a directory all states are in files there."""
        store = cls(sys.maxsize, directory)
        store.is_on_disk = directory is not None
        return store

    def __init__(self, limit: int | None = None, directory: Path | None = None) -> None:
        self.is_on_disk = False
        self.limit = int(memory.available_bytes() * HALVES_SHARE) if limit is None else limit
        self.directory = directory
        self.held = 0
        self.peak = 0
        self.spilled = 0  # bytes of layers that were written to disk for want of memory
        self.kept: dict[str, Layer] = {}
        self._serial = 0

    def take(self, count: int, what: str = "", *, may_spill: bool = False) -> bool:
        """Count bytes as held. Beyond the limit: False if `may_spill` and there is a disk, else a BoardError."""
        if may_spill and self.is_on_disk:
            return False
        if self.held + count > self.limit:
            if may_spill and self.directory is not None:
                return False
            raise BoardError(
                f"{what or 'counting'} needs {wording.in_words(self.held + count)} of memory or more",
                note=f"the limit is {wording.in_words(self.limit)}",
                help="give a directory for a checkpoint, which takes what does not fit"
                if may_spill
                else "raise the limit if the machine has more",
            )
        self.held += count
        self.peak = max(self.peak, self.held)
        return True

    def give(self, count: int) -> None:
        """Count bytes as free again."""
        self.held -= count

    def release(self, name: str) -> None:
        """Drop a layer that is kept under this name, if there is one, unless it is kept under another one as well."""
        layer = self.kept.pop(name, None)
        if layer is not None:
            self.drop(layer)

    def spill_file(self) -> Path:
        """Name for the next file of states that do not fit into memory."""
        assert self.directory is not None
        self._serial += 1
        return self.directory / f"spill-{os.getpid()}-{self._serial}.part"

    def drop(self, layer: Layer) -> None:
        """Count a layer that is no longer used, unless it is kept, and delete its file if it was spilled."""
        states = layer.states
        if any(states is kept.states for kept in self.kept.values()):
            return
        if isinstance(states, np.memmap):
            path = Path(str(states.filename))
            if path.name.startswith("spill-"):
                files.discard(path)
        else:
            self.give(states.nbytes)


class StateList:
    """The states of one layer as they are made, in memory until the limit of a store, then in a file.

    most: items that will come at most; memory is taken as it is filled. item: the shape of one, of int64.
    """

    def __init__(self, store: Store, most: int, item: tuple[int, ...] = (2,)) -> None:
        self.store, self.item, self.count = store, item, 0
        # What passes the limit goes to disk.
        room = max(0, store.limit - store.held) // (8 * math.prod(item))
        self._array = np.empty((0 if store.is_on_disk else min(most, room), *item), dtype=np.int64)
        self._file: BinaryIO | None = None
        self._path: Path | None = None

    def append(self, block: np.ndarray) -> int:
        """Add items; returns the place of the first."""
        place, end = self.count, self.count + len(block)
        if self._path is None and self.store.take(block.nbytes, "the next layer of states", may_spill=True):
            self._array[place:end] = block
        else:
            if self._path is None:
                self._path, held = self.store.spill_file(), self._array[:place]
                self._to_disk(held)
                self.store.give(held.nbytes)
                self._array = held[:0].copy()
            self._to_disk(block)
        self.count = end
        return place

    def _to_disk(self, block: np.ndarray) -> None:
        assert self._path is not None
        try:
            self._file = self._file or open(self._path, "wb")  # noqa: SIM115
            self._file.write(bytes_of(block))
        except OSError as error:
            raise files.unwritable(str(self._path), error) from error
        self.store.spilled += block.nbytes

    def finish(self) -> np.ndarray:
        """All items."""
        if self._file is None or self._path is None:
            return self._array[: self.count]
        self._file.close()
        return mapped(self._path, (self.count, *self.item))

    def abandon(self) -> None:
        """Give up what was appended."""
        if self._path is None:
            self.store.give(self._array[: self.count].nbytes)
            return
        if self._file is not None:
            self._file.close()
        self._path.unlink(missing_ok=True)


def mapped(path: Path | str, shape: tuple[int, ...], offset: int = 0) -> np.ndarray:
    """Numbers in a file from byte `offset` on, such as states, (n, 2): int64, read as they are looked at."""
    if 0 in shape:
        return np.empty(shape, dtype=np.int64)
    # Never written to; mode "c", private to this process, as arrays that say so take kernels longer to look at.
    return np.memmap(path, dtype=np.int64, mode="c", shape=shape, offset=offset)


# ---------------------------------------------------------------- checkpoints


def fingerprint(problem: Problem, cut: Cut, *way: object) -> str:
    """Hash of the question and of the way it is counted."""
    # It takes some milliseconds to load, and most counts have no checkpoint.
    import hashlib

    parts: list[object] = [_WAY, *way, repr(problem.board), problem.closed, problem.start, problem.end]
    parts += [problem.board.graph, cut.shared, cut.is_even, cut.is_folded, cut.joins_folded, cut.to_left.tolist()]
    for half in (cut.left, cut.right):
        folds = sorted((t, image.tolist()) for t, image in half.folds.items())
        parts += [half.squares, half.steps.tolist(), folds, half.moves.tolist()]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class _LayerFile(TypedDict):
    """The file of a layer, as progress.json names it, with its checksum.

    It has rows of two numbers: the states, and then for each class the length and the mass of its list.
    """

    name: str
    states: int
    classes: int
    crc: int


# How far the work has come, as progress.json has it; see march.py and steady.py.
Details: TypeAlias = dict[str, Any]
# Layers to be written, by name; None for one whose files stay as they are.
Layers: TypeAlias = Mapping[str, Layer | None]


class Checkpoint:
    """A directory to go on from. Made if it is not there; files in it that are no part of the work are left alone."""

    def __init__(self, directory: str | os.PathLike[str], key: str) -> None:
        self.directory = Path(given_path(directory, "the checkpoint"))
        self.key = key
        make_directory(self.directory, help="a checkpoint is a directory: give one, or a name that is not taken")
        self._names: dict[str, _LayerFile] = {}
        self._serial = 0

    def begin(self, resume: bool) -> Details | None:
        """The details of the work to go on with, None where there is none yet. A FormatError where there is any without
        `resume`, or where it is foreign or damaged."""
        if not resume and os.path.exists(self.directory / _PROGRESS):
            raise FormatError(
                "holds the progress of a count already",
                path=str(self.directory),
                help="go on from it with the same command (resume=True), or give another directory",
            )
        path = self.directory / _PROGRESS
        data = read_record(path, "the progress of a count", FORMAT, help="give another directory, and count again")
        if data is None:
            return None
        if data.get("fingerprint") != self.key:
            raise FormatError(
                "holds the progress of another question, or of one that is counted in another way",
                path=str(path),
                help="give another directory, or ask the same question with the same options",
            )
        self._names = data["layers"]
        self._serial = data["serial"]
        details: Details = data["details"]
        return details

    def has(self, name: str) -> bool:
        """Whether there is a saved layer of this name."""
        return name in self._names

    def load(self, name: str, classes: np.ndarray, store: Store) -> Layer:
        """A saved layer, given its classes. A FormatError where its files are not as they were written."""
        known = self._names[name]
        rows = self._rows_of(known)
        states, lists = rows[: known["states"]], np.array(rows[known["states"] :])
        if len(lists) != len(classes):
            raise FormatError("does not fit the question: it has other classes", path=str(self.directory))
        lengths = np.ascontiguousarray(lists[:, 0])
        if store.held + states.nbytes <= store.limit and not store.is_on_disk:
            store.take(states.nbytes)
            states = np.array(states)
        return Layer(classes, np.cumsum(lengths) - lengths, lengths, states, lists[:, 1].view(np.float64).copy())

    def _rows_of(self, known: _LayerFile) -> np.ndarray:
        """What is in a file, mapped: int64 (rows, 2). A FormatError where it is not as it was written."""
        path, rows = self.directory / known["name"], known["states"] + known["classes"]
        try:
            size = path.stat().st_size
            if size != rows * 16:
                raise FormatError(f"has {size:,} bytes instead of {rows * 16:,}", path=str(path))
            array = mapped(path, (rows, 2))
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror or error}", path=str(path)) from error
        crc = 0
        for first, end in spans(rows, _PIECE):
            crc = zlib.crc32(bytes_of(array[first:end]), crc)
        if crc != known["crc"]:
            raise FormatError("is damaged: its checksum is wrong", path=str(path))
        return array

    def save(self, details: Details, layers: Layers) -> None:
        """Replace what is there. layers: by name; None keeps the files of that name; others are deleted."""
        names = {}
        for name, layer in layers.items():
            names[name] = self._names[name] if layer is None else self._write_layer(name, layer)
        data = {
            "format": FORMAT,
            "fingerprint": self.key,
            "serial": self._serial,
            "layers": names,
            "details": details,
        }
        write_record(self.directory / _PROGRESS, data)
        for known in self._names.values():
            if known not in names.values():
                files.discard(self.directory / known["name"])
        self._names = names

    def _write_layer(self, name: str, layer: Layer) -> _LayerFile:
        """Write the file of a layer, whole or not at all."""
        self._serial += 1
        lists = np.stack([layer.lengths, layer.masses.view(np.int64)], axis=1)
        file_name, crc = f"{name}-{self._serial}.layer", 0
        pieces = (layer.states[first:end] for first, end in spans(len(layer.states), _PIECE))
        with files.open_target(self.directory / file_name, force=True) as file:
            for piece in itertools.chain(pieces, [lists]):
                data = bytes_of(piece)
                crc = zlib.crc32(data, crc)
                file.write(data)
            flush(file)
        return {"name": file_name, "states": layer.size, "classes": len(lists), "crc": crc}

    def sweep(self) -> None:
        """Delete what a run that was killed left behind."""
        kept = {known["name"] for known in self._names.values()}
        for path in list(self.directory.iterdir()):
            if _OURS.fullmatch(path.name) and path.name not in kept:
                files.discard(path)


def bytes_of(array: np.ndarray) -> memoryview:
    """What an array holds, as bytes."""
    # A view of nothing cannot be cast.
    return memoryview(np.ascontiguousarray(array)).cast("B") if array.size else memoryview(b"")  # type: ignore[arg-type]
