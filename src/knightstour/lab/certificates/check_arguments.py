"""Check of an argument that no tour exists: steps on the loop graph that a reader can verify by hand.

A closed tour has two moves at every square. Some steps remove moves that no closed tour can use. The last step must
show that the remaining graph has no closed tour. docs/certificate-format.md proves each rule:

removal   without k squares the graph has more than k components (and more than one)
tight     without k squares it has exactly k components: no tour moves from one of the k squares to another
weights   a number for each square: the required sum over two moves per square exceeds the sum of all moves
spent     the same with equality: no tour makes a move with a negative sum
ends      three parts that a tour can leave only through one square each require a move to the same square
forced    a chain of moves that a tour must or cannot make, until a square lacks moves
small     a closed tour has at least three squares
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.loop_graph import Near, edges_of, loop_graph, pieces_without, weights_of
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, Unreadable, Wrong

MAX_STEPS = 100


def check_argument(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the steps do not prove that no tour exists."""
    proof = record.part(certificate, "proof")
    if question.count == 1 and not question.closed:
        raise Wrong("a board of one square has an open tour")
    near = loop_graph(question)
    steps = record.objects(proof, "steps", MAX_STEPS)
    is_proved = False
    for k, step in enumerate(steps, 1):
        allowance.spend(10 * len(near))
        rule = RULES.get(record.text(step, "rule"))
        if rule is None:
            raise Unreadable(f"step {k}: unknown rule; it must be one of {', '.join(RULES)}")
        if is_proved:
            raise Wrong(f"step {k}: the proof is already complete")
        if len(near) < 3 and step["rule"] != "small":
            raise Wrong(f"step {k}: the rule requires at least three squares")
        try:
            is_proved = rule(near, step)
        except Wrong as wrong:
            raise Wrong(f"step {k}, {step['rule']}: {wrong}") from None
        except Unreadable as error:
            raise Unreadable(f"step {k}, {step['rule']}: {error.message}") from None
    if not is_proved:
        raise Wrong("the steps end without a contradiction")
    rules = ", ".join(str(step["rule"]) for step in steps)
    return f"an argument of {len(steps)} step{'s' if len(steps) > 1 else ''}: {rules}"


def _squares(near: Near, step: Mapping[str, object], key: str) -> set[int]:
    """Return an entry of a step as squares of the graph."""
    squares = record.numbers(step.get(key), f'"{key}"')
    found = set(squares)
    if len(found) < len(squares) or not found <= near.keys():
        raise Wrong(f'"{key}" must be distinct squares of the graph')
    return found


def _pieces(removed: set[int], count: int) -> str:
    squares = f"{len(removed)} square{'s' if len(removed) != 1 else ''}"
    return f"without {squares} the graph has {count} piece{'s' if count != 1 else ''}"


def _check_removal(near: Near, step: Mapping[str, object]) -> bool:
    removed = _squares(near, step, "removed")
    count = len(pieces_without(near, removed))
    if count <= max(1, len(removed)):
        raise Wrong(f"{_pieces(removed, count)}, which a tour can visit")
    return True


def _check_tight(near: Near, step: Mapping[str, object]) -> bool:
    removed = _squares(near, step, "removed")
    count = len(pieces_without(near, removed))
    if count != len(removed):
        raise Wrong(f"{_pieces(removed, count)}, not the same number")
    for square in removed:
        near[square] -= removed
    return False


def need_and_offer(near: Near, step: Mapping[str, object]) -> tuple[dict[int, int], int, int]:
    """Return the weight of each square, the requirement of a tour, and the total of the moves."""
    of = weights_of(near, step)
    return of, 2 * sum(of.values()), sum(max(0, of[a] + of[b]) for a, b in edges_of(near))


def _check_weights(near: Near, step: Mapping[str, object]) -> bool:
    _, needed, offered = need_and_offer(near, step)
    if needed <= offered:
        raise Wrong(f"a tour needs {needed}, and the moves offer {offered}, which is enough")
    return True


def _check_spent(near: Near, step: Mapping[str, object]) -> bool:
    of, needed, offered = need_and_offer(near, step)
    if needed != offered:
        raise Wrong(f"a tour needs {needed}, but the moves offer {offered}")
    for a, b in edges_of(near):
        if of[a] + of[b] < 0:
            near[a].discard(b)
            near[b].discard(a)
    return False


def _check_ends(near: Near, step: Mapping[str, object]) -> bool:
    at = record.number(step, "at")
    pairs = [record.numbers(pair, '"parts"') for pair in record.items(step, "parts", 3)]
    if at not in near or len(pairs) != 3 or any(len(pair) != 2 or not set(pair) <= near.keys() for pair in pairs):
        raise Wrong('"at" must be a square, and "parts" three pairs of squares, a way out and a square behind it')
    seen: set[int] = set()
    for way, inside in pairs:
        if inside in (way, at) or way == at:
            raise Wrong("these must be distinct squares")
        part = next(piece for piece in pieces_without(near, {way, at}) if inside in piece)
        if part & seen:
            raise Wrong(f"the part of {inside} overlaps another part")
        seen |= part
    return True


def _check_forced(near: Near, step: Mapping[str, object]) -> bool:
    chain = Chain(near)
    for k, link in enumerate(record.items(step, "chain", 1_000_000), 1):
        if not isinstance(link, list) or not link or link[0] not in chain.links:
            raise Unreadable(f"link {k} must be a list that starts with {', '.join(chain.links)}")
        squares = record.numbers(link[1:], f"link {k}")
        if len(squares) != (2 if link[0] == "early" else 1) or not set(squares) <= near.keys():
            raise Wrong(f"link {k} must contain squares of the graph")
        try:
            if chain.links[str(link[0])](*squares):
                return True
        except Wrong as wrong:
            raise Wrong(f"link {k}: {wrong}") from None
    return False


class Chain:
    """Required moves, and impossible moves, which are removed.

    taken: the required moves at each square. far, size: for an end of a path of required moves, the other end and the
    number of squares of the path.
    """

    def __init__(self, near: Near) -> None:
        self.near = near
        self.taken: Near = {square: set() for square in near}
        self.far = {square: square for square in near}
        self.size = dict.fromkeys(near, 1)
        self.links: dict[str, Callable[..., bool]] = {
            "take": self.require_moves,
            "full": self.drop_others,
            "early": self.drop_closing,
            "short": self.is_short,
        }

    def require_moves(self, square: int) -> bool:
        """Mark both remaining moves of a square as required, and return whether that is a contradiction."""
        if len(self.near[square]) != 2:
            raise Wrong(f"{square} has {len(self.near[square])} moves left, not two")
        for other in self.near[square] - self.taken[square]:
            a, b = self.far[square], self.far[other]
            if len(self.taken[other]) == 2:
                return True  # a third move of that square
            if a == other and self.size[square] < len(self.near):
                return True  # the two ends of one path: a loop that lacks squares
            self.taken[square].add(other)
            self.taken[other].add(square)
            size = self.size[square] + self.size[other]
            self.far[a], self.far[b], self.size[a], self.size[b] = b, a, size, size
        return False

    def drop_others(self, square: int) -> bool:
        """Remove the other moves of a square with two required moves."""
        if len(self.taken[square]) != 2:
            raise Wrong(f"{square} has {len(self.taken[square])} required moves, not two")
        for other in self.near[square] - self.taken[square]:
            self._drop(square, other)
        return False

    def drop_closing(self, a: int, b: int) -> bool:
        """Remove the move between the ends of an incomplete path, since it would close the path too early."""
        is_path = a != b and self.far[a] == b and len(self.taken[a]) == len(self.taken[b]) == 1
        if not is_path or self.size[a] == len(self.near) or not self._is_free(a, b):
            raise Wrong(f"{a} and {b} are not the ends of an incomplete path, with a move between them")
        self._drop(a, b)
        return False

    def is_short(self, square: int) -> bool:
        """Return True if a square has too few moves left, which is a contradiction."""
        if len(self.near[square]) > 1:
            raise Wrong(f"{square} has {len(self.near[square])} moves left, which is enough")
        return True

    def _is_free(self, a: int, b: int) -> bool:
        return b in self.near[a] and b not in self.taken[a]

    def _drop(self, a: int, b: int) -> None:
        self.near[a].discard(b)
        self.near[b].discard(a)


def _check_small(near: Near, _: Mapping[str, object]) -> bool:
    if len(near) >= 3:
        raise Wrong(f"there are {len(near)} squares")
    return True


RULES: dict[str, Callable[[Near, Mapping[str, object]], bool]] = {
    "removal": _check_removal,
    "tight": _check_tight,
    "weights": _check_weights,
    "spent": _check_spent,
    "ends": _check_ends,
    "forced": _check_forced,
    "small": _check_small,
}
