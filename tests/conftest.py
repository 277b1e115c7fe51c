"""What all tests share: how hypothesis searches, and the published counts."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# The default run gives the same examples each time; HYPOTHESIS_PROFILE=thorough looks for new ones.
settings.register_profile(
    "default",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def published() -> dict[str, list[dict[str, Any]]]:
    """data/counts.toml."""
    return tomllib.loads((DATA / "counts.toml").read_text())
