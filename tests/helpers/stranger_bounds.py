"""Values of better tours: a part of stranger.py, also written from docs/certificate-format.md alone."""

from typing import Any

from helpers.stranger_drat import demand

Graph = dict[int, set[int]]


class Bounds:
    """worth: value of each move, a set of two squares. goal: minimum value of a better tour."""

    def __init__(self, worth: dict[frozenset[int], int], weights: dict[int, int], unit: int, goal: int) -> None:
        self.worth, self.weights, self.unit, self.goal = worth, weights, unit, goal

    def may_be_better(self, near: Graph, later: set[int], after: dict[int, int], number: int) -> bool:
        lacks = {s: 2 if s not in after else 0 if after[s] == s else 1 for s in later}
        bound = sum(self.weights[s] * lacks[s] for s in later)
        for move in {frozenset((s, t)) for s in later for t in near[s] & later if lacks[s] and lacks[t]}:
            bound += max(0, self.unit * self.worth.get(move, 0) - sum(self.weights[s] for s in move))
        return self.unit * number + bound >= self.unit * self.goal


def bounds_of(question: Any, record: dict[str, Any], near: Graph) -> Bounds:
    weights, unit = record["proof"]["weights"], record["proof"]["unit"]
    demand(type(unit) is int and unit > 0 and all(type(w) is int for w in weights), "unit")
    demand(isinstance(record["most"], bool) and type(record["value"]) is int, "value")
    sign = 1 if record["most"] else -1
    halves = {frozenset(move): frozenset(half) for move, half in question.half.items()}
    worth = {halves.get(move, move): sign for move in counted_moves(question, record["statistic"])}
    goal = sign * record["value"] + 1
    demand(len(record["proof"]["cuts"]) <= 100, "cuts")
    for cut in record["proof"]["cuts"]:
        inside = set(cut)
        demand(inside and inside < near.keys() and len(inside) == len(cut), "cut")
        goal += 2
        for move in [frozenset((s, t)) for s in inside for t in near[s] - inside]:
            worth[move] = worth.get(move, 0) + 1
    return Bounds(worth, dict(zip(sorted(near), weights, strict=True)), unit, goal)


def counted_moves(question: Any, statistic: str | list[list[int]]) -> set[frozenset[int]]:
    moves = {frozenset((s, t)) for s in question.squares for t in question.board_near[s]}
    if isinstance(statistic, list):
        listed = [frozenset(move) for move in statistic]
        demand(all(move in moves for move in listed), "moves")
        return set(listed)
    demand(question.wrap is None and not question.is_graph, "names are for flat boards")

    def place(s: int) -> tuple[int, int]:
        return divmod(s, question.cols)

    def ring(s: int) -> int:
        r, c = place(s)
        return min(r, c, question.rows - 1 - r, question.cols - 1 - c)

    def half(s: int, axis: int) -> int:
        middle = ((question.rows - 1) / 2, (question.cols - 1) / 2)[axis]
        return (place(s)[axis] > middle) - (place(s)[axis] < middle)

    def is_counted(move: frozenset[int]) -> bool:
        a, b = sorted(move, key=lambda s: place(s)[::-1])
        up, right = place(a)[0] - place(b)[0], place(b)[1] - place(a)[1]
        halves = [(half(a, axis), half(b, axis)) for axis in (0, 1)]
        across, same = ([0 not in pair and (pair[0] == pair[1]) is way for pair in halves] for way in (False, True))
        rings = ring(a), ring(b)
        tests = {
            "steep-up": up > right > 0,
            "flat-up": right > up > 0,
            "flat-down": right > -up > 0,
            "steep-down": -up > right > 0,
            "in-border": max(rings) < 2,
            "same-ring": rings[0] == rings[1],
            "next-ring": rings[0] - rings[1] in (1, -1),
            "across-rows": across[0],
            "across-columns": across[1],
            "in-quarter": all(same),
        }
        return tests[statistic]

    return {move for move in moves if is_counted(move)}
