"""How many random examples a test looks at."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# What the profiles "default" and "more" look at where a test says nothing; see conftest.py.
FEW, MORE = 10, 60


def examples(most: int, *, suppressed: tuple[HealthCheck, ...] = ()) -> settings:
    """`most` examples in `make test-more`, a sixth of them by default, more with HYPOTHESIS_PROFILE=thorough."""
    count = max(5, most * settings.default.max_examples // MORE)
    return settings(max_examples=count, suppress_health_check=(*settings.default.suppress_health_check, *suppressed))
