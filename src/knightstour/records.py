"""Tours as records for programs: JSON, which carries every board whole, and NumPy arrays.

A tour in JSON is one object on one line, the one that `solve --json` prints:

    {"status": "found", "closed": true, "rows": 6, "cols": 6, "squares": [[0, 0], [1, 2], ...]}

with `holes`, `wrap`, `leaper` or `graph` added where the board is no plain rectangle. NumPy files hold the tours of
one board: `.npy` the numbered diagrams, int32 (tours, rows, cols), 0 for a hole; `.npz` the array `order`, int32
(tours, squares), of square numbers `row * cols + col`, and `board`, the board as JSON text.
"""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from knightstour.board import Board, move_graph
from knightstour.errors import BoardError, FormatError
from knightstour.files import PIECE_CHARS, Source
from knightstour.notation import Reading, agreed_board, order_of_numbers, rectangle_around
from knightstour.tour import Tour

_MOST_JSON_CHARS = 1 << 27
_MOST_ARRAY_BYTES = 1 << 33
# A .npz that cannot be opened twice, such as stdin, has to be held whole.
_MOST_PIPED_BYTES = 1 << 28
# A JSON text that is merely cut off fails near its end, noise fails before.
_NEAR_END = 1000


# ---------------------------------------------------------------- boards


def board_to_dict(board: Board) -> dict[str, Any]:
    """The whole board as JSON knows it: rows and cols, and what else it needs.

    Raises BoardError where a node of a graph is nothing that JSON knows (text, numbers, None, tuples of these).

    >>> board_to_dict(Board(4, 5, holes=["a1"], leaper=(2, 3)))
    {'rows': 4, 'cols': 5, 'holes': [[3, 0]], 'leaper': [2, 3]}
    """
    record: dict[str, Any] = {"rows": board.rows, "cols": board.cols}
    if board.holes:
        record["holes"] = [list(hole) for hole in sorted(board.holes)]
    if board.wrap:
        record["wrap"] = board.wrap
    if board.leaper != (1, 2):
        record["leaper"] = list(board.leaper)
    if board.graph is not None:
        assert board.labels is not None
        record["graph"] = {
            "nodes": [_plain_label(label) for label in board.labels],
            "edges": move_graph(board).edges().tolist(),
        }
    return record


def board_from_dict(record: dict[str, Any]) -> Board:
    """The board that `board_to_dict` wrote; a BoardError where it makes none.

    >>> board_from_dict({"rows": 4, "cols": 5, "wrap": "torus"})
    Board(4, 5, wrap='torus')
    """
    if not {"rows", "cols"} <= record.keys():
        raise BoardError("rows and cols are missing")
    try:
        if record.get("graph") is not None:
            nodes = [_label_of(node) for node in record["graph"]["nodes"]]
            near: list[list[int]] = [[] for _ in nodes]
            for a, b in record["graph"]["edges"]:
                if not (0 <= a < len(nodes) and 0 <= b < len(nodes)):
                    raise BoardError(f"edge [{a}, {b}] leads to no node")
                near[a].append(b)
            return Board.from_graph({node: [nodes[k] for k in row] for node, row in zip(nodes, near, strict=True)})
        return Board(
            record["rows"],
            record["cols"],
            holes=[tuple(hole) for hole in record.get("holes") or ()],
            wrap=record.get("wrap"),
            leaper=tuple(record.get("leaper") or (1, 2)),
        )
    except (TypeError, ValueError, KeyError) as error:
        if isinstance(error, BoardError):
            raise
        raise BoardError(f"its board cannot be understood ({error})") from error


def _plain_label(label: Hashable) -> Any:
    if isinstance(label, tuple):
        return [_plain_label(part) for part in label]
    if isinstance(label, np.integer):
        return int(label)
    if label is None or isinstance(label, str | int | float):
        return label
    raise BoardError(
        f"the graph's node {label!r} cannot be written as JSON",
        help="name the nodes by text, numbers or tuples of them",
    )


def _label_of(value: Any) -> Hashable:
    return tuple(_label_of(part) for part in value) if isinstance(value, list) else value


# ---------------------------------------------------------------- JSON


def write_json(tours: Iterable[Tour]) -> Iterator[str]:
    """One object a line."""
    last: Board | None = None
    known: dict[str, Any] = {}
    for tour in tours:
        if tour.board is not last:
            last, known = tour.board, board_to_dict(tour.board)
        record = {"status": "found", "closed": tour.is_closed, **known, "squares": tour.squares.tolist()}
        yield json.dumps(record) + "\n"


def read_json(source: Source, given: Board | None) -> Iterator[Reading]:
    """Objects one after another, or lists of them; a bare list of [row, col] pairs is a tour too."""
    boards = _Boards(source, given)
    for value, line in _json_values(source):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for record in value:
                yield boards.reading(record, line)
        else:
            yield boards.reading(value, line)


def _json_values(source: Source) -> Iterator[tuple[Any, int]]:
    """(value, line) of each JSON value of the file, which is read and parsed a part at a time."""
    decoder = json.JSONDecoder()
    text, line, try_at = "", 1, 0
    is_first, is_end = True, False
    while not is_end:
        more = source.read_text(PIECE_CHARS)
        is_end = not more
        text += more
        if is_first and not re.match(r"\s*(\{\s*(\"|\}|$)|\[\s*(\[|\{|\]|$)|$)", text[:1000]):
            raise source.fail("this is not the JSON of a tour", 1, help="an object such as --json prints")
        is_first = False
        if len(text) < try_at and not is_end:
            continue
        at = 0
        while True:
            blank = re.compile(r"\s*").match(text, at)
            assert blank is not None
            line += text.count("\n", at, blank.end())
            at = blank.end()
            if at == len(text):
                break
            try:
                value, end = decoder.raw_decode(text, at)
            except json.JSONDecodeError as error:
                is_string = error.msg.startswith("Unterminated string")
                place = line + text.count("\n", at, error.pos)
                if is_end and (is_string or error.pos >= len(text.rstrip())):
                    raise source.fail("the JSON ends too early: the file is cut off", place) from None
                if is_end or error.pos < len(text) - (PIECE_CHARS if is_string else _NEAR_END):
                    raise source.fail(f"bad JSON: {error.msg}", place) from None
                break
            except (RecursionError, ValueError) as error:
                raise source.fail(f"bad JSON: {str(error)[:100]}", line) from None
            yield value, line
            line += text.count("\n", at, end)
            at = end
        text = text[at:]
        try_at = 2 * len(text)
        if len(text) >= PIECE_CHARS:
            _refuse_repeats(source, text, line)
        if len(text) > _MOST_JSON_CHARS:
            raise source.fail(
                f"one JSON value of more than {_MOST_JSON_CHARS:,} characters", line, help="use .npy for giant tours"
            )


def _refuse_repeats(source: Source, text: str, line: int) -> None:
    """Refuse a long unfinished list of pairs as soon as it repeats one, so that noise is not read to its end."""
    pairs = text[text.rfind("[[") : text.rfind("]")].replace(" ", "").split("],[")
    if len(pairs) > 1000 and len(set(pairs)) < len(pairs):
        raise source.fail(f"the same square comes twice among the first {len(pairs):,}: not a tour", line)


class _Boards:
    """Makes the boards of records, each once for a run of records of one board."""

    def __init__(self, source: Source, given: Board | None) -> None:
        self._source = source
        self._given = given
        self._key: Any = None
        self._board: Board | None = None

    def reading(self, record: Any, line: int) -> Reading:
        source = self._source
        if isinstance(record, list):
            squares = self._squares(record, line)
            return Reading(self._given or rectangle_around(squares), squares, line)
        if not isinstance(record, dict):
            raise source.fail(f"{str(record)[:40]!r} is no tour", line, help="an object such as --json prints")
        if record.get("squares") is None:
            status = record.get("status")
            raise source.fail(
                f"this record holds no tour: its status is {status!r}" if status else "this record has no squares", line
            )
        squares = self._squares(record["squares"], line)
        key = {k: record[k] for k in ("rows", "cols", "holes", "wrap", "leaper", "graph") if record.get(k) is not None}
        if self._board is None or key != self._key:
            self._key, self._board = key, self._named(key, squares, line)
        return Reading(self._board, squares, line)

    def _named(self, key: dict[str, Any], squares: np.ndarray, line: int) -> Board:
        given = self._given
        # Rows and columns alone may leave the rest to the board given.
        if given is not None and (given.rows, given.cols) == (key.get("rows", given.rows), key.get("cols", given.cols)):
            if not key.keys() - {"rows", "cols"}:
                return given
        if not key:
            return rectangle_around(squares)
        try:
            named = board_from_dict(key)
        except BoardError as error:
            raise self._source.fail(str(error), line, help=error.help) from error
        return agreed_board(self._source, given, named, line) or named

    def _squares(self, value: Any, line: int) -> np.ndarray:
        try:
            squares = np.array(value)
        except (ValueError, OverflowError):
            squares = np.array(None)
        if squares.ndim != 2 or squares.shape[1] != 2 or squares.dtype.kind not in "iu":
            raise self._source.fail("squares must be a list of [row, col] pairs of whole numbers", line)
        return squares


# ---------------------------------------------------------------- NumPy


def write_npy(tours: Iterable[Tour]) -> Iterator[bytes]:
    """Numbered diagrams, int32 (tours, rows, cols)."""
    board, order = _orders(tours, "npy")
    size = board.rows * board.cols
    diagrams = np.zeros((len(order), size), dtype=np.int32)
    np.put_along_axis(diagrams, order, np.arange(1, order.shape[1] + 1, dtype=np.int32)[None, :], axis=1)
    file = io.BytesIO()
    np.save(file, diagrams.reshape(len(order), board.rows, board.cols), allow_pickle=False)
    yield file.getvalue()


def write_npz(tours: Iterable[Tour]) -> Iterator[bytes]:
    """The arrays `order` and `board`."""
    board, order = _orders(tours, "npz")
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, order=order, board=np.array(json.dumps(board_to_dict(board))))
    yield file.getvalue()


def _orders(tours: Iterable[Tour], name: str) -> tuple[Board, np.ndarray]:
    """The one board of the tours, and their square numbers, int32 (tours, squares)."""
    board: Board | None = None
    parts: list[np.ndarray] = []
    walk = iter(tours)
    while batch := list(islice(walk, 4096)):
        board = board or batch[0].board
        for tour in batch:
            if tour.board is not board and tour.board != board:
                raise FormatError(
                    f"a .{name} file holds tours of one board; these are of the {board} and of the {tour.board}",
                    help="use the format json, or a file for each board",
                )
        parts.append(np.array([tour.order for tour in batch], dtype=np.int32))
    if board is None:
        raise FormatError("there is no tour to write")
    return board, np.concatenate(parts)


def read_npy(source: Source, given: Board | None) -> Iterator[Reading]:
    """Diagrams (rows, cols) or (tours, rows, cols); lists of squares (squares, 2) or (tours, squares, 2); with the
    board given also square numbers (squares,) or (tours, squares)."""
    _check_is_array(source, b"\x93NUMPY", "npy")
    # From version 2 on the head may claim any length, and would be read to its end.
    if source.head[6:7] > b"\x01" and int.from_bytes(source.head[8:12], "little") > PIECE_CHARS:
        raise source.fail("a damaged .npy file: its head is far too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # A file on disk is mapped, so that a giant one is read as far as it is asked for.
            if source.is_file and source.path is not None:
                loaded = np.load(source.path, mmap_mode="r", allow_pickle=False)
            else:
                loaded = np.lib.format.read_array(source.stream, allow_pickle=False)
    except Exception as error:
        # NumPy raises a dozen kinds of errors on damaged files, those of Python's tokenizer among them.
        raise source.fail(f"a damaged .npy file: {_first_line(error)}") from error
    yield from _from_array(source, loaded, given)


def read_npz(source: Source, given: Board | None) -> Iterator[Reading]:
    """The arrays that `write_npz` wrote, or one array of any of the shapes that `.npy` may have."""
    _check_is_array(source, b"PK\x03\x04", "npz")
    try:
        file: Any = source.path
        if not source.is_file:
            file = io.BytesIO(source.stream.read(_MOST_PIPED_BYTES))
            if source.stream.read(1):
                raise source.fail("too long to be read from a stream", help="read it from a file on disk")
        with zipfile.ZipFile(file) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MOST_ARRAY_BYTES:
                raise source.fail(f"its arrays would fill more than {_MOST_ARRAY_BYTES >> 30} GB")
        with np.load(file, allow_pickle=False) as arrays:
            names = arrays.files
            board_text = str(arrays["board"]) if "board" in names else None
            others = [name for name in names if name != "board"]
            if len(others) != 1:
                raise source.fail(
                    f"one array of tours is wanted, this file has {len(others)}: {', '.join(others)[:80]}"
                )
            loaded = arrays[others[0]]
    except FormatError:
        raise
    except Exception as error:
        raise source.fail(f"a damaged .npz file: {_first_line(error)}") from error
    named: Board | None = None
    if board_text is not None:
        try:
            named = board_from_dict(json.loads(board_text))
        except (ValueError, AttributeError, RecursionError) as error:
            raise source.fail(f"its board cannot be understood ({_first_line(error)})") from error
    yield from _from_array(source, loaded, agreed_board(source, given, named, None))


def _check_is_array(source: Source, mark: bytes, name: str) -> None:
    if not source.head:
        raise source.fail("the file is empty")
    if not source.head.startswith(mark):
        raise source.fail(f"this is not a .{name} file")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:100]


def _from_array(source: Source, loaded: np.ndarray, board: Board | None) -> Iterator[Reading]:
    """The tours of an array; its shape tells what it holds."""
    if loaded.dtype.kind not in "iu" or loaded.ndim not in (1, 2, 3) or loaded.size == 0:
        raise source.fail(f"an array of {loaded.dtype} and shape {loaded.shape} holds no tours of whole numbers")
    kind, is_single = _kind_of_array(source, loaded, board)
    for item in [loaded] if is_single else loaded:
        array = np.asarray(item).astype(np.int64)
        if kind == "diagram":
            flat = array.ravel()
            where = np.flatnonzero(flat)
            cols = array.shape[1]
            order = order_of_numbers(flat[where], where, 1, cols)
            holes = np.argwhere(array == 0).tolist() if board is None else ()
            if not len(where):
                raise source.fail("this diagram has no number")
            around = board or Board(array.shape[0], cols, holes=[(r, c) for r, c in holes])
            yield Reading(around, np.stack(np.divmod(order, cols), axis=1), None)
        elif kind == "order":
            assert board is not None
            yield Reading(board, np.stack(np.divmod(array, board.cols), axis=1), None)
        else:
            yield Reading(board or rectangle_around(array), array, None)


def kind_of_shape(shape: tuple[int, ...], board: Board) -> tuple[str, bool] | None:
    """What an array of this shape holds: ("diagram", "squares" or "order", whether it is a single tour of the board).

    None where it holds no tours of it.

    >>> kind_of_shape((8, 8), Board(8, 8)), kind_of_shape((1000, 64), Board(8, 8)), kind_of_shape((64,), Board(5, 5))
    (('diagram', True), ('order', False), None)
    """
    kinds = {
        (board.rows, board.cols): "diagram",
        (board.square_count, 2): "squares",
        (board.square_count,): "order",
    }
    # A single tour comes first: (rows, cols) might be taken for `rows` tours of `cols` squares.
    for is_single in (True, False):
        kind = kinds.get(shape if is_single else shape[1:])
        if kind is not None:
            return kind, is_single
    return None


def _kind_of_array(source: Source, loaded: np.ndarray, board: Board | None) -> tuple[str, bool]:
    """("diagram", "squares" or "order", whether it is a single tour)."""
    shape = loaded.shape
    if board is not None:
        found = kind_of_shape(shape, board)
        if found is not None:
            return found
        raise source.fail(
            f"an array of shape {shape} holds no tours of the {board}",
            help=f"(tours, {board.rows}, {board.cols}) numbers, (tours, {board.square_count}) square numbers or "
            f"(tours, {board.square_count}, 2) squares",
        )
    is_single = loaded.ndim == 2
    if loaded.ndim == 1 or (is_single and (np.sort(loaded[:9]) == np.arange(shape[1])).all()):
        raise source.fail("rows of square numbers do not tell their board", help="read them with the board given")
    if shape[-1] == 2:
        sample = np.asarray(loaded if is_single else loaded[0])
        used = np.sort(sample[sample != 0])
        if not np.array_equal(used, np.arange(1, len(used) + 1)):
            return "squares", is_single
    return "diagram", is_single
