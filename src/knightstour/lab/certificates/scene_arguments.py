"""Drawings of the steps of an argument, one function for each rule of check_arguments.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.scene import Line, Mark
from knightstour.core.proofs.arguments import colour
from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_arguments import MAX_STEPS, RULES, need_and_offer
from knightstour.lab.certificates.loop_graph import Near, edges_of, pieces_without
from knightstour.lab.certificates.record import Unreadable
from knightstour.lab.certificates.scene_chain import draw_chain
from knightstour.lab.certificates.scene_words import ReducedProblem, SceneDraft, letter_of, number_of, sentence

Step = Mapping[str, object]
Moves = list[tuple[int, int]]

# Maximum number of moves in a drawing; more would be unreadable.
_MAX_LEFT = 600


def argument_drawings(stage: ReducedProblem, proof: Mapping[str, object]) -> list[tuple[str, SceneDraft]]:
    """Return the rule and the drawing of each step. Applies the steps to the stage's graph."""
    drawn = []
    for step in record.objects(proof, "steps", MAX_STEPS):
        rule = record.text(step, "rule")
        if rule not in RULES or rule not in DRAWN:
            raise Unreadable(f"unknown rule {rule[:40]!r}; it must be one of {', '.join(DRAWN)}")
        before = {square: set(others) for square, others in stage.near.items()}
        RULES[rule](stage.near, step)
        gone = [(a, b) for a, b in edges_of(before) if b not in stage.near[a]]
        drawn.append((rule, DRAWN[rule](stage, before, step, gone)))
    return drawn


# ---------------------------------------------------------------- pieces


def _removed_squares(step: Step) -> set[int]:
    return set(record.numbers(step.get("removed"), '"removed"'))


def _pieces(near: Near, removed: set[int]) -> list[list[int]]:
    return sorted(sorted(piece) for piece in pieces_without(near, removed))


def _inner_rows(stage: ReducedProblem, removed: set[int]) -> str:
    """Return "rows" or "columns" if the two inner ones of four are removed, else ""."""
    board = stage.board
    if isinstance(board, GraphBoard):
        return ""
    squares = [divmod(square, board.cols) for square in stage.on_board(stage.near)]
    for line, length, word in ((0, board.rows, "rows"), (1, board.cols, "columns")):
        inner = {row * board.cols + col for row, col in squares if (row, col)[line] in (1, 2)}
        if length == 4 and inner == removed:
            return word
    return ""


def _are_single(stage: ReducedProblem, pieces: list[list[int]]) -> bool:
    return len(pieces) > 1 and all(len(stage.on_board(piece)) <= 1 for piece in pieces)


def _piece_marks(stage: ReducedProblem, pieces: list[list[int]], of_singles: str = "") -> list[Mark]:
    """of_singles: noun for components of one square."""
    count = len(pieces)
    if _are_single(stage, pieces):
        singles = tuple(square for piece in pieces for square in piece)
        return [Mark("single", singles, of_singles or f"{number_of(count, 'piece')} of one square")]
    label = f"the pieces A to {letter_of(count - 1, count)}" if count > 1 else "one piece"
    return [Mark("piece", tuple(piece), label, letter_of(k, count), k) for k, piece in enumerate(pieces)]


def _moves_within(near: Near, pieces: list[list[int]]) -> list[Line]:
    """Return [] if there are too many moves to draw."""
    found = []
    for k, piece in enumerate(pieces):
        moves = tuple((a, b) for a in piece for b in sorted(near[a]) if a < b and b in set(piece))
        if moves:
            found.append(Line("left", moves, "moves within a piece", k))
    return found if sum(len(line.moves) for line in found) <= _MAX_LEFT else []


def _draw_removal(stage: ReducedProblem, near: Near, step: Step, _: Moves) -> SceneDraft:
    removed = _removed_squares(step)
    title, marks = "Too many pieces", [Mark("removed", tuple(sorted(removed)), f"{stage.count_text(removed)} removed")]
    if not stage.on_board(removed):
        # The outside squares are not needed if the board itself is disconnected.
        apart = _pieces(near, removed | set(stage.outside if removed else ()))
        if len(apart) > 1:
            title, marks = "No way across", []
    pieces = _pieces(near, removed) if marks else apart
    marks += _piece_marks(stage, pieces)
    return SceneDraft(title, stage.step_sentence(near, "removal", removed), marks, _moves_within(near, pieces))


def _draw_tight(stage: ReducedProblem, near: Near, step: Step, dropped: Moves) -> SceneDraft:
    removed = _removed_squares(step)
    pieces = _pieces(near, removed)
    word, is_single = _inner_rows(stage, removed), _are_single(stage, pieces)
    title, labels = "As many pieces as removed squares", (f"{stage.count_text(removed)} removed", "")
    if word and is_single:
        title = f"Inner and outer {word}"
        outer = len(stage.on_board(square for piece in pieces for square in piece))
        labels = f"the inner {word}, {stage.count_text(removed)}", f"the outer {word}, {number_of(outer, 'square')}"
    marks = [Mark("removed", tuple(sorted(removed)), labels[0]), *_piece_marks(stage, pieces, labels[1])]
    lines = [] if is_single else _moves_within(near, pieces)
    return SceneDraft(title, stage.step_sentence(near, "tight", removed), marks, lines + _lines_out(dropped))


def _lines_out(dropped: Moves) -> list[Line]:
    return [Line("out", tuple(dropped), "moves that no tour makes")] if dropped else []


# ---------------------------------------------------------------- weights


def _draw_weights(stage: ReducedProblem, near: Near, step: Step, _: Moves) -> SceneDraft:
    of, needed, offered = need_and_offer(near, step)
    argued = _colour_reason(stage, near, of)
    if argued is not None:
        return _draw_colours(stage, of, argued)
    says = (
        stage.step_sentence(near, "weights", weights=of)
        if _is_supply(of)
        else (f"{_WORTH}: {needed} in all; but no choice of moves is worth more than {offered}.")
    )
    marks, lines = _weight_marks(stage, of), _moves_in_need(stage, near, of)
    return SceneDraft("More needed than there is", says, marks, lines)


# General weights, which are not supply and demand; the package creates none, but other programs may.
_WORTH = "Each move is worth the numbers at its two ends, and a closed tour takes two moves at every square"


def _is_supply(of: dict[int, int]) -> bool:
    return set(of.values()) <= {-1, 0, 1}


def _colour_reason(stage: ReducedProblem, near: Near, of: dict[int, int]) -> str | None:
    """Return the argument by two colours, or None."""
    on_board = {square: weight for square, weight in of.items() if not stage.is_virtual(square)}
    whole = {square: {stage.beyond(square, other) for other in near[square]} for square in on_board}
    if any(abs(on_board[a]) != 1 or on_board.get(b, -on_board[a]) != -on_board[a] for a in whole for b in whole[a]):
        return None
    proof = colour(stage.question(whole)[0])
    return None if proof is None else proof[0]


def _draw_colours(stage: ReducedProblem, of: dict[int, int], reason: str) -> SceneDraft:
    """Draw the two colours, the more frequent first."""
    kinds = [stage.on_board(s for s in of if of[s] == sign) for sign in (1, -1)]
    kinds.sort(key=len, reverse=True)
    marks = [
        Mark("colour", tuple(kind), f"{number_of(len(kind), 'square')} of {word} colour", group=k)
        for k, (kind, word) in enumerate(zip(kinds, ("one", "the other"), strict=True))
    ]
    return SceneDraft("Two colours", sentence(reason), marks)


def _weight_marks(stage: ReducedProblem, of: dict[int, int]) -> list[Mark]:
    by_weight: dict[int, list[int]] = {}
    for square, weight in sorted(of.items()):
        by_weight.setdefault(weight, []).append(square)
    if not by_weight.keys() <= {-1, 0, 1}:
        return [
            Mark("weight", tuple(squares), "the number of each square", f"{weight:+d}", int(weight < 0))
            for weight, squares in sorted(by_weight.items(), reverse=True)
            if weight
        ]
    marks = []
    for weight, role, verb in ((1, "needs", "in need of moves"), (-1, "gives", "with moves to give")):
        squares = by_weight.get(weight, [])
        if squares:
            marks.append(Mark(role, tuple(squares), f"{stage.count_text(squares)} {verb}"))
    return marks


def _moves_in_need(stage: ReducedProblem, near: Near, of: dict[int, int]) -> list[Line]:
    """Return [] if there are too many moves to draw."""
    moves = tuple((a, b) for a, b in edges_of(near) if max(of[a], of[b]) == 1 and not stage.is_virtual(b))
    return [Line("left", moves, "moves of the squares in need", group=1)] if 0 < len(moves) <= _MAX_LEFT else []


def _draw_spent(stage: ReducedProblem, near: Near, step: Step, dropped: Moves) -> SceneDraft:
    of, _, offered = need_and_offer(near, step)
    says = (
        stage.step_sentence(near, "spent", weights=of)
        if _is_supply(of)
        else (f"{_WORTH}: {offered} in all, the most that any choice is worth. So the others are out.")
    )
    return SceneDraft("All moves are needed", says, _weight_marks(stage, of), _lines_out(dropped))


# ---------------------------------------------------------------- the others


def _draw_ends(stage: ReducedProblem, near: Near, step: Step, _: Moves) -> SceneDraft:
    at = record.number(step, "at")
    pairs = [record.numbers(pair, '"parts"') for pair in record.items(step, "parts", 3)]
    marks = [Mark("shared", (at,), "next to all three parts")]
    for k, (way, inside) in enumerate(pairs):
        part = next(piece for piece in pieces_without(near, {way, at}) if inside in piece)
        marks.append(Mark("piece", tuple(sorted(part)), "the parts A to C", letter_of(k, 3), k))
    ways = sorted({way for way, _ in pairs})
    marks.append(Mark("way", tuple(ways), "the ways out of the parts"))
    outside = "the outside" if at in stage.outside else stage.name(at)
    return SceneDraft(
        "Three dead ends",
        f"A tour leaves each part only to its way out, {' or '.join(map(stage.name, ways))}, and to {outside}. It "
        f"cannot use both moves of the way out for that. So each part needs a move to {outside}: three, but a closed "
        "tour takes two.",
        marks,
    )


def _draw_small(stage: ReducedProblem, near: Near, _: Step, __: Moves) -> SceneDraft:
    says = f"A closed tour has at least three squares; here are {stage.count_text(set(near))}."
    return SceneDraft("Too few squares", says)


def _draw_forced(stage: ReducedProblem, near: Near, step: Step, _: Moves) -> SceneDraft:
    return draw_chain(stage, near, record.items(step, "chain", 1_000_000))


DRAWN: dict[str, Callable[[ReducedProblem, Near, Step, Moves], SceneDraft]] = {
    "removal": _draw_removal,
    "tight": _draw_tight,
    "weights": _draw_weights,
    "spent": _draw_spent,
    "ends": _draw_ends,
    "forced": _draw_forced,
    "small": _draw_small,
}
