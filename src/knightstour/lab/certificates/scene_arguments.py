"""The steps of an argument as drawings, one function for each rule of check_arguments.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knightstour.core.model.scene import Line, Mark
from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_arguments import MAX_STEPS, RULES, need_and_offer
from knightstour.lab.certificates.loop_graph import Near, edges_of, pieces_without
from knightstour.lab.certificates.record import Unreadable
from knightstour.lab.certificates.scene_chain import forced
from knightstour.lab.certificates.scene_words import SceneDraft, Stage, letter_of, lettered, number_of

Step = Mapping[str, object]
Moves = list[tuple[int, int]]

# On larger boards, and where more moves are left, these are not drawn: nothing could be seen.
_MAX_LEFT = 600


def argument_drawings(stage: Stage, proof: Mapping[str, object]) -> list[tuple[str, SceneDraft]]:
    """The rule and the drawing of each step. The stage's graph is changed as the checker changes it."""
    drawn = []
    for step in record.objects(proof, "steps", MAX_STEPS):
        rule = record.text(step, "rule")
        if rule not in RULES or rule not in DRAWN:
            raise Unreadable(f"there is no rule {rule[:40]!r}; it is one of {', '.join(DRAWN)}")
        before = {square: set(others) for square, others in stage.near.items()}
        RULES[rule](stage.near, step)
        gone = [(a, b) for a, b in edges_of(before) if b not in stage.near[a]]
        drawn.append((rule, DRAWN[rule](stage, before, step, gone)))
        stage.is_narrowed |= bool(gone)
    return drawn


# ---------------------------------------------------------------- pieces


def _removed(step: Step) -> set[int]:
    return set(record.numbers(step.get("removed"), '"removed"'))


def _pieces(near: Near, removed: set[int]) -> list[list[int]]:
    return sorted(sorted(piece) for piece in pieces_without(near, removed))


def _inner_rows(stage: Stage, removed: set[int]) -> str:
    """ "rows" or "columns", where the removed squares are the two inner ones of four; else empty."""
    board = stage.board
    if board.graph is not None:
        return ""
    squares = [divmod(square, board.cols) for square in stage.on_board(stage.near)]
    for line, length, word in ((0, board.rows, "rows"), (1, board.cols, "columns")):
        inner = {row * board.cols + col for row, col in squares if (row, col)[line] in (1, 2)}
        if length == 4 and inner == removed:
            return word
    return ""


def _are_single(stage: Stage, pieces: list[list[int]]) -> bool:
    """Whether each piece has one square of the board, besides squares outside."""
    return len(pieces) > 1 and all(len(stage.on_board(piece)) <= 1 for piece in pieces)


def _piece_marks(stage: Stage, pieces: list[list[int]]) -> list[Mark]:
    count = len(pieces)
    if _are_single(stage, pieces):
        singles = tuple(square for piece in pieces for square in piece)
        return [Mark("single", singles, f"{number_of(count, 'piece')} of one square")]
    label = f"the pieces {lettered(count)}" if count > 1 else "one piece"
    return [Mark("piece", tuple(piece), label, letter_of(k, count), k) for k, piece in enumerate(pieces)]


def _moves_within(near: Near, pieces: list[list[int]]) -> list[Line]:
    """The moves that hold the pieces together, if they can be seen."""
    found = []
    for k, piece in enumerate(pieces):
        moves = tuple((a, b) for a in piece for b in sorted(near[a]) if a < b and b in set(piece))
        if moves:
            found.append(Line("left", moves, "moves within a piece", k))
    return found if sum(len(line.moves) for line in found) <= _MAX_LEFT else []


def _removal(stage: Stage, near: Near, step: Step, _: Moves) -> SceneDraft:
    removed = _removed(step)
    besides = " by the moves that are left" if stage.is_narrowed else ""
    if not stage.on_board(removed):
        # Nobody needs to know a square outside to see that the board falls apart.
        pieces = _pieces(near, removed | set(stage.outside if removed else ()))
        count, left = len(pieces), "that is left " if stage.is_narrowed else ""
        if count > 1:
            says = (
                f"The board falls into {number_of(count, 'piece')}, and no move {left}leads from one to another: "
                "no tour visits them all."
            )
            return SceneDraft("No way across", says, _piece_marks(stage, pieces), _moves_within(near, pieces))
    pieces = _pieces(near, removed)
    count, most = len(pieces), len(removed)
    says = (
        f"Without {stage.names(removed)} the board falls into {number_of(count, 'piece')}{besides}. "
        f"A closed tour without {_these(most)} falls into {most} at most, and each lies in one piece."
    )
    marks = [Mark("removed", tuple(sorted(removed)), f"{stage.counted(removed)} removed"), *_piece_marks(stage, pieces)]
    return SceneDraft("Too many pieces", says, marks, _moves_within(near, pieces))


def _these(count: int) -> str:
    return "this square" if count == 1 else f"these {count}"


def _tight(stage: Stage, near: Near, step: Step, gone: Moves) -> SceneDraft:
    removed = _removed(step)
    pieces = _pieces(near, removed)
    word, count = _inner_rows(stage, removed), len(removed)
    if word and _are_single(stage, pieces):
        return _inner_and_outer(stage, word, removed, pieces, gone)
    drawing = SceneDraft("As many pieces as removed squares", marks=_piece_marks(stage, pieces))
    if _are_single(stage, pieces):
        says = (
            f"No move joins two of the squares that remain without {stage.names(removed)}, and both kinds are {count}. "
            "So a tour alternates between them"
        )
    else:
        says = (
            f"Without {stage.names(removed)} the board falls into {number_of(count, 'piece')}, the most that a closed "
            f"tour without {_these(count)} falls into. So between any two of them it visits one piece"
        )
        drawing.lines = _moves_within(near, pieces)
    drawing.marks.insert(0, Mark("removed", tuple(sorted(removed)), f"{stage.counted(removed)} removed"))
    drawing.sentence = f"{says}, and makes no move from one removed square to another: {_are(len(gone))} out."
    drawing.lines += _out(gone)
    return drawing


def _inner_and_outer(stage: Stage, word: str, removed: set[int], pieces: list[list[int]], gone: Moves) -> SceneDraft:
    """The argument of the boards with four rows. word: rows or columns."""
    outer = [square for piece in pieces for square in piece]
    with_outside = [piece for piece in pieces if set(piece) & set(stage.outside)]
    how = ""
    if with_outside:
        on_board = stage.on_board(with_outside[0])
        how = f", {stage.name(on_board[0])} and the outside taken as one" if on_board else ", the outside among them"
    says = (
        f"No move joins two squares of the outer {word}, and they are as many as those of the inner {word}: "
        f"{len(removed)}{how}. So a tour alternates between outer and inner squares, and makes no move from an inner "
        f"square to an inner one: {_are(len(gone))} out."
    )
    marks = [
        Mark("removed", tuple(sorted(removed)), f"the inner {word}, {stage.counted(removed)}"),
        Mark("single", tuple(outer), f"the outer {word}, {number_of(len(stage.on_board(outer)), 'square')}"),
    ]
    return SceneDraft(f"Inner and outer {word}", says, marks, _out(gone))


def _are(count: int) -> str:
    return f"{number_of(count, 'move')} {'are' if count != 1 else 'is'}"


def _out(gone: Moves) -> list[Line]:
    return [Line("out", tuple(gone), "moves that no tour makes")] if gone else []


# ---------------------------------------------------------------- weights


def _weights(stage: Stage, near: Near, step: Step, _: Moves) -> SceneDraft:
    of, needed, offered = need_and_offer(near, step)
    if _is_colouring(stage, near, of):
        return _colours(stage, of)
    drawing = SceneDraft(
        "More needed than there is", marks=_weight_marks(stage, of), lines=_moves_in_need(stage, near, of)
    )
    if set(of.values()) <= {-1, 0, 1}:
        need, give = _supply(of)
        drawing.sentence = f"{_needs(stage, of, need)}; but {_gives(stage, of, give, offered)}."
    else:
        drawing.sentence = (
            f"Each move is worth the numbers at its two ends. A closed tour takes two moves at every square, worth "
            f"{needed} in all; but no choice of moves is worth more than {offered}."
        )
    return drawing


def _is_colouring(stage: Stage, near: Near, of: dict[int, int]) -> bool:
    """Whether the weights are two colours that every move changes, the required ones too."""
    on_board = {square: weight for square, weight in of.items() if not stage.is_virtual(square)}
    if not on_board or any(abs(weight) != 1 for weight in on_board.values()):
        return False
    is_even = sum(weight for weight in on_board.values()) == 0
    if stage.middles and (is_even or not stage.is_closed):
        return False  # the colours alone are no reason
    return all(
        on_board.get(stage.beyond(square, other), -weight) == -weight
        for square, weight in on_board.items()
        for other in near[square]
    )


def _colours(stage: Stage, of: dict[int, int]) -> SceneDraft:
    """The two colours, that of more squares first."""
    kinds = [stage.on_board(s for s in of if of[s] == sign) for sign in (1, -1)]
    kinds.sort(key=len, reverse=True)
    more, less = map(len, kinds)
    tour = "a closed tour" if stage.is_closed else "a tour"
    begin = f"Every move changes the colour, so {tour} alternates between both"
    if stage.is_closed:
        says = f"{begin} and has equally many squares of each; but the board has {more} of one and {less} of the other."
    elif more - less > 1:
        says = f"{begin}, and their numbers differ by at most one; but they are {more} and {less}."
    else:
        wrong = [end for end in stage.ends if end in kinds[1]] if more > less else list(stage.ends)
        if more > less:
            says = (
                f"{begin}: of {more} and {less} squares it starts and ends on the colour of {more}; "
                f"but {' and '.join(map(stage.name, wrong))} {'have' if len(wrong) > 1 else 'has'} the other."
            )
        else:
            both = " and ".join(map(stage.name, wrong))
            says = f"{begin} and ends on the other colour than it starts on; but {both} have one colour."
    marks = [
        Mark("colour", tuple(kind), f"{number_of(len(kind), 'square')} of {word} colour", group=k)
        for k, (kind, word) in enumerate(zip(kinds, ("one", "the other"), strict=True))
    ]
    return SceneDraft("Two colours", says, marks)


def _weight_marks(stage: Stage, of: dict[int, int]) -> list[Mark]:
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
            marks.append(Mark(role, tuple(squares), f"{stage.counted(squares)} {verb}"))
    return marks


def _moves_in_need(stage: Stage, near: Near, of: dict[int, int]) -> list[Line]:
    """The moves that the squares in need have on the board, if they can be seen."""
    moves = tuple((a, b) for a, b in edges_of(near) if max(of[a], of[b]) == 1 and not stage.is_virtual(b))
    return [Line("left", moves, "moves of the squares in need", group=1)] if 0 < len(moves) <= _MAX_LEFT else []


def _supply(of: dict[int, int]) -> tuple[int, int]:
    """The moves that the squares in need must have, and those that the giving ones can take."""
    need, give = (2 * sum(weight == sign for weight in of.values()) for sign in (1, -1))
    return need, give


def _needs(stage: Stage, of: dict[int, int], need: int) -> str:
    poor = [square for square, weight in of.items() if weight == 1]
    return f"A closed tour has two moves at every square, so {need} at the {stage.counted(poor)} in need"


def _gives(stage: Stage, of: dict[int, int], give: int, others: int) -> str:
    rich = [square for square, weight in of.items() if weight == -1]
    words = [f"the {stage.counted(rich)} beside them can take {give}"] if rich else []
    words += [f"the moves elsewhere give {others}"] if others else []
    return " and ".join(words) or "they have no moves"


def _spent(stage: Stage, near: Near, step: Step, gone: Moves) -> SceneDraft:
    of, _, offered = need_and_offer(near, step)
    drawing = SceneDraft("All moves are needed", marks=_weight_marks(stage, of), lines=_out(gone))
    if set(of.values()) <= {-1, 0, 1}:
        need, give = _supply(of)
        says = f"{_needs(stage, of, need)}; {_gives(stage, of, give, offered)}, just as many"
    else:
        says = "A closed tour is worth as much as the moves can be worth at most, by the numbers at their ends"
    drawing.sentence = f"{says}. So a tour needs them all, and {_are(len(gone))} out."
    return drawing


# ---------------------------------------------------------------- the others


def _ends(stage: Stage, near: Near, step: Step, _: Moves) -> SceneDraft:
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
        f"A tour leaves each part only to its way out, {stage.names(ways, 'or')}, and to {outside}. It cannot use both "
        f"moves of the way out for that. So each part needs a move to {outside}: three, but a closed tour takes two.",
        marks,
    )


def _small(stage: Stage, near: Near, _: Step, __: Moves) -> SceneDraft:
    says = f"A closed tour has at least three squares; here are {stage.counted(set(near))}."
    return SceneDraft("Too few squares", says)


def _forced(stage: Stage, near: Near, step: Step, _: Moves) -> SceneDraft:
    return forced(stage, near, record.items(step, "chain", 1_000_000))


DRAWN: dict[str, Callable[[Stage, Near, Step, Moves], SceneDraft]] = {
    "removal": _removal,
    "tight": _tight,
    "weights": _weights,
    "spent": _spent,
    "ends": _ends,
    "forced": _forced,
    "small": _small,
}
