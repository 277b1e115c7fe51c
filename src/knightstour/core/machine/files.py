"""Files are read in bounded pieces, and written under another name until they are complete.

A file of tours may be a gigabyte of noise. So the first kilobytes are checked first, lines come in pieces of bounded
length, and errors contain the file and the line. A file is written under a temporary name and renamed at the end, so
that the target is never incomplete.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import platform
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from knightstour.core.model.errors import FormatError, is_full, with_notes
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.validation import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import WriteableBuffer as Buffer

PathOrFile: TypeAlias = "str | os.PathLike[str] | IO[Any]"

HEAD_BYTES = 1 << 16
# System names of open files, which are not replaced.
_OPENED = re.compile(r"/dev/(stdout|stderr|fd/\d+)$|/proc/(self|\d+)/fd/\d+$")
# Seconds without changes after which an unfinished file has no writer.
_SECONDS_ABANDONED = 3600.0
# Longer lines are split.
PIECE_CHARS = 1 << 20
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_ARRAY_MARKS = (b"\x93NUMPY", b"PK\x03\x04")
# Control characters that do not occur in text.
_NOISE = bytes(set(range(32)) - {9, 10, 11, 12, 13, 27}) + b"\x7f"


class Source:
    """File while it is read.

    Args:
        stream: The whole file as bytes. `pieces` and `read_text` return it as text.
        path: File name, or None.
        is_file: Whether `path` is a plain file that can be mapped into memory.

    Attributes:
        head: First bytes of the file.
        remarks: Sentences on the interpretation of an inexact format.
        arcs: Whether a graph in it is directed.
    """

    def __init__(self, stream: BinaryIO, path: str | None, *, is_file: bool = False) -> None:
        self.path = path
        self.is_file = is_file
        self._stream = stream
        self._start, self._length = _place_in(stream)
        # Raw files and pipes may return less than requested.
        head = b""
        while len(head) < HEAD_BYTES:
            more = stream.read(HEAD_BYTES - len(head))
            if not more:
                break
            head += more
        self.head = head
        self.stream: BinaryIO = io.BufferedReader(_RejoinedStream(head, stream))
        self._text: io.TextIOWrapper | None = None
        self._line = 1
        self.remarks: list[str] = []
        self.arcs = False

    def remark(self, sentence: str) -> None:
        """Add a remark on the interpretation."""
        if sentence not in self.remarks:
            self.remarks.append(sentence)

    def pop_remarks(self) -> tuple[str, ...]:
        """Return and clear the remarks on the last tour or board."""
        taken = tuple(self.remarks)
        self.remarks.clear()
        return taken

    def is_short(self, most: int) -> bool:
        """Whether it has at most about `most` bytes, so that `text_again` works. Only the head of a pipe counts."""
        if len(self.head) < HEAD_BYTES:
            return True
        return self._start is not None and self._length <= most

    def bytes_again(self) -> bytes:
        """Return the bytes of a source that `is_short` from the beginning. Nothing can be read afterwards."""
        if len(self.head) < HEAD_BYTES:
            return self.head
        assert self._start is not None
        self._stream.seek(self._start)
        return self._stream.read()

    def text_again(self) -> str:
        return self.bytes_again().decode(self._encoding, errors="replace")

    @property
    def is_array(self) -> bool:
        """Whether it begins like a `.npy` or `.npz` file."""
        return self.head.startswith(_ARRAY_MARKS)

    def fail(
        self, message: str, line: int | None = None, *, help: str = "", error: type[FormatError] = FormatError
    ) -> FormatError:
        """Return an error with the file and line."""
        return error(message, path=self.path, line=line, help=help)

    def check_is_text(self) -> str:
        """Return the head as text. Raises FormatError if the file is empty or not text."""
        if not self.head:
            raise self.fail("the file is empty")
        if self.is_array:
            raise self.fail("this is a NumPy file, not text", help="read it with format='npy' or 'npz'")
        if not self.head.startswith(_UTF16_MARKS) and self.head.translate(None, _NOISE) != self.head:
            raise self.fail("this is binary data, not a text file", self._line_of_noise())
        try:
            # The head may end within a character.
            return codecs.getincrementaldecoder(self._encoding)().decode(self.head)
        except UnicodeDecodeError as error:
            line = self.head[: error.start].count(b"\n") + 1
            raise self.fail("this is binary data, not a text file", line) from None

    def _line_of_noise(self) -> int:
        first = min(self.head.find(bytes([x])) % (HEAD_BYTES + 1) for x in _NOISE if bytes([x]) in self.head)
        return self.head[:first].count(b"\n") + 1

    @property
    def _encoding(self) -> str:
        # Some shells write UTF-16 when output is sent to a file.
        return "utf-16" if self.head.startswith(_UTF16_MARKS) else "utf-8-sig"

    def read_text(self, size: int) -> str:
        """Return up to `size` characters, "" at the end."""
        return self._take(size, by_line=False)

    def _take(self, size: int, *, by_line: bool) -> str:
        if self._text is None:
            self.check_is_text()
            self._text = io.TextIOWrapper(self.stream, self._encoding)
        try:
            return self._text.readline(size) if by_line else self._text.read(size)
        except UnicodeDecodeError:
            raise self.fail("the file is text up to here, then binary data", self._line) from None
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.path) from error

    def pieces(self) -> Iterator[tuple[int, str, bool]]:
        """Yield (line number, text, whether the line ends here). Long lines are cut at spaces."""
        if self._text is None:
            self.check_is_text()
            self._text = io.TextIOWrapper(self.stream, self._encoding)
        readline = self._text.readline
        carried = ""
        while True:
            try:
                text = readline(PIECE_CHARS)
            except (UnicodeDecodeError, OSError):
                text = self._take(PIECE_CHARS, by_line=True)
            if text.endswith("\n"):
                yield self._line, carried + text, True
                carried = ""
                self._line += 1
            elif len(text) == PIECE_CHARS:
                text = carried + text
                cut = max(text.rfind(" "), text.rfind("\t"))
                if cut < 0:
                    raise self.fail(f"not a tour: a word with more than {PIECE_CHARS:,} characters", self._line)
                carried = text[cut:]
                yield self._line, text[:cut], False
            else:
                if carried or text:
                    yield self._line, carried + text, True
                return


def _place_in(stream: BinaryIO) -> tuple[int | None, int]:
    """Return the position in a stream, if it is seekable, and the remaining length."""
    with suppress(OSError, AttributeError, ValueError):
        if stream.seekable():
            start = stream.tell()
            length = stream.seek(0, io.SEEK_END) - start
            stream.seek(start)
            return start, length
    return None, 0


class _RejoinedStream(io.RawIOBase):
    """Bytes already read from a stream, then its rest."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        room = memoryview(buffer)
        data = self._head[: len(room)] if self._head else self._rest.read(len(room))
        self._head = self._head[len(room) :]
        room[: len(data)] = data
        return len(data)


class _EncodedText:
    """A text stream as a readable byte stream."""

    def __init__(self, text: IO[str]) -> None:
        self._text = text
        self._bytes = b""

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            data, self._bytes = self._bytes + self._text.read().encode("utf-8", "surrogatepass"), b""
            return data
        if not self._bytes:
            # Lone surrogates are noise, and are rejected when decoded.
            self._bytes = self._text.read(PIECE_CHARS).encode("utf-8", "surrogatepass")
        data, self._bytes = self._bytes[:size], self._bytes[size:]
        return data

    def seekable(self) -> bool:
        """Whether the text is in memory; positions in other text streams are not comparable."""
        return isinstance(self._text, io.StringIO)

    def tell(self) -> int:
        return self._text.tell()

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        self._bytes = b""
        return self._text.seek(place, whence)


@contextmanager
def open_source(path_or_file: PathOrFile) -> Iterator[Source]:
    """Open a path, or a stream of text or bytes, as a Source."""
    if isinstance(path_or_file, str | os.PathLike):
        path = given_path(path_or_file)
        with open(path, "rb") as file:
            try:
                source = Source(file, path, is_file=stat.S_ISREG(os.fstat(file.fileno()).st_mode))
            except OSError as error:
                raise OSError(error.errno, error.strerror, path) from error
            yield source
        return
    check_stream(path_or_file, "read")
    name = getattr(path_or_file, "name", None)
    stream = cast(BinaryIO, path_or_file)
    if isinstance(path_or_file, io.TextIOBase):
        stream = getattr(path_or_file, "buffer", None) or cast(BinaryIO, _EncodedText(path_or_file))
    yield Source(stream, name if isinstance(name, str) else None)


def check_plain(path: str | os.PathLike[str]) -> None:
    """Raise OSError unless the path is a plain file. Opening a pipe would wait for its writer."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))


def read_whole(path: str | os.PathLike[str], most: int = 1 << 28) -> bytes:
    """Return the bytes of a plain file of at most `most`. Raises FormatError for a longer file."""
    check_plain(path)
    with open(path, "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FormatError(f"has more than {most:,} bytes", path=os.fspath(path))
    return data


def is_pipe(path: str | os.PathLike[str]) -> bool:
    """Whether the path is a pipe or device, which can be read only once."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_stream(value: object, does: str) -> None:
    """Raise TypeError unless the value is an open stream with the method `does`, "read" or "write"."""
    if not callable(getattr(value, does, None)) or isinstance(value, type):
        error = TypeError(f"this is neither a path nor an open file: {quoted(value)}")
        raise with_notes(error, help="pass a text, a Path, or an open file")


@contextmanager
def open_target(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a binary file that replaces `path` when the block ends without an error.

    Devices and pipes are written to directly. Raises OSError if the file cannot be written.
    """
    from pathlib import Path

    name = given_path(path)
    try:
        mode = os.stat(name).st_mode
        # The target of a link is replaced.
        target = Path(os.path.realpath(name))
    except FileNotFoundError:
        mode = None
        target = Path(os.path.realpath(name))
    if mode is not None and stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if mode is not None and (not stat.S_ISREG(mode) or _OPENED.match(name)):
        # The target of a pipe's link has no name.
        with writing_to(name), open(name, "wb") as device:
            yield device
        return
    import secrets

    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    _sweep(target)
    with writing_to(name, beside):
        file = open(beside, "xb")  # noqa: SIM115
    try:
        with writing_to(name, beside):
            with file:
                yield file
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


class _OnlyChecking(Exception):
    """Leaves open_target without creating the file."""


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise the errors of `open_target` before long work. Pipes are not opened, since this is possible only once."""
    if not is_pipe(given_path(path)):
        with suppress(_OnlyChecking), open_target(path):
            raise _OnlyChecking


def discard(path: str | os.PathLike[str]) -> None:
    """Delete a temporary file. Mapped files remain on some systems until the next sweep."""
    with suppress(FileNotFoundError, PermissionError):
        os.unlink(path)


def _sweep(target: Path) -> None:
    beginning = f".{target.name[:100]}."
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(beginning) and entry.name.endswith(".part"):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > _SECONDS_ABANDONED:
                        os.unlink(entry.path)


@contextmanager
def writing_to(path: str | os.PathLike[str], beside: Path | None = None) -> Iterator[None]:
    """Complete the system's errors of writing: the path as given instead of `beside`, and a help for a full disk."""
    try:
        yield
    except BrokenPipeError:
        # The reader has gone.
        raise
    except OSError as error:
        name = os.fspath(path)
        if error.filename not in (None, name, str(beside)):
            # The error of another file, which the block reads.
            raise
        why = error.strerror or str(error)
        if isinstance(error, FileNotFoundError) and not os.path.isdir(os.path.dirname(os.path.abspath(name))):
            why = f"there is no directory {os.path.dirname(name)[:200]!r}"
        help = "make room there, or give another place" if is_full(error) else ""
        raise with_notes(OSError(error.errno or errno.EIO, why, name), help=help) from error


def make_directory(path: Path, *, help: str = "") -> None:
    """Create a directory and its parents. help: advice if this fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        with_notes(error, help=help)
        raise


@contextmanager
def lock_directory(directory: Path) -> Iterator[None]:
    """Lock a directory against other runs within the block; raise BlockingIOError if it is locked.

    The lock ends with this process, even if it is killed. Systems without locks do not detect concurrent runs.
    """
    try:
        import fcntl
    except ImportError:  # not on every system
        yield
        return
    path = directory / ".lock"
    while True:
        with writing_to(directory, path):
            file = open(path, "a+b")  # noqa: SIM115
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _is_taken(directory, file) from None
            except OSError:
                path.unlink(missing_ok=True)
                yield
                return
            if not _is_at(file, path):
                # Another run has just removed its file.
                continue
            # A full disk omits the name.
            with suppress(OSError):
                file.truncate(0)
                file.write(f"{os.getpid()} {platform.node()}".encode())
                file.flush()
            try:
                yield
            finally:
                # A process that opened this file meanwhile detects its removal.
                path.unlink(missing_ok=True)
            return


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def _is_taken(directory: Path, file: IO[bytes]) -> BlockingIOError:
    """Return the error for a directory locked by another run."""
    file.seek(0)
    process, _, computer = file.read(1000).decode(errors="replace").partition(" ")
    where = "" if computer == platform.node() else f" on {computer}"
    who = f"it is process {process}{where}, and " if process.isdigit() else ""
    return with_notes(
        BlockingIOError(errno.EAGAIN, "is being written by another process", str(directory)),
        note=f"{who}two at once would delete each other's files",
        help="wait until it ends, or end it and resume with the same command; or use another directory",
    )


def source_of(file: str) -> PathOrFile:
    """Return a path, stdin for "-", or the text of a link to the page.

    >>> source_of("http://127.0.0.1:8000/#3x4&t=BY").read()
    'http://127.0.0.1:8000/#3x4&t=BY'
    """
    if file.startswith(("http://", "https://")) and "#" in file:
        return io.StringIO(file)
    return sys.stdin.buffer if file == "-" else file


def holds_something(directory: str | os.PathLike[str] | None) -> bool:
    """Return whether a directory of saved work exists and is not empty."""
    if directory is None:
        return False
    directory = given_path(directory)
    return os.path.isdir(directory) and bool(os.listdir(directory))
