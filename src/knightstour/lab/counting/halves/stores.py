"""Storage: where the states of layers are kept: in memory or, with a checkpoint, in files to go on from.

A layer is made in blocks, one after the other. A `StateList` takes the blocks as they come and holds them together: in
memory or, where there is a checkpoint, in a file that is mapped, so that the system decides which pages stay in memory.
A class of the next layer reads few lists of the layer before, and these lie close together, so a disk is fast enough.

A `Checkpoint` is a directory with what is needed to go on after a crash, a power cut or `kill -9`. To write down how
far the work has come, the lists of its layers are added to their files, which are flushed, and `progress.json`, which
names them with their checksums, is replaced. Then files that it no longer names are deleted. So at any moment the
directory holds one whole state of the work. It holds a fingerprint of the question, and of the way it is cut; a
directory with another fingerprint is refused.
"""

from __future__ import annotations

import functools
import math
import os
import re
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
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.halves.cut import Cut
from knightstour.lab.counting.halves.layers import Layer, spans

# Raise when the meaning of the files changes.
FORMAT = 6
# Of the fingerprint: the same as long as a question is cut and marched through in the same way.
_WAY = 2
_PROGRESS = "progress.json"
_OURS = re.compile(r"states-\d+\.layer|\..*\.part")
_PIECE = 1 << 20  # states looked at at a time
# What is left to the rest of the system when no limit is given.
HALVES_SHARE = 0.85


class Store:
    """Keeps layers. limit: bytes of memory that all arrays together may take. saved: whose directory takes the states,
    None to keep them in memory.

    `held` counts the bytes in memory, `peak` the most there were. kept: layers that are not to be dropped, by name.
    """

    def __init__(self, limit: int | None = None, saved: Checkpoint | None = None) -> None:
        self.limit = int(memory.available_bytes() * HALVES_SHARE) if limit is None else limit
        self.saved = saved
        self.held = 0
        self.peak = 0
        self.kept: dict[str, Layer] = {}

    def take(self, count: int, what: str = "counting") -> None:
        """Count bytes as held; a BoardError beyond the limit."""
        if self.held + count > self.limit:
            raise BoardError(
                f"{what} needs {wording.in_words(self.held + count)} of memory or more",
                note=f"the limit is {wording.in_words(self.limit)}",
                help="raise the limit if the machine has more"
                if self.saved
                else "give a directory for a checkpoint, which takes what does not fit",
            )
        self.held += count
        self.peak = max(self.peak, self.held)

    def give(self, count: int) -> None:
        """Count bytes as free again."""
        self.held -= count

    def release(self, name: str) -> None:
        """Drop a layer that is kept under this name, if there is one, unless it is kept under another one as well."""
        layer = self.kept.pop(name, None)
        if layer is not None:
            self.drop(layer)

    def drop(self, layer: Layer) -> None:
        """Count a layer that is no longer used, unless it is kept, and delete its file unless that is named."""
        if any(layer.states is kept.states for kept in self.kept.values()):
            return
        file = _file_of(layer)
        if file is None:
            self.give(layer.states.nbytes)
        elif self.saved is not None and not self.saved.names(file):
            files.discard(file)


class StateList:
    """The states of one layer as they are made, where the store keeps them.

    most: items that will come at most; memory is taken as it is filled. item: the shape of one, of int64.
    """

    def __init__(self, store: Store, most: int, item: tuple[int, ...] = (2,)) -> None:
        self.store, self.item, self.count = store, item, 0
        room = max(0, store.limit - store.held) // (8 * math.prod(item))
        self._path = store.saved.new_file() if store.saved else None
        self._array = np.empty((0 if self._path else min(most, room), *item), dtype=np.int64)
        self._file: BinaryIO | None = None

    def append(self, block: np.ndarray) -> int:
        """Add items; returns the place of the first."""
        place, end = self.count, self.count + len(block)
        if self._path is None:
            self.store.take(block.nbytes, "the next layer of states")
            self._array[place:end] = block
        else:
            try:
                self._file = self._file or open(self._path, "wb")  # noqa: SIM115
                self._file.write(bytes_of(block))
            except OSError as error:
                raise files.unwritable(str(self._path), error) from error
        self.count = end
        return place

    def finish(self) -> np.ndarray:
        """All items."""
        if self._file is None or self._path is None:
            return self._array[: self.count]
        self._file.close()
        return mapped(self._path, (self.count, *self.item))

    def abandon(self) -> None:
        """Give up what was appended."""
        self.store.give(self._array[: self.count].nbytes)
        if self._file is not None and self._path is not None:
            self._file.close()
            files.discard(self._path)


def mapped(path: Path | str, shape: tuple[int, ...], offset: int = 0) -> np.ndarray:
    """Numbers in a file from byte `offset` on, such as states, (n, 2): int64, read as they are looked at."""
    if 0 in shape:
        return np.empty(shape, dtype=np.int64)
    # Never written to; mode "c", private to this process, as arrays that say so take kernels longer to look at.
    return np.memmap(path, dtype=np.int64, mode="c", shape=shape, offset=offset)


def _file_of(layer: Layer) -> Path | None:
    """The file of its states; None for those in memory."""
    return Path(str(layer.states.filename)) if isinstance(layer.states, np.memmap) else None


# ---------------------------------------------------------------- checkpoints


def fingerprint(problem: Problem, cut: Cut | None, *way: object) -> str:
    """Hash of the question and of the way it is counted; without a cut `way` says all of it."""
    # It takes some milliseconds to load, and most counts have no checkpoint.
    import hashlib

    parts: list[object] = [_WAY, *way, repr(problem.board), problem.closed, problem.start, problem.end]
    parts.append(problem.board.graph if isinstance(problem.board, GraphBoard) else None)
    if cut is not None:
        parts += [cut.shared, cut.is_even, cut.is_folded, cut.joins_folded, cut.to_left.tolist()]
    for half in () if cut is None else (cut.left, cut.right):
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


# How far the work has come, as progress.json has it; see march.py.
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
        data = read_record(path, "progress of a count", FORMAT, help="give another directory, and count again")
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

    def names(self, file: Path) -> bool:
        """Whether it is the file of a saved layer."""
        return any(known["name"] == file.name for known in self._names.values())

    def new_file(self) -> Path:
        """A name for the next file of states."""
        self._serial += 1
        return self.directory / f"states-{self._serial}.layer"

    def load(self, name: str, classes: np.ndarray) -> Layer:
        """A saved layer, given its classes. A FormatError where its file is not as it was written."""
        known = self._names[name]
        rows = self._rows_of(known)
        states, lists = rows[: known["states"]], np.array(rows[known["states"] :])
        if len(lists) != len(classes):
            raise FormatError("does not fit the question: it has other classes", path=str(self.directory))
        lengths = np.ascontiguousarray(lists[:, 0])
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
        names: dict[str, _LayerFile] = {}
        for name, layer in layers.items():
            names[name] = self._names[name] if layer is None else self._written(layer, names)
        data = {"format": FORMAT, "fingerprint": self.key, "serial": self._serial, "layers": names, "details": details}
        write_record(self.directory / _PROGRESS, data)
        for known in self._names.values():
            if known not in names.values():
                files.discard(self.directory / known["name"])
        self._names = names

    def _written(self, layer: Layer, names: Mapping[str, _LayerFile]) -> _LayerFile:
        """The file of a layer, once it is whole and on the disk. names: that are written besides those there are."""
        path = _file_of(layer)
        for known in (*self._names.values(), *names.values()):
            if path is not None and known["name"] == path.name:
                return known
        lists = np.stack([layer.lengths, layer.masses.view(np.int64)], axis=1)
        pieces = [layer.states[first:end] for first, end in spans(len(layer.states), _PIECE)]
        crc = functools.reduce(lambda crc, piece: zlib.crc32(bytes_of(piece), crc), [*pieces, lists], 0)
        # Few states, or none, may be in memory.
        file_name = path or self.new_file()
        try:
            with open(file_name, "ab") as file:
                file.writelines(map(bytes_of, [lists] if path else [*pieces, lists]))
                flush(file)
        except OSError as error:
            raise files.unwritable(str(file_name), error) from error
        return {"name": file_name.name, "states": layer.size, "classes": len(lists), "crc": crc}

    def sweep(self) -> None:
        """Delete what is in no saved layer, such as what a run that was killed left behind."""
        kept = {known["name"] for known in self._names.values()}
        for path in list(self.directory.iterdir()):
            if _OURS.fullmatch(path.name) and path.name not in kept:
                files.discard(path)


def bytes_of(array: np.ndarray) -> memoryview:
    """What an array holds, as bytes."""
    # A view of nothing cannot be cast.
    return memoryview(np.ascontiguousarray(array)).cast("B") if array.size else memoryview(b"")  # type: ignore[arg-type]
