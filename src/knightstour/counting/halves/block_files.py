"""Files of a layer, or of a block of its classes: each is whole or not there, and says what it is.

A file consists of little-endian numbers of 64 bits:

    header   what it is (8 bytes), key (16 bytes), classes, items, checksum
    lists    for each class: the class, how many items it has, and its mass (float64)
    items    the list of one class after the other: states, (word, count), or counts by rank (`Ranked`)

The *key* is a hash of the count, the layer and the number of the block, which no other file has. The checksum (CRC-32)
is of all the rest. Files are written under another name, flushed and renamed, so after any crash a block is whole or
not there, and later damage is noticed.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from knightstour.counting.halves.layers import Layer
from knightstour.counting.halves.stores import bytes_of, flush, mapped
from knightstour.machine import files
from knightstour.model.errors import FormatError

_FRONT = struct.Struct("<8s16sqq")
_CHECKSUM = struct.Struct("<q")
_HEADER_BYTES = _FRONT.size + _CHECKSUM.size
_LIST_BYTES = 24
_PIECE_BYTES = 1 << 24


class _Kind(NamedTuple):
    """What the items of a file are.

    what: the file begins so. shape: of an item, in numbers. help: what to do about a bad file; the caller may know.
    """

    what: bytes
    shape: tuple[int, ...]
    help: str = ""

    @property
    def item_bytes(self) -> int:
        return 8 * math.prod(self.shape)


# Raise the last digit when the meaning of the files changes.
_STATES = _Kind(b"ktblock1", (2,), "start over in another directory; what came before it is gone")
_COUNTS = _Kind(b"ktranks1", ())


class Ranked(NamedTuple):
    """A last layer as counts by rank of the matching (kernels/counting/matchings.py) instead of words.

    classes, masses: as in a Layer. lengths: how many ranks each class has, 0 where it has no states. counts: int64, the
    list of one class after the other; a pair of residues each where they are modulo two primes.
    """

    classes: np.ndarray
    lengths: np.ndarray
    counts: np.ndarray
    masses: np.ndarray


class Place(NamedTuple):
    """Where a block is, and the key that its file must have."""

    path: str
    key: bytes


def place_of(directory: Path, count: str, folder: str, number: int) -> Place:
    """The place of a block of the layer in `folder` of a directory. count: the fingerprint of the whole work."""
    return Place(str(directory / folder / f"{number:06}.states"), _key_of(count, folder, number))


def place_of_ranked(directory: Path, count: str, folder: str) -> Place:
    """The place of the last layer of a part, by rank."""
    return Place(str(directory / folder / f"{folder}.ranks"), _key_of(count, folder, "ranks"))


def _key_of(*words: object) -> bytes:
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()[:16]


def write_block(
    place: Place, classes: np.ndarray, lengths: np.ndarray, masses: np.ndarray, states: Iterable[np.ndarray]
) -> None:
    """Write a block. states: int64 (n, 2), in pieces. A FormatError where it cannot be written."""
    _write(place, _STATES, np.stack([classes, lengths, masses.view(np.int64)], axis=1), states)


def write_ranked(
    place: Place, classes: np.ndarray, lengths: np.ndarray, masses: np.ndarray, counts: Iterable[np.ndarray]
) -> None:
    """Write a last layer by rank (`Ranked`). counts: in pieces. A FormatError where it cannot be written."""
    _write(place, _COUNTS, np.stack([classes, lengths, masses.view(np.int64)], axis=1), counts)


def _write(place: Place, kind: _Kind, lists: np.ndarray, items: Iterable[np.ndarray]) -> None:
    front = _FRONT.pack(kind.what, place.key, len(lists), int(lists[:, 1].sum()))
    checksum = zlib.crc32(front)
    with files.open_target(place.path, force=True) as file:
        file.write(bytes(_HEADER_BYTES))  # until the checksum is known
        for piece in itertools.chain([lists], items):
            data = bytes_of(piece)
            checksum = zlib.crc32(data, checksum)
            file.write(data)
        file.seek(0)
        file.write(front + _CHECKSUM.pack(checksum))
        flush(file)


def read_block(place: Place, *, is_checked: bool = True) -> Layer:
    """A block whose states are mapped. A FormatError where it is gone, foreign, cut short or (`is_checked`) damaged."""
    classes, lengths, masses, states = _read(place, _STATES, is_checked)
    return Layer(classes, np.cumsum(lengths) - lengths, lengths, states, masses)


def read_ranked(place: Place) -> Ranked:
    """A last layer by rank, whose counts are mapped. A FormatError where it is gone, foreign, cut short or damaged."""
    classes, lengths, masses, counts = _read(place, _COUNTS, True)
    return Ranked(classes, lengths, counts, masses)


def _read(place: Place, kind: _Kind, is_checked: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Classes, lengths, masses and items."""
    with _opened(place, kind) as (file, header):
        data = file.read(_LIST_BYTES * header.classes)
        if is_checked:
            checksum = zlib.crc32(data, header.front_checksum)
            while piece := file.read(_PIECE_BYTES):
                checksum = zlib.crc32(piece, checksum)
            if checksum != header.checksum:
                raise _bad(place, kind, "is damaged: its checksum is wrong")
    classes, lengths, masses = np.frombuffer(data, dtype="<i8").reshape(-1, 3).T.copy()
    return classes, lengths, masses.view(np.float64), _items(place, kind, header)


def states_of(place: Place) -> np.ndarray:
    """The states of a block, mapped: int64 (n, 2). A FormatError where it is gone, foreign or cut short."""
    with _opened(place, _STATES) as (_, header):
        return _items(place, _STATES, header)


class _Header(NamedTuple):
    """What comes before the lists. front_checksum: of the header itself."""

    classes: int
    items: int
    checksum: int
    front_checksum: int

    @property
    def before_items(self) -> int:
        """Bytes before the items."""
        return _HEADER_BYTES + _LIST_BYTES * self.classes


@contextmanager
def _opened(place: Place, kind: _Kind) -> Iterator[tuple[BinaryIO, _Header]]:
    """The file after its header, which is one that this place may have."""
    try:
        with open(place.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(_HEADER_BYTES)
            if len(data) < _HEADER_BYTES:
                raise _bad(place, kind, f"has {size:,} bytes, too few for a file of a layer")
            what, key, classes, items = _FRONT.unpack_from(data)
            if what != kind.what or key != place.key:
                raise _bad(place, kind, "is no part of this count, or is damaged")
            (checksum,) = _CHECKSUM.unpack_from(data, _FRONT.size)
            header = _Header(classes, items, checksum, zlib.crc32(data[: _FRONT.size]))
            whole = header.before_items + kind.item_bytes * items
            if classes < 0 or items < 0 or size != whole:
                raise _bad(place, kind, f"has {size:,} bytes instead of {whole:,}")
            yield file, header
    except OSError as error:
        raise _bad(place, kind, f"cannot be read: {error.strerror or error}") from error


def _items(place: Place, kind: _Kind, header: _Header) -> np.ndarray:
    return mapped(place.path, (header.items, *kind.shape), header.before_items)


def _bad(place: Place, kind: _Kind, message: str) -> FormatError:
    return FormatError(message, path=place.path, help=kind.help)
