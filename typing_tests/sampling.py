"""Draw tours in bulk, keep them in files, show how far the work has come."""

from typing import Any, assert_type

import numpy as np

import knightstour as kt


def show(progress: kt.Progress) -> None:
    """What a program prints while it waits."""
    assert_type(progress.stage, str)
    assert_type(progress.done, int)
    assert_type(progress.total, int | None)
    assert_type(progress.seconds, float)


sample = kt.sample((8, 8), 1000, closed=True, unique=True, seed=7, workers=2)
assert_type(sample, kt.Sample)
assert_type(sample.distribution, str)
assert_type(sample[0], kt.Tour)
orders: np.ndarray[Any, np.dtype[np.integer[Any]]] = sample.orders
for chunk in kt.iter_samples((8, 8), chunk=100, distribution="backbite", settings={"every": 64}):
    assert_type(chunk, kt.Sample)

data = kt.datasets.sample_dataset("tours", (8, 8), 1000, closed=True, seed=1, on_progress=show)
assert_type(data, kt.datasets.DataSet)
assert_type(len(kt.datasets.read_dataset("tours")), int)
assert_type(data[5], kt.Tour)
report = kt.datasets.check_dataset("tours", on_progress=show)
assert_type(report.is_valid, bool)
