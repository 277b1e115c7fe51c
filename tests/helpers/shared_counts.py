"""Counts that are shared out, from the command line, and what they leave in their directory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Closed tours of 7x8.
SEVEN_BY_EIGHT = 34524432316


def left_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*"))


def command(directory: Path, *more: str, board: str = "6x10") -> list[str]:
    words = ["count", board, "--closed", "--checkpoint", str(directory), *more]
    return [sys.executable, "-m", "knightstour", *words]


def run(directory: Path, *more: str, board: str = "6x10") -> tuple[int, str, str]:
    done = subprocess.run(command(directory, *more, board=board), capture_output=True, text=True, timeout=1200)
    return done.returncode, done.stdout, done.stderr
