"""The file of a TourSpace: a header, and arrays that are mapped into memory.

    16 bytes  the mark KNIGHTSTOURSPACE
    4        version of this layout
    4        CRC-32 of the header
    8        length of the header
    ...      header: JSON in UTF-8 (the problem, the count, the numbering, and name, type, shape, offset and CRC-32 of
             each array)
    ...      the arrays, each at a multiple of 64 bytes, little-endian

Opening a file checks all lengths and checksums, at about 4 GB per second once the file is in memory. A file that is
truncated, changed, foreign or of a later version is refused, with the reason. A file is written under a temporary name
and renamed when it is complete.

Building the space of all closed 8x8 tours takes about ten seconds, opening its file a fraction of one. Therefore a
TourSpace that took long to build is cached in the user's cache folder, under a name derived from the problem. The
folder can be deleted without loss.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import struct
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.machine.files import check_plain, open_target
from knightstour.core.model.errors import FormatError, KnightsTourError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.pieces import KNIGHT
from knightstour.core.model.problem import Problem
from knightstour.core.model.strict_json import parse_json
from knightstour.core.model.validation import path as given_path

MARK = b"KNIGHTSTOURSPACE"
VERSION = 2
_HEAD = struct.Struct("<16sIIQ")
_ALIGNMENT = 64
# Maximum length of a header, which contains only arrays and a board.
_MAX_HEADER_BYTES = 1 << 28
_CHECKED_AT_ONCE = 1 << 24


class _StoredArray(TypedDict):
    """offset: in bytes after the header."""

    name: str
    type: str
    shape: list[int]
    at: int
    crc: int


@dataclass(frozen=True, slots=True, eq=False)
class StoredSpace:
    """Contents of a file: the problem, the number of tours, the numbering, and the arrays by name."""

    path: str
    problem: Problem
    count: int
    numbering: str
    arrays: dict[str, np.ndarray]

    def fault(self, message: str) -> FormatError:
        """Return the error with the name of the file."""
        return _fault(self.path, message)


def _fault(path: str, message: str, help: str = "build the space again") -> FormatError:
    return FormatError(message, path=path, help=help)


def write_space(
    path: str | os.PathLike[str],
    problem: Problem,
    numbering: str,
    count: int,
    arrays: dict[str, np.ndarray],
) -> None:
    """Write a file. Raise BoardError for nodes without a JSON form."""
    described = []
    at = 0
    little = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    for name, array in little.items():
        described.append(
            {"name": name, "type": array.dtype.str, "shape": list(array.shape), "at": at, "crc": _checksum(array)}
        )
        at += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    header = json.dumps(
        {
            "board": board_to_dict(problem.board),
            "closed": problem.closed,
            "start": problem.start,
            "end": problem.end,
            "count": str(count),
            "numbering": numbering,
            "arrays": described,
            "bytes": at,
        }
    ).encode()
    with open_target(path) as file:
        file.write(_HEAD.pack(MARK, VERSION, zlib.crc32(header), len(header)))
        file.write(header)
        file.write(bytes(-file.tell() % _ALIGNMENT))
        for array in little.values():
            file.write(array.reshape(-1).view(np.uint8).data)
            file.write(bytes(-array.nbytes % _ALIGNMENT))


def read_space(path: str | os.PathLike[str]) -> StoredSpace:
    """Return the contents of a file, with mapped and checked arrays; raise FormatError if it is damaged or foreign."""
    name = given_path(path)
    fault = functools.partial(_fault, name)
    try:
        check_plain(name)
        size = os.path.getsize(name)
        with open(name, "rb") as file:
            head = file.read(_HEAD.size)
            if not head.startswith(MARK):
                raise fault("this is not a file of a TourSpace", "TourSpace.build(board, path=...) writes one")
            if len(head) < _HEAD.size:
                raise fault("the file is truncated")
            _, version, crc, length = _HEAD.unpack(head)
            if version != VERSION:
                raise fault(f"the file has layout {version}, but this version of the package reads {VERSION}")
            if length > min(size, _MAX_HEADER_BYTES):
                raise fault("the file is truncated or damaged: its header is incomplete")
            header = file.read(length)
        if len(header) < length or zlib.crc32(header) != crc:
            raise fault("the file is damaged: the checksum of its header is wrong")
        first = -(-(_HEAD.size + length) // _ALIGNMENT) * _ALIGNMENT
        described = parse_json(header)
        wanted = first + described["bytes"]
        if size < wanted:
            raise fault(f"the file is truncated: it has {size:,} bytes of {wanted:,}")
        if size > wanted:
            raise fault(f"the file has {size - wanted:,} bytes after its end")
        # Private to this process: kernels check read-only arrays more slowly.
        mapped = np.asarray(np.memmap(name, dtype=np.uint8, mode="c"))
        arrays = {item["name"]: _mapped_array(mapped, first, item) for item in described["arrays"]}
        problem = Problem(
            board_from_dict(described["board"]),
            closed=bool(described["closed"]),
            start=None if described["start"] is None else tuple(described["start"]),
            end=None if described["end"] is None else tuple(described["end"]),
        )
        stored = StoredSpace(name, problem, int(described["count"]), described["numbering"], arrays)
    except (OSError, KnightsTourError):
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise fault(f"the file is damaged: {error}") from error
    for item in described["arrays"]:
        if _checksum(arrays[item["name"]]) != item["crc"]:
            raise fault(f"the file is damaged: the checksum of {item['name']!r} is wrong")
    return stored


def _mapped_array(mapped: np.ndarray, first: int, item: _StoredArray) -> np.ndarray:
    kind = np.dtype(item["type"])
    size = int(np.prod(item["shape"], dtype=np.int64)) * kind.itemsize
    begin = first + item["at"]
    if not size:
        return np.zeros(item["shape"], dtype=kind)
    if begin + size > len(mapped):
        raise ValueError(f"{item['name']!r} ends after the file")
    return mapped[begin : begin + size].view(kind).reshape(item["shape"])


def _checksum(array: np.ndarray) -> int:
    """Return the CRC-32 of the CRC-32s of pieces, which threads can share."""
    flat = array.reshape(-1).view(np.uint8)
    pieces = [flat[a : a + _CHECKED_AT_ONCE].data for a in range(0, len(flat), _CHECKED_AT_ONCE)]
    if len(pieces) < 4:
        sums = [zlib.crc32(piece) for piece in pieces]
    else:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            sums = list(pool.map(zlib.crc32, pieces))
    return zlib.crc32(np.array(sums, dtype="<u4").tobytes())


# Minimum build time of a space in the cache, in seconds.
_WORTH_KEEPING_SECONDS = 2.0
# Maximum bits of a count in the cache. Longer numbers, as on long narrow boards, make files of gigabytes.
_MAX_KEPT_BITS = 1000


def is_worth_keeping(seconds: float, count: int) -> bool:
    """Return whether to cache a space with this build time and number of tours."""
    return seconds > _WORTH_KEEPING_SECONDS and count.bit_length() <= _MAX_KEPT_BITS


def cache_folder() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "knightstour"


def kept_files() -> dict[Path, int]:
    """Return the cached spaces with their sizes in bytes, the largest first."""
    sizes = {}
    for path in cache_folder().glob("*.space"):
        with suppress(OSError):
            sizes[path] = path.stat().st_size
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def path_of(problem: Problem) -> Path:
    """Return the path of the cached space of a problem, whether it exists or not."""
    board = problem.board
    # The moves of a graph are part of the graph.
    leaps = board.piece.leaps if isinstance(board, GridBoard) else KNIGHT.leaps
    graph = (board.graph, board.labels) if isinstance(board, GraphBoard) else (None, None)
    parts = (board.rows, board.cols, sorted(board.holes), board.wrap, leaps, *graph)
    question = repr((*parts, problem.closed, problem.start, problem.end))
    key = hashlib.sha256(question.encode()).hexdigest()[:16]
    kind = "closed" if problem.closed else "open"
    # File systems accept names of up to 255 characters.
    size = f"{board.rows}x{board.cols}"[:100]
    return cache_folder() / f"{size}-{kind}-{key}.space"
