"""Tests of the scenes of a proof: their marks match the certificate, by independent code."""

import json
from itertools import combinations, pairwise

import networkx as nx
import pytest
from hypothesis import given

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.small_problems import conditioned_problems, problems
from helpers.stranger import Question
from knightstour.core.drawing.svg.scene import SHAPES, STROKES
from knightstour.core.drawing.text import text_of
from knightstour.core.model.board import Board
from knightstour.core.model.problem import end_index, start_index
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.check_arguments import RULES
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.scene_arguments import DRAWN

QUESTIONS = {
    "3x8 closed": ((3, 8), {"closed": True}),
    "4x8 closed": ((4, 8), {"closed": True}),
    "7x4 closed": ((7, 4), {"closed": True}),
    "4x7 from a1 to b3": ((4, 7), {"start": "a1", "end": "b3"}),
    "4x7 from b2": ((4, 7), {"start": "b2"}),
    "3x3": ((3, 3), {}),
    "4x4": ((4, 4), {}),
    "3x5": ((3, 5), {}),
    "3x6": ((3, 6), {}),
    "5x5 closed": ((5, 5), {"closed": True}),
    "5x5 from b1": ((5, 5), {"start": "b1"}),
    "3x13 from c3 to k3": ((3, 13), {"start": "c3", "end": "k3"}),
    "8x8 without two corners": (Board(8, 8, holes=["a1", "h8"]), {"closed": True}),
    "6x6 with two holes": (Board(6, 6, holes=["c3", "f6"]), {}),
    "6x10 for (1,4)": (Board(6, 10, leaper=(1, 4)), {"closed": True}),
    "10x6 for (1,4)": (Board(10, 6, leaper=(1, 4)), {}),
    "8x8 for (1,3)": (Board(8, 8, leaper=(1, 3)), {"closed": True}),
    "4x16 cylinder from a2": (Board(4, 16, wrap="cylinder"), {"start": (2, 0)}),
    "4x8 cylinder": (Board(4, 8, wrap="cylinder"), {"closed": True}),
    "a grid with two forced corners": (Board(6, 6, leaper=(0, 1)), {"start": "a1", "end": "f6"}),
    "Petersen's graph": (Board.from_graph(nx.petersen_graph()), {"closed": True}),
    "3x4 Moebius strip": (Board(3, 4, wrap="mobius"), {"closed": True}),
}


def moves_of(problem):
    """Return the squares and moves of the loop graph, as sets of square numbers."""
    near = Question(json.loads(json.dumps(question_record(problem)))).loop_graph()
    return set(near), {frozenset((a, b)) for a in near for b in near[a]}


def marked(scene, *roles):
    return [set(mark.squares) for mark in scene.marks if mark.role in roles]


def drawn(scene, role):
    return {frozenset(move) for line in scene.lines if line.role == role for move in line.moves}


def union(sets):
    return set().union(*sets)


def check_pieces(scene, squares, moves):
    """Check that the pieces are the components without the removed squares."""
    removed, pieces = union(marked(scene, "removed")), marked(scene, "piece")
    pieces += [{square} for square in union(marked(scene, "single"))]
    size = scene.squares
    beyond = {square for square in squares if square >= size}
    if not removed:
        # Squares outside the board may be left out of the picture.
        moves = {move for move in moves if not move & (beyond - union(pieces))}
        beyond -= union(pieces)
    else:
        beyond = set()
    if scene.rule == "tight" and union(marked(scene, "single")):
        # A square of the board may be drawn as one piece with the outside.
        moves = {move for move in moves if max(move) < size}
        pieces = [{square for square in piece if square < size} for piece in pieces]
        pieces = [piece for piece in pieces if piece]
    else:
        assert union([removed, *pieces]) == squares - beyond
    for one, other in combinations([removed, *pieces], 2):
        assert not one & other
    for one, other in combinations(pieces, 2):
        assert not any(move & one and move & other for move in moves)
    assert drawn(scene, "left") <= {move for move in moves if any(move <= piece for piece in pieces)}
    if scene.rule == "removal":
        assert len(pieces) > max(1, len(removed))
    else:
        assert drawn(scene, "out") == {move for move in moves if move <= removed}
        assert len(pieces) in (len(removed), len(removed) - 1)
    return drawn(scene, "out")


def check_supply(scene, moves):
    poor, rich = (union(marked(scene, role)) for role in ("needs", "gives"))
    assert not poor & rich
    offered = sum(max(0, len(move & poor) - len(move & rich)) for move in moves)
    needed = 2 * len(poor) - 2 * len(rich)
    assert needed > offered if scene.rule == "weights" else needed == offered
    out = {move for move in moves if len(move & poor) < len(move & rich)} if scene.rule == "spent" else set()
    assert drawn(scene, "out") == out
    return out


def check_colours(scene, problem, squares, moves):
    one, other = marked(scene, "colour")
    size = scene.squares
    assert not one & other and one | other == {square for square in squares if square < size}
    assert all(len(move & one) == 1 for move in moves if max(move) < size)
    ends = {s for s in (start_index(problem), end_index(problem)) if s is not None}
    more, less = len(one), len(other)
    if problem.closed:
        assert more > less
    else:
        assert (
            more > less + 1 or (more > less and ends & other) or (more == less and ends in (ends & one, ends & other))
        )
    assert (str(more) in scene.sentence and str(less) in scene.sentence) or more == less


def check_chain(scene, squares, moves):
    """Check that earlier moves force each move, and exclude each dropped move."""
    left = {square: {next(iter(move - {square})) for move in moves if square in move} for square in squares}
    taken = {square: set() for square in squares}
    is_over = False
    for beat in range(1, len(scene.beats) + 1):
        assert not is_over
        fresh = [line for line in scene.lines if line.beat == beat]
        marks = [mark for mark in scene.marks if mark.beat == beat]
        (role,) = {line.role for line in fresh} or {"starved"}
        new = {frozenset(move) for line in fresh for move in line.moves}
        assert new <= moves
        if role in ("forced", "clash"):
            (square,) = set.intersection(*(set(move) for move in new)) if len(new) == 2 else forced_square(new, left)
            assert len(left[square]) == 2
            assert {next(iter(move - {square})) for move in new} == left[square] - taken[square]
            for a, b in map(tuple, new):
                taken[a].add(b)
                taken[b].add(a)
            is_over = any(len(taken[s]) > 2 for s in taken) or bool(loops(taken, len(squares)))
            assert is_over == (role == "clash")
            if is_over:
                shown = marked(scene, "clash")[0]
                assert shown in [{s for s in taken if len(taken[s]) > 2}, *loops(taken, len(squares))]
        elif role == "out":
            for a, b in map(tuple, new):
                is_full = len(taken[a]) == 2 or len(taken[b]) == 2
                assert b in left[a] and b not in taken[a]
                assert is_full or closes(taken, a, b, len(squares))
                left[a].discard(b)
                left[b].discard(a)
        else:
            (starved,) = marks
            (square,) = starved.squares
            assert len(left[square]) < 2 and starved.text == str(len(left[square]))
            is_over = True
    return drawn(scene, "out")


def forced_square(new, left):
    """Return the square of a single new move that has two moves left."""
    return {square for move in new for square in move if len(left[square]) == 2 and len(move) == 2} or set()


def part_of(taken, first):
    part, queue = {first}, [first]
    for square in queue:
        queue += taken[square] - part
        part |= taken[square]
    return part


def loops(taken, count):
    parts = [part_of(taken, square) for square in taken if len(taken[square]) == 2]
    return [part for part in parts if len(part) < count and all(len(taken[s]) == 2 for s in part)]


def closes(taken, a, b, count):
    part = part_of(taken, a)
    return b in part and len(part) < count


def check_scenes(problem, scenes):
    squares, moves = moves_of(problem)
    for scene in scenes:
        assert scene.title and scene.sentence.endswith(".") and "None" not in scene.sentence
        assert {mark.role for mark in scene.marks} <= SHAPES.keys()
        assert {line.role for line in scene.lines} <= STROKES.keys()
        beats = range(len(scene.beats) + 1)
        assert all(part.beat in beats for part in (*scene.marks, *scene.lines))
        shown = union([set(mark.squares) for mark in scene.marks])
        assert shown <= squares and all(square < scene.squares + scene.outside for square in shown)
        if scene.rule in ("removal", "tight"):
            moves -= check_pieces(scene, squares, moves)
        elif scene.rule in ("weights", "spent") and marked(scene, "colour"):
            check_colours(scene, problem, squares, moves)
        elif scene.rule in ("weights", "spent"):
            assert not marked(scene, "weight")
            moves -= check_supply(scene, moves)
        elif scene.rule == "forced":
            moves -= check_chain(scene, squares, moves)
        elif scene.rule == "cut":
            (inside,) = marked(scene, "inside")
            assert drawn(scene, "leaving") == {move for move in moves if len(move & inside) == 1}
        else:
            assert scene.rule in ("ends", "small", "search", "layers")


@pytest.mark.parametrize("name", QUESTIONS)
def test_scene_marks_match_the_certificate(name):
    board, asked = QUESTIONS[name]
    result = kt.solve(board, timeout=20, **asked)
    certificate = result.certificate()
    scenes = certificate.scenes
    steps = certificate.record["proof"].get("steps")
    assert steps is None or [scene.rule for scene in scenes] == [step["rule"] for step in steps]
    assert any(scene.marks or scene.lines for scene in scenes)
    check_scenes(result.problem, scenes)
    json.dumps([scene.to_dict() for scene in scenes])


@examples(200)
@given(problems())
def test_small_answers_match_the_reference(problem):
    result = kt.solve(problem, seed=1)
    if result.status is kt.Status.IMPOSSIBLE:
        check_scenes(problem, result.certificate().scenes)


def test_each_rule_of_the_checker_has_a_drawing():
    assert DRAWN.keys() == RULES.keys()


def test_a_chain_is_shown_beat_by_beat():
    scene = kt.solve((3, 8), closed=True).certificate().scenes[0]
    frames = scene.frames
    assert len(frames) == len(scene.beats) + 1 == 11
    assert [len(frame.lines) for frame in frames] == list(range(11))
    assert [frame.sentence for frame in frames[1:]] == list(scene.beats)
    assert frames[1].sentence == "a3 takes its only moves left, to c2 and b1."
    other = kt.solve((4, 8), closed=True).certificate().scenes[0]
    assert other.frames == (other,)


def test_three_dead_ends_share_the_outside():
    # Three paths of two squares hang on a triangle: each would hold an end.
    graph = Board.from_graph(both_ways([[1, 2, 3], [2, 4], [5], [], [], []]))
    certificate = kt.solve(graph).certificate()
    assert [scene.rule for scene in certificate.scenes] == [certificate.record["proof"]["steps"][0]["rule"]]


def test_a_tour_has_no_scenes():
    with pytest.raises(kt.FormatError, match="has no scenes"):
        _ = kt.solve((5, 6), closed=True).certificate().scenes
    with pytest.raises(kt.FormatError, match="has no scenes"):
        _ = kt.certificates.certify_count((3, 4)).scenes


def test_a_wrong_certificate_is_not_drawn():
    record = dict(kt.solve((4, 8), closed=True).certificate().record)
    record["proof"] = {"kind": "argument", "steps": [{"rule": "tight", "removed": [0, 1]}]}
    with pytest.raises(kt.FormatError, match="not a valid proof"):
        _ = kt.certificates.Certificate(record).scenes


def test_theorem_without_finite_proof_states_its_reason():
    result = kt.solve((1001, 1001), closed=True)
    (scene,) = result.certificate().scenes
    assert scene.rule == "theorem" and "1002001 is odd" in scene.sentence and not scene.marks


# ---------------------------------------------------------------- under conditions


pytest.importorskip("pysat")


def moves_in(scene, role):
    return [frozenset(move) for line in scene.lines if line.role == role for move in line.moves]


def written(scene, role):
    """Return the texts on the squares of a role."""
    return {square: mark.text for mark in scene.marks if mark.role == role for square in mark.squares}


def scenes_of(board, **asked):
    return kt.solve(board, **asked).certificate().scenes


@pytest.mark.long
@examples(200)
@given(conditioned_problems())
def test_every_scene_shows_its_conditions_and_nothing_false(problem):
    result = kt.solve(problem, seed=1)
    if result.status is not kt.Status.IMPOSSIBLE:
        return
    size = problem.board.rows * problem.board.cols
    for scene in result.certificate().scenes:
        assert moves_in(scene, "required") == [frozenset(move) for move in sorted(problem.require)]
        assert moves_in(scene, "forbidden") == [frozenset(move) for move in sorted(problem.forbid)]
        shown = {square for mark in scene.marks for square in mark.squares}
        shown |= {square for line in scene.lines for move in line.moves for square in move}
        assert all(square < size + scene.outside for square in shown) and scene.outside <= 2
        for role in ("forced", "clash"):
            made = moves_in(scene, role)
            assert len(made) == len(set(made)) and not set(made) & {frozenset(move) for move in problem.forbid}
        assert scene.sentence.endswith(".") and "None" not in "".join([scene.sentence, *scene.beats])
        str(kt.draw(scene))
        text_of(scene, width=60)


@examples(200)
@given(conditioned_problems())
def test_given_numbers_are_written_and_explain_refusals(problem):
    result = kt.solve(problem, seed=1)
    if (
        result.status is not kt.Status.IMPOSSIBLE
        or result.certificate().record["proof"]["kind"] != "theorem"
        or not problem.given
    ):
        return
    (scene,) = result.certificate().scenes
    single = {square: min(steps) for square, steps in problem.given if len(steps) == 1}
    assert scene.rule == "given" and result.reason in scene.sentence
    texts = written(scene, "given")
    assert texts.keys() == {square for square, _ in problem.given}
    assert all(texts[square] == str(step) for square, step in single.items())


def test_required_move_has_two_halves_in_the_graph():
    (scene,) = scenes_of((5, 6), closed=True, require=["c3-d5", "c3-e4"])
    assert "the move d5-c3 takes its only moves left, to d5 and c3." in scene.beats
    forced = moves_in(scene, "forced")
    assert set(moves_in(scene, "required")) <= set(forced) and len(forced) == len(set(forced))
    assert scene.beats[-1].endswith("to a3 and d2, but that closes a loop that lacks squares.")
    board = scene.board
    ring = nx.Graph([tuple(move) for move in [*forced, *moves_in(scene, "clash")]])
    loop = next(mark.squares for mark in scene.marks if mark.role == "clash")
    assert len(loop) == 8 and all(degree == 2 for square, degree in ring.degree if square in loop)
    assert max(loop) < board.rows * board.cols


def test_scene_marks_impossible_required_moves():
    scene = scenes_of((3, 10), closed=True, require=["c1-e2"], forbid=["b3-d2"])[0]
    assert scene.beats[-1] == "the move e2-c1 is left with a single move, to e2."
    (mark,) = [mark for mark in scene.marks if mark.role == "clash"]
    assert sorted(map(scene.name, mark.squares)) == ["c1", "e2"]


@pytest.mark.parametrize("numbers", [{"a1": 1, "b1": 2}, {"a1": 1, "f6": 4}, {"a1": 1, "b3": 3}])
def test_scene_shows_why_given_numbers_cannot_join(numbers):
    result = kt.solve((6, 6), given=numbers)
    scene = result.certificate().scenes[0]
    assert f"; but {result.reason}." in scene.sentence
    assert written(scene, "given") == {
        row * 6 + col: str(step) for name, step in numbers.items() for row, col in [kt.Board(6, 6).square(name)]
    }


def test_squares_joined_by_a_symmetry_share_a_letter():
    (scene,) = scenes_of((8, 8), closed=True, symmetry="90")
    (image,) = images_of(question_of(kt.solve((8, 8), closed=True, symmetry="90").certificate().record))
    orbits = [mark.squares for mark in scene.marks if mark.role == "orbit"]
    assert len(orbits) == 4 and all(len(orbit) == 4 for orbit in orbits)
    assert all(image[a] == b for orbit in orbits for a, b in pairwise([*orbit, orbit[0]]))
    assert "a quarter turn would lead 16 steps" in scene.sentence
    (odd,) = scenes_of((7, 7), symmetry="vertical")
    (kept,) = [mark.squares for mark in odd.marks if mark.role == "kept"]
    assert {square % 7 for square in kept} == {3} and len(kept) == 7
