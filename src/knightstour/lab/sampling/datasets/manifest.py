"""The plan of a data set, and the manifest that lists its parts.

A data set is a folder with parts, as Parquet or `.npy` files, and a `_manifest.json`. The stream of tours of a problem,
a distribution and a seed is divided into pieces with a fixed number of tours, and piece k is stored as part k. So parts
do not depend on the worker. The manifest contains the problem, the distribution and the seed, and for each part its
number of tours and bytes and its checksum. The manifest has a checksum too. It is replaced as a whole, and lists a part
only after its file is written. After a crash, the parts that it does not list are created again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.machine import files
from knightstour.core.machine.records import flush, read_record, write_record
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.strict_json import check_entries
from knightstour.core.model.validation import one_of, quoted, whole_number

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

# Increase this if the meaning of the files changes.
FORMAT = 1
# Programs that read a folder of Parquet files ignore names that start with an underscore.
MANIFEST = "_manifest.json"
AGAIN: Final = "draw it again with the same call or command"
# Formats of parts.
FORMATS: Final = ("parquet", "npy")
_WHAT = "a data set of knight's tours"


class Part(NamedTuple):
    """A finished part: its number, its file as written (name, bytes, SHA-256), and its number of tours."""

    number: int
    file: str
    bytes: int
    sha256: str
    tours: int


@dataclass(frozen=True)
class Plan:
    """Everything that determines the contents of the parts.

    columns: optional columns. part_tours: tours of a whole part. part_format: "parquet" or "npy".
    """

    problem: Problem
    distribution: str
    parameters: dict[str, int]
    seed: int
    columns: tuple[str, ...]
    part_tours: int
    part_format: str

    def to_json(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data, including the problem."""
        problem = self.problem
        ends = {name: end and list(end) for name, end in (("start", problem.start), ("end", problem.end))}
        fields = {name: value for name, value in vars(self).items() if name != "problem"}
        columns = list(self.columns)
        return {"board": board_to_dict(problem.board), "closed": problem.closed, **ends, **fields, "columns": columns}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan from the result of `to_json`."""
        start, end = (None if data[name] is None else tuple(data[name]) for name in ("start", "end"))
        return cls(
            Problem(board_from_dict(data["board"]), closed=data["closed"], start=start, end=end),
            *(data["distribution"], data["parameters"], data["seed"], tuple(data["columns"])),
            whole_number(data["part_tours"], "part_tours", least=1),
            one_of(data["part_format"], FORMATS, "format of parts", error=FormatError),
        )

    def part_name(self, number: int) -> str:
        return f"part-{number:06}.{self.part_format}"


_ENTRIES = (
    *("what", "format", "version", "board", "closed", "start", "end", "distribution", "parameters", "seed"),
    *("columns", "part_tours", "part_format", "wanted", "tours", "complete", "parts"),
)


@dataclass
class Manifest:
    """Content of `_manifest.json`.

    wanted: requested number of tours. parts: by number. is_complete: whether all parts exist.
    """

    plan: Plan
    wanted: int
    version: str
    parts: dict[int, Part] = field(default_factory=dict)
    is_complete: bool = False

    @property
    def tours(self) -> int:
        """Number of tours in all parts."""
        return sum(part.tours for part in self.parts.values())

    @property
    def sorted_parts(self) -> list[Part]:
        """Parts in order."""
        return [part for _, part in sorted(self.parts.items())]

    def save(self, directory: Path) -> None:
        """Replace the manifest of the folder."""
        data = {
            "what": _WHAT,
            "format": FORMAT,
            "version": self.version,
            **self.plan.to_json(),
            "wanted": self.wanted,
            "tours": self.tours,
            "complete": self.is_complete,
            "parts": [part._asdict() for part in self.sorted_parts],
        }
        write_record(directory / MANIFEST, data)


def read_manifest(directory: Path) -> Manifest:
    """Return the manifest of a folder; raise FormatError if it is missing, damaged or of another version."""
    path = directory / MANIFEST
    data = read_record(path, "manifest of a data set", FORMAT, help=AGAIN)
    if data is None:
        os.listdir(directory)  # the error of a missing folder
        help = f"delete its files, and {AGAIN}" if any(directory.glob("part-*")) else ""
        raise FormatError(f"not a data set: {MANIFEST} is missing", path=str(directory), help=help)
    try:
        return _manifest_of(data)
    except FormatError as error:
        raise FormatError(error.message, path=str(path), help=error.help) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        why = str(error)[:200] if isinstance(error, ValueError) else quoted(error)
        raise FormatError(f"not a manifest of a data set: {why}", path=str(path), help=AGAIN) from error


def _manifest_of(data: dict[str, Any]) -> Manifest:
    """Raise an error for a missing entry or wrong type."""
    check_entries(data, _ENTRIES, "the manifest of a data set")
    if data["what"] != _WHAT:
        raise ValueError(f"it describes {quoted(data['what'])}")
    plan = Plan.from_json(data)
    parts: dict[int, Part] = {}
    for item in data["parts"]:
        check_entries(item, Part._fields, "a part in the manifest")
        part = Part(*(item[name] for name in Part._fields))
        for name in ("number", "bytes", "tours"):
            whole_number(item[name], f'the "{name}" of a part', least=0)
        if part.number in parts or part.file != plan.part_name(part.number):
            raise ValueError(f"part {part.number} is duplicate, or its file is {quoted(part.file)}")
        parts[part.number] = part
    manifest = Manifest(plan, whole_number(data["wanted"], "wanted", least=0), data["version"], parts, data["complete"])
    sizes = [part.tours for part in manifest.sorted_parts]
    if any(size > plan.part_tours for size in sizes) or any(size != plan.part_tours for size in sizes[:-1]):
        raise ValueError(f"its parts do not have {plan.part_tours:,} tours each")
    if data["tours"] != manifest.tours or (manifest.is_complete and manifest.wanted != manifest.tours):
        raise ValueError(f"it states {quoted(data['tours'])} tours, but its parts have {manifest.tours:,}")
    return manifest


def write_part(directory: Path, plan: Plan, number: int, data: Buffer, tours: int) -> Part:
    """Write the bytes of a part to a file, which appears when it is complete."""
    view = memoryview(data).cast("B")
    name = plan.part_name(number)
    with files.open_target(directory / name) as file:
        file.write(view)
        flush(file)
    return Part(number, name, len(view), hashlib.sha256(view).hexdigest(), tours)


def fault_of(directory: str, part: Part, *, is_quick: bool = False) -> str:
    """Return the fault of the file of a part, or "". is_quick: whether only its size is checked."""
    path = Path(directory) / part.file
    try:
        files.check_plain(path)
        size = path.stat().st_size
        if size != part.bytes:
            return f"has {size:,} bytes instead of {part.bytes:,}"
        if is_quick:
            return ""
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return "" if digest == part.sha256 else "is damaged: its checksum is wrong"


def sweep(directory: Path) -> None:
    """Delete the temporary files of writers that were killed."""
    for pattern in (".part-*.part", f".{MANIFEST}.*.part"):
        for path in directory.glob(pattern):
            path.unlink(missing_ok=True)
