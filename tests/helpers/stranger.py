"""A checker of certificates written from docs/certificate-format.md alone, in standard Python, without the package.

`is_right(text)` is whether the certificate in a text proves what it claims. Whatever the page does not say is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from helpers.stranger_bounds import Bounds, bounds_of, counted_moves
from helpers.stranger_cells import TURNS, cells_of
from helpers.stranger_drat import Refused, check_drat, demand
from helpers.stranger_layers import next_layer, text_of

Graph = dict[int, set[int]]


def is_right(text: str) -> bool:
    """Whether a certificate proves what it claims."""
    try:
        record = json.loads(text)
        demand(record["format"] == "knightstour certificate 1", "format")
        question = Question(record)
        CHECKS[record["answer"], record["proof"]["kind"]](question, record, record["proof"])
    except (Refused, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return False
    return True


class Question:
    """Board and conditions. near: the moves without forbidden ones; board_near: all moves."""

    def __init__(self, record: dict[str, Any]) -> None:
        board = record["board"]
        self.rows, self.cols = board["rows"], board["cols"]
        demand(self.rows > 0 and self.cols > 0, "a board has a square")
        self.size, self.wrap = self.rows * self.cols, board.get("wrap")
        self.is_graph = board.get("graph") is not None
        self.cells = cells_of(board)
        holes = {r * self.cols + c for r, c in board.get("holes") or []}
        demand(all(0 <= r < self.rows and 0 <= c < self.cols for r, c in board.get("holes") or []), "holes")
        self.squares = [s for s in range(self.size) if s not in holes]
        demand(self.squares and self.wrap in (None, "cylinder", "torus", "mobius", "klein"), "board")
        self.board_near: Graph = {s: set() for s in self.squares}
        if self.is_graph:
            demand(self.rows == 1 and len(board["graph"]["nodes"]) == self.cols, "nodes")
            demand(
                all(a != b and 0 <= a < self.cols and 0 <= b < self.cols for a, b in board["graph"]["edges"]), "edges"
            )
            for a, b in board["graph"]["edges"]:
                self.board_near[a].add(b)
                self.board_near[b].add(a)
        elif self.cells is not None:
            self.board_near = self.cells.near
        else:
            leaps = board.get("leaps") or [board.get("leaper") or (1, 2)]
            demand(all(a >= 0 and b >= 0 and a + b > 0 for a, b in leaps), "leaper")
            for s in self.squares:
                for dr, dc in (turned for a, b in leaps for turned in ((a, b), (b, a))):
                    for r, c in ((x, y) for x in (dr, -dr) for y in (dc, -dc)):
                        there = self.at(s // self.cols + r, s % self.cols + c)
                        if there is not None and there != s and there in self.board_near:
                            self.board_near[s].add(there)
        self.closed, self.start, self.end = record["closed"], record.get("start"), record.get("end")
        demand(isinstance(self.closed, bool) and not (self.closed and self.end is not None), "closed")
        ends = [s for s in (self.start, self.end) if s is not None]
        demand(
            all(s in self.board_near for s in ends) and (len({*ends}) == len(ends) or len(self.squares) == 1), "ends"
        )
        self.require, self.forbid = (
            sorted({(min(move), max(move)) for move in record.get(key, [])}) for key in ("require", "forbid")
        )
        demand(all(b in self.board_near[a] for a, b in self.require + self.forbid), "moves")
        demand(not set(self.require) & set(self.forbid), "required and forbidden")
        self.near = {s: set(near) for s, near in self.board_near.items()}
        for a, b in self.forbid:
            self.near[a].discard(b)
            self.near[b].discard(a)
        self.given = {square: set(steps) for square, steps in record.get("given", [])}
        demand(self.given.keys() <= self.board_near.keys(), "given")
        demand(all(1 <= t <= len(self.squares) for steps in self.given.values() for t in steps), "given")
        self.symmetry, self.order = record.get("symmetry"), record.get("visit_order", [])
        self.leaves = record.get("partial", False)
        demand(self.leaves or "partial" not in record, "partial")
        demand(not self.leaves or not (self.require or self.given or self.order or self.symmetry), "some squares")
        demand(len({*self.order}) == len(self.order) and self.board_near.keys() >= {*self.order}, "visit_order")
        demand(not (self.closed and self.order), "an order is of open tours")
        demand(self.cells is None or self.symmetry not in KINDS, "cells have no kinds")
        demand(self.symmetry not in KINDS or (self.closed and self.wrap is None), "kinds are of closed tours")

    def at(self, r: int, c: int) -> int | None:
        """Return the square at a position, also beyond a joined side."""
        if self.wrap in ("cylinder", "torus", "mobius", "klein"):
            laps, c = divmod(c, self.cols)
            if laps % 2 and self.wrap in ("mobius", "klein"):
                r = self.rows - 1 - r
        if self.wrap in ("torus", "klein"):
            r %= self.rows
        return r * self.cols + c if 0 <= r < self.rows and 0 <= c < self.cols else None

    def loop_graph(self) -> Graph:
        """Return the graph whose closed tours are the required tours."""
        near = {s: set(others) for s, others in self.near.items()}

        def join(a: int, b: int) -> None:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)

        for a, b in self.require:
            near[a].discard(b)
            near[b].discard(a)
        top = self.size
        ends = [s for s in (self.start, self.end) if s is not None]
        if not self.closed and len(ends) == 1:
            join(top, ends[0])
            join(top, top + 1)
            for s in self.squares:
                if s != ends[0]:
                    join(top + 1, s)
            top += 2
        elif not self.closed:
            for s in ends or self.squares:
                join(top, s)
            top += 1
        self.half = {}
        for k, (a, b) in enumerate(self.require):
            join(a, top + k)
            join(b, top + k)
            self.half[a, b] = (a, top + k)
        self.must = {s for s in (*range(self.size, top), self.start if self.closed else None) if s is not None}
        self.must = self.must if self.leaves else None
        demand(len(self.squares) > 1 or self.closed, "a board of one square has an open tour")
        return near


# ---------------------------------------------------------------- tours


def check_tour(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    check_squares(question, proof["squares"])


def check_squares(question: Question, tour: list[int]) -> None:
    if question.leaves:
        demand(len(tour) > 1 and len({*tour}) == len(tour) and {*question.squares} >= {*tour}, "some squares once")
    else:
        demand(sorted(tour) == question.squares, "each square once")
    demand(sorted(question.order, key=tour.index) == question.order, "visit_order")
    pairs = list(pairwise(tour))
    if question.closed:
        demand(len(tour) > 2, "a closed tour has three squares")
        pairs.append((tour[-1], tour[0]))
    demand(all(b in question.near[a] for a, b in pairs), "a move")
    made = {(min(pair), max(pair)) for pair in pairs}
    demand(made >= set(question.require), "required moves")
    demand(question.start in (None, tour[0]) and question.end in (None, tour[-1]), "start, end")
    demand(all(tour.index(s) + 1 in steps for s, steps in question.given.items()), "given")
    if question.symmetry in KINDS:
        names, way = KINDS[question.symmetry]
        had = {name: way_of(question, tour, image) for name in TURNS if (image := image_of(question, name)) is not None}
        had = {name: found for name, found in had.items() if found is not None}
        both = [{"90", "180", "270"}] if names == ("90",) else [{name} for name in names]
        demand(set(had) in both and set(had.values()) == {way}, "kind of symmetry")
    elif question.symmetry is not None:
        image = image_of(question, question.symmetry)
        demand(image is not None and way_of(question, tour, image) is not None, "symmetry")


# ---------------------------------------------------------------- symmetries

KINDS = {
    "Eulerian": (("180",), "on"),
    "Bergholtian": (("180",), "round"),
    "birotary": (("90",), "on"),
    "Sulian": (("vertical", "horizontal"), "on"),
    "Murraian": (("vertical", "horizontal"), "round"),
}


def image_of(question: Question, name: str) -> dict[int, int] | None:
    """Return the image of each square, or None without this symmetry."""
    if question.cells is not None:
        return question.cells.image(name)
    match = re.fullmatch(r"(\w+)?(?: \+ )?(?:shift \((\d+), (\d+)\))?", name)
    demand(match is not None and not question.is_graph, "symmetry")
    assert match is not None
    swaps, rows_back, cols_back = TURNS[match[1]] if match[1] else (False, False, False)
    down, right = int(match[2] or 0), int(match[3] or 0)
    if swaps and (question.rows != question.cols or question.wrap not in (None, "torus")):
        return None
    if (right and question.wrap is None) or (down and question.wrap not in ("torus", "klein")):
        return None
    image = {}
    for s in question.squares:
        r, c = divmod(s, question.cols)
        if swaps:
            r, c = c, r
        r = question.rows - 1 - r if rows_back else r
        c = question.cols - 1 - c if cols_back else c
        there = question.at((r + down) % question.rows, c + right)
        if there not in question.board_near:
            return None
        image[s] = there
    return image


def way_of(question: Question, tour: list[int], image: dict[int, int]) -> str | None:
    """Return whether a symmetry moves a tour along itself or reverses it; None for neither."""
    step = {s: k for k, s in enumerate(tour)}
    steps = [step[image[s]] for s in tour]
    steps += steps[:1] * question.closed
    gaps = {b - a for a, b in pairwise(steps)}
    if question.closed:
        gaps = {gap % len(tour) for gap in gaps}
        return "on" if gaps == {1} else "round" if gaps == {len(tour) - 1} else None
    return "on" if gaps == {1} else "round" if gaps == {-1} else None


def images_of(question: Question) -> list[dict[int, int]]:
    names = KINDS[question.symmetry][0] if question.symmetry in KINDS else (question.symmetry,)
    found = [image for name in names if (image := image_of(question, name)) is not None]
    demand(found, "the board has no such symmetry")
    return found


def check_no_symmetry(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    colour = colours_of(question)
    for image in images_of(question):
        wanted = KINDS[question.symmetry][1] if question.symmetry in KINDS else None
        kept = sum(s == there for s, there in image.items())
        changes = {colour[s] != colour[there] for s, there in image.items()} if colour else set()
        changed = changes.pop() if len(changes) == 1 else None
        demand(wanted == "round" or not may_go_on(question, image, kept, changed), "it may move on")
        demand(wanted == "on" or not may_turn(question, image, kept, changed), "it may turn round")


def may_go_on(question: Question, image: dict[int, int], kept: int, changed: bool | None) -> bool:
    if not question.closed:
        return kept == len(image)
    lengths = set()
    for s in image:
        there, k = image[s], 1
        while there != s:
            there, k = image[there], k + 1
        lengths.add(k)
    if len(lengths) > 1:
        return False
    k = lengths.pop()
    is_odd = len(image) // k % 2 == 1
    return k % 2 == 1 or changed is None or is_odd == changed


def may_turn(question: Question, image: dict[int, int], kept: int, changed: bool | None) -> bool:
    count, places = len(image), 2 if question.closed else 1
    if count < 3:
        return True
    if any(image[there] != s for s, there in image.items()) or kept > places or (count - kept) % 2:
        return False
    if kept == places:
        return True
    return any(there != s and there in question.board_near[s] for s, there in image.items()) and changed is not False


def colours_of(question: Question) -> dict[int, int] | None:
    colour: dict[int, int] = {}
    for first in question.squares:
        if first not in colour:
            colour[first], queue = 0, [first]
            for s in queue:
                for there in question.board_near[s]:
                    if there not in colour:
                        colour[there] = 1 - colour[s]
                        queue.append(there)
    is_fair = all(colour[s] != colour[t] for s in question.squares for t in question.board_near[s])
    return colour if is_fair else None


# ---------------------------------------------------------------- arguments


def check_argument(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    near = question.loop_graph()
    is_done = False
    for step in proof["steps"]:
        demand(not is_done and (len(near) > 2 or step["rule"] == "small"), "a step")
        is_done = RULES[step["rule"]](near, step)
    demand(is_done, "no contradiction")


def pieces(near: Graph, removed: set[int]) -> list[set[int]]:
    left, found = set(near) - removed, []
    while left:
        piece = {left.pop()}
        queue = list(piece)
        for s in queue:
            fresh = near[s] & left
            left -= fresh
            piece |= fresh
            queue += fresh
        found.append(piece)
    return found


def chosen(near: Graph, listed: list[int]) -> set[int]:
    demand(len(set(listed)) == len(listed) and set(listed) <= near.keys(), "squares")
    return set(listed)


def removal(near: Graph, step: dict[str, Any]) -> bool:
    removed = chosen(near, step["removed"])
    demand(len(pieces(near, removed)) > max(1, len(removed)), "pieces")
    return True


def tight(near: Graph, step: dict[str, Any]) -> bool:
    removed = chosen(near, step["removed"])
    demand(len(pieces(near, removed)) == len(removed), "pieces")
    for s in removed:
        near[s] -= removed
    return False


def sums(near: Graph, step: dict[str, Any]) -> tuple[dict[int, int], int]:
    """Return the weights, and the excess of the need over the supply."""
    weights = step["weights"]
    demand(len(weights) == len(near) and all(type(w) is int for w in weights), "weights")
    of = dict(zip(sorted(near), weights, strict=True))
    return of, 2 * sum(weights) - sum(max(0, of[a] + of[b]) for a in near for b in near[a] if a < b)


def weights(near: Graph, step: dict[str, Any]) -> bool:
    demand(sums(near, step)[1] > 0, "weights")
    return True


def spent(near: Graph, step: dict[str, Any]) -> bool:
    of, more = sums(near, step)
    demand(more == 0, "weights")
    for a in near:
        near[a] = {b for b in near[a] if of[a] + of[b] >= 0}
    return False


def ends(near: Graph, step: dict[str, Any]) -> bool:
    at, parts = step["at"], []
    demand(len(step["parts"]) == 3, "parts")
    for way, inside in step["parts"]:
        demand(len({at, way, inside}) == 3 and {at, way, inside} <= near.keys(), "parts")
        parts.append(next(piece for piece in pieces(near, {at, way}) if inside in piece))
    demand(not any(a & b for a, b in combinations(parts, 2)), "parts")
    return True


def forced(near: Graph, step: dict[str, Any]) -> bool:
    taken: Graph = {s: set() for s in near}

    def drop(a: int, b: int) -> None:
        near[a].discard(b)
        near[b].discard(a)

    def path_from(a: int) -> list[int]:
        """Return the squares of the path of taken moves that ends here."""
        path, before = [a], None
        while fresh := [s for s in taken[path[-1]] if s != before]:
            before = path[-1]
            path.append(fresh[0])
        return path

    for name, *named in step["chain"]:
        demand(set(named) <= near.keys() and len(named) == (2 if name == "early" else 1), "link")
        a = named[0]
        if name == "take":
            demand(len(near[a]) == 2, "two moves left")
            for b in near[a] - taken[a]:
                path = path_from(a)
                if len(taken[b]) == 2 or (path[-1] == b and len(path) < len(near)):
                    return True
                taken[a].add(b)
                taken[b].add(a)
        elif name == "full":
            demand(len(taken[a]) == 2, "two moves taken")
            for b in near[a] - taken[a]:
                drop(a, b)
        elif name == "early":
            b = named[1]
            demand(a != b and len(taken[a]) == len(taken[b]) == 1 and b in near[a] - taken[a], "ends")
            path = path_from(a)
            demand(path[-1] == b and len(path) < len(near), "path")
            drop(a, b)
        else:
            demand(name == "short" and len(near[a]) < 2, "short")
            return True
    return False


def small(near: Graph, step: dict[str, Any]) -> bool:
    demand(len(near) < 3, "squares")
    return True


RULES = {
    "removal": removal,
    "tight": tight,
    "weights": weights,
    "spent": spent,
    "ends": ends,
    "forced": forced,
    "small": small,
}


# ---------------------------------------------------------------- clauses


def check_search(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    near = question.loop_graph()
    demand(len(near) > 2, "squares")
    check_drat(clauses_of(question, near, proof["cuts"]), proof["drat"])


def clauses_of(question: Question, near: Graph, cuts: list[list[int]]) -> list[list[int]]:
    moves = sorted((a, b) for a in near for b in near[a] if a < b)
    of = {move: k for k, move in enumerate(moves, 1)}
    top = len(of)
    clauses: list[list[int]] = []
    for s in sorted(near):
        mine = [of[min(s, t), max(s, t)] for t in sorted(near[s])]
        clauses += [[m for m in mine if m != other] for other in mine] or [[]]
        if len(mine) <= 12:
            clauses += [[-a, -b, -c] for a, b, c in combinations(mine, 3)]
            continue
        for k, m in enumerate(mine):
            a, b = top + 1, top + 2
            clauses.append([-m, a])
            if k:
                clauses += [[1 - top, a], [1 - top, -m, b], [-top, b], [-top, -m]]
            top += 2
    if question.symmetry is not None:
        clauses += image_clauses(question, of, top)
    for cut in cuts:
        inside = chosen(near, cut)
        demand(inside and len(inside) < len(near), "cut")
        clauses.append([of[min(a, b), max(a, b)] for a in inside for b in near[a] - inside])
    return clauses


def image_clauses(question: Question, of: dict[tuple[int, int], int], top: int) -> Iterator[list[int]]:
    images = images_of(question)
    ways = [top + 1 + k for k in range(len(images))] if len(images) > 1 else []
    if ways:
        yield ways
    allowed = sorted((a, b) for a in question.near for b in question.near[a] if a < b)
    names = {move: of[question.half.get(move, move)] for move in allowed}
    for k, image in enumerate(images):
        unless = [-ways[k]] if ways else []
        for a, b in allowed:
            other = names.get((min(image[a], image[b]), max(image[a], image[b])))
            if other is None:
                yield [*unless, -names[a, b]]
            elif other != names[a, b]:
                yield [*unless, -names[a, b], other]


# ---------------------------------------------------------------- layers


def check_layers(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    total = closed_in_layers(question.loop_graph(), proof, must=question.must)
    if record["answer"] == "impossible":
        demand(total == 0, "tours")
        return
    demand(not question.given and not question.order and question.symmetry is None, "layers know nothing of these")
    has_end = question.start is not None or question.end is not None
    doubled = record["directed"] and (question.closed or not has_end)
    demand(record["count"] == str(total * (2 if doubled else 1)), "count")


def closed_in_layers(
    near: Graph, proof: dict[str, Any], bounds: Bounds | None = None, must: set[int] | None = None
) -> int:
    order, count = proof["order"], len(proof["layers"])
    demand(len(near) > 2 and sorted(order) == sorted(near), "order")
    is_short = bounds is not None and 0 < count < len(order) and proof["layers"][-1]["states"] == 0
    demand(count == len(order) or is_short, "layers")
    layer: dict[tuple[tuple[int, int], ...], int] = {(): 1 if bounds is None else 0}
    total = 0
    for k, claim in enumerate(proof["layers"]):
        layer, closed = next_layer(near, order, k, layer, bounds, must)
        total += closed
        texts = {text_of(state): number for state, number in layer.items()}
        lines = "".join(f"{text}:{texts[text]}\n" for text in sorted(texts))
        demand(claim["states"] == len(layer) and claim["closed"] == str(closed), "layer")
        demand(claim["sums"] == [sum(layer.values()) % p for p in (2147483647, 1073741789, 536870909)], "sums")
        demand(claim["sha256"] == hashlib.sha256(lines.encode()).hexdigest(), "hash")
        demand(claim.get("data", texts) == texts, "data")
    return total


# ---------------------------------------------------------------- the best tour


def check_best(question: Question, record: dict[str, Any], proof: dict[str, Any]) -> None:
    tour, near = proof["squares"], question.loop_graph()
    check_squares(question, tour)
    made = [frozenset(pair) for pair in [*pairwise(tour), *([(tour[-1], tour[0])] if question.closed else [])]]
    counted = counted_moves(question, record["statistic"])
    demand(sum(move in counted for move in made) == record["value"], "value")
    demand(closed_in_layers(near, proof, bounds_of(question, record, near)) == 0, "a better tour")


CHECKS = {
    ("found", "tour"): check_tour,
    ("impossible", "argument"): check_argument,
    ("impossible", "search"): check_search,
    ("impossible", "symmetry"): check_no_symmetry,
    ("impossible", "layers"): check_layers,
    ("count", "layers"): check_layers,
    ("best", "bounds"): check_best,
}
