"""The ways from the states of a strip, from the definition: paths as pairs of ends."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour.core.kernels.counting.march import Keys
from knightstour.core.kernels.counting.strips import (
    BEYOND,
    DONE,
    ENDED,
    FULL,
    MADE,
    MOST_WAYS,
    WAYS,
    Layer,
    Rule,
    flipped,
)
from knightstour.lab.counting.strips import StripGraph, bare, last_columns, loosened
from reference import Case, Row

# As the end of a path: it is beyond the board.
_END = "beyond the board"


def _paths(word: int, rule: Rule) -> dict[Any, Any]:
    """square -> the other end of the path that ends there, itself where it has no move; squares are (column, row)."""
    rows = rule.rows
    squares = [divmod(k, rows) for k in range(2 * rows + 1)] + [divmod(2 * rows + 1, rows)]
    found: dict[Any, Any] = {} if rule.is_ending else {squares[-1]: squares[-1]}
    if rule.is_open and not word & ENDED:
        found[_END] = _END
    for k, square in enumerate(squares[:-1]):
        code = word >> 4 * k & 15
        if code == BEYOND:
            found[square], found[_END] = _END, square
        elif code != FULL:
            found[square] = squares[code]
    return found


def _word(paths: dict[Any, Any], rule: Rule) -> int:
    """The word once the first square is left."""
    rows = rule.rows
    word = ENDED if rule.is_open and _END not in paths else 0
    for k in range(2 * rows + 1):
        other = paths.get(divmod(k + 1, rows))
        code = FULL if other is None else BEYOND if other == _END else other[0] * rows + other[1] - 1
        word |= code << 4 * k
    return word


def _joined(paths: dict[Any, Any], a: Any, b: Any) -> dict[Any, Any] | None:
    """With a move between two squares more; None where one has two moves already, or a path is closed."""
    if a not in paths or b not in paths or paths[a] == b:
        return None
    x, y = paths[a], paths[b]
    rest = {end: other for end, other in paths.items() if end not in (a, b)}
    return {**rest, x: y, y: x}


def spread(rule: Rule, layer: Layer, last: int) -> None:
    counters, words = layer.counters, layer.next.words
    rows, row = rule.rows, rule.row
    # The first square is in row `row`, so the others are counted from there.
    moves = [(1, -2), (1, 2), (2, -1), (2, 1)]
    later: list[Any] = [divmod(cols * rows + down, rows) for cols, down in moves if 0 <= row + down < rows]
    if rule.is_open:
        later.append(_END)
    while counters[DONE] < last:
        room = min(len(words), len(layer.next.table) // 2)
        if counters[WAYS] + MOST_WAYS > len(layer.targets) or counters[MADE] + MOST_WAYS > room:
            return
        here = (0, 0)
        paths = _paths(layer.sources[counters[DONE]], rule)
        needed = 0 if here not in paths else 2 if paths[here] == here else 1
        for chosen in itertools.combinations(later, needed):
            after: dict[Any, Any] | None = paths
            for other in chosen:
                if after is not None and after.keys() == {here, other} and after[here] == other:
                    layer.targets[counters[WAYS]] = -1
                    counters[WAYS] += 1
                after = None if after is None else _joined(after, here, other)
            if after is not None:
                word = _word(after, rule)
                _enter(layer, min(word, flipped(word, rows)) if row == rows - 1 else word)
        counters[DONE] += 1
        layer.offsets[counters[DONE]] = counters[WAYS]


def _enter(layer: Layer, word: int) -> None:
    counters, known = layer.counters, layer.next.words[: layer.counters[MADE]]
    k = known.index(word) if word in known else len(known)
    layer.next.words[k] = word
    counters[MADE] = max(len(known), k + 1)
    layer.targets[counters[WAYS]] = k
    counters[WAYS] += 1


def seen(rule: Rule, layer: Layer, *last: int) -> Any:
    return (
        layer.counters,
        layer.next.words[: layer.counters[MADE]],
        layer.offsets,
        layer.targets[: layer.counters[WAYS]],
    )


def cases() -> Iterator[Case]:
    for rows in (1, 3, 4, 5):
        closed, is_open = StripGraph(rows, [bare(rows)]), StripGraph(rows, [bare(rows)], is_open=True)
        loose = StripGraph(rows, loosened(closed.words, rows))
        parts = [(graph.rules, graph.layers) for graph in (closed, loose, is_open)]
        for graph, ends in ((closed, False), (closed, True), (loose, True), (is_open, True)):
            parts.append(last_columns(rows, graph.words.tolist(), is_open=ends))
        for rules, layers in parts:
            for t, (rule, layer) in enumerate(zip(rules, layers, strict=True)):
                words = layer.words[:: max(1, len(layer.words) // 20)].copy()
                for room in (40, 400):
                    keys = Keys(np.zeros(room, dtype=np.uint64), np.zeros((1024, 2), dtype=np.uint32))
                    arrays = np.zeros(len(words) + 1, dtype=np.int64), np.zeros(room, dtype=np.int32)
                    made = Layer(np.zeros(3, dtype=np.int64), words, *arrays, keys)
                    yield Case(f"{rule}, square {t}, {room}", (rule, made), [(min(3, len(words)),), (len(words),)])


ROWS = [Row("strips_spread", spread, cases, seen)]
