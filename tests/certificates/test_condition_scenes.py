"""The scenes of proofs under conditions: what is asked for is drawn, and what is said of it is so."""

from __future__ import annotations

import re
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given

import knightstour as kt
from helpers.examples import examples
from helpers.small_problems import adjacency_of, conditioned_problems
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.question import question_of

pytest.importorskip("pysat")


def moves_of(scene, role):
    return [frozenset(move) for line in scene.lines if line.role == role for move in line.moves]


def written(scene, role):
    """What is written on the squares of a role."""
    return {square: mark.text for mark in scene.marks if mark.role == role for square in mark.squares}


def scenes_of(board, **asked):
    return kt.solve(board, **asked).certificate.scenes


@examples(200)
@given(conditioned_problems())
def test_every_scene_shows_the_conditions_and_nothing_that_is_not_there(problem):
    result = kt.solve(problem, rng=1)
    if result.status is not kt.Status.IMPOSSIBLE:
        return
    size = problem.board.rows * problem.board.cols
    for scene in result.certificate.scenes:
        assert moves_of(scene, "required") == [frozenset(move) for move in sorted(problem.through)]
        assert moves_of(scene, "forbidden") == [frozenset(move) for move in sorted(problem.avoid)]
        shown = {square for mark in scene.marks for square in mark.squares}
        shown |= {square for line in scene.lines for move in line.moves for square in move}
        assert all(square < size + scene.outside for square in shown) and scene.outside <= 2
        for role in ("forced", "clash"):
            made = moves_of(scene, role)
            assert len(made) == len(set(made)) and not set(made) & {frozenset(move) for move in problem.avoid}
        assert scene.sentence.endswith(".") and "None" not in "".join([scene.sentence, *scene.beats])
        kt.draw_svg(scene)
        kt.drawing.draw_text(scene, width=60)


@examples(200)
@given(conditioned_problems())
def test_given_numbers_are_written_and_two_that_are_apart_are_apart(problem):
    result = kt.solve(problem, rng=1)
    if result.status is not kt.Status.IMPOSSIBLE or result.certificate.record["proof"]["kind"] != "numbering":
        return
    scenes = result.certificate.scenes
    single = {square: min(steps) for square, steps in problem.given if len(steps) == 1}
    assert scenes[0].rule == "given"
    for scene in scenes:
        texts = written(scene, "given")
        assert texts.keys() == {square for square, _ in problem.given}
        assert all(texts[square] == str(step) for square, step in single.items())
    if scenes[-1].rule == "apart":
        (a, b) = next(mark.squares for mark in scenes[-1].marks if mark.role == "clash")
        first, second = map(int, re.findall(r"(\d+) on", scenes[-1].sentence))
        board = problem.board
        near = adjacency_of(board)
        graph = nx.Graph((one, other) for one in near for other in near[one])
        graph.add_nodes_from(near)
        graph.remove_edges_from([divmod(s, board.cols) for s in move] for move in problem.avoid)
        reached = {divmod(a, board.cols)}
        for _ in range(second - first):
            reached = {other for square in reached for other in graph[square]}
        assert divmod(b, board.cols) not in reached


def test_a_required_move_has_two_halves_in_the_graph_and_one_line_on_the_board():
    (scene,) = scenes_of((5, 6), closed=True, through=["c3-d5", "c3-e4"])
    assert "The move d5-c3 is required." in scene.beats
    forced = moves_of(scene, "forced")
    assert set(moves_of(scene, "required")) <= set(forced) and len(forced) == len(set(forced))
    assert scene.beats[-1].endswith("But that closes a loop of 8 squares, which is not all.")
    board = scene.board
    ring = nx.Graph([tuple(move) for move in [*forced, *moves_of(scene, "clash")]])
    loop = next(mark.squares for mark in scene.marks if mark.role == "clash")
    assert len(loop) == 8 and all(degree == 2 for square, degree in ring.degree if square in loop)
    assert max(loop) < board.rows * board.cols


def test_a_required_move_that_cannot_be_made_is_marked():
    scene = scenes_of((3, 10), closed=True, through=["c1-e2"], avoid=["b3-d2"])[0]
    assert scene.beats[-1] == "The move e2-c1 is required, and cannot be made any more: there is no tour."
    (mark,) = [mark for mark in scene.marks if mark.role == "clash"]
    assert sorted(map(scene.name, mark.squares)) == ["c1", "e2"]


@pytest.mark.parametrize(
    ("numbers", "title", "words"),
    [
        ({"a1": 1, "b1": 2}, "Too far apart", "there is 1 move in the tour, but 3 moves on the board"),
        ({"a1": 1, "f6": 4}, "Wrong colours", "but the two squares have one colour"),
        ({"a1": 1, "b3": 3}, "Wrong colours", "but the two squares have different colours"),
    ],
)
def test_numbers_that_the_knight_cannot_join_are_a_scene(numbers, title, words):
    last = scenes_of((6, 6), given=numbers)[-1]
    assert last.title == title and words in last.sentence
    assert written(last, "given") == {
        row * 6 + col: str(step) for name, step in numbers.items() for row, col in [kt.Board(6, 6).square(name)]
    }


def test_the_squares_that_a_symmetry_lays_on_each_other_have_one_letter():
    (scene,) = scenes_of((8, 8), closed=True, symmetry="90")
    (image,) = images_of(question_of(kt.solve((8, 8), closed=True, symmetry="90").certificate.record))
    orbits = [mark.squares for mark in scene.marks if mark.role == "orbit"]
    assert len(orbits) == 4 and all(len(orbit) == 4 for orbit in orbits)
    assert all(image[a] == b for orbit in orbits for a, b in pairwise([*orbit, orbit[0]]))
    assert "a quarter turn would lead 16 steps" in scene.sentence
    (odd,) = scenes_of((7, 7), symmetry="vertical")
    (kept,) = [mark.squares for mark in odd.marks if mark.role == "kept"]
    assert {square % 7 for square in kept} == {3} and len(kept) == 7
