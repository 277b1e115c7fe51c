"""The claim of a certificate as a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.bounds import value_of
from knightstour.lab.certificates.question import Question

_HOW_MANY = {"found": "there is {article} {kind} tour of the", "impossible": "there is no {kind} tour of the"}
# Maximum number of moves, and of squares in order, in a sentence.
_MAX_NAMED = 3
_MAX_IN_ORDER = 12


def claim_of(question: Question, certificate: Mapping[str, object]) -> str:
    """Return the claim as a sentence.

    >>> from knightstour.lab.certificates.question import question_of
    >>> record = {"board": {"rows": 3, "cols": 4}, "closed": True, "answer": "impossible", "forbid": [[0, 6]]}
    >>> claim_of(question_of(record), record)
    'there is no closed tour of the 3x4 board without a3-c2'
    """
    kind, article = ("closed", "a") if question.closed else ("open", "an")
    if certificate["answer"] == "count":
        directed = "directed" if record.flag(certificate, "directed") else "undirected"
        words = [f"there are {record.text(certificate, 'count')[:1000]} {kind} {directed} tours of the"]
    elif certificate["answer"] == "best":
        what, most = certificate.get("statistic"), "most" if record.flag(certificate, "most") else "fewest"
        by = f"by {what[:60]}" if isinstance(what, str) else "of the chosen moves"
        words = [f"{value_of(certificate)} {by} are the {most} that {article} {kind} tour has of the"]
    else:
        words = [_HOW_MANY[record.text(certificate, "answer")].format(kind=kind, article=article)]
    if question.leaves:
        words[-1] = words[-1].removesuffix("the") + "some squares of the"
    if question.cells is not None:
        words.append(question.cells.title)
        if question.cells.leaps not in (None, ((1, 2),)):
            piece = _piece(question.leaps, question.cells.dimension)
            words.append(f"for the {piece} ({len(question.cells.vectors)} neighbours)")
    elif question.near is not None:
        words.append(f"graph of {question.cols} nodes")
    else:
        words.append(f"{question.rows}x{question.cols} {question.wrap or 'board'}")
        if question.holes:
            words.append(f"with {len(question.holes)} hole{'s' if len(question.holes) > 1 else ''}")
        if question.leaps != ((1, 2),):
            words.append(f"for the {_piece(question.leaps, 2)}")
    return " ".join([*words, *_conditions(question)])


def _conditions(question: Question) -> list[str]:
    words = []
    for word, square in (("from", question.start), ("to", question.end)):
        if square is not None:
            words.append(f"{word} {_name(question, square)}")
    for word, moves, kind in (("through", question.require, "required"), ("without", question.forbid, "forbidden")):
        if len(moves) > _MAX_NAMED:
            words.append(f"{word} {len(moves):,} {kind} moves")
        elif moves:
            names = ("-".join(sorted(_name(question, square) for square in move)) for move in moves)
            words.append(f"{word} {' and '.join(sorted(names))}")
    if question.given:
        words.append(f"with {len(question.given)} given number{'s' if len(question.given) > 1 else ''}")
    if question.visit_order:
        words.append(_order_words(question))
    if question.symmetry is not None:
        words.append(f"with symmetry {question.symmetry[:60]}")
    return words


def _order_words(question: Question) -> str:
    order = question.visit_order
    if len(order) > _MAX_IN_ORDER:
        return f"with {len(order)} squares in order"
    return f"with {', '.join(_name(question, square) for square in order)} in this order"


def _name(question: Question, square: int) -> str:
    if question.cells is not None:
        return str(question.cells.cells[square])
    if question.near is not None:
        return f"node {square}"
    row, col = divmod(square, question.cols)
    letters, left = "", col + 1
    while left:
        left, digit = divmod(left - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{question.rows - row}"


def _piece(leaps: tuple[tuple[int, ...], ...], dimension: int) -> str:
    if leaps == ((0, 1), *((1,) * count for count in range(2, dimension + 1))):
        return "king"
    numbers = [",".join(map(str, leap)) for leap in leaps]
    return f"{' and '.join(f'({leap})' for leap in numbers)} leaper"
