"""Shared counts in this process or on the command line, and the files in their directory."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from knightstour.core.machine import sharing
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import sharded
from knightstour.lab.counting.halves.march import Count, count_by_halves

# Closed tours of 7x8.
SEVEN_BY_EIGHT = 34524432316


def count_in_pieces(
    problem: Problem, directory: Path, *, workers: Any = None, block_states: int = 1 << 22, **options: Any
) -> Count:
    """Return the count by workers in pieces of `block_states` states; without workers in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharded, "BLOCK_STATES", block_states)
        if workers is None:
            patch.setattr(sharing, "pool_of", lambda workers: nullcontext())
        return count_by_halves(problem, checkpoint=directory, workers=workers or 1, **options)


def left_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*"))


def command(directory: Path, *more: str, board: str = "6x10") -> list[str]:
    words = ["count", board, "--closed", "--checkpoint", str(directory), *more]
    return [sys.executable, "-m", "knightstour", *words]


def run(directory: Path, *more: str, board: str = "6x10") -> tuple[int, str, str]:
    done = subprocess.run(command(directory, *more, board=board), capture_output=True, text=True, timeout=1200)
    return done.returncode, done.stdout, done.stderr
