"""Each kernel in C++ does what its reference does, call by call: the same status, the same arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

import pytest

from knightstour.core.machine.native import door
from reference import Case, Row, all_rows, as_lists, copied

ROWS = all_rows()


def few(cases: Iterable[Case]) -> Iterator[Case]:
    """The first two cases, and every fifth one."""
    return (case for k, case in enumerate(cases) if k < 2 or k % 5 == 0)


@pytest.mark.parametrize("chosen", [few, pytest.param(iter, marks=pytest.mark.long, id="all")])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.door)
def test_a_kernel_does_what_its_reference_does(row: Row, chosen: Callable[[Iterable[Case]], Iterator[Case]]) -> None:
    count = 0
    for case in chosen(row.cases()):
        lists = as_lists(case.arguments)
        bound = door(row.door).bind(*case.arguments)
        for call in case.calls:
            expected, found = row.reference(*lists, *call), bound(*call)
            assert found == (expected or 0), (case.name, call)
            seen = row.seen(*as_lists(case.arguments), *call), row.seen(*copied(lists), *call)
            assert seen[0] == seen[1], (case.name, call)
            count += 1
            if expected:
                break
    assert count > 0


@pytest.mark.parametrize("row", [row for row in ROWS if row.door.endswith("_step")], ids=lambda row: row.door)
def test_a_search_may_be_interrupted_anywhere(row: Row) -> None:
    for whole, cut in itertools.islice(zip(row.cases(), row.cases(), strict=True), 10):
        # A call may return before its nodes are used up.
        status, on = 0, door(row.door).bind(*whole.arguments)
        while not status and whole.arguments[0].counters[0] < 300:
            status = on(300 - int(whole.arguments[0].counters[0]))
        bound = door(row.door).bind(*cut.arguments)
        counters = cut.arguments[0].counters
        found = 0
        for nodes in itertools.cycle((1, 2, 0, 97)):
            if found or counters[0] >= 300:
                break
            found = bound(min(nodes, 300 - int(counters[0])))
        assert (found, as_lists(cut.arguments)) == (status, as_lists(whole.arguments)), whole.name
