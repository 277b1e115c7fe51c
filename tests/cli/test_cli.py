"""Tests of the command line, in this process and in separate ones."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from helpers.reference import CLASSIC_8X8
from helpers.served import until

# ---------------------------------------------------------------- solve


def test_plain_backtracking_finds_the_tour_of_the_classical_programs(run):
    answer = run("solve", "8x8", "--start", "0,0", "--method", "backtracking")
    assert answer.code == 0 and answer.out == CLASSIC_8X8


# Command, exit code, and output; " ... " matches any words.
ANSWERS = {
    "solve 4x8 --closed": (1, "impossible ... 4 rows ... Schwenk 1991"),
    "solve 3x5 --method backtracking": (1, "Chia & Ong"),
    "solve 3x5 --method backtracking --set proofs=no": (1, "exhaustive search"),
    "solve 3x5 --set proofs=no": (2, "consists of proofs"),
    "solve 8x8 --start a1 --end h8": (1, "colour"),
    "solve 8x8 --closed --symmetry 90": (1, "a quarter turn would lead 16 steps along the tour"),
    "solve 8x8 --method backtracking --start d4 --max-nodes 1000": (3, "undecided ... 1,000 nodes"),
    "solve 10x10:2,3 --closed": (0, "1"),
    "solve 8x8 -n 5 --seed 1": (0, "5 tours"),
    "solve 5x6 --closed -n 20 --seed 1": (0, "these 8 are all"),
    "solve 5x5 --method backtracking --set move-order=12345678": (0, " 1 "),
    "count 3x4 --directed": (0, "16"),
    "enumerate 4x4 -o none.json": (1, "0 tours"),
}


@pytest.mark.parametrize("typed", ANSWERS)
def test_an_answer_has_its_exit_code_and_its_reason(typed, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, words = ANSWERS[typed]
    answer = run(*typed.split())
    said = answer.err if code == 2 else answer.out + answer.err
    assert answer.code == code and re.search(".*".join(map(re.escape, words.split(" ... "))), said, re.DOTALL), answer
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["6x6", "--closed"], "found"),
        (["4x4"], "impossible"),
        (["12x12", "--method", "backtracking", "--max-nodes", "5"], "undecided"),
    ],
)
def test_json_is_one_object_with_the_documented_fields(run, words, status):
    answer = run("solve", *words, "--json", "--seed", "3")
    record = json.loads(answer.out)
    assert list(record) == [
        "status", "closed", "rows", "cols", "squares", "method", "reason", "source", "seed", "nodes", "seconds",
    ]  # fmt: skip
    assert record["status"] == status and record["seed"] == 3
    assert answer.code == {"found": 0, "impossible": 1, "undecided": 3}[status]
    assert (record["squares"] is None) == (status != "found")


def test_holes_come_from_a_file_or_the_specification(run, tmp_path):
    drawing, noise = tmp_path / "drawing.txt", tmp_path / "noise.txt"
    drawing.write_bytes(b"\xef\xbb\xbf#..#\r\n....\r\n....  \r\n#..#\r\n")
    words = (str(drawing), "4x4:-a1,a4,0,3,d1", "4x4:-d1 a4;0,3;a1")
    grids = {run("solve", word, "--closed", "--seed", "1").out for word in words}
    assert len(grids) == 1 and grids.pop().count(".") == 4
    noise.write_bytes(bytes(range(256)))
    answer = run("solve", str(noise))
    assert answer.code == 2 and "noise.txt" in answer.err


# ---------------------------------------------------------------- the other commands


def test_check_prints_the_facts_of_a_tour(run, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(CLASSIC_8X8)
    answer = run("check", str(path))
    assert answer.code == 0
    for word in ("valid open tour", "8x8", "symmetry", "turns", "crossings", "magic"):
        assert word in answer.out


def test_check_names_the_wrong_step(run, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(CLASSIC_8X8.replace(" 9 64", "64  9"))
    answer = run("check", str(path))
    assert answer.code == 1 and "invalid" in answer.out and "step 8" in answer.out


def test_facts_prints_what_python_gives(run):
    assert run("facts", "3x4").out == kt.facts("3x4").to_text() + "\n"
    assert json.loads(run("facts", "3x4", "--json").out) == {**kt.facts((3, 4)).to_dict(), "catalogues": []}


# ---------------------------------------------------------------- samples and giants


def test_a_sample_is_written_checked_and_gone_on_with(run, tmp_path):
    whole, head, tail = (str(tmp_path / f"{name}.npy") for name in ("whole", "head", "tail"))
    assert run("sample", "6x6", "-n", "300", "--closed", "--seed", "7", "-o", whole).code == 0
    assert run("sample", "6x6", "-n", "100", "--closed", "--seed", "7", "-o", head).code == 0
    assert run("sample", "6x6", "-n", "200", "--closed", "--seed", "7", "--offset", "100", "-o", tail).code == 0
    assert np.array_equal(np.load(whole), np.concatenate([np.load(head), np.load(tail)]))
    answer = run("check", whole, "6x6")
    assert answer.code == 0 and answer.out == "300 tours of the 6x6 board, all valid; 300 closed\n"
    unnamed = run("check", whole)
    assert unnamed.code == 2 and "FILE 8x8" in unnamed.err


@pytest.mark.long
def test_a_unique_sample_ends_when_all_tours_are_drawn(run):
    answer = run("sample", "5x6", "-n", "500", "--closed", "--unique", "--seed", "1")
    assert answer.code == 0 and answer.out.count("\n\n") == 7 and "all 8 tours" in answer.err


@pytest.mark.long
def test_a_giant_rectangle_is_streamed_and_checked(run, tmp_path):
    path = str(tmp_path / "giant.npy")
    assert run("solve", "2000x2100", "--closed", "-o", path).code == 0
    answer = run("check", path)
    assert answer.code == 0 and "valid closed tour of the 2000x2100 board" in answer.out
    assert run("solve", "3x1500001", "--closed", "-o", path).code == 1


# ---------------------------------------------------------------- processes


# It prints more than a pipe holds, so that the last of it finds no reader.
_MUCH = ["enumerate", "5x5", "--directed"]


@pytest.mark.long
def test_closed_stdout_is_not_an_error():
    with open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(
            [sys.executable, "-m", "knightstour", *_MUCH],
            stdin=nothing,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        process.wait(60)
        process.stderr.close()
    assert process.returncode == 141 and err == b""


@pytest.mark.parametrize("words", [["solve", "8x8"], []], ids=str)
def test_stdout_closed_from_the_start_is_a_clear_error(words):
    run = _shell(words, ">&-")
    assert run.returncode == 2 and run.stderr.startswith(b"error: there is nowhere to print"), run.stderr


@pytest.mark.long
def test_a_closed_stderr_changes_no_answer():
    run = _shell(["solve", "4x4"], "2>&-")
    assert run.returncode == 1 and run.stdout.startswith(b"impossible")
    assert _shell(["solve", "8x"], "2>&-").returncode == 2


@pytest.mark.long
def test_a_closed_stdin_is_the_end_of_input():
    assert _shell([], "<&-").returncode == 0
    run = _shell(["check", "-"], "<&-")
    assert run.returncode == 2 and b"empty" in run.stderr


@pytest.mark.long
def test_a_full_disk_is_an_error():
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    run = _shell(["solve", "8x8"], ">/dev/full")
    assert run.returncode == 2 and run.stderr.startswith(b"error: standard output: No space left")
    assert run.stderr.count(b"\n") == 2 and b"\nhelp: make room" in run.stderr
    run = _shell(["enumerate", "3x4", "--format", "csv", "-o", "/dev/full"], "")
    assert run.returncode == 2 and run.stderr.startswith(b"error: /dev/full: No space left")
    assert b"\nhelp: make room" in run.stderr


@pytest.mark.long
def test_interrupted_search_prints_json_of_found_tours():
    # Ctrl-C comes a moment after the third tour, wherever the search is then.
    code = (
        "import os, signal, threading\n"
        "from knightstour.interfaces.cli import app, output\n"
        "take = output.TourWriter.add\n"
        "def take_some(self, *tour):\n"
        "    take(self, *tour)\n"
        "    if self.taken == 3: threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "output.TourWriter.add = take_some\n"
        "app.main()"
    )
    words = ["solve", "6x6", "-n", "100000", "--json", "--timeout", "60"]
    command = [sys.executable, "-c", code, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=1200)
    assert process.returncode == 130 and b"interrupted" in err
    records = [json.loads(line) for line in out.splitlines()]
    assert len(records) >= 3 and all(record["reason"] == "interrupted" for record in records)
    assert all(len(record["squares"]) == 36 for record in records if record["status"] == "found")


def _shell(words: list[str], redirection: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line with streams redirected by a shell."""
    command = shlex.join([sys.executable, "-m", "knightstour", *words])
    return subprocess.run(["bash", "-c", f"{command} {redirection}"], capture_output=True, timeout=1200)


INTERRUPTED_IMPORT = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
{begin}
"""


@pytest.mark.parametrize(
    "begin",
    ["runpy.run_module('knightstour', run_name='__main__')", "from knightstour.__main__ import main; main()"],
    ids=["python -m", "script"],
)
def test_ctrl_c_is_quiet_while_modules_are_loaded(begin):
    code = INTERRUPTED_IMPORT.format(begin=begin)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1200)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "note: interrupted\n")


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_process_leaves_no_unfinished_file(number: signal.Signals, tmp_path: Path):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("under nohup no process hears that its terminal has gone")
    command = [sys.executable, "-m", "knightstour", "solve", "6000x6000", "-o", str(tmp_path / "t.txt")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        until(lambda: any(path.stat().st_size for path in tmp_path.glob(".t.txt.*.part")))
        process.send_signal(number)
        _, said = process.communicate(timeout=1200)
    assert process.returncode == -number and b"Traceback" not in said
    assert not list(tmp_path.iterdir())
