"""The layers of a large count in a folder, one file each, so that any of them can be made again from the one before.

A file holds the lines `state:number` whose SHA-256 the certificate has, compressed by gzip. Beside them,
`question.json` says which question they belong to and what is claimed of each layer, so that work that was interrupted
goes on with the next one.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Mapping
from pathlib import Path

from knightstour.core.machine.files import check_plain, make_directory, open_target, read_whole
from knightstour.core.model.errors import FormatError
from knightstour.core.model.strict_json import parse_json
from knightstour.core.model.validation import path as given_path
from knightstour.lab.certificates import record
from knightstour.lab.certificates.layers import Layer, State
from knightstour.lab.certificates.record import Allowance, Unreadable

_QUESTION = "question.json"
# The longest line of a layer: the states of the largest boards that are counted have some hundred squares.
_MOST_CHARS = 100_000
_COST_OF_A_LINE = 20


class KeptLayers:
    """A folder with layers."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(given_path(folder, "the folder for the layers"))

    def _file(self, step: int) -> Path:
        return self.folder / f"layer-{step + 1:04}.txt.gz"

    def claims(self, question: Mapping[str, object]) -> list[dict[str, object]]:
        """What is claimed of the layers that are there; a FormatError where they are those of another question."""
        make_directory(self.folder)
        place = self.folder / _QUESTION
        if not place.exists():
            if any(self.folder.iterdir()):
                raise FormatError(
                    "the folder for the layers is not empty", path=str(self.folder), help="name a new one"
                )
            return []
        try:
            found = parse_json(read_whole(place))
        except (OSError, ValueError) as error:
            raise Unreadable(f"cannot be read: {type(error).__name__}", path=str(place)) from None
        if not isinstance(found, dict) or found.get("question") != question:
            raise FormatError("the folder holds the layers of another question", path=str(place), help="name a new one")
        return [dict(claim) for claim in record.objects(found, "layers")]

    def keep(
        self, step: int, texts: Mapping[str, int], question: Mapping[str, object], claims: list[dict[str, object]]
    ) -> None:
        """Write a layer, then that it is there. claims: of all layers up to it."""
        with open_target(self._file(step), force=True) as file, gzip.GzipFile("", "wb", 1, file, 0) as packed:
            packed.writelines(f"{text}:{number}\n".encode() for text, number in texts.items())
        with open_target(self.folder / _QUESTION, force=True) as file:
            file.write(json.dumps({"question": question, "layers": claims}).encode())

    def read(self, step: int, allowance: Allowance) -> Layer:
        """A layer; Unreadable where the file holds none."""
        path = self._file(step)
        layer: Layer = {}
        try:
            check_plain(path)
            with gzip.open(path, "rt", encoding="ascii") as lines:
                while line := lines.readline(_MOST_CHARS):
                    allowance.spend(_COST_OF_A_LINE)
                    text, _, number = line.rstrip("\n").partition(":")
                    layer[_state_of(text)] = int(number)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise Unreadable(f"this is no layer: {error}", path=str(path)) from None
        return layer


def _state_of(text: str) -> State:
    """The state that `layers.texts_of` writes so.

    >>> _state_of("3-7 9")
    ((3, 7), (7, 3), (9, 9))
    """
    ends: dict[int, int] = {}
    for item in text.split():
        one, _, other = item.partition("-")
        ends[int(one)] = int(other or one)
        ends[int(other or one)] = int(one)
    return tuple(sorted(ends.items()))
