"""Tests of `solve --proof`, `count --proof` and `check` of certificates."""

import json
import os
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.lab.counting import count as counting


def test_an_answer_is_proved_in_a_file_and_verified(run, tmp_path):
    path, cnf = str(tmp_path / "none.json"), tmp_path / "none.cnf"
    assert run("solve", "3x4:mobius", "--closed", "--proof", path).code == 1
    answer = run("check", path)
    assert answer.code == 0 and answer.out.startswith("right: there is no closed tour of the 3x4 mobius\n")
    assert run("solve", "3x4:mobius", "--closed", "--proof", str(cnf.with_suffix(".drat"))).code == 1
    assert cnf.read_text().startswith("p cnf ") and cnf.with_suffix(".drat").exists()
    assert run("solve", "6x6", "--proof", path).code == 0
    assert json.loads(run("check", path, "--json").out)["verdict"] == "right"


def test_corrupt_proof_is_invalid_and_unreadable_proof_is_an_error(run, tmp_path):
    path = tmp_path / "none.json"
    run("solve", "4x8", "--closed", "--proof", str(path))
    text = path.read_text()
    path.write_text(text.replace('"removed": [8, 9,', '"removed": [9,'))
    answer = run("check", str(path))
    assert answer.code == 1 and "\nstep 2, removal: " in answer.out
    path.write_text(text[:300])
    answer = run("check", str(path))
    assert answer.code == 2 and "none.json:" in answer.err and answer.err.startswith("error: ") and answer.out == ""
    assert run("check", str(tmp_path / "nothing.json")).code == 2
    assert run("solve", "6x6", "-n", "2", "--proof", str(tmp_path / "two.json")).code == 2


def test_a_count_is_proved_in_a_file(run, tmp_path):
    path = str(tmp_path / "count.json")
    answer = run("count", "3x10", "--closed", "--proof", path)
    assert answer.code == 0 and answer.out == "16\n"
    assert run("check", path).out.startswith("right: there are 16 closed undirected tours of the 3x10 board\n")
    assert run("count", "3x10", "--closed", "--proof", path).code == 0
    assert run("count", "3x10", "--closed", "--proof", path, "--up-to-symmetry").code == 2


def test_a_count_with_a_proof_is_counted_once(run, tmp_path, monkeypatch):
    asked = []
    count = counting.count_problem
    monkeypatch.setattr(
        counting, "count_problem", lambda *args, **options: asked.append(args) or count(*args, **options)
    )
    monkeypatch.setattr(counting, "count", lambda *_, **__: pytest.fail("counted again"))
    assert run("count", "3x10", "--closed", "--proof", str(tmp_path / "count.json")).out == "16\n"
    assert len(asked) == 1


def test_impossible_board_shows_its_proof(run, tmp_path):
    answer = run("solve", "3x8", "--closed", "--why")
    assert answer.code == 1 and answer.out.startswith("impossible: ")
    assert "A  A  ×  B  B  ×  C  C    Too many pieces" in answer.out
    assert " 1. a3 takes its only moves left, to " in answer.out
    assert "Forced moves" not in run("solve", "3x10", "--closed", "--why").out
    assert run("solve", "3x8", "--closed", "--why", "--json").code == 2
    under = run("solve", "8x8", "--closed", "--why", "--forbid", "a1-b3")
    assert under.code == 1 and "forbidden moves: b3-a1" in under.out
    picture = tmp_path / "why.svg"
    assert run("solve", "3x8", "--closed", "--why", "-o", str(picture)).code == 1
    assert picture.read_text().count("<svg") == 3


def test_a_certificate_is_drawn(run, tmp_path):
    path = str(tmp_path / "none.json")
    run("solve", "3x8", "--closed", "--proof", path)
    drawn = run("draw", path)
    assert drawn.code == 0 and "Forced moves" in drawn.out and "Too many pieces" in drawn.out
    assert "3  A  A  x  B  B  x  C  C" in run("draw", path, "--style", "ascii").out
    for name, begin in (("a.svg", b"<svg"), ("a.gif", b"GIF89a")):
        assert run("draw", path, "-o", str(tmp_path / name), "--size", "150").code == 0
        assert (tmp_path / name).read_bytes().startswith(begin)
    for words, wrong in (
        (["8x8"], "only a file of tours supports a second argument"),
        (["--style", "boxes"], "not drawn in boxes"),
    ):
        answer = run("draw", path, *words)
        assert answer.code == 2 and wrong in answer.err
    tour = str(tmp_path / "tour.json")
    run("solve", "6x6", "--proof", tour)
    assert "has no scenes" in run("draw", tour).err


def test_clauses_are_written_before_the_check(run, tmp_path):
    with pytest.raises(kt.FormatError, match="has no clauses"):
        kt.certificates.certify_count((3, 4)).write_cnf(tmp_path / "x.cnf")
    code, _, _ = run("solve", "4x4", "--closed", "--proof", str(tmp_path / "search.drat"))
    assert code == 1 and sorted(os.listdir(tmp_path)) == ["search.cnf", "search.drat"]
    code, _, err = run("solve", "6x6", "--proof", str(tmp_path / "found.drat"))
    assert code == 0 and "a tour exists, so there is no DRAT proof" in err and not (tmp_path / "found.drat").exists()
    odd = kt.solve((9, 9), closed=True)
    with pytest.raises(kt.ProblemError, match="no proof by search"):
        odd.certificate(timeout=0.1, clauses=True)


def test_checks_several_certificates_with_a_line_each(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "proofs"
    folder.mkdir()
    kt.solve("4x8", closed=True).certificate().write(folder / "a.json")
    found = kt.solve("3x4").certificate()
    found.write(folder / "b.json")
    code, out, err = run("check", str(folder))
    assert code == 0 and [line.split(": ")[1] for line in out.splitlines()] == ["right", "right"]
    assert "2 certificates: 2 right" in err
    wrong = found.to_dict() | {"proof": {"kind": "tour", "squares": [0]}}
    (folder / "c.json").write_text(json.dumps(wrong))
    code, out, _ = run("check", *(str(folder / name) for name in ("a.json", "c.json")), "--csv")
    rows = [line.split(",")[1] for line in out.splitlines()]
    assert (code, rows) == (1, ["verdict", "right", "wrong"])
    (folder / "d.json").write_text('{"format": "knightstour certificate 1"}')
    code, out, _ = run("check", str(folder), "--json")
    assert code == 2 and [json.loads(line)["verdict"] for line in out.splitlines()] == [
        "right",
        "right",
        "wrong",
        "unreadable",
    ]


def test_certificates_support_no_demands(tmp_path: Path, run: Run) -> None:
    kt.solve("3x3").certificate().write(tmp_path / "a.json")
    code, _, err = run("check", str(tmp_path / "a.json"), "--closed")
    assert code == 2 and "a certificate contains its own problem" in err
