"""The plan of a data set, and the manifest that lists its files.

A data set is a directory of parts and a `_manifest.json`. The stream of tours of a question, a distribution and a seed
is cut into pieces of a fixed number of draws, and piece k gives part k; so parts do not depend on who makes them. The
manifest holds the question, the distribution and the seed, and for each part its tours, its bytes and its checksum. It
is replaced as a whole, names a part only after its file is written, and has a checksum of its own. So after a crash it
lists the finished parts, and all others are made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, cast

from knightstour.core.formats.boards import BoardRecord, board_from_dict, board_to_dict
from knightstour.core.machine import files
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.strict_json import BadJson, check_entries, parse_json
from knightstour.core.model.validation import shown, whole_number

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

# Raise when the meaning of the files changes. Format 1 wrote boards in another form, which is read, too.
FORMAT = 2
# Programs that read a directory of Parquet files leave out what begins like this.
MANIFEST = "_manifest.json"
WORK = "_work"
_MEND = "draw it again: the same question once more with resume=True, or the same command, makes the manifest again"
_WHAT = "a data set of knight's tours"
# A manifest has some 300 bytes for each part, and more for its repeats.
_MOST_BYTES = 1 << 30


class PlanRecord(TypedDict):
    """A Plan as JSON knows it; `law` is the distribution."""

    board: BoardRecord
    closed: bool
    start: list[int] | None
    end: list[int] | None
    law: str
    parameters: dict[str, int]
    seed: int
    unique: bool
    columns: list[str]
    part_tours: int


class Receipt(NamedTuple):
    """A file of the data set as it was written: its name within the directory, bytes, SHA-256 and rows."""

    file: str
    bytes: int
    sha256: str
    rows: int = 0


@dataclass(frozen=True)
class Plan:
    """Everything that the content of the parts depends on.

    columns: the optional columns. part_tours: draws of a piece.
    """

    problem: Problem
    distribution: str
    parameters: dict[str, int]
    seed: int
    unique: bool
    columns: tuple[str, ...]
    part_tours: int

    def to_json(self) -> PlanRecord:
        """The fields as JSON knows them."""
        problem = self.problem
        return {
            "board": board_to_dict(problem.board),
            "closed": problem.closed,
            "start": None if problem.start is None else list(problem.start),
            "end": None if problem.end is None else list(problem.end),
            "law": self.distribution,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "unique": self.unique,
            "columns": list(self.columns),
            "part_tours": self.part_tours,
        }

    @classmethod
    def from_json(cls, data: PlanRecord) -> Plan:
        """The plan that `to_json` wrote."""
        board = board_from_dict(data["board"])
        ends = [None if end is None else (end[0], end[1]) for end in (data["start"], data["end"])]
        return cls(
            problem=Problem.of(board, closed=data["closed"], start=ends[0], end=ends[1]),
            distribution=data["law"],
            parameters=data["parameters"],
            seed=data["seed"],
            unique=data["unique"],
            columns=tuple(data["columns"]),
            part_tours=data["part_tours"],
        )


@dataclass
class Part:
    """A finished part.

    number: that of its piece. first: the place of its first draw in the stream. draws: those of the piece. dropped:
    the rows among them that were left out, packed, see `unique.pack_rows`.
    """

    number: int
    receipt: Receipt
    first: int
    draws: int
    dropped: str = ""


_ENTRIES = (
    *("what", "format", "version", *PlanRecord.__annotations__, "asked", "tours", "complete", "exhausted", "reason"),
    *("parts", "work", "checksum"),
)
_PART_ENTRIES = (*Receipt._fields, "number", "first", "draws", "dropped")


@dataclass
class Manifest:
    """The content of `_manifest.json`.

    asked: tours wanted. parts: by number. is_complete: whether these are all. is_exhausted, reason: whether there are
    fewer different tours than wanted, and how that is known. work: files of unfinished work, by name.
    """

    plan: Plan
    asked: int
    version: str
    parts: dict[int, Part] = field(default_factory=dict)
    is_complete: bool = False
    is_exhausted: bool = False
    reason: str = ""
    work: dict[str, Receipt] = field(default_factory=dict)

    @property
    def tours(self) -> int:
        """Tours in all parts."""
        return sum(part.receipt.rows for part in self.parts.values())

    def to_json(self) -> dict[str, object]:
        """All of it as JSON knows it, with its checksum."""
        parts = [{**asdict(part), "receipt": part.receipt._asdict()} for _, part in sorted(self.parts.items())]
        data: dict[str, object] = {
            "what": _WHAT,
            "format": FORMAT,
            "version": self.version,
            **self.plan.to_json(),
            "asked": self.asked,
            "tours": self.tours,
            "complete": self.is_complete,
            "exhausted": self.is_exhausted,
            "reason": self.reason,
            "parts": [{**part.pop("receipt"), **part} for part in parts],
        }
        if self.work:
            data["work"] = [receipt._asdict() for _, receipt in sorted(self.work.items())]
        return {**data, "checksum": _checksum(data)}

    def save(self, directory: Path) -> None:
        """Replace the manifest of the directory."""
        with files.open_target(directory / MANIFEST, force=True) as file:
            file.write((json.dumps(self.to_json(), indent=1) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a directory; a FormatError if there is none, or it is damaged or of another version."""
    path = directory / MANIFEST
    try:
        data = parse_json(files.read_whole(path, _MOST_BYTES))
    except OSError as error:
        raise FormatError(
            "is no data set: it has no _manifest.json" if isinstance(error, FileNotFoundError) else _cannot(error),
            path=str(directory),
            help=_MEND if any(directory.glob("part-*.parquet")) else "",
        ) from error
    except BadJson as error:
        raise FormatError(f"is damaged: {error}", path=str(path), help=_MEND) from error
    if not isinstance(data, dict) or data.get("what") != _WHAT:
        raise FormatError("is no manifest of a data set", path=str(path))
    if data.get("format") not in (1, FORMAT):
        raise FormatError(f"was written by another version (format {FORMAT} is known)", path=str(path))
    checksum = data.pop("checksum", None)
    if checksum != _checksum(data):
        raise FormatError("is damaged: its checksum is wrong", path=str(path), help=_MEND)
    try:
        return _manifest_of(data)
    except FormatError as error:
        raise FormatError(error.message, path=str(path), help=error.help) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        why = str(error)[:200] if isinstance(error, ValueError) else shown(error)
        raise FormatError(f"is no manifest of a data set: {why}", path=str(path), help=_MEND) from error


def _manifest_of(data: dict[str, Any]) -> Manifest:
    """The manifest of what was read; any error of Python where a key lacks or a value is of another kind."""
    if data["format"] == 1:
        # The texts of a graph's nodes, which were not read back: its nodes were numbers.
        data["board"].pop("labels", None)
    check_entries(data, _ENTRIES, "the manifest of a data set")
    parts: dict[int, Part] = {}
    for item in data["parts"]:
        check_entries(item, _PART_ENTRIES, "a part in the manifest")
        receipt = _receipt_of(item)
        number = whole_number(item["number"], "the number of a part", least=0)
        if number in parts:
            raise ValueError(f"part {number} comes twice")
        first, draws = (whole_number(item[name], f'the "{name}" of a part', least=0) for name in ("first", "draws"))
        parts[number] = Part(number, receipt, first, draws, item["dropped"])
    work = {}
    for item in data.get("work", []):
        check_entries(item, Receipt._fields, "a file of unfinished work in the manifest")
        work[item["file"]] = _receipt_of(item)
    tours = sum(part.receipt.rows for part in parts.values())
    if data["tours"] != tours:
        raise ValueError(f"it says {shown(data['tours'])} tours, and its parts have {tours:,}")
    return Manifest(
        plan=Plan.from_json(cast(PlanRecord, data)),
        asked=data["asked"],
        version=data["version"],
        parts=parts,
        is_complete=data["complete"],
        is_exhausted=data["exhausted"],
        reason=data["reason"],
        work=work,
    )


def _receipt_of(item: dict[str, Any]) -> Receipt:
    """The receipt of a file; a ValueError where it is none, or leads out of the directory."""
    receipt = Receipt(*(item[name] for name in Receipt._fields))
    name = receipt.file
    if not isinstance(name, str) or not name.isprintable() or os.path.isabs(name) or ".." in re.split(r"[\\/]", name):
        raise ValueError(f"{shown(name)} is no file of its directory")
    whole_number(receipt.bytes, f"the bytes of {name}", least=0)
    whole_number(receipt.rows, f"the rows of {name}", least=0)
    return receipt


def _checksum(data: dict[str, object]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _cannot(error: OSError) -> str:
    return f"cannot be read: {error.strerror or error}"


def part_name(number: int) -> str:
    """File name of a part."""
    return f"part-{number:06}.parquet"


def write_file(directory: Path, name: str, data: Buffer, rows: int = 0) -> Receipt:
    """Write bytes to a file that appears when all of them are on the disk; FormatError if it cannot be written."""
    view = memoryview(data).cast("B")
    with files.open_target(directory / name, force=True) as file:
        file.write(view)
        file.flush()
        os.fsync(file.fileno())
    return Receipt(name, len(view), hashlib.sha256(view).hexdigest(), rows)


def what_is_wrong(directory: str, receipt: Receipt) -> str:
    """What is wrong with a file of the data set, "" if it is as it was written."""
    path = Path(directory) / receipt.file
    try:
        files.check_plain(path)
        size = path.stat().st_size
        if size != receipt.bytes:
            return f"has {size:,} bytes instead of {receipt.bytes:,}"
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return _cannot(error)
    return "" if digest == receipt.sha256 else "is damaged: its checksum is wrong"


def sweep(directory: Path) -> None:
    """Delete the temporary files of writers that were killed."""
    for folder in (directory, directory / WORK):
        for pattern in (".part-*.part", ".draft-*.part", ".keys-*.part", ".repeats-*.part", f".{MANIFEST}.*.part"):
            for path in folder.glob(pattern):
                path.unlink(missing_ok=True)
