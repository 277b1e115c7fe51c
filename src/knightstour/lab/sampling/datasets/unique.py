"""No tour twice in a whole data set, exactly, in bounded memory.

Each piece of the stream is drawn once and kept as a draft. For each tour of it a key is written that is the same for
tours that count as the same, and the keys are put into buckets by their hash: the same tour always falls into the same
bucket. Then each bucket is searched in the order of the stream: a key that came before in its bucket is a repeat; keys
are compared in full, not only by their hashes. Finally each draft is written as a part, without its repeats. The result
is the stream of the different tours in order of first appearance, as `Stream` with `unique` gives it. It depends
neither on the number of buckets nor on the workers.

Cost: 28 bytes of disk for a tour of 8x8 while the work goes on, besides the draft; memory for one bucket, some 60 MB,
for each worker; about 0.5 us a tour.
"""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knightstour.lab.sampling.datasets import packing, parts
from knightstour.lab.sampling.datasets.manifest import WORK, Plan, Receipt, part_name, write_file
from knightstour.lab.sampling.distinct import SeenKeys

# Draws of the largest piece that is written.
_MOST_ROWS = 1 << 31
# Different tours in a bucket, about.
BUCKET_TOURS = 1 << 20


def draft_name(number: int) -> str:
    """File name of a draft, within the data set."""
    return f"{WORK}/draft-{number:06}.bin"


def is_draft(name: str) -> bool:
    """Whether a file of that name is a draft."""
    return name.startswith(f"{WORK}/draft-")


def keys_name(number: int) -> str:
    """File name of the keys of a piece."""
    return f"{WORK}/keys-{number:06}.bin"


def repeats_name(bucket: int, pieces: int) -> str:
    """File name of the repeats that a bucket has among the first `pieces` pieces."""
    return f"{WORK}/repeats-{bucket:06}-of-{pieces:06}.bin"


def draft_piece(plan: Plan, directory: str, number: int, buckets: int, threads: int) -> tuple[Receipt, Receipt]:
    """Draw a piece; write its tours as they are, and their keys by buckets.

    A draft holds the moves of all tours, packed, and then their first squares. A file of keys holds where each bucket
    begins, and the end (int64, buckets + 1); the row of each key (uint32); and the keys (uint64, words each).
    """
    first = number * plan.part_tours
    orders = parts.draw(plan, first, plan.part_tours, threads)
    pack = packing.packing_of(plan.problem.board)
    moves, starts = pack.pack(orders)
    keys = pack.keys(orders, plan.problem)
    # The table of a bucket uses the low bits of the hash, so the high ones choose the bucket.
    bucket = (packing.hashes_of(keys) >> np.uint64(32)) % np.uint64(buckets)
    rows = np.argsort(bucket, kind="stable")
    begins = np.searchsorted(bucket[rows], np.arange(buckets + 1, dtype=np.uint64)).astype("<i8")
    draft = b"".join([moves.tobytes(), starts.tobytes()])
    data = b"".join([begins.tobytes(), rows.astype("<u4").tobytes(), keys[rows].astype("<u8").tobytes()])
    folder = Path(directory)
    return (
        write_file(folder, draft_name(number), draft, len(orders)),
        write_file(folder, keys_name(number), data, len(orders)),
    )


def _bucket_of(path: Path, bucket: int, buckets: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows, keys) that a file of keys has in a bucket."""
    with open(path, "rb") as file:
        file.seek(8 * buckets)
        count = int(np.fromfile(file, "<i8", 1)[0])
        file.seek(8 * bucket)
        begin, end = np.fromfile(file, "<i8", 2).tolist()
        words = (path.stat().st_size - 8 * (buckets + 1) - 4 * count) // (8 * max(1, count))
        file.seek(8 * (buckets + 1) + 4 * begin)
        rows = np.fromfile(file, "<u4", end - begin)
        file.seek(8 * (buckets + 1) + 4 * count + 8 * words * begin)
        return rows, np.fromfile(file, "<u8", words * (end - begin)).reshape(-1, words)


def compare_bucket(directory: str, bucket: int, buckets: int, pieces: int, part_tours: int) -> Receipt:
    """Find the repeats among all tours of a bucket.

    A file of repeats holds the place in the stream of the last tour of the bucket that is none, -1 without one; how
    many repeats each piece has (int64, pieces); and their rows (uint32).
    """
    seen = SeenKeys()
    counts = np.zeros(pieces, dtype="<i8")
    found: list[np.ndarray] = []
    last = -1
    for number in range(pieces):
        rows, keys = _bucket_of(Path(directory) / keys_name(number), bucket, buckets)
        is_new = seen.add(keys)
        repeats = rows[~is_new]
        if len(repeats) < len(rows):
            last = number * part_tours + int(rows[is_new].max())
        counts[number] = len(repeats)
        found.append(repeats)
    data = b"".join([np.array([last], "<i8").tobytes(), counts.tobytes(), *(rows.tobytes() for rows in found)])
    return write_file(Path(directory), repeats_name(bucket, pieces), data)


class Counted(NamedTuple):
    """From all buckets: the repeats of each piece, and the place in the stream of the last tour that is no repeat."""

    repeats: np.ndarray
    last_new: int


def count_repeats(directory: str, buckets: int, pieces: int) -> Counted:
    """Add up the repeats of all buckets."""
    total = np.zeros(pieces, dtype=np.int64)
    last = -1
    for bucket in range(buckets):
        head = np.fromfile(Path(directory) / repeats_name(bucket, pieces), "<i8", pieces + 1)
        total += head[1:]
        last = max(last, int(head[0]))
    return Counted(total, last)


def _repeats_in(directory: str, number: int, buckets: int, pieces: int) -> np.ndarray:
    """The rows of a piece that are repeats, in rising order."""
    found = []
    for bucket in range(buckets):
        with open(Path(directory) / repeats_name(bucket, pieces), "rb") as file:
            counts = np.fromfile(file, "<i8", pieces + 1)[1:]
            file.seek(8 * (pieces + 1) + 4 * int(counts[:number].sum()))
            found.append(np.fromfile(file, "<u4", int(counts[number])))
    return np.sort(np.concatenate(found))


def write_unique_part(
    plan: Plan, directory: str, number: int, buckets: int, pieces: int, most: int, version: str
) -> tuple[int, Receipt, str]:
    """Write a draft as a part, without its repeats, and with no more than `most` tours; also the rows dropped."""
    pack = packing.packing_of(plan.problem.board)
    data = np.fromfile(Path(directory) / draft_name(number), np.uint8)
    cut = plan.part_tours * pack.width
    orders = pack.unpack(data[:cut].reshape(-1, pack.width), data[cut:].view(pack.kind))
    dropped = _repeats_in(directory, number, buckets, pieces)
    return (number, *_write_kept(plan, directory, number, orders, dropped, most, version))


def rewrite_part(
    plan: Plan, directory: str, number: int, dropped: str, most: int, version: str, threads: int
) -> tuple[int, Receipt, str]:
    """Draw a part again whose repeats are known."""
    orders = parts.draw(plan, number * plan.part_tours, plan.part_tours, threads)
    return (number, *_write_kept(plan, directory, number, orders, unpack_rows(dropped), most, version))


def _write_kept(
    plan: Plan, directory: str, number: int, orders: np.ndarray, dropped: np.ndarray, most: int, version: str
) -> tuple[Receipt, str]:
    is_kept = np.ones(plan.part_tours, dtype=np.bool_)
    is_kept[dropped] = False
    kept = np.flatnonzero(is_kept)[:most]
    table = parts.table_of(plan, orders[kept], number * plan.part_tours + kept)
    data = parts.parquet_bytes(table, parts.metadata_of(plan, version))
    return write_file(Path(directory), part_name(number), data, len(kept)), pack_rows(dropped)


def pack_rows(rows: np.ndarray) -> str:
    """Rising row numbers as a short text.

    >>> unpack_rows(pack_rows(np.array([3, 4, 900]))).tolist()
    [3, 4, 900]
    """
    if not len(rows):
        return ""
    steps = np.diff(rows.astype(np.int64), prepend=0).astype("<u4")
    return base64.b64encode(zlib.compress(steps.tobytes(), 9)).decode()


def unpack_rows(text: str, most: int = _MOST_ROWS) -> np.ndarray:
    """The row numbers that `pack_rows` packed; a ValueError for anything else, and for more than `most`."""
    if not text:
        return np.empty(0, dtype=np.int64)
    unpacker = zlib.decompressobj()
    try:
        steps = unpacker.decompress(base64.b64decode(text), 4 * most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(steps) > 4 * most or not unpacker.eof:
        raise ValueError(f"more than {most:,} rows, or cut off")
    return np.cumsum(np.frombuffer(steps, "<u4").astype(np.int64))
