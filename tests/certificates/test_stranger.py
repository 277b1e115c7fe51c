"""Tests that docs/certificate-format.md is enough to write a checker: an independent one agrees with ours."""

import ast
import copy
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import stranger
from helpers.examples import examples, mostly_long
from helpers.objectives import goal
from helpers.small_problems import problems
from helpers.stranger import is_right

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "certificate-format.md").read_text(encoding="utf-8")
PUBLISHED = (ROOT / "docs" / "proofs.jsonl").read_text(encoding="utf-8").splitlines()


def best(board: str, objective: str, **question: Any) -> kt.certificates.Certificate:
    return kt.solve(board, **goal(objective), optimal=True, seed=1, **question).certificate()


THREE_ENDS = kt.Board.from_graph({0: [1, 2, 3], 1: [0, 2, 4], 2: [0, 1, 5], 3: [0], 4: [1], 5: [2]})
CROSS = kt.CellBoard([(0, 0), (0, 1), (1, 1), (1, 2)], moves=[(0, 1), (0, -1), (1, 0), (-1, 0)])

TRUE = {
    "a tour": lambda: kt.solve("5x6", closed=True, seed=1).certificate(),
    "a tour with ends": lambda: kt.solve("5x5", start="a1", end="e5", seed=1).certificate(),
    "a tour with conditions": lambda: kt.solve("6x6", require=["a1-b3"], forbid=["c3-d5"], seed=1).certificate(),
    "a symmetric tour": lambda: kt.solve("6x6", closed=True, symmetry="180", seed=1).certificate(),
    "a tour of a kind": lambda: kt.solve("6x6", closed=True, symmetry="birotary", seed=1).certificate(),
    "a tour on a Klein bottle": lambda: kt.solve(kt.Board(4, 5, wrap="klein"), closed=True, seed=1).certificate(),
    "an argument": lambda: kt.solve("4x8", closed=True).certificate(),
    "a chain": lambda: kt.solve((3, 8), closed=True).certificate(),
    "weights": lambda: kt.solve("5x5", closed=True).certificate(),
    "weights of ends": lambda: kt.solve("8x8", start="a1", end="h8").certificate(),
    "weights of a large board": lambda: kt.solve("21x21", closed=True).certificate(),
    "a removal": lambda: kt.solve("4x4").certificate(),
    "a sum that is spent": lambda: kt.solve(kt.Board(8, 10, leaper=(1, 4)), closed=True).certificate(),
    "forced moves": lambda: kt.solve((3, 13), start=(0, 2), end=(1, 3)).certificate(),
    "three ends": lambda: kt.solve(THREE_ENDS).certificate(),
    "a search": lambda: kt.solve(kt.Board(3, 4, wrap="mobius"), closed=True).certificate(),
    "a search with images": lambda: kt.solve("5x6", closed=True, symmetry="180").certificate(),
    "no symmetry": lambda: kt.solve("8x8", closed=True, symmetry="90").certificate(),
    "no tour of a kind": lambda: kt.solve("5x6", closed=True, symmetry="Murraian").certificate(),
    "a count": lambda: kt.certificates.certify_count("3x10", closed=True),
    "a directed count": lambda: kt.certificates.certify_count((3, 4), start="a1", directed=True),
    "a count with conditions": lambda: kt.certificates.certify_count((3, 4), require=["a1-b3"]),
    "the most": lambda: best("5x6", "most-flat-up", closed=True),
    "the most, excluded at once": lambda: best("6x6", "most-flat-up", closed=True),
    "the fewest, by a cut": lambda: best("6x8", "across-columns", closed=True),
    "the fewest of open tours": lambda: best("3x8", "in-quarter", start="a1"),
    "the most of chosen moves": lambda: best("3x8", "most-among=a1-b3+c3-d1+e2-g1"),
    "a tour of two leaps": lambda: kt.solve("5x5:gnu", seed=1).certificate(),
    "a tour in an order": lambda: kt.solve("5x5", visit_order="a1,c3,e5", seed=1).certificate(),
    "a tour of some squares": lambda: kt.solve("3x4", partial=True, start="a1", seed=1).certificate(),
    "no tour of some squares": lambda: kt.solve("3x4", partial=True, closed=True, start="b2").certificate(),
    "a count of some squares": lambda: kt.certificates.certify_count("4x4", partial=True, closed=True, start="a1"),
    "a count of paths": lambda: kt.certificates.certify_count("3x4", partial=True, start="a1"),
    "a tour of a box": lambda: kt.solve("2x3x4", closed=True, symmetry="-1,-2,-3", seed=1).certificate(),
    "a tour of a hexagon": lambda: kt.solve("hex:3:king", start="a3", seed=1).certificate(),
    "a turned triangle": lambda: kt.solve("tri:5", closed=True, symmetry="120", seed=1).certificate(),
    "no tour of a box": lambda: kt.solve("2x2x4", closed=True).certificate(),
    "no turned hexagon": lambda: kt.solve("hex:3:king", closed=True, symmetry="60").certificate(),
    "a tour by vectors": lambda: kt.solve(CROSS, symmetry="180", seed=1).certificate(),
    "a count of a triangle": lambda: kt.certificates.certify_count("tri:4", closed=True),
    "a count on a torus": lambda: kt.certificates.certify_count(
        kt.Board(3, 4, wrap="torus"), closed=True, directed=True
    ),
}


def test_it_imports_nothing_of_the_package() -> None:
    files = sorted(Path(stranger.__file__).parent.glob("stranger*.py"))
    assert len(files) == 6
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text()))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    others = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert others == {f"helpers.{file.stem}" for file in files if file.stem not in ("stranger", "stranger_catalogue")}


def test_the_page_names_every_rule_and_entry() -> None:
    for rule in stranger.RULES:
        assert f'{{"rule": "{rule}"' in PAGE
    for answer, kind in stranger.CHECKS:
        assert f"`{kind}`" in PAGE and answer in PAGE
    for kind in stranger.KINDS:
        assert f"`{kind}`" in PAGE


def spoilt(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Change one number, text or list of the record."""
    found = copy.deepcopy(record)
    places: list[tuple[Any, Any]] = []
    todo: list[Any] = [found]
    for item in todo:
        for key, value in item.items() if isinstance(item, dict) else enumerate(item):
            if isinstance(value, dict | list):
                todo.append(value)
            if key not in ("reason", "source", "nodes") and item is not found.get("board", {}).get("graph"):
                places.append((item, key))
    item, key = chance.choice(places)
    value = item[key]
    if isinstance(value, bool):
        item[key] = not value
    elif isinstance(value, int):
        item[key] = value + chance.choice([-2, -1, 1, 2])
    elif isinstance(value, list) and value:
        if chance.random() < 0.5:
            del value[chance.randrange(len(value))]
        else:
            a, b = chance.randrange(len(value)), chance.randrange(len(value))
            value[a], value[b] = value[b], value[a]
    elif isinstance(value, str) and "\n" in value:
        lines = value.splitlines()
        del lines[chance.randrange(len(lines))]
        item[key] = "\n".join(lines)
    elif isinstance(value, str):
        item[key] = value[:-1] + chance.choice("0159")
    return found


def agreed(record: dict[str, Any]) -> bool:
    """Return the verdict of both checkers, which must agree."""
    try:
        ours = kt.certificates.verify(record).is_right
    except kt.FormatError:
        ours = False
    theirs = is_right(json.dumps(record))
    assert theirs == ours, record
    return ours


# Their records are long.
@pytest.mark.parametrize("what", mostly_long(TRUE, 10))
def test_valid_input_passes_and_corrupt_input_is_rejected(what: str) -> None:
    record = json.loads(TRUE[what]().to_json())
    assert agreed(record)
    chance = random.Random(what)
    verdicts = [agreed(spoilt(record, chance)) for _ in range(24)]
    assert verdicts.count(False) > 6


def test_independent_checker_accepts_only_valid_certificates() -> None:
    chance = random.Random(1)
    for line in PUBLISHED:
        assert is_right(line)
        agreed(spoilt(json.loads(line), chance))


@examples(100)
@given(problems(), st.randoms(use_true_random=False))
def test_both_engines_agree_on_small_problems(problem: kt.Problem, chance: random.Random) -> None:
    record = json.loads(kt.solve(problem, seed=1).certificate().to_json())
    assert agreed(record)
    for _ in range(3):
        agreed(spoilt(record, chance))
