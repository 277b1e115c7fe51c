"""The number of random examples of a test."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# What the profiles "default" and "more" look at where a test says nothing; see conftest.py.
FEW, MORE = 6, 60


def examples(most: int, *, suppressed: tuple[HealthCheck, ...] = ()) -> settings:
    """Run `most` examples in `make test-more`, a tenth by default, more with HYPOTHESIS_PROFILE=thorough."""
    count = max(3, most * settings.default.max_examples // MORE)
    return settings(max_examples=count, suppress_health_check=(*settings.default.suppress_health_check, *suppressed))


def mostly_long(rows: Iterable[Any], first: int = 3) -> list[Any]:
    """Return rows for `parametrize`; by default only the first run. A tuple contains several arguments."""
    parts = (row if isinstance(row, tuple) else (row,) for row in rows)
    return [pytest.param(*each, marks=[pytest.mark.long] * (k >= first)) for k, each in enumerate(parts)]
