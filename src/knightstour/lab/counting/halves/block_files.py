"""Storage "blocks": files of a layer, or of some of its classes; each is whole or not there, and says what it is.

A file consists of little-endian numbers of 64 bits:

    header   what it is (8 bytes), key (16 bytes), classes, states, checksum
    lists    for each class: the class, how many states it has, and its mass (float64)
    states   the list of one class after the other: (word, count)

The *key* is a hash of the count, the layer and the number of the block, which no other file has. The checksum (CRC-32)
is of all the rest. Files are written under another name, flushed and renamed, so after any crash a block is whole or
not there, and later damage is noticed.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knightstour.core.machine import files
from knightstour.core.machine.records import flush
from knightstour.core.model.errors import FormatError
from knightstour.lab.counting.halves.layers import Layer
from knightstour.lab.counting.halves.stores import bytes_of, mapped

_FRONT = struct.Struct("<8s16sqq")
_CHECKSUM = struct.Struct("<q")
_HEADER_BYTES = _FRONT.size + _CHECKSUM.size
_LIST_BYTES = 24
_PIECE_BYTES = 1 << 24


# What a file begins with. Raise the last digit when the meaning of the files changes.
_WHAT = b"ktblock1"
_STATE_BYTES = 16
_HELP = "start over in another directory; what came before it is gone"


class Place(NamedTuple):
    """Where a block is, and the key that its file must have."""

    path: str
    key: bytes


def place_of(directory: Path, count: str, folder: str, number: int) -> Place:
    """The place of a block of the layer in `folder` of a directory. count: the fingerprint of the whole work."""
    return Place(str(directory / folder / f"{number:06}.states"), _key_of(count, folder, number))


def _key_of(*words: object) -> bytes:
    return hashlib.sha256("/".join(map(str, words)).encode()).digest()[:16]


def write_block(
    place: Place, classes: np.ndarray, lengths: np.ndarray, masses: np.ndarray, states: Iterable[np.ndarray]
) -> None:
    """Write a block. states: int64 (n, 2), in pieces. A FormatError where it cannot be written."""
    lists = np.stack([classes, lengths, masses.view(np.int64)], axis=1)
    front = _FRONT.pack(_WHAT, place.key, len(lists), int(lengths.sum()))
    checksum = zlib.crc32(front)
    with files.open_target(place.path, force=True) as file:
        file.write(bytes(_HEADER_BYTES))  # until the checksum is known
        for piece in itertools.chain([lists], states):
            data = bytes_of(piece)
            checksum = zlib.crc32(data, checksum)
            file.write(data)
        file.seek(0)
        file.write(front + _CHECKSUM.pack(checksum))
        flush(file)


def read_block(place: Place, *, is_checked: bool = True) -> Layer:
    """A block whose states are mapped. A FormatError where it is gone, foreign, cut short or (`is_checked`) damaged."""
    try:
        with open(place.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            header = file.read(_HEADER_BYTES)
            if len(header) < _HEADER_BYTES:
                raise _bad(place, f"has {size:,} bytes, too few for a file of a layer")
            what, key, classes, states = _FRONT.unpack_from(header)
            if what != _WHAT or key != place.key:
                raise _bad(place, "is no part of this count, or is damaged")
            before_states = _HEADER_BYTES + _LIST_BYTES * classes
            whole = before_states + _STATE_BYTES * states
            if classes < 0 or states < 0 or size != whole:
                raise _bad(place, f"has {size:,} bytes instead of {whole:,}")
            data = file.read(_LIST_BYTES * classes)
            if is_checked:
                checksum = zlib.crc32(data, zlib.crc32(header[: _FRONT.size]))
                while piece := file.read(_PIECE_BYTES):
                    checksum = zlib.crc32(piece, checksum)
                if _CHECKSUM.unpack_from(header, _FRONT.size) != (checksum,):
                    raise _bad(place, "is damaged: its checksum is wrong")
    except OSError as error:
        raise _bad(place, f"cannot be read: {error.strerror or error}") from error
    found, lengths, masses = np.frombuffer(data, dtype="<i8").reshape(-1, 3).T.copy()
    mine = mapped(place.path, (states, 2), before_states)
    return Layer(found, np.cumsum(lengths) - lengths, lengths, mine, masses.view(np.float64))


def _bad(place: Place, message: str) -> FormatError:
    return FormatError(message, path=place.path, help=_HELP)
