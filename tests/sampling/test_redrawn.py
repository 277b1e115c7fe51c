"""What a manifest says, part by part: against itself, the distribution and the seed, and what is called claimed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from knightstour.core.machine.calls import installed_version
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.lab.sampling.datasets import parts, redrawn, unique
from knightstour.lab.sampling.datasets.manifest import Manifest, Part, Plan, Receipt
from knightstour.lab.sampling.distributions.common import gave_up
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

PROBLEM = Problem.of((5, 6), closed=True)
SIZE = 4096


def plan_of(problem: Problem = PROBLEM, distribution: str = "backbite", **changes: Any) -> Plan:
    parameters = dict(Stream(SampleQuestion(problem, 1, distribution, seed=3), threads=1).distribution.parameters)
    return replace(Plan(problem, distribution, parameters, 3, False, (), SIZE), **changes)


def part_of(number: int = 0, draws: int = 150, rows: int | None = None, **changes: Any) -> Part:
    receipt = Receipt(f"part-{number:06}.parquet", 1000, f"sum {number}", draws if rows is None else rows)
    return replace(Part(number, receipt, number * SIZE, draws), **changes)


def manifest_of(*listed: Part, plan: Plan | None = None, **changes: Any) -> Manifest:
    plan = plan or plan_of()
    asked = sum(part.receipt.rows for part in listed)
    made = {part.number: part for part in listed}
    return replace(Manifest(plan, asked, installed_version(), made, is_complete=True), **changes)


# ---------------------------------------------------------------- against itself


def renamed(part: Part, **changes: Any) -> Part:
    return replace(part, receipt=part.receipt._replace(**changes))


FIRST, SECOND = part_of(0), part_of(1)
ONE = "part-000000.parquet"
TWO = "part-000001.parquet"
OTHER = renamed(SECOND, file="part-000007.parquet")
FAULTS: dict[str, tuple[Manifest, list[str]]] = {
    "none": (manifest_of(FIRST, SECOND), []),
    "none of a full part": (manifest_of(part_of(0, SIZE)), []),
    "no part": (manifest_of(), []),
    "a name": (manifest_of(FIRST, OTHER), ["part-000007.parquet is named as part 1, which begins with draw 4,096"]),
    "a first draw": (
        manifest_of(FIRST, replace(SECOND, first=4095)),
        [f"{TWO} is named as part 1, which begins with draw 4,096"],
    ),
    "repeats that are no text": (
        manifest_of(replace(FIRST, dropped=cast(str, 5)), replace(SECOND, first=1)),
        [
            f"{ONE} is named with repeats that cannot be read",
            f"{TWO} is named as part 1, which begins with draw 4,096",
        ],
    ),
    "repeats of nothing": (
        manifest_of(replace(FIRST, dropped="!")),
        [f"{ONE} is named with repeats that cannot be read"],
    ),
    "more repeats than draws": (
        manifest_of(part_of(0, 2, 0, dropped=unique.pack_rows(np.arange(3)))),
        [f"{ONE} is named with repeats that cannot be read"],
    ),
    "all are repeats": (manifest_of(part_of(0, 3, 0, dropped=unique.pack_rows(np.arange(3)))), []),
    "all that are no repeats": (manifest_of(part_of(0, 1500, 1498, dropped=unique.pack_rows(np.array([3, 9])))), []),
    "one of the repeats, too": (
        manifest_of(part_of(0, 1500, 1499, dropped=unique.pack_rows(np.array([3, 9])))),
        [f"{ONE} cannot have 1,499 tours of 1,500 draws"],
    ),
    "fewer than none": (manifest_of(part_of(0, 9, -1)), [f"{ONE} cannot have -1 tours of 9 draws"]),
    "more draws than a piece has": (
        manifest_of(part_of(0, SIZE + 1)),
        [f"{ONE} cannot have 4,097 tours of 4,097 draws"],
    ),
    "one file twice": (
        manifest_of(FIRST, renamed(SECOND, sha256="sum 0"), part_of(2)),
        [f"{TWO} is the same as {ONE}"],
    ),
    "another number of tours": (
        manifest_of(part_of(0, 1500), asked=2000),
        ["it is said to be finished, with 1,500 of 2,000 tours"],
    ),
    "not finished": (manifest_of(FIRST, asked=2000, is_complete=False), []),
    "no more tours": (manifest_of(FIRST, asked=2000, is_exhausted=True), []),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_manifest_says_against_itself(name: str) -> None:
    manifest, said = FAULTS[name]
    assert list(redrawn.faults_of(manifest)) == said


# ---------------------------------------------------------------- what is claimed

OLD = "distribution backbite and seed 3 (drawn by version 0.0.1)"
UNIFORM = plan_of(distribution="uniform")
LARGE = replace(UNIFORM, problem=Problem.of((6, 6), closed=True))
LARGER = replace(UNIFORM, problem=Problem.of(Board(5, 8, holes=["a1", "a2", "a3"])))
MORE = "that distribution backbite and seed 3 give more than the first 100 draws of each part"
TWICE = "that no tour comes twice (seen to be so for up to 4,000,000 tours)"
CLAIMS: dict[str, tuple[Manifest, bool, list[str]]] = {
    "nothing": (manifest_of(part_of(0, 100)), False, []),
    "later draws": (manifest_of(part_of(0, 100), part_of(1, 101)), False, [MORE]),
    "all draws": (manifest_of(FIRST, version="0.0.1"), False, [OLD]),
    "tours that would be counted": (manifest_of(FIRST, plan=LARGE), False, [MORE.replace("backbite", "uniform")]),
    "too many to be counted": (
        manifest_of(FIRST, plan=LARGER),
        False,
        ["distribution uniform and seed 3 (all tours would have to be counted first)"],
    ),
    "a large board of another distribution": (
        manifest_of(part_of(0, 9), plan=replace(LARGER, distribution="backbite")),
        False,
        [],
    ),
    "that they differ": (manifest_of(part_of(0, 100), plan=replace(plan_of(), unique=True)), False, [TWICE]),
    "not that they differ": (manifest_of(part_of(0, 100), plan=replace(plan_of(), unique=True)), True, []),
    "the end": (
        manifest_of(part_of(0, 100), is_exhausted=True, reason="all were counted"),
        False,
        ["that there are no more tours: all were counted"],
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_only_claimed(name: str) -> None:
    manifest, are_compared, said = CLAIMS[name]
    assert redrawn.claimed_by(manifest, are_compared) == said
    assert redrawn.is_drawn_again(manifest) == (not said or ("(all" not in said[0] and said != [OLD]))


# ---------------------------------------------------------------- draws made again

DRAWN = parts.draw(plan_of(), 0, 150, 1)


def changed(row: int, orders: np.ndarray = DRAWN) -> np.ndarray:
    """The tours, one of which is walked the other way round."""
    return np.concatenate([orders[:row], orders[row : row + 1, ::-1], orders[row + 1 :]])


OTHER_ROW = "is not what distribution backbite draws from seed 3: row {} is another tour"
DROPPED = unique.pack_rows(np.array([1, 7, 120]))
WITHOUT = np.delete(DRAWN, [1, 7, 120], axis=0)
DRAWS: dict[str, tuple[Part, np.ndarray, str]] = {
    "right": (FIRST, DRAWN, ""),
    "the first tours alone": (FIRST, DRAWN[:3], ""),
    "no tours": (FIRST, DRAWN[:0], ""),
    "a wrong tour": (FIRST, changed(2), OTHER_ROW.format(2)),
    "the first one is wrong": (FIRST, changed(0), OTHER_ROW.format(0)),
    "two are wrong": (FIRST, changed(40, changed(9)), OTHER_ROW.format(9)),
    "the last that is drawn again": (FIRST, changed(99), OTHER_ROW.format(99)),
    "one that is not drawn again": (FIRST, changed(100), ""),
    "few draws": (part_of(0, 5), DRAWN, ""),
    "few draws, and one is wrong": (part_of(0, 5), changed(4), OTHER_ROW.format(4)),
    "few draws, and a later one is wrong": (part_of(0, 5), changed(5), ""),
    "without repeats": (part_of(0, 150, 147, dropped=DROPPED), WITHOUT, ""),
    "a wrong one after repeats": (part_of(0, 150, 147, dropped=DROPPED), changed(6, WITHOUT), OTHER_ROW.format(6)),
    "with repeats that should be left out": (part_of(0, 150, 147, dropped=DROPPED), DRAWN, OTHER_ROW.format(1)),
    "another part": (replace(FIRST, first=40), DRAWN[40:], ""),
    "the tours of another part": (replace(FIRST, first=40), DRAWN, OTHER_ROW.format(0)),
    "repeats that cannot be read": (replace(FIRST, dropped="!"), DRAWN, "has repeats that cannot be read"),
    "repeats that are no text": (replace(FIRST, dropped=cast(str, 5)), DRAWN, "has repeats that cannot be read"),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_first_draws_are_made_again(name: str) -> None:
    part, orders, said = DRAWS[name]
    assert redrawn.fault_of_draws(plan_of(), part, orders) == said


def test_rows_are_written_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redrawn, "_DRAWS", 1300)
    drawn = parts.draw(plan_of(), 0, 1300, 1)
    said = redrawn.fault_of_draws(plan_of(), part_of(0, 1300), changed(1234, drawn))
    assert said == OTHER_ROW.format("1,234")


def test_plans_that_draw_nothing() -> None:
    said = redrawn.fault_of_draws(replace(plan_of(), distribution="magic"), FIRST, DRAWN)
    assert said.startswith("cannot have been drawn so: unknown distribution 'magic'")
    said = redrawn.fault_of_draws(replace(plan_of(), parameters={"every": -1}), FIRST, DRAWN)
    assert said.startswith("cannot have been drawn so: ")
    other = replace(plan_of(), seed=4)
    assert redrawn.fault_of_draws(other, FIRST, DRAWN).startswith(
        "is not what distribution backbite draws from seed 4: row "
    )


def test_what_would_take_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redrawn, "_SECONDS", 0.2)
    said = redrawn.fault_of_draws(replace(plan_of(), parameters={"every": 10**9}), FIRST, DRAWN)
    assert said.startswith("cannot be drawn again within 0.2 seconds: distribution backbite with {")

    def without_a_tour(question: SampleQuestion, **_: Any) -> Stream:
        raise gave_up(question.problem, "no tour was found", 3, 0)

    monkeypatch.setattr(redrawn, "Stream", without_a_tour)
    assert redrawn.fault_of_draws(plan_of(), FIRST, DRAWN) == "cannot be drawn again: no tour was found"
