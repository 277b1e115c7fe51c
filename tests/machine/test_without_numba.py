"""Where numba is not installed: every question is still answered, interpreted."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
RUN = "from knightstour.cli import app; sys.exit(app._run(sys.argv[1:], True))"


@pytest.mark.parametrize(
    ("words", "code", "answer"),
    [
        ("solve 6x6 --closed --method rotation --seed 1", 0, "36"),
        ("solve 4x4 --proof proof.json", 1, "impossible"),
        ("draw 6x6 --tour closed -o tour.png", 0, ""),
        ("count 5x6 --closed", 0, "8"),
        ("sample 5x5 -n 3 --format algebraic --seed 1", 0, "a1"),
        ("unrank 5x6 8 --closed", 0, "30"),
    ],
)
def test_a_question_is_answered_without_numba(words, code, answer, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN + RUN, *words.split()],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert answer in done.stdout


@pytest.mark.parametrize(
    "words", ["solve 8x8 --seed 1", "solve 4x4", "facts 5x6", "draw 8x8 --tour closed -o tour.svg"]
)
def test_tours_proofs_and_pictures_load_no_numba(words, tmp_path):
    look = "from knightstour.cli import app; app._run(sys.argv[1:], True); sys.exit('numba' in sys.modules)"
    code = "import sys; from knightstour.machine import engine; engine.INTERPRETED_SECONDS = 100\n" + look
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
