"""When a kernel that NumPy can stand in for is loaded or compiled."""

from __future__ import annotations

import sys
from collections import Counter
from types import ModuleType

import pytest

from knightstour.kernels.bulk import orders
from knightstour.machine import at_hand, engine
from knightstour.machine.at_hand import Pays, compiled_if_at_hand

PAYS = Pays(loaded_from=10, imported_from=100, compiled_from=1000)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ModuleType]:
    """The kernels that were compiled or loaded, in a process that has none and that has done nothing yet."""
    kernels: list[ModuleType] = []
    monkeypatch.setattr(at_hand, "_done", Counter())
    monkeypatch.setattr(at_hand, "_has_numba", lambda: True)
    monkeypatch.setattr(engine, "is_loaded", lambda kernel: kernel in kernels)
    monkeypatch.setattr(engine, "is_on_disk", lambda kernel: False)
    monkeypatch.setattr(engine, "compiled", kernels.append)
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    return kernels


def squares_until(asked: list[ModuleType]) -> int:
    for done in range(1, 2000):
        compiled_if_at_hand(orders, 1, PAYS)
        if asked:
            return done
    return 0


def test_nobody_waits_for_a_compiler_before_numpy_would_have_taken_as_long(asked: list[ModuleType]) -> None:
    assert squares_until(asked) == PAYS.compiled_from


def test_a_kernel_on_the_disk_is_loaded_sooner(asked: list[ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "is_on_disk", lambda kernel: True)
    assert squares_until(asked) == PAYS.imported_from
    asked.clear()
    at_hand._done.clear()
    monkeypatch.setitem(sys.modules, "numba", ModuleType("numba"))
    assert squares_until(asked) == PAYS.loaded_from


def test_a_loaded_kernel_is_used_at_once(asked: list[ModuleType]) -> None:
    asked.append(orders)
    compiled_if_at_hand(orders, 1, PAYS)
    assert len(asked) == 2


def test_without_numba_nothing_is_compiled(asked: list[ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_hand, "_has_numba", lambda: False)
    assert compiled_if_at_hand(orders, 1 << 60, PAYS) is None and not asked
