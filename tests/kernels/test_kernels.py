"""Each kernel in C++ matches its reference or its digests, call by call: the same status and arrays.

kernels/digests.json has a digest of each case, in order: of the results of each call. `make golden` rewrites it; a
commit that changes digests must mention a check that does not depend on the kernel.
"""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightstour.core.kernels import rng
from knightstour.core.machine.native import kernel_function
from reference import Case, Row, all_rows, as_lists, copied

ROWS = all_rows()
TWINS = [row for row in ROWS if row.reference is not None]
DIGESTED = [row for row in ROWS if row.reference is None]
DIGESTS = Path(__file__).parent / "digests.json"


def few(cases: Iterable[Any]) -> Iterator[Any]:
    """Select the first two cases, and every twelfth one."""
    return (case for k, case in enumerate(cases) if k < 2 or k % 12 == 0)


CHOSEN = pytest.mark.parametrize("chosen", [few, pytest.param(iter, marks=pytest.mark.long, id="all")])
Chosen = Callable[[Iterable[Any]], Iterator[Any]]


@CHOSEN
@pytest.mark.parametrize("row", TWINS, ids=lambda row: row.function)
def test_a_kernel_does_what_its_reference_does(row: Row, chosen: Chosen) -> None:
    assert row.reference is not None
    count = 0
    for case in chosen(row.cases()):
        lists = as_lists(case.arguments)
        bound = kernel_function(row.function).bind(*case.arguments)
        for call in case.calls:
            expected, found = row.reference(*lists, *call), bound(*call)
            assert found == (expected or 0), (case.name, call)
            seen = row.seen(*as_lists(case.arguments), *call), row.seen(*copied(lists), *call)
            assert seen[0] == seen[1], (case.name, call)
            count += 1
            if expected:
                break
    assert count > 0


def plain(value: Any) -> Any:
    """Return a value as text; floats in the number of digits on which all compilers agree."""
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def digest_of(row: Row, case: Case) -> str:
    """Return the digest of the results and arrays of each call of a case."""
    bound = kernel_function(row.function).bind(*case.arguments)
    text = hashlib.sha256()
    for call in case.calls:
        status = bound(*call)
        text.update(json.dumps([status, plain(row.seen(*as_lists(case.arguments), *call))]).encode())
        # A finished search is not called again.
        if status and row.function.endswith("_step"):
            break
    return text.hexdigest()[:12]


@CHOSEN
@pytest.mark.parametrize("row", DIGESTED, ids=lambda row: row.function)
def test_kernel_output_matches_golden_digests(row: Row, chosen: Chosen, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite-golden"):
        made = [digest_of(row, case) for case in row.cases()]
        known = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
        known[row.function] = " ".join(made)
        DIGESTS.write_text(
            json.dumps({row.function: known[row.function] for row in DIGESTED if row.function in known}, indent=1)
            + "\n"
        )
    wanted = json.loads(DIGESTS.read_text())[row.function].split()
    pairs = chosen(zip(row.cases(), wanted, strict=True))
    assert wanted and [case.name for case, known in pairs if digest_of(row, case) != known] == []


@pytest.mark.parametrize("row", [row for row in ROWS if row.function.endswith("_step")], ids=lambda row: row.function)
def test_a_search_may_be_interrupted_anywhere(row: Row) -> None:
    for whole, cut in itertools.islice(zip(row.cases(), row.cases(), strict=True), 10):
        # A call may return before its nodes are used.
        status, on = 0, kernel_function(row.function).bind(*whole.arguments)
        while not status and whole.arguments[0].counters[0] < 300:
            status = on(300 - int(whole.arguments[0].counters[0]))
        bound = kernel_function(row.function).bind(*cut.arguments)
        counters = cut.arguments[0].counters
        found = 0
        for nodes in itertools.cycle((1, 2, 0, 97)):
            if found or counters[0] >= 300:
                break
            found = bound(min(nodes, 300 - int(counters[0])))
        assert (found, as_lists(cut.arguments)) == (status, as_lists(whole.arguments)), whole.name


# ---------------------------------------------------------------- random numbers


def test_random_numbers_are_32_bits_never_zero_and_even() -> None:
    x = rng.first_random(1)
    counts = [0] * 16
    seen = set()
    for _ in range(20_000):
        x = rng.next_random(x)
        assert 0 < x < 2**32
        counts[x % 16] += 1
        seen.add(x)
    assert len(seen) == 20_000 and min(counts) > 1100 and max(counts) < 1400


@given(st.integers())
def test_every_seed_is_a_good_one(seed: int) -> None:
    assert 0 < rng.first_random(seed) < 2**32


def test_neighbouring_seeds_are_far_apart() -> None:
    assert len({rng.first_random(seed) for seed in range(10_000)}) == 10_000
