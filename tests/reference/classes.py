"""Effect of steps and middle moves on classes, by the number of moves of each square."""

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import classes as kernel
from knightstour.core.kernels.counting.classes import Adding, Set, Stepping
from knightstour.lab.counting.halves import layers, middle
from knightstour.lab.counting.halves.cut import Half, make_cut
from reference import Case, Row
from reference.join import SLOTS, Class, flipped

BITS = (1 << 32) - 1


class Choice(NamedTuple):
    """A class after a step, and the operation as its name, a and b."""

    child: Class
    name: int
    a: int = 0
    b: int = 0


def code_of(choice: Choice) -> int:
    """Return the operation as a number. Slots 16 and 17 have 4 bits less 1, and names of their own."""
    high = (choice.a >> 4) + 2 * (choice.b >> 4)
    name = choice.name + (3 + 3 * high if high else 0)
    return name + ((choice.a & 15) << 4) + ((choice.b & 15) << 8)


def taken_in(c: Class) -> list[int]:
    """Return the number of moves of the square in each slot."""
    return [2 * (c.inner >> slot & 1) + (c.ends >> slot & 1) for slot in range(SLOTS)]


def class_of(placed: int, taken: list[int]) -> Class:
    inner, ends = (sum(1 << slot for slot, n in enumerate(taken) if n == wanted) for wanted in (2, 1))
    return Class(placed, inner, ends)


def choices(step: list[int], c: Class) -> list[Choice]:
    """Return all results of a step, by the missing moves of the square and their targets."""
    kind, s, near, heir, most_ends, must_end = step
    found = []
    for is_end in range(must_end, 1 + (c.placed < most_ends)):
        taken = taken_in(c)
        lacks = 2 - taken[s] - is_end
        if kind == kernel.END:
            if lacks >= 0 or not is_end:
                taken[s] += is_end
                found.append(Choice(class_of(c.placed + is_end, taken), *_operation(c, is_end, taken_in(c)[s], [], s)))
            continue
        slots = [slot for slot in range(SLOTS) if near >> slot & 1 and taken[slot] < 2] + [s] * heir
        for chosen in itertools.combinations(slots, lacks) if lacks >= 0 else ():
            after = [n + (slot in chosen) for slot, n in enumerate(taken)]
            after[s] = int(s in chosen)
            operation = _operation(c, is_end, taken[s], list(chosen), s)
            found.append(Choice(class_of(c.placed + is_end, after), *operation))
    return found


def _operation(c: Class, is_end: int, had: int, chosen: list[int], s: int) -> tuple[int, int, int]:
    """Return the operation on words. had: previous moves of the square; chosen: its targets; s: its heir."""
    if is_end:
        at = chosen[0] if chosen else s
        ends_path = c.ends >> at & 1 and not (had == 0 and at == s)
        first, second = (kernel.LOOSEN, kernel.LOOSEN_LAST) if ends_path else (kernel.KEEP, kernel.STUB_LAST)
        return (second if c.placed else first), at, 0
    if had == 2 or not chosen or chosen == [s]:
        return kernel.KEEP, 0, 0
    a, b = (s, chosen[0]) if had else chosen
    is_path = [bool(c.ends >> slot & 1) and not (had == 0 and slot == s) for slot in (a, b)]
    if all(is_path):
        return kernel.JOIN, a, b
    if any(is_path):
        return (kernel.MOVE, a, b) if is_path[0] else (kernel.MOVE, b, a)
    return kernel.PAIR, a, b


def folded(c: Class, flip: list[int]) -> Class:
    return min(c, flipped(c, flip), key=lambda each: each.code)


def children(stepping: Stepping, code: int) -> list[tuple[Class, int]]:
    """Return the classes after a step, and the operations as numbers."""
    found = []
    for choice in choices(stepping.step, Class.of(code)):
        child, op = choice.child, code_of(choice)
        if stepping.folds and folded(child, stepping.flip) != child:
            child, op = folded(child, stepping.flip), op | kernel.FLIPPED
        found.append((child, op))
    return found


# ---------------------------------------------------------------- sets


def index_of(numbering: Set, c: Class) -> int:
    return c.placed * numbering.size + numbering.weights[c.inner] + 2 * numbering.weights[c.ends]


def add(numbering: Set, c: Class) -> None:
    index = index_of(numbering, c)
    numbering.marks[index // 32] |= 1 << index % 32


def has(numbering: Set, c: Class) -> bool:
    index = index_of(numbering, c)
    return bool(numbering.marks[index // 32] >> index % 32 & 1)


def indices_in(marks: list[int]) -> list[int]:
    return [32 * k + bit for k, item in enumerate(marks) for bit in range(32) if item >> bit & 1]


def number_marks(marks: list[int]) -> int:
    members = indices_in(marks)
    for k, item in enumerate(marks):
        bits = item & BITS
        marks[k] = sum(index < 32 * k for index in members) << 32 | bits if bits else 0
    return len(members)


def list_members(
    marks: list[int], size: int, low_size: int, low: list[int], high: list[int], classes: list[int]
) -> int:
    found = indices_in(marks)
    for k, index in enumerate(found):
        placed, rest = divmod(index, size)
        classes[k] = placed << 32 | high[rest // low_size] | low[rest % low_size]
    return len(found)


def mark_classes(classes: list[int], numbering: Set) -> None:
    for code in classes:
        add(numbering, Class.of(code))


def mark_children(stepping: Stepping, classes: list[int], numbering: Set, first: int, last: int) -> None:
    for code in classes[first:last]:
        for child, _ in children(stepping, code):
            add(numbering, child)


def keep_parents(
    stepping: Stepping, classes: list[int], numbering: Set, keep: list[int], first: int, last: int
) -> None:
    for j in range(first, last):
        keep[j] |= any(has(numbering, child) for child, _ in children(stepping, classes[j]))


def list_edges(
    stepping: Stepping,
    classes: list[int],
    lengths: list[int],
    numbering: Set,
    targets: list[int],
    edges: list[int],
    listed: list[int],
    last: int,
) -> int:
    numbers = {index: number for number, index in enumerate(indices_in(numbering.marks))}
    j, made = listed
    while j < last and made + kernel.MAX_CHOICES <= len(targets):
        for child, op in children(stepping, classes[j]) if lengths[j] else ():
            if index_of(numbering, child) in numbers:
                targets[made] = numbers[index_of(numbering, child)]
                edges[made] = j << kernel.OP_BITS | op
                made += 1
        j += 1
    listed[:] = [j, made]
    return j


def edges_in_order(*arguments: Any) -> Any:
    *before, targets, edges, listed, last = arguments
    return before, sorted(zip(targets, edges, strict=True)), listed, last


def sort_edges(
    targets: list[int],
    edges: list[int],
    made: int,
    lengths: list[int],
    masses: list[float],
    starts: list[int],
    inputs: list[int],
    bounds: list[float],
    by_target: list[int],
    fill: list[int],
) -> None:
    order = sorted(range(made), key=lambda e: targets[e])
    by_target[:made] = [edges[e] for e in order]
    starts[:] = [sum(target < t for target in targets[:made]) for t in range(len(starts))]
    for t in range(len(inputs)):
        sources = [edge >> kernel.OP_BITS for edge in by_target[starts[t] : starts[t + 1]]]
        inputs[t] = sum(lengths[source] for source in sources)
        bounds[t] = sum((masses[source] for source in sources), 0.0)


def add_values(row: list[int], classes: list[int], edges: list[int], values: list[int], added: list[int]) -> None:
    for e, edge in enumerate(edges):
        c = Class.of(classes[edge >> kernel.OP_BITS])
        (sums,) = {
            sum(values[slot] for slot in moved)
            for choice, moved in moves_of(row, c)
            if code_of(choice) == edge & kernel.OP_MASK & ~kernel.FLIPPED and choice.child == child_of(row, c, edge)
        }
        added[e] = sums


def child_of(row: list[int], c: Class, edge: int) -> Class:
    """Return the class after an operation; several may have the same number."""
    op = edge & kernel.OP_MASK & ~kernel.FLIPPED
    return next(choice.child for choice in choices(row, c) if code_of(choice) == op)


def moves_of(row: list[int], c: Class) -> Iterator[tuple[Choice, list[int]]]:
    """Yield the choices, with the target slots of the square."""
    s, taken = row[kernel.SLOT], taken_in(c)
    for choice in choices(row, c):
        after = taken_in(choice.child)
        moved = [] if row[kernel.KIND] == kernel.END else [x for x in range(SLOTS) if x != s and after[x] > taken[x]]
        yield choice, moved + [s] * (row[kernel.KIND] == kernel.DEAL and after[s])


# ---------------------------------------------------------------- middle moves


def finals_of(adding: Adding, code: int) -> list[Class]:
    """Return the results of all possible subsets of the middle moves."""
    found = []
    bases = [Class.of(code)]
    if adding.is_folded and not adding.joins_folded:
        bases.append(flipped(bases[0], adding.flip))
    for base in bases:
        for once, twice, _ in adding.subsets:
            taken = [n + (once >> slot & 1) + 2 * (twice >> slot & 1) for slot, n in enumerate(taken_in(base))]
            if max(taken) <= 2:
                made = class_of(base.placed, taken)
                found.append(folded(made, adding.flip) if adding.joins_folded else made)
    return found


def mark_finals(adding: Adding, classes: list[int], numbering: Set, first: int, last: int) -> None:
    for code in classes[first:last]:
        for made in finals_of(adding, code):
            add(numbering, made)


def keep_bases(adding: Adding, classes: list[int], numbering: Set, keep: list[int], first: int, last: int) -> None:
    for j in range(first, last):
        keep[j] |= any(has(numbering, made) for made in finals_of(adding, classes[j]))


def keep_partnered(
    finals: list[int],
    all_ends: int,
    present: int,
    to_other: list[int],
    joins_folded: int,
    flip: list[int],
    numbering: Set,
    keep: list[int],
    first: int,
    last: int,
) -> None:
    for j in range(first, last):
        c = Class.of(finals[j])
        bare = present & ~(c.inner | c.ends)
        other = Class(all_ends - c.placed, to_other[bare], to_other[c.ends])
        keep[j] = has(numbering, folded(other, flip) if joins_folded else other)


# ---------------------------------------------------------------- cases

_QUESTIONS = {
    "5x6 closed": Problem((5, 6), closed=True),
    "4x5": Problem((4, 5)),
    "3x7 from a corner": Problem((3, 7), start="a1"),
}
_MAX_CLASSES = 60


class Found(NamedTuple):
    """A step of a half, the classes before and after it, and their numbering."""

    name: str
    half: Half
    stepping: Stepping
    before: np.ndarray
    after: np.ndarray
    index: layers.Index


@functools.cache
def _found() -> list[Found]:
    """Return some steps of some halves, with reachable classes."""
    found = []
    for name, problem in _QUESTIONS.items():
        cut = make_cut(problem)
        assert cut is not None
        index = layers.make_index(cut.left.slots, cut.ends)
        reached = [0]
        for t in range(len(cut.left.steps)):
            stepping = layers.Side(cut.left, index, []).stepping(t)
            lists = Stepping(stepping.step.tolist(), stepping.folds, stepping.flip.tolist())
            after = sorted({child.code for code in reached for child, _ in children(lists, code)})[:_MAX_CLASSES]
            arrays = (np.array(classes, dtype=np.int64) for classes in (reached, after))
            found.append(Found(f"{name}, step {t}", cut.left, stepping, *arrays, index))
            reached = after
    return found


def _set_of(found: Found, classes: np.ndarray) -> Set:
    return found.index.as_set(layers.set_of(found.index, np.ascontiguousarray(classes)))


def _steps(make: Callable[[Found], tuple[Any, ...]], *calls: tuple[int, ...]) -> Iterator[Case]:
    for found in _found()[::3]:
        half = len(found.before) // 2
        yield Case(found.name, make(found), calls or ((0, half), (half, len(found.before))))


def _nothing(found: Found) -> Set:
    return found.index.as_set(found.index.new_set())


def _flags(count: int) -> np.ndarray:
    return np.zeros(count, dtype=np.uint8)


def _edges(found: Found, room: int) -> tuple[Any, ...]:
    lengths = np.arange(len(found.before), dtype=np.int64) % 4
    made = (np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int64), np.zeros(2, dtype=np.int64))
    return found.stepping, found.before, lengths, _set_of(found, found.after[::2]), *made, len(lengths)


def _listed(found: Found) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the edges to all classes after a step."""
    stepping = Stepping(found.stepping.step.tolist(), found.stepping.folds, found.stepping.flip.tolist())
    numbers = {code: number for number, code in enumerate(found.after.tolist())}
    edges = [
        (numbers[child.code], j << kernel.OP_BITS | op)
        for j, code in enumerate(found.before.tolist())
        for child, op in children(stepping, code)
        if child.code in numbers
    ]
    targets, codes = np.array(edges, dtype=np.int64).reshape(-1, 2).T.copy()
    return targets.astype(np.int32), codes, len(edges)


def _to_sort(found: Found) -> tuple[Any, ...]:
    targets, edges, made = _listed(found)
    count = len(found.after)
    numbers = np.arange(len(found.before), dtype=np.int64) % 5
    starts, inputs, bounds = np.zeros(count + 1, np.int64), np.zeros(count, np.int64), np.zeros(count)
    rest = (np.zeros(made, dtype=np.int64), np.zeros(count, dtype=np.int64))
    return targets, edges, made, numbers, numbers * 0.5, starts, inputs, bounds, *rest


def _to_add(found: Found) -> tuple[Any, ...]:
    _, edges, made = _listed(found)
    values = np.arange(1, 17, dtype=np.int64) ** 2
    return found.stepping.step, found.before, edges, values, np.zeros(made, dtype=np.int64)


def _last() -> Iterator[tuple[Found, Adding]]:
    for found in _found():
        if len(found.half.steps) == int(found.name.split()[-1]) + 1:
            flip = layers.flip_table(middle.flip_slots_of(found.half))
            for folds in ((0, 0), (1, 0), (1, 1)):
                yield found, Adding(middle.subsets_of(found.half), *folds, flip)


def _finals(make: Callable[[Found, Adding], tuple[Any, ...]]) -> Iterator[Case]:
    for found, adding in _last():
        yield Case(f"{found.name}, {adding[1:3]}", make(found, adding), ((0, 20), (20, len(found.after))))


def _partners(found: Found, adding: Adding) -> tuple[Any, ...]:
    present = sum(1 << slot for slot in found.half.slot_of.values())
    others = np.array([c for c in found.after.tolist() if c % 3], dtype=np.int64)
    same = np.arange(1 << 16, dtype=np.int64)
    how = (2 * (found.index.items > found.index.size // 32 + 1), present, same, adding.joins_folded, adding.flip)
    return found.after, *how, _set_of(found, others), _flags(len(found.after))


def _without_last(*arguments: Any) -> Any:
    return arguments[:-1]


ROWS = [
    Row("classes_mark", mark_classes, lambda: _steps(lambda f: (f.before, _nothing(f)), ())),
    Row("classes_number", number_marks, lambda: _steps(lambda f: (_set_of(f, f.after).marks,), ())),
    Row(
        "classes_list",
        list_members,
        lambda: _steps(
            lambda f: (_set_of(f, f.after).marks, *f.index[1:5], np.zeros(len(f.after), dtype=np.int64)), ()
        ),
    ),
    Row("classes_mark_children", mark_children, lambda: _steps(lambda f: (f.stepping, f.before, _nothing(f)))),
    Row(
        "classes_keep_parents",
        keep_parents,
        lambda: _steps(lambda f: (f.stepping, f.before, _set_of(f, f.after[::7]), _flags(len(f.before)))),
    ),
    Row("classes_list_edges", list_edges, lambda: _steps(lambda f: _edges(f, 2000), ()), edges_in_order),
    Row("classes_sort_edges", sort_edges, lambda: _steps(_to_sort, ()), _without_last),
    Row("classes_add_values", add_values, lambda: _steps(_to_add, ())),
    Row("classes_mark_finals", mark_finals, lambda: _finals(lambda f, adding: (adding, f.after, _nothing(f)))),
    Row(
        "classes_keep_bases",
        keep_bases,
        lambda: _finals(lambda f, adding: (adding, f.after, _set_of(f, f.after[::5]), _flags(len(f.after)))),
    ),
    Row("classes_keep_partnered", keep_partnered, lambda: _finals(_partners)),
]
