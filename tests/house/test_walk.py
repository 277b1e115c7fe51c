"""Where a count comes from: the walk in docs/design.md is short, leads from file to file, and is the way of a count."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import knightstour as kt
from house import SOURCE, imports, module_of, target_of

MAX_FILES, MAX_LINES = 6, 2000
PAGE = Path(__file__).parents[2] / "docs" / "design.md"


def walk() -> list[Path]:
    """The files of the walk, in its order."""
    (section,) = re.findall(r"## Where a count comes from\n(.*?)\n## ", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [SOURCE / name for name in re.findall(r"^\d\. `([^`]+)`", section, re.MULTILINE)]


def leads_to(file: Path, next_file: Path) -> bool:
    """Whether a file imports the next one, or calls one of its kernels."""
    if next_file.suffix == ".cc":
        doors = re.findall(r"^DOOR\((\w+)\)", next_file.read_text(encoding="utf-8"), re.MULTILINE)
        return any(f'door("{name}")' in file.read_text(encoding="utf-8") for name in doors)
    return any(target_of(found) == module_of(next_file) for found in imports(file))


def test_the_walk_is_short() -> None:
    lines = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in walk()}
    assert 2 < len(lines) <= MAX_FILES and sum(lines.values()) <= MAX_LINES, lines


def test_each_file_of_the_walk_leads_to_the_next() -> None:
    files = walk()
    lost = [
        file.name for place, file in enumerate(files) if place and not any(leads_to(one, file) for one in files[:place])
    ]
    assert not lost


def test_a_count_goes_through_each_file_of_the_walk() -> None:
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            entered.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        assert kt.count_tours((6, 6), closed=True, threads=1) == 9862
    finally:
        sys.setprofile(None)
    assert not [file.name for file in walk() if file.suffix == ".py" and str(file) not in entered]
