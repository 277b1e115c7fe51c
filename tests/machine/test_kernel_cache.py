"""Compiled kernels on the disk: processes that save at once do not mix their code, and a bad folder is no error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from knightstour.machine import kernel_cache
from knightstour.machine.kernel_cache import keep_on_disk


def dispatcher_of(folder: Path, save: Callable[[object, object], None]) -> SimpleNamespace:
    """As much of a numba function as is used: its cache saves with `save`."""

    def load(signature: object, target: object) -> object | None:
        return IndexDataCacheFile(str(folder), "kernel", 0).load(signature)

    cache = SimpleNamespace(cache_path=str(folder), load_overload=load, save_overload=save)
    return SimpleNamespace(_cache=cache, enable_caching=lambda: None)


def test_two_processes_that_save_at_once_keep_their_own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_index = IndexDataCacheFile._load_index

    def slowly(self: IndexDataCacheFile) -> object:
        found = load_index(self)
        time.sleep(0.1)
        return found

    monkeypatch.setattr(IndexDataCacheFile, "_load_index", slowly)

    def save(signature: object, compiled: object) -> None:
        IndexDataCacheFile(str(tmp_path), "kernel", 0).save(signature, compiled)

    kept = [dispatcher_of(tmp_path, save) for _ in range(2)]
    for dispatcher in kept:
        keep_on_disk(dispatcher)
    pairs = [("uint8", "code for bytes"), ("float64", "code for numbers")]
    threads = [threading.Thread(target=kept[k]._cache.save_overload, args=pairs[k]) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [kept[0]._cache.load_overload(name, None) for name, _ in pairs] == [code for _, code in pairs]


def test_a_folder_that_cannot_be_written_or_read_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    saved: list[object] = []
    dispatcher = dispatcher_of(tmp_path / "file", lambda signature, compiled: saved.append(signature))
    keep_on_disk(dispatcher)
    dispatcher._cache.save_overload("uint8", "code")
    assert saved == [] and dispatcher._cache.load_overload("uint8", None) is None

    def full(signature: object, compiled: object) -> None:
        raise OSError("No space left on device")

    dispatcher = dispatcher_of(tmp_path, full)
    keep_on_disk(dispatcher)
    dispatcher._cache.save_overload("uint8", "code")


def test_a_data_file_that_was_cut_off_is_compiled_again(tmp_path: Path) -> None:
    cache = IndexDataCacheFile(str(tmp_path), "kernel", 0)
    cache.save("uint8", "code")
    next(tmp_path.glob("*.nbc")).write_bytes(b"\x80")
    dispatcher = dispatcher_of(tmp_path, cache.save)
    keep_on_disk(dispatcher)
    assert dispatcher._cache.load_overload("uint8", None) is None


def test_a_kernel_runs_even_if_numba_finds_no_folder_for_it(caplog: pytest.LogCaptureFixture) -> None:
    scope: dict[str, Callable[[int], int]] = {}
    exec(compile("def twice(x):\n    return 2 * x\n", "/nowhere/kernel.py", "exec"), scope)
    kernel_cache._say_once.cache_clear()
    for _ in range(2):
        made = numba.njit(scope["twice"])
        keep_on_disk(made)
        assert made(21) == 42
    # One note says why everything takes seconds.
    assert [record.levelname for record in caplog.records if "NUMBA_CACHE_DIR" in record.message] == ["WARNING"]
