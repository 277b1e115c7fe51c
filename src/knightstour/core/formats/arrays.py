"""Tours of one board as NumPy arrays.

`.npy` holds the numbered diagrams, int32 (tours, rows, cols), -1 for a hole; `.npz` the array `order` of square numbers
`row * cols + col`, int32 (tours, squares), and `board`, the board as JSON text.
"""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np

from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.formats.text import Reading, agreed_board, diagram_reading, rectangle_around
from knightstour.core.machine import memory
from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.numbering import HOLE, board_of_numbers, numbering, numbers_in
from knightstour.core.model.strict_json import parse_json
from knightstour.core.model.tour import Tour
from knightstour.core.model.wording import in_words

_MAX_ARRAY_BYTES = 1 << 33
# Memory per square while a tour is read and checked, in bytes.
_BYTES_PER_SQUARE = 64
# Maximum compression ratio; random tours are compressed to a fifth. Small files are not checked.
_MAX_RATIO, _MANY_BYTES = 100, 1 << 26
# Limit for a .npz that can be read only once, such as stdin.
_MAX_PIPED_BYTES = 1 << 28


def write_npy(tours: Iterable[Tour]) -> Iterator[bytes]:
    """Yield numbered diagrams, int32 (tours, rows, cols)."""
    board, order = _orders(tours, "npy")
    size = board.rows * board.cols
    diagrams = np.zeros((len(order), size), dtype=np.int32)
    np.put_along_axis(diagrams, order, np.arange(1, order.shape[1] + 1, dtype=np.int32)[None, :], axis=1)
    if board.holes:
        # A 0 may be read as the first number.
        diagrams[diagrams == 0] = HOLE
    file = io.BytesIO()
    np.save(file, diagrams.reshape(len(order), board.rows, board.cols), allow_pickle=False)
    yield file.getvalue()


def write_npz(tours: Iterable[Tour]) -> Iterator[bytes]:
    """Yield the arrays `order` and `board`."""
    board, order = _orders(tours, "npz")
    file = io.BytesIO()
    np.savez(file, order=order, board=np.array(json.dumps(board_to_dict(board))))
    yield file.getvalue()


def _orders(tours: Iterable[Tour], name: str) -> tuple[Board, np.ndarray]:
    """Return the board, and the square numbers of the tours, int32 (tours, squares)."""
    board: Board | None = None
    parts: list[np.ndarray] = []
    walk = iter(tours)
    while batch := list(islice(walk, 4096)):
        board = board or batch[0].board
        for tour in batch:
            if tour.board is not board and tour.board != board:
                raise FormatError(
                    f"a .{name} file cannot contain tours of two boards: {board} and {tour.board}",
                    help="use the format json, or a file for each board",
                )
        parts.append(np.array([tour.order for tour in batch], dtype=np.int32))
    if board is None:
        raise FormatError("there is no tour to write")
    return board, np.concatenate(parts)


def read_npy(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Yield the tours of an array: diagrams, lists of squares or, with a given board, square numbers."""
    _check_is_array(source, b"\x93NUMPY", "npy")
    yield from _from_array(source, array_in(source), given_board)


def array_in(source: Source) -> np.ndarray:
    """Return the array of a `.npy` file; a file on disk is memory-mapped."""
    # From version 2 on, a header may claim any length.
    if source.head[6:7] > b"\x01" and int.from_bytes(source.head[8:12], "little") > PIECE_CHARS:
        raise source.fail("a damaged .npy file: its header is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if source.is_file and source.path is not None:
                return np.load(source.path, mmap_mode="r", allow_pickle=False)
            return np.lib.format.read_array(source.stream, allow_pickle=False)
    except Exception as error:
        # NumPy raises a dozen kinds of errors on damaged files.
        raise source.fail(f"a damaged .npy file: {_first_line(error)}") from error


def read_npz(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Yield the tours of the arrays of `write_npz`, or of one array with any of the shapes for `.npy`."""
    _check_is_array(source, b"PK\x03\x04", "npz")
    try:
        file: Any = source.path
        if not source.is_file:
            file = io.BytesIO(source.stream.read(_MAX_PIPED_BYTES))
            if source.stream.read(1):
                raise source.fail("too long to be read from a stream", help="read it from a file on disk")
        with zipfile.ZipFile(file) as archive:
            _check_sizes(source, archive)
        with np.load(file, allow_pickle=False) as arrays:
            names = arrays.files
            board_text = str(arrays["board"]) if "board" in names else None
            others = [name for name in names if name != "board"]
            if len(others) != 1:
                raise source.fail(
                    f"the file must contain one array of tours, not {len(others)}: {', '.join(others)[:80]}"
                )
            loaded = arrays[others[0]]
        if not isinstance(loaded, np.ndarray):
            raise source.fail(f"its member {others[0][:60]!r} is not an array")
    except FormatError:
        raise
    except Exception as error:
        raise source.fail(f"a damaged .npz file: {_first_line(error)}") from error
    named: Board | None = None
    if board_text is not None:
        try:
            named = board_from_dict(parse_json(board_text))
        except (ValueError, AttributeError) as error:
            raise source.fail(f"its board cannot be understood ({_first_line(error)})") from error
    # Arrays with other names have any of the shapes for .npy.
    is_order = others[0] == "order"
    yield from _from_array(source, loaded, agreed_board(source, given_board, named, None), is_order=is_order)


def array_again(source: Source) -> np.ndarray | None:
    """Return the array of a short `.npy` source that was read already, or None."""
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        return np.lib.format.read_array(io.BytesIO(source.bytes_again()), allow_pickle=False)
    return None


def _check_sizes(source: Source, archive: zipfile.ZipFile) -> None:
    """Raise FormatError for arrays that exceed the memory or have an impossible compression ratio."""
    size = sum(member.file_size for member in archive.infolist())
    packed = sum(member.compress_size for member in archive.infolist())
    if size > _MAX_ARRAY_BYTES:
        raise source.fail(f"its arrays would fill more than {_MAX_ARRAY_BYTES >> 30} GB")
    if size > _MANY_BYTES and size > _MAX_RATIO * packed:
        raise source.fail(
            f"its arrays would fill {in_words(size)} from {in_words(packed)}, which is impossible for tours",
            help="write them as .npy if they are tours",
        )


def read_array(array: np.ndarray, given_board: Board | None) -> Iterator[Reading]:
    """Yield the tours of an array in memory, with any of the shapes for `.npy`."""
    return _from_array(Source(io.BytesIO(), None), array, given_board)


def _check_is_array(source: Source, mark: bytes, name: str) -> None:
    if not source.head:
        raise source.fail("the file is empty")
    if not source.head.startswith(mark):
        raise source.fail(f"this is not a .{name} file")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:100]


def _from_array(
    source: Source, loaded: np.ndarray, board: Board | None, *, is_order: bool = False
) -> Iterator[Reading]:
    """Yield the tours of an array, whose shape determines its contents unless is_order is set."""
    if loaded.dtype.kind not in "iuf" or loaded.ndim not in (1, 2, 3) or loaded.size == 0:
        raise source.fail(f"an array of {loaded.dtype} and shape {loaded.shape} holds no tours of integers")
    if is_order and board is not None and loaded.shape[1:] == (square_count(board),):
        kind, is_single = "order", False
    else:
        kind, is_single = _kind_of_array(source, loaded, board)
    made: tuple[np.ndarray, Board] | None = None
    squares = loaded[0].size if not is_single else loaded.size
    memory.require_memory(
        _BYTES_PER_SQUARE * squares, f"a tour of {squares:,} squares", "implicit_tour(board) has its own at any size"
    )
    for item in [loaded] if is_single else loaded:
        whole = numbers_in(item)
        if whole is None:
            raise source.fail(f"an array of {loaded.dtype} that are not integers holds no tours")
        array = whole.astype(np.int64, copy=False)
        if kind == "diagram":
            found = numbering(array, board)
            if not len(found.where):
                raise source.fail("this diagram has no number")
            around = board
            if around is None:
                # Diagrams with the same holes share a board.
                if made is None or not np.array_equal(made[0], found.holes):
                    made = found.holes, board_of_numbers(array.shape, found.holes)
                around = made[1]
            yield diagram_reading(around, found, array.shape[1], None, is_given=board is not None)
        elif kind == "order":
            assert board is not None
            yield Reading(board, np.stack(np.divmod(array, board.cols), axis=1), None)
        else:
            yield Reading(board or rectangle_around(array), array, None)


def kind_of_shape(shape: tuple[int, ...], board: Board) -> tuple[str, bool] | None:
    """Return the contents of an array of this shape, or None: (kind, whether it is a single tour).

    The kind is "diagram", "squares" or "order".

    >>> kind_of_shape((8, 8), Board(8, 8)), kind_of_shape((1000, 64), Board(8, 8)), kind_of_shape((64,), Board(5, 5))
    (('diagram', True), ('order', False), None)
    """
    kinds = {(board.rows, board.cols): "diagram", (square_count(board), 2): "squares", (square_count(board),): "order"}
    # A single tour has priority: (rows, cols) could be `rows` tours of `cols` squares.
    for is_single in (True, False):
        kind = kinds.get(shape if is_single else shape[1:])
        if kind is not None:
            return kind, is_single
    return None


def _kind_of_array(source: Source, loaded: np.ndarray, board: Board | None) -> tuple[str, bool]:
    """Return "diagram", "squares" or "order", and whether it is one tour."""
    shape = loaded.shape
    if board is not None:
        found = kind_of_shape(shape, board)
        if found is not None:
            return found
        raise source.fail(
            f"an array of shape {shape} holds no tours of the {title_of(board)}",
            help=f"(tours, {board.rows}, {board.cols}) numbers, (tours, {square_count(board)}) square numbers or "
            f"(tours, {square_count(board)}, 2) squares",
        )
    is_single = loaded.ndim == 2
    if loaded.ndim == 1 or (is_single and (np.sort(loaded[:9]) == np.arange(shape[1])).all()):
        raise source.fail("rows of square numbers do not define their board", help="pass the board")
    if shape[-1] == 2:
        sample = np.asarray(loaded if is_single else loaded[0])
        used = np.sort(sample[sample != 0])
        if not np.array_equal(used, np.arange(1, len(used) + 1)):
            return "squares", is_single
    return "diagram", is_single


def array_head(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    """Return the header of an `.npy` file. Its size does not depend on the length of the array.

    >>> len(array_head(np.dtype(np.uint8), (5, 64))), len(array_head(np.dtype(np.uint8), (10**9, 64)))
    (128, 128)
    """
    head = io.BytesIO()
    record = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, record)
    return head.getvalue()
