"""Tests that asserts only narrow types: checks of results must not depend on `python -O`."""

import ast
import subprocess
import sys

import pytest

from helpers.examples import mostly_long
from house import files


def narrows(test: ast.expr) -> bool:
    """Whether it tests for None, a class, or a TypeGuard."""
    if isinstance(test, ast.BoolOp):
        return all(map(narrows, test.values))
    if isinstance(test, ast.Compare):
        return all(isinstance(right, ast.Constant) and right.value is None for right in test.comparators)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name):
        return test.func.id == "isinstance" or test.func.id.lstrip("_").startswith("is_")
    return False


def test_asserts_narrow_types() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in files()}
    wrong = [
        f"{file}:{node.lineno}: {ast.unparse(node.test)}"
        for file, text in texts.items()
        if "assert" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Assert) and not narrows(node.test)
    ]
    assert not wrong, "check_own_answer() is there under python -O, too:\n" + "\n".join(wrong)


CHEATS = {
    "several": """
from knightstour.core.methods import several
cheat = kt.find_tour("6x6", start="a1", end="b1", seed=1)
several.answer_of = lambda problem, order: cheat
kt.solve("6x6", closed=True, seed=1)
""",
    "several, a required move": """
from knightstour.core.methods import several
cheat = kt.find_tour("6x6", forbid=["a1-b3"], seed=1)
several.answer_of = lambda problem, order: cheat
kt.solve("6x6", require=["a1-b3"], seed=1)
""",
    "enumeration": """
from knightstour.core.methods import enumeration
cheat = kt.find_tour("5x6", start="a1", end="b1", seed=1)
enumeration.answer_of = lambda problem, order: cheat
list(kt.iter_tours("5x6", closed=True))
""",
    "stream": """
from knightstour.core.checking import rows
rows.fault_of = lambda problem, order: "it is wrong"
kt.sample("6x6", 3, require=["a1-b3"], seed=1)
""",
    "improve": """
from knightstour.core.model import condition_check
tour = kt.find_tour("6x6", closed=True, symmetry="180", seed=1)
says = iter([None, "it is wrong", "it is wrong"])
condition_check.fault_of = lambda problem, order: next(says)
kt.improve(tour, minimize="turns", timeout=0.2, closed=True, symmetry="180")
""",
    "certify": """
from knightstour.lab.certificates import certify
wrong = kt.certificates.Verification(kt.certificates.Verdict.WRONG, "x", "")
certify.verify = lambda *asked, **more: wrong
kt.solve("5x5").certificate()
""",
}


@pytest.mark.parametrize(
    "flag", [pytest.param([], marks=pytest.mark.long, id="plain"), pytest.param(["-O"], id="optimized")]
)
@pytest.mark.parametrize("cheat", mostly_long(CHEATS, 1))
def test_a_wrong_answer_is_never_given_out(cheat: str, flag: list[str]) -> None:
    code = "import knightstour as kt\n" + CHEATS[cheat] + "print('given out')"
    done = subprocess.run([sys.executable, *flag, "-c", code], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 1 and "given out" not in done.stdout
    assert "WrongAnswer: " in done.stderr.rstrip().splitlines()[-1], done.stderr
