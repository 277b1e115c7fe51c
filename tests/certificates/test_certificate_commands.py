"""`solve --proof`, `count --proof` and `verify` at the command line."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from knightstour.cli import app


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    """Run the command line with these words."""

    def go(*words: str) -> Answer:
        capsys.readouterr()
        return Answer(app._run(list(words), debug=False), *capsys.readouterr())

    return go


def test_an_answer_is_proved_in_a_file_and_verified(run, tmp_path):
    path, cnf = str(tmp_path / "none.json"), tmp_path / "none.cnf"
    assert run("solve", "3x4", "--wrap", "mobius", "--closed", "--proof", path).code == 1
    answer = run("verify", path, "--cnf", str(cnf))
    assert answer.code == 0 and answer.out.startswith("right: there is no closed tour of the 3x4 mobius\n")
    assert cnf.read_text().startswith("p cnf ") and cnf.with_suffix(".drat").exists()
    assert run("solve", "6x6", "--proof", path).code == 2  # the file is there
    assert run("solve", "6x6", "--proof", path, "--force").code == 0
    assert json.loads(run("verify", path, "--json").out)["verdict"] == "right"


def test_a_spoilt_proof_is_wrong_and_no_proof_is_an_error(run, tmp_path):
    path = tmp_path / "none.json"
    run("solve", "4x8", "--closed", "--proof", str(path))
    text = path.read_text()
    path.write_text(text.replace('"removed": [8, 9,', '"removed": [9,'))
    answer = run("verify", str(path))
    assert answer.code == 1 and "\nstep 2, removal: " in answer.out
    path.write_text(text[:300])
    answer = run("verify", str(path))
    assert answer.code == 2 and "none.json:" in answer.err and answer.err.startswith("error: ") and answer.out == ""
    assert run("verify", str(tmp_path / "nothing.json")).code == 2
    assert run("solve", "6x6", "-n", "2", "--proof", str(tmp_path / "two.json")).code == 2


def test_a_count_is_proved_in_a_file(run, tmp_path):
    path = str(tmp_path / "count.json")
    answer = run("count", "3x10", "--closed", "--proof", path)
    assert answer.code == 0 and answer.out == "16\n"
    assert run("verify", path).out.startswith("right: there are 16 closed undirected tours of the 3x10 board\n")
    assert run("count", "3x10", "--closed", "--proof", path).code == 2
    assert run("count", "3x10", "--closed", "--proof", path, "--force").code == 0
    assert run("count", "3x10", "--closed", "--proof", path, "--force", "--table").code == 2
