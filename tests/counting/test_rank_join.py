"""Halves joined with counts by rank for lists, and the ranks of matchings."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from knightstour.counting.halves import count_halves, count_parts, layers, part_work, rank_join
from knightstour.counting.halves.block_files import Ranked
from knightstour.counting.halves.count_halves import count_by_halves
from knightstour.counting.halves.cut import the_cut
from knightstour.counting.halves.layers import MATCHINGS, CountsTooLarge, Layer
from knightstour.counting.halves.middle import NOTHING_JOINED, Join
from knightstour.counting.halves.rank_join import (
    RankJoin,
    bytes_by_rank,
    counts_by_rank,
    lists_of,
    make_ranks,
    ranks_pay,
)
from knightstour.kernels.counting import matchings
from knightstour.kernels.counting.rank_lists import RankLists
from knightstour.kernels.counting.words import JOIN, MOVE, PAIR
from knightstour.model.board import Board
from knightstour.model.problem import Problem

Matching = frozenset[frozenset[int]]


def all_matchings(ends: list[int]) -> list[Matching]:
    """All matchings of these ends, in order of rank."""
    if not ends:
        return [frozenset()]
    first, *rest = ends
    return [
        below | {frozenset((first, mate))}
        for mate in rest
        for below in all_matchings([end for end in rest if end != mate])
    ]


def joined(matching: Matching, a: int, b: int) -> Matching | None:
    """The matching after the paths that end at a and at b become one; None where they are one."""
    (of_a,) = (pair for pair in matching if a in pair)
    (of_b,) = (pair for pair in matching if b in pair)
    return None if of_a == of_b else matching - {of_a, of_b} | {of_a ^ {a} | of_b ^ {b}}


# ---------------------------------------------------------------- matchings


@pytest.mark.parametrize("ends", [[0, 1], [2, 3, 5, 9], [0, 4, 6, 7, 16, 17], [1, 2, 3, 4, 5, 8, 9, 11]])
def test_ranks_number_all_matchings_in_order(ends):
    mates = [0] * 18
    mask = sum(1 << end for end in ends)
    pairs = len(ends) // 2
    for rank, matching in enumerate(all_matchings(ends)):
        matchings.unrank(rank, mask, pairs, MATCHINGS.tolist(), mates)
        assert {frozenset((end, mates[end])) for end in ends} == matching
        assert matchings.rank_of_mates(mates, mask, pairs, MATCHINGS.tolist()) == rank


@pytest.mark.parametrize("op", [PAIR, MOVE, JOIN])
@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_operations_on_ranks_are_those_on_matchings(op, pairs):
    union = 2 * pairs + {PAIR: 2, MOVE: 1, JOIN: 0}[op]
    ranks = make_ranks()
    for a, b in itertools.permutations(range(union), 2):
        before = [end for end in range(union) if not (op == PAIR and end in (a, b)) and not (op == MOVE and end == b)]
        after = [end for end in range(union) if not (op == JOIN and end in (a, b)) and not (op == MOVE and end == a)]
        number = {matching: rank for rank, matching in enumerate(all_matchings(after))}
        wanted = np.zeros(MATCHINGS[len(after) // 2], dtype=np.int64)
        counts = np.arange(1, MATCHINGS[pairs] + 1)
        for rank, matching in enumerate(all_matchings(before)):
            if op == PAIR:
                made = matching | {frozenset((a, b))}
            elif op == MOVE:
                made = frozenset(frozenset(b if end == a else end for end in pair) for pair in matching)
            else:
                made = joined(matching, a, b)
            if made is not None:
                wanted[number[made]] += counts[rank]
        found = np.zeros_like(wanted)
        matchings.add_changed(op, union, a, b, pairs, counts, 0, found, 0, ranks)
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("most", [0, matchings.MOST_IN_TABLES])
def test_counts_are_turned_as_matchings_are(most, monkeypatch):
    monkeypatch.setattr(matchings, "MOST_IN_TABLES", most)
    number = {matching: rank for rank, matching in enumerate(all_matchings(list(range(6))))}
    counts = np.arange(1, 16)
    for order in itertools.islice(itertools.permutations(range(6)), 0, None, 7):
        found = np.zeros(15, dtype=np.int64)
        matchings.add_turned(3, order, np.argsort(order).tolist(), counts, 0, found, 0, make_ranks())
        for matching, rank in number.items():
            turned = frozenset(frozenset(order[end] for end in pair) for pair in matching)
            assert found[number[turned]] == counts[rank]


# ---------------------------------------------------------------- joins


def join_of(problem: Problem, monkeypatch: pytest.MonkeyPatch, across: int | None = None) -> tuple[int, tuple]:
    """The number of tours of a board, and what the join of words that found it was made of."""
    made: list[tuple[object, ...]] = []
    with monkeypatch.context() as patch:
        patch.setattr(count_halves, "Join", lambda *args: made.append(args) or Join(*args))
        tours = count_by_halves(problem, cut=the_cut(problem, across=across), threads=1).tours
    return tours, made[-1]


def by_rank(layer: Layer) -> RankLists:
    counts = np.concatenate([np.empty(0, np.int64), *counts_by_rank(layer)])
    sizes = np.where(layer.lengths > 0, layers.most_states(layer.classes), 0)
    return lists_of(Ranked(layer.classes, sizes, counts, layer.masses))


def by_ranks(args: tuple[object, ...], modulus: int = 0) -> RankJoin:
    cut, _, halves, finals = args[:4]
    left, right = (by_rank(layer) for layer in halves)
    return RankJoin(cut, left, left if cut.is_even else right, finals, modulus, most_bytes=1)


def total_of(join: Join | RankJoin) -> int:
    total = NOTHING_JOINED
    for k in range(join.blocks):
        total = total.plus(join.block(k))
    assert total.total <= total.bound
    return total.total


HOLED = Board.from_text("......\n......\n..#...\n......\n......\n.....#")
CASES = [
    (Problem.of((5, 6), closed=True), None),
    (Problem.of(HOLED, closed=True), None),
    (Problem.of(Board(4, 5, wrap="cylinder"), closed=True), None),
    pytest.param(Problem.of((6, 5), closed=True), 6, marks=pytest.mark.long),
    pytest.param(Problem.of((6, 6), closed=True), None, marks=pytest.mark.long),
    pytest.param(Problem.of((6, 7), closed=True), 6, marks=pytest.mark.long),
    pytest.param(Problem.of((5, 8), closed=True), None, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("problem", "across"), CASES)
def test_joins_by_rank_find_what_joins_of_words_find(problem, across, monkeypatch):
    monkeypatch.setattr(rank_join, "_LEAST_COUNTS", 2000)
    tours, args = join_of(problem, monkeypatch, across)
    cut = args[0]
    assert total_of(by_ranks(args)) == tours * (4 if cut.is_folded else 1)
    assert total_of(by_ranks(args, 101)) % 101 == tours * (4 if cut.is_folded else 1) % 101


def test_counts_that_may_be_too_large_are_refused(monkeypatch):
    _, args = join_of(Problem.of((5, 6), closed=True), monkeypatch)
    monkeypatch.setattr(rank_join, "MOST_COUNT", 1.0)
    with pytest.raises(CountsTooLarge):
        total_of(by_ranks(args))


def test_ranks_pay_where_a_good_part_of_all_matchings_has_counts(monkeypatch):
    layer = join_of(Problem.of((5, 6), closed=True), monkeypatch)[1][2][0]
    filled = 8 * layer.size / bytes_by_rank(layer)
    for least, pays in ((filled * 0.99, True), (filled * 1.01, False)):
        monkeypatch.setattr(rank_join, "_LEAST_FILLED", least)
        assert ranks_pay(layer) == pays


@pytest.mark.parametrize("board", [(5, 6), pytest.param((6, 6), marks=pytest.mark.long)])
@pytest.mark.parametrize("modulo", [False, True])
def test_parts_are_joined_by_rank(board, modulo, tmp_path, monkeypatch):
    problem = Problem.of(board, closed=True)
    known = count_by_halves(problem, threads=1).tours
    monkeypatch.setattr(rank_join, "_LEAST_FILLED", 0.0)
    monkeypatch.setattr(part_work, "Join", None)
    if modulo:
        monkeypatch.setattr(layers, "MOST_COUNT", 5.0)
        monkeypatch.setattr(rank_join, "MOST_COUNT", 5.0)
    made = count_parts.count_in_parts(problem, tmp_path, parts=3, threads=1)
    assert made.tours == known and bool(made.moduli) == modulo


def test_parts_with_words_and_with_ranks_are_joined(tmp_path, monkeypatch):
    pays: list[bool] = []
    monkeypatch.setattr(part_work, "ranks_pay", lambda layer: pays.append(len(pays) == 1) or pays[-1])
    joins: list[str] = []
    for join in (Join, RankJoin):
        monkeypatch.setattr(part_work, join.__name__, lambda *a, j=join, **b: joins.append(j.__name__) or j(*a, **b))
    assert count_parts.count_in_parts(Problem.of((5, 6), closed=True), tmp_path, parts=3, threads=1).tours == 8
    # The first part is written by rank for the second one, and so is the third.
    assert pays == [False, True, False] and joins[0] == "Join" and set(joins[1:]) == {"RankJoin"}


def test_a_part_by_rank_leaves_no_words(tmp_path, monkeypatch):
    monkeypatch.setattr(rank_join, "_LEAST_FILLED", 0.0)
    with pytest.raises(KeyboardInterrupt), monkeypatch.context() as patch:
        patch.setattr(count_parts, "pairs_of_parts", lambda *args: interrupt())
        count_parts.count_in_parts(Problem.of((5, 6), closed=True), tmp_path, parts=2, threads=1)
    names = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert names == ["left-000.ranks", "left-001.ranks", "progress.json", "progress.json", "progress.json"]
    # They are not made again.
    monkeypatch.setattr(part_work, "_PartMarch", None)
    made = count_parts.count_in_parts(Problem.of((5, 6), closed=True), tmp_path, parts=2, threads=1, resume=True)
    assert made.tours == 8


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_wide_classes_are_joined_by_rank(monkeypatch):
    _, (cut, indices, (layer, _), finals, *_) = join_of(Problem.of((9, 6), closed=True), monkeypatch, 9)
    # Classes of many ends, whose matchings would take gigabytes, are left out of both.
    kept = layers.most_states(layer.classes) <= MATCHINGS[4]
    layer = Layer(*(part[kept] for part in layer[:3]), layer.states, layer.masses[kept])
    few = np.sort(np.random.default_rng(1).choice(finals, 20_000, replace=False))
    args = (cut, indices, (layer, layer), few)
    assert total_of(by_ranks(args)) == total_of(Join(*args)) > 0
