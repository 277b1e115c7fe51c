"""When a kernel that NumPy can stand in for is loaded or compiled."""

from __future__ import annotations

import sys
from collections import defaultdict
from types import ModuleType

import pytest

from knightstour.kernels.bulk import orders
from knightstour.machine import at_hand, compiling, engine
from knightstour.machine.at_hand import compiled_if_at_hand


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ModuleType]:
    """The kernels that were compiled or loaded, in a process that has none and that has done nothing yet."""
    kernels: list[ModuleType] = []
    monkeypatch.setattr(at_hand, "_missed", defaultdict(float))
    monkeypatch.setattr(engine, "COMPILE_AFTER", 3.0)
    monkeypatch.setattr(compiling, "has_compiler", lambda: True)
    monkeypatch.setattr(engine, "is_loaded", lambda kernel: kernel in kernels)
    monkeypatch.setattr(compiling, "is_on_disk", lambda kernel, door, form: False)
    monkeypatch.setattr(engine, "compiled", kernels.append)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    return kernels


def seconds_until(asked: list[ModuleType]) -> float:
    """How many seconds are lost before the kernel is loaded."""
    for done in range(1, 400):
        compiled_if_at_hand(orders, 0.01)
        if asked:
            return pytest.approx(0.01 * done, abs=0.011)
    return 0


def test_nobody_waits_for_a_compiler_before_numpy_would_have_taken_as_long(asked: list[ModuleType]) -> None:
    assert seconds_until(asked) == engine.COMPILE_AFTER


def test_a_kernel_on_the_disk_is_loaded_sooner(asked: list[ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "is_on_disk", lambda kernel, door, form: True)
    assert seconds_until(asked) == engine.INTERPRETED_SECONDS
    asked.clear()
    at_hand._missed.clear()
    monkeypatch.setitem(sys.modules, "numba", ModuleType("numba"))
    assert seconds_until(asked) == engine.INTERPRETED_SECONDS * engine._PART_OF_CODE


def test_a_loaded_kernel_is_used_at_once(asked: list[ModuleType]) -> None:
    asked.append(orders)
    compiled_if_at_hand(orders, 1)
    assert len(asked) == 2


def test_without_numba_nothing_is_compiled(asked: list[ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "has_compiler", lambda: False)
    assert compiled_if_at_hand(orders, 1e9) is None and not asked
