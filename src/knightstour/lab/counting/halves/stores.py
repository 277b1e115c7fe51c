"""Storage of the states of layers: in memory or, with a checkpoint, in files from which a count can resume.

A `StateList` collects the blocks of a layer: in memory or, with a checkpoint, in a mapped file, so that the system
decides which pages stay in memory. A class of the next layer reads few lists of the layer before, and these are close
together, so a disk is fast enough.

A `Checkpoint` is a directory with everything needed to resume after a crash, a power cut or `kill -9`. To save
progress, the lists of its layers are appended to their files, which are flushed. Then `progress.json`, which lists the
files with their checksums, is replaced, and files that it no longer lists are deleted. The directory therefore always
contains one consistent state of the work. A directory with the fingerprint of another problem or cut is refused.
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
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.halves.cut import Cut
from knightstour.lab.counting.halves.layers import Layer, spans
from knightstour.lab.counting.settings import CountProgress

# Increase when the meaning of the files changes.
FORMAT = 6
# Part of the fingerprint: the version of the cuts and of the march.
_WAY = 2
_PROGRESS = "progress.json"
_OURS = re.compile(r"states-\d+\.layer|\..*\.part")
_PIECE = 1 << 20  # rows per checksum or write
# Fraction of the free memory without a limit; the rest is for other programs.
HALVES_SHARE = 0.85


class Store:
    """Keeps layers. limit: maximum bytes of all arrays together. saved: the checkpoint for the states, or None to keep
    them in memory.

    `held` counts the bytes in memory, `peak` is its maximum. kept: layers that are not dropped, by name.
    """

    def __init__(
        self, limit: int | None = None, saved: Checkpoint | None = None, watch: CountProgress | None = None
    ) -> None:
        self.limit = int(memory.available_bytes() * HALVES_SHARE) if limit is None else limit
        self.saved, self.watch = saved, watch
        self.held = 0
        self.peak = 0
        self.kept: dict[str, Layer] = {}

    def reserve(self, count: int, noun: str = "counting") -> None:
        """Count bytes as held; raise LimitReached beyond the limit."""
        if self.held + count > self.limit:
            assert self.watch is not None
            raise self.watch.limit_error(
                f"{noun} needs {wording.in_words(self.held + count)} of memory or more",
                note=f"the limit is {wording.in_words(self.limit)}",
                help="raise the limit if the machine has more"
                if self.saved
                else "use a checkpoint directory, for layers that exceed the memory",
            )
        self.held += count
        self.peak = max(self.peak, self.held)

    def free(self, count: int) -> None:
        """Count bytes as free."""
        self.held -= count

    def drop_name(self, name: str) -> None:
        """Drop the layer with this name, if any, unless another name keeps it."""
        layer = self.kept.pop(name, None)
        if layer is not None:
            self.drop(layer)

    def drop(self, layer: Layer) -> None:
        """Count an unused layer as free and delete its file, unless it is kept or saved."""
        if any(layer.states is kept.states for kept in self.kept.values()):
            return
        file = _file_of(layer)
        if file is None:
            self.free(layer.states.nbytes)
        elif self.saved is not None and not self.saved.names(file):
            files.discard(file)


class StateList:
    """The states of one layer during its construction, in the store.

    most: maximum number of items; memory is allocated as it is filled. item: shape of an int64 item.
    """

    def __init__(self, store: Store, most: int, item: tuple[int, ...] = (2,)) -> None:
        self.store, self.item, self.count = store, item, 0
        room = max(0, store.limit - store.held) // (8 * math.prod(item))
        self._path = store.saved.new_file() if store.saved else None
        self._array = np.empty((0 if self._path else min(most, room), *item), dtype=np.int64)
        self._file: BinaryIO | None = None

    def append(self, block: np.ndarray) -> int:
        """Add items; return the index of the first."""
        place, end = self.count, self.count + len(block)
        if self._path is None:
            self.store.reserve(block.nbytes, "the next layer of states")
            self._array[place:end] = block
        else:
            with files.writing_to(self._path):
                self._file = self._file or open(self._path, "wb")  # noqa: SIM115
                self._file.write(bytes_of(block))
        self.count = end
        return place

    def finish(self) -> np.ndarray:
        if self._file is None or self._path is None:
            return self._array[: self.count]
        self._file.close()
        return map_array(self._path, (self.count, *self.item))

    def abandon(self) -> None:
        """Discard the items."""
        self.store.free(self._array[: self.count].nbytes)
        if self._file is not None and self._path is not None:
            self._file.close()
            files.discard(self._path)


def map_array(path: Path | str, shape: tuple[int, ...], offset: int = 0) -> np.ndarray:
    """Map int64 numbers of a file, such as states, from byte `offset` on."""
    if 0 in shape:
        return np.empty(shape, dtype=np.int64)
    # Never written to; mode "c" is private to this process. Kernels check read-only arrays more slowly.
    return np.memmap(path, dtype=np.int64, mode="c", shape=shape, offset=offset)


def _file_of(layer: Layer) -> Path | None:
    """Return None for states in memory."""
    return Path(str(layer.states.filename)) if isinstance(layer.states, np.memmap) else None


# ---------------------------------------------------------------- checkpoints


def fingerprint(problem: Problem, cut: Cut | None, *way: object) -> str:
    """Return a hash of the problem and of the algorithm; without a cut, `way` identifies the algorithm completely."""
    # Imported lazily: it takes some milliseconds, and most counts have no checkpoint.
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
    """The file of a layer, as in progress.json, with its checksum.

    Its rows are two numbers: the states, and then for each class the length and the mass of its list.
    """

    name: str
    states: int
    classes: int
    crc: int


# Progress of the work, as in progress.json; see march.py.
Details: TypeAlias = dict[str, Any]
# Layers to save, by name; None for a layer whose file stays unchanged.
Layers: TypeAlias = Mapping[str, Layer | None]


class Checkpoint:
    """A directory to resume from. It is created if missing; unrelated files in it are kept."""

    def __init__(self, directory: str | os.PathLike[str], key: str) -> None:
        self.directory = Path(given_path(directory, "the checkpoint"))
        self.key = key
        make_directory(self.directory, help="a checkpoint is a directory: pass one, or an unused name")
        self._names: dict[str, _LayerFile] = {}
        self._serial = 0

    def begin(self) -> Details | None:
        """Return the progress to resume from, or None. Raise FormatError if it is foreign or damaged."""
        path = self.directory / _PROGRESS
        data = read_record(path, "progress of a count", FORMAT, help="pass another directory, and count again")
        if data is None:
            return None
        if data.get("fingerprint") != self.key:
            raise FormatError(
                "contains the progress of another problem, or of another algorithm",
                path=str(path),
                help="pass another directory, or the same problem with the same options",
            )
        self._names = data["layers"]
        self._serial = data["serial"]
        details: Details = data["details"]
        return details

    def has(self, name: str) -> bool:
        """Return whether a layer of this name is saved."""
        return name in self._names

    def names(self, file: Path) -> bool:
        """Return whether a file belongs to a saved layer."""
        return any(known["name"] == file.name for known in self._names.values())

    def new_file(self) -> Path:
        """Return a name for the next file of states."""
        self._serial += 1
        return self.directory / f"states-{self._serial}.layer"

    def load(self, name: str, classes: np.ndarray) -> Layer:
        """Load a layer, given its classes; raise FormatError if its file is damaged."""
        known = self._names[name]
        rows = self._rows_of(known)
        states, lists = rows[: known["states"]], np.array(rows[known["states"] :])
        if len(lists) != len(classes):
            raise FormatError("does not match the problem: it has other classes", path=str(self.directory))
        lengths = np.ascontiguousarray(lists[:, 0])
        return Layer(classes, np.cumsum(lengths) - lengths, lengths, states, lists[:, 1].view(np.float64).copy())

    def _rows_of(self, known: _LayerFile) -> np.ndarray:
        """Map a file: int64 (rows, 2). Raise FormatError if it is damaged."""
        path, rows = self.directory / known["name"], known["states"] + known["classes"]
        try:
            size = path.stat().st_size
        except FileNotFoundError as error:
            raise FormatError("is missing: the checkpoint is damaged", path=str(path)) from error
        if size != rows * 16:
            raise FormatError(f"has {size:,} bytes instead of {rows * 16:,}", path=str(path))
        array = map_array(path, (rows, 2))
        crc = 0
        for first, end in spans(rows, _PIECE):
            crc = zlib.crc32(bytes_of(array[first:end]), crc)
        if crc != known["crc"]:
            raise FormatError("is damaged: its checksum is wrong", path=str(path))
        return array

    def save(self, details: Details, layers: Layers) -> None:
        """Save progress and layers by name (None: unchanged); files of other layers are deleted."""
        names: dict[str, _LayerFile] = {}
        for name, layer in layers.items():
            names[name] = self._names[name] if layer is None else self._write_layer(layer, names)
        data = {"format": FORMAT, "fingerprint": self.key, "serial": self._serial, "layers": names, "details": details}
        write_record(self.directory / _PROGRESS, data)
        for known in self._names.values():
            if known not in names.values():
                files.discard(self.directory / known["name"])
        self._names = names

    def _write_layer(self, layer: Layer, names: Mapping[str, _LayerFile]) -> _LayerFile:
        """Write a layer completely to disk. names: files to keep besides the saved ones."""
        path = _file_of(layer)
        for known in (*self._names.values(), *names.values()):
            if path is not None and known["name"] == path.name:
                return known
        lists = np.stack([layer.lengths, layer.masses.view(np.int64)], axis=1)
        pieces = [layer.states[first:end] for first, end in spans(len(layer.states), _PIECE)]
        crc = functools.reduce(lambda crc, piece: zlib.crc32(bytes_of(piece), crc), [*pieces, lists], 0)
        # The states may be in memory if they are few.
        file_name = path or self.new_file()
        with files.writing_to(file_name), open(file_name, "ab") as file:
            file.writelines(map(bytes_of, [lists] if path else [*pieces, lists]))
            flush(file)
        return {"name": file_name.name, "states": layer.size, "classes": len(lists), "crc": crc}

    def sweep(self) -> None:
        """Delete layer files that are not saved, such as the remains of a killed run."""
        kept = {known["name"] for known in self._names.values()}
        for path in list(self.directory.iterdir()):
            if _OURS.fullmatch(path.name) and path.name not in kept:
                files.discard(path)


def bytes_of(array: np.ndarray) -> memoryview:
    # An empty view cannot be cast.
    return memoryview(np.ascontiguousarray(array)).cast("B") if array.size else memoryview(b"")  # type: ignore[arg-type]
