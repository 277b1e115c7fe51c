"""Certificates of puzzles: the solution and the proof that there is no other, two solutions, or the proof of none."""

from __future__ import annotations

import copy
import itertools
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.command_line import run
from helpers.examples import examples
from helpers.small_problems import adjacency_of

pytest.importorskip("pysat")

SEVEN = {"a7": 13, "f6": 35, "h6": 47, "h3": 50, "f2": 53, "d1": 10, "f1": 6}
SEVEN_CLOSED = {"c7": 37, "d7": 4, "e6": 12, "a2": 30, "c2": 32, "f2": 9, "g1": 1}
PUZZLES = {
    "6x6 easy": lambda: kt.make_puzzle("6x6", level="easy", rng=1),
    "6x6 hard, closed": lambda: kt.make_puzzle("6x6", level="hard", closed=True, rng=1),
    "6x6 expert": lambda: kt.make_puzzle("6x6", level="expert", rng=2),
    "8x8, seven numbers": lambda: kt.Puzzle.of("8x8", SEVEN),
    "8x8 closed, seven numbers": lambda: kt.Puzzle.of("8x8", SEVEN_CLOSED, closed=True),
    "a torus": lambda: kt.make_puzzle(kt.Board(4, 4, wrap="torus"), rng=1),
    "places": lambda: kt.make_puzzle("5x5", places=5, rng=1),
}


def spoilt(certificate, change):
    copied = copy.deepcopy(dict(certificate.record))
    change(copied)
    return kt.verify(copied)


LONG = {"6x6 hard, closed", "6x6 expert", "8x8, seven numbers", "8x8 closed, seven numbers"}


@pytest.mark.parametrize("name", [pytest.param(k, marks=[pytest.mark.long] * (k in LONG)) for k in PUZZLES])
def test_a_unique_puzzle_has_a_certificate_and_a_spoilt_one_is_wrong(name):
    puzzle = PUZZLES[name]()
    certificate = kt.solve_puzzle(puzzle).certificate
    found = kt.verify(certificate)
    assert found.is_right and found.claim.startswith("there is exactly one ")
    proof = certificate.record["proof"]
    assert (certificate.record["answer"], proof["kind"]) == ("unique", "numbering")
    # One number alone has many solutions.
    assert (
        spoilt(certificate, lambda c: c["given"].__delitem__(slice(1, None))).verdict is kt.certificates.Verdict.WRONG
    )

    def change_a_number(c):
        c["given"][0][1] = [step % puzzle.board.square_count + 1 for step in c["given"][0][1]]

    assert spoilt(certificate, change_a_number).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, lambda c: c["proof"]["squares"].reverse()).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, lambda c: c["proof"]["squares"].pop()).verdict is kt.certificates.Verdict.WRONG
    # The clause that rules the solution out belongs to the answer.
    assert spoilt(certificate, lambda c: c.update(answer="impossible")).verdict is kt.certificates.Verdict.WRONG
    if len(proof["drat"]) > 1:
        assert spoilt(certificate, lambda c: c["proof"].update(drat="0")).verdict is kt.certificates.Verdict.WRONG
        without_its_end = "\n".join(proof["drat"].splitlines()[:-2])
        assert (
            spoilt(certificate, lambda c: c["proof"].update(drat=without_its_end)).verdict
            is kt.certificates.Verdict.WRONG
        )


def test_a_line_less_of_a_long_proof_is_seen():
    certificate = kt.solve_puzzle(PUZZLES["6x6 expert"]()).certificate
    lines = certificate.record["proof"]["drat"].splitlines()
    first_half = spoilt(certificate, lambda c: c["proof"].update(drat="\n".join(lines[len(lines) // 2 :])))
    assert first_half.verdict is kt.certificates.Verdict.WRONG and "does not follow" in first_half.detail


def walks(puzzle):
    """All solutions, by trying every walk."""
    near = adjacency_of(puzzle.board)
    for walk in reference.all_tours(near):
        numbers = {square: number for number, square in enumerate(walk, 1)}
        is_closed = len(walk) > 2 and walk[0] in near[walk[-1]]
        if all(
            numbers[square] == few if isinstance(few, int) else numbers[square] in few
            for square, few in puzzle.given.items()
        ) and (is_closed or not puzzle.closed):
            yield walk


BOARDS = [kt.Board(3, 4), kt.Board(3, 3, holes=["b2"]), kt.Board(3, 3, leaper=(0, 1)), kt.Board(1, 1), kt.Board(1, 2)]


@examples(150)
@given(st.sampled_from(BOARDS), st.booleans(), st.data())
def test_every_small_puzzle_has_a_certificate(board, closed, data):
    squares = sorted(adjacency_of(board))
    number = st.integers(1, len(squares))
    given = data.draw(st.dictionaries(st.sampled_from(squares), number | st.lists(number, min_size=1), max_size=4))
    try:
        puzzle = kt.Puzzle.of(board, given, closed=closed)
    except kt.ProblemError:
        assume(False)
    solutions = list(itertools.islice(walks(puzzle), 2))
    answer = kt.solve_puzzle(puzzle)
    # Where nothing is given of a closed tour, it begins on one square.
    assume(given or not closed)
    certificate = answer.certificate
    assert certificate.record["answer"] == ("impossible", "unique", "several")[len(solutions)]
    found = kt.verify(json.loads(certificate.to_json()))
    assert found.is_right, found
    if len(solutions) == 2:
        one = copy.deepcopy(dict(certificate.record))
        one["proof"]["tours"][1] = one["proof"]["tours"][0]
        assert kt.verify(one).verdict is kt.certificates.Verdict.WRONG
        assert not spoilt(certificate, lambda c: c["proof"]["tours"].pop()).is_right


def test_an_undecided_puzzle_has_none():
    answer = kt.solve_puzzle(kt.Puzzle.of("8x8", {"a1": 1}), n=1)
    with pytest.raises(kt.MethodError, match="undecided"):
        _ = answer.certificate


def test_the_command_writes_it_and_others_can_read_its_clauses(tmp_path, capsys):
    proof, cnf = str(tmp_path / "proof.json"), tmp_path / "proof.cnf"
    file = tmp_path / "puzzle.txt"
    kt.write_puzzle(file, kt.make_puzzle("6x6", level="hard", rng=1))
    assert run("puzzle", "--check", str(file), "--proof", proof, capsys=capsys)[0] == 0
    code, out, _ = run("verify", proof, "--cnf", str(cnf), capsys=capsys)
    assert (code, out.splitlines()[0].split(" with ")[0]) == (
        0,
        "right: there is exactly one open tour of the 6x6 board",
    )
    assert cnf.read_text().startswith("p cnf ") and cnf.with_suffix(".drat").read_text().endswith("0\n")
    assert run("puzzle", "--check", str(file), "--proof", proof, capsys=capsys)[0] == 2  # the file is there
    assert run("puzzle", "--solve", str(file), "--proof", proof, "--force", capsys=capsys)[0] == 0
    assert run("puzzle", "6x6", "--proof", proof, "--force", capsys=capsys)[0] == 2
    file.write_text("1 . . . .\n. . . . .\n. . 4 . .\n. . . . .\n. . . . 3\n")
    assert run("puzzle", "--check", str(file), "--proof", proof, "--force", capsys=capsys)[0] == 1
    assert run("verify", proof, capsys=capsys)[1].startswith("right: there is no open tour of the 5x5 board")
    file.write_text("1 . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n")
    assert run("puzzle", "--check", str(file), "-n", "2", "--proof", proof, "--force", capsys=capsys)[0] == 1
    assert run("verify", proof, capsys=capsys)[1].startswith("right: there are several open tours of the 5x5 board")
