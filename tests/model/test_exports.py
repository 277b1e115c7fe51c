"""Answers as tables of pandas, where it is installed."""

from __future__ import annotations

import sys

import pytest

import knightstour as kt
from knightstour.core.model.exports import table_of


def test_tables_of_samples_censuses_comparisons_and_checks() -> None:
    pytest.importorskip("pandas")
    sample = kt.sample_tours("5x5", 4, rng=1, offset=10)
    table = sample.to_pandas()
    assert (table.to_numpy() == sample.orders).all() and list(table.index) == [10, 11, 12, 13]
    census = kt.census("5x6", "turns", closed=True)
    assert dict(census.to_pandas().itertuples(index=False)) == census.counts
    compared = kt.compare("5x5", methods=["warnsdorff", "merge"], seeds=1)
    assert list(compared.to_pandas()["method"]) == [row.method for row in compared.rows]
    checked = kt.check_tours(sample)
    assert checked.to_pandas().to_dict("records") == [row.to_dict() for row in checked]


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(kt.MethodError, match="pandas is not installed"):
        table_of([])
