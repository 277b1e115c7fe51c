"""Tests of the library of kernels: clear errors, and wrong arguments never reach a kernel."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from house import SOURCE
from knightstour import Problem
from knightstour.core.kernels import builder
from knightstour.core.machine import native
from knightstour.core.machine.native import ArrayKind, KernelFault, LibraryError, kernel_function, parse_signature
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.search.warnsdorff import start_state
from reference import all_rows

STEP = kernel_function("warnsdorff_step")


def state_of(n: int = 6, **question: Any) -> Any:
    return start_state(Problem((n, n), **question), Budget(), 1, "roth", 5)


def test_building_the_library_counts_for_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(builder, "is_checkout", lambda: True)
    monkeypatch.setattr(native, "check_stamp", lambda path: None)

    def build(path: Path, variant: str) -> None:
        now[0] += 500

    monkeypatch.setattr(builder, "bring_up_to_date", build)
    budget = Budget(Limits(seconds=10))
    now[0] += 1
    native._load_library.cache_clear()
    native.library.__wrapped__()
    assert now[0] == 601 and budget.seconds_left == pytest.approx(9)


# ---------------------------------------------------------------- a library that does not fit


def cut_off(library: Path) -> None:
    library.write_bytes(library.read_bytes()[:-5000])


def of_another_version(library: Path) -> None:
    (library.parent / "random.h").write_text("// changed\n")


def damaged(library: Path) -> None:
    """Change one bit in the middle."""
    data = bytearray(library.read_bytes())
    data[len(data) // 2] ^= 4
    library.write_bytes(data)


def _sealed(library: Path, data: bytes) -> None:
    library.write_bytes(data)
    builder.stamp_of(library).write_text(f"{builder.version()} {builder.size_and_checksum(library)}\n")


def mixed_up(library: Path) -> None:
    """Replace the library, with a correct stamp."""
    _sealed(library, library.read_bytes().replace(builder.version().split()[1].encode(), b"01234567"))


def for_another_machine(library: Path) -> None:
    _sealed(library, b"MZ" + bytes(100))


def missing(library: Path) -> None:
    library.unlink()


def without_stamp(library: Path) -> None:
    builder.stamp_of(library).unlink()


def with_noise_as_stamp(library: Path) -> None:
    builder.stamp_of(library).write_bytes(b"\xff\xfe noise")


BAD: dict[Callable[[Path], None], str] = {
    cut_off: "is truncated",
    damaged: "is damaged",
    of_another_version: "and the package have different versions",
    mixed_up: "and the package have different versions",
    for_another_machine: "cannot be loaded; is it for another machine?",
    missing: "is missing",
    without_stamp: "is missing",
    with_noise_as_stamp: "cannot be read",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package, outside of a checkout."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(SOURCE, folder / "knightstour", ignore=shutil.ignore_patterns("__pycache__", "library.*"))
    shutil.copy(SOURCE / "core/kernels/library.cc", folder / "knightstour/core/kernels")
    if builder.has_compiler():
        builder.bring_up_to_date(builder.LIBRARY, "plain")
    if not builder.is_current(builder.LIBRARY):
        pytest.skip("there is no library, and no compiler to make one")
    for file in (builder.LIBRARY, builder.stamp_of(builder.LIBRARY)):
        shutil.copy(file, folder / "knightstour/core/kernels")
    return folder


def asked(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line of the package in a folder."""
    variables = {name: value for name, value in os.environ.items() if name != native.VARIANT_WORD}
    return subprocess.run(
        [sys.executable, "-m", "knightstour", *words],
        env={**variables, "PYTHONPATH": str(folder), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=1200,
    )


SOLVE = ("solve", "6x6", "--method", "warnsdorff", "--seed", "1")


@pytest.mark.long
def test_an_installed_library_is_used(installed: Path) -> None:
    done = asked(installed, *SOLVE)
    assert done.returncode == 0 and len(done.stdout.split()) == 36, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("damage", BAD, ids=lambda damage: damage.__name__)
def test_incompatible_library_is_one_error_with_a_command(
    damage: Callable[[Path], None], installed: Path, tmp_path: Path
) -> None:
    shutil.copytree(installed, tmp_path, dirs_exist_ok=True)
    damage(tmp_path / "knightstour/core/kernels" / builder.LIBRARY.name)
    done = asked(tmp_path, *SOLVE)
    assert (done.returncode, done.stdout) == (2, "")
    first, *rest = done.stderr.splitlines()
    assert first == f"error: the library of kernels {BAD[damage]}"
    assert rest[-1] == "help: install it again: pip install --force-reinstall knightstour"
    assert "Traceback" not in done.stderr
    # Code without kernels works.
    assert asked(tmp_path, "--help").returncode == 0


@pytest.mark.long
def test_an_installed_package_has_one_form_of_the_library(installed: Path) -> None:
    done = asked(installed, *SOLVE, KNIGHTSTOUR_NATIVE="checked")
    assert done.returncode == 2 and "there is no checked library of kernels in an installed package" in done.stderr


def test_an_unknown_form_of_the_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native.VARIANT_WORD, "fast")
    native._load_library.cache_clear()
    with pytest.raises(LibraryError, match="KNIGHTSTOUR_NATIVE=fast") as caught:
        native.library.__wrapped__()
    assert caught.value.help == "one of plain, checked, sanitized, coverage"


# ---------------------------------------------------------------- a checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with its own sources."""
    ignored = shutil.ignore_patterns("__pycache__", "library.so*", "library.dylib*", "library.dll*")
    shutil.copytree(SOURCE, tmp_path / "src/knightstour", ignore=ignored)
    shutil.copy(builder.ROOT / "hatch_build.py", tmp_path)
    if not builder.has_compiler():
        pytest.skip("there is no compiler")
    return tmp_path


@pytest.mark.long
def test_a_checkout_builds_what_has_changed_and_nothing_else(checkout: Path) -> None:
    library = checkout / "src/knightstour/core/kernels" / builder.LIBRARY.name
    assert asked(checkout / "src", *SOLVE).returncode == 0
    first = library.stat().st_mtime_ns
    assert asked(checkout / "src", *SOLVE).returncode == 0
    assert library.stat().st_mtime_ns == first
    kernel = library.with_name("search") / "warnsdorff.cc"
    kernel.write_text(kernel.read_text().replace("return FOUND;", "return Status(2);"))
    assert asked(checkout / "src", *SOLVE, "--max-nodes", "50").returncode == 3
    assert library.stat().st_mtime_ns > first
    assert not list(library.parent.glob(".building-*"))


@pytest.mark.long
def test_cpp_compile_failure_is_one_error_with_its_line(checkout: Path) -> None:
    kernel = checkout / "src/knightstour/core/kernels/search/warnsdorff.cc"
    kernel.write_text(kernel.read_text().replace("return FOUND;", "return FUND;"))
    # The others would be compiled before the error is given, for nothing.
    for other in {*kernel.parents[1].rglob("*.cc")} - {kernel}:
        other.unlink()
    done = asked(checkout / "src", *SOLVE)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith(
        "error: the kernels in C++ do not compile: src/knightstour/core/kernels/search/warnsdorff.cc:"
    )
    assert "FUND" in done.stderr.splitlines()[0]


@pytest.mark.long
def test_checkout_without_compiler_names_the_missing_package(checkout: Path, tmp_path: Path) -> None:
    # A finder that hides ziglang, as on a bare machine.
    hidden = "import sys, importlib.abc\nclass No(importlib.abc.MetaPathFinder):\n"
    hidden += "    def find_spec(self, name, path, target=None):\n"
    hidden += "        if name == 'ziglang': raise ModuleNotFoundError(name=name)\n"
    hidden += "import importlib.util as u; found = u.find_spec\n"
    hidden += "u.find_spec = lambda name, *rest: None if name == 'ziglang' else found(name, *rest)\n"
    (checkout / "src/sitecustomize.py").write_text(hidden)
    done = asked(checkout / "src", *SOLVE, PATH=str(tmp_path / "nothing"), CXX="")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: there is no C++ compiler",
        "help: install g++ or clang++, or `pip install ziglang`, which is one",
    ]
    done = asked(checkout / "src", *SOLVE, CXX="no-such-compiler")
    assert done.returncode == 2 and "the C++ compiler cannot be run" in done.stderr


@pytest.mark.long
def test_processes_that_want_a_library_at_once_get_one(checkout: Path) -> None:
    done: list[subprocess.CompletedProcess[str]] = []
    threads = [threading.Thread(target=lambda: done.append(asked(checkout / "src", *SOLVE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.returncode for one in done] == [0] * 4
    assert len({one.stdout for one in done}) == 1


# ---------------------------------------------------------------- forms


def test_forms_of_all_kinds_are_read() -> None:
    kinds = parse_signature(" b1 =u1x3 u1|u2|i4 f8 { int { uint } =i4 } float")
    assert [str(kind) for kind in kinds[:4]] == [
        "a writable array of bool",
        "an array of uint8, 3 an item",
        "a writable array of uint8 or uint16 or int32",
        "a writable array of float64",
    ]
    assert kinds[4:] == (("int", ("uint",), ArrayKind((np.dtype(np.int32),), 1, True)), "float")


def test_a_kernel_function_that_does_not_exist_is_named() -> None:
    with pytest.raises(LibraryError, match="has no nonsense"):
        kernel_function("nonsense")()


# ---------------------------------------------------------------- arguments

SPOILED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "another dtype": (lambda a: a.astype(np.int32), "int32"),
    "floats": (lambda a: a.astype(float), "float64"),
    "unsigned": (lambda a: a.astype(np.uint64), "uint64"),
    "other bytes": (lambda a: a.astype(">i8"), ">i8"),
    "strings": (lambda a: a.astype(str), "<U"),
    "a list": (lambda a: a.tolist(), "not a list"),
    "None": (lambda a: None, "not a NoneType"),
    "a number": (lambda a: 7, "not 7"),
    "every second": (lambda a: np.repeat(a, 2)[::2], "contiguous and aligned"),
    "backwards": (lambda a: a[::-1], "contiguous and aligned"),
    "columns": (lambda a: np.repeat(a, 2).reshape(-1, 2).T, "contiguous and aligned"),
    "between two numbers": (
        lambda a: np.frombuffer(bytearray(a.nbytes + 1), np.uint8)[1:].view(np.int64),
        "contiguous and aligned",
    ),
    "masked": (lambda a: np.ma.masked_array(a), "MaskedArray"),
    "a subclass": (lambda a: a.view(Sub), "Sub"),
}


class Sub(np.ndarray):
    """An array whose data access may run any code."""


@pytest.mark.parametrize("field", range(13))
@pytest.mark.parametrize("name", SPOILED)
def test_an_array_of_another_kind_never_reaches_a_kernel(name: str, field: int) -> None:
    spoil, words = SPOILED[name]
    state = state_of()
    label = state._fields[field]
    if not len(state[field]):
        state = state._replace(**{label: np.arange(8)})
    with pytest.raises(TypeError, match=words) as caught:
        STEP.bind(state._replace(**{label: spoil(state[field])}))
    assert f"warnsdorff_step: {label} must be" in str(caught.value)


def test_an_array_that_is_written_to_must_be_writable() -> None:
    state = state_of()
    state.path.flags.writeable = False
    with pytest.raises(TypeError, match=r"path must be .* and this is read-only"):
        STEP.bind(state)
    state.path.flags.writeable = True
    state.keys.flags.writeable = False
    assert STEP(state, 10) == 0


def test_rows_that_are_not_whole_are_refused() -> None:
    state = state_of()
    with pytest.raises(TypeError, match="11 is not a multiple"):
        STEP.bind(state._replace(counters=state.counters[:11]))


def test_rejects_shared_memory_for_written_arrays() -> None:
    state = state_of()
    both = np.zeros(72, dtype=np.int64)
    for change in (
        {"path": both[:36], "position": both[35:71]},
        {"position": both[:36], "path": both[35:71]},
        {"path": both, "position": both[3:4]},
        {"free": state.waiting},
        {"keys": state.path},
        {"keys": both, "path": both[10:46]},
        {"path": both[10:46], "starts": both[45:]},
    ):
        with pytest.raises(TypeError, match="two arrays share memory"):
            STEP.bind(state._replace(**change))
    # Arrays may be adjacent, and read-only arrays may overlap.
    STEP.bind(state._replace(path=both[:36], position=both[36:]))
    STEP.bind(state._replace(keys=state.starts, plan=state.starts[:1]))


@pytest.mark.parametrize("numbers", [(), (1, 2), (1.0,), ("7",), (None,), (2**63,), (-(2**63) - 1,), (float("nan"),)])
def test_numbers_that_do_not_fit_are_refused(numbers: tuple[Any, ...]) -> None:
    state = state_of()
    bound = STEP.bind(state)
    with pytest.raises((TypeError, OverflowError)):
        bound(*numbers)
    with pytest.raises((TypeError, OverflowError)):
        STEP(state, *numbers)
    assert state.counters[0] == 0


@pytest.mark.parametrize("value", [(), (1,), [1], None, "state"])
def test_a_tuple_of_other_fields_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="argument 0 must be a tuple of 13"):
        STEP(value, 1)
    with pytest.raises(TypeError, match="needs 2 arguments, not 3"):
        STEP(state_of(), 1, 2)
    with pytest.raises(TypeError, match="bind"):
        STEP.bind()


ANYTHING = st.one_of(
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["?", "b", "h", "i", "q", "B", "I", "Q", "f", "d", "D", "O", "U3", "M8[s]", ">i8"]).flatmap(
        lambda dtype: st.integers(0, 20).map(lambda n: np.zeros(n, dtype=dtype))
    ),
)


@given(st.data())
def test_no_function_accepts_undeclared_arguments(data: st.DataObject) -> None:
    """Each kernel function is bound with a case of its reference in which one argument differs."""
    row = data.draw(st.sampled_from(all_rows()), label="function")
    found, case = kernel_function(row.function), next(iter(row.cases()))
    kinds = found.signature[: len(case.arguments)]
    place = data.draw(st.integers(0, len(kinds) - 1))
    value = data.draw(ANYTHING)
    kind, arguments = kinds[place], list(case.arguments)
    if type(kind) is tuple:
        field = data.draw(st.integers(0, len(kind) - 1))
        kind, fields = kind[field], list(arguments[place])
        fields[field] = value
        arguments[place] = tuple(fields)
    else:
        arguments[place] = value
    fits = isinstance(kind, ArrayKind) and isinstance(value, np.ndarray) and value.dtype in kind.dtypes
    fits = fits and value.size % kind.items == 0
    fits |= kind == "int" and isinstance(value, int) and -(2**63) <= value < 2**63
    fits |= kind == "uint" and isinstance(value, int) and 0 <= value < 2**64
    fits |= kind == "float" and isinstance(value, float)
    if fits:
        found.bind(*arguments)
    else:
        with pytest.raises(TypeError):
            found.bind(*arguments)


# ---------------------------------------------------------------- faults, threads and lives


@pytest.mark.skipif(os.environ.get(native.VARIANT_WORD) != "checked", reason="needs the checked library")
def test_checked_library_reports_the_failing_kernel() -> None:
    state = state_of()
    with pytest.raises(KernelFault, match=r"kernels/search/warnsdorff\.cc:\d+: index 20 of an array of 20"):
        STEP(state._replace(path=state.path[:20].copy()), 1000)
    state = state_of()
    state.counters[0] = 2**63 - 5
    with pytest.raises(KernelFault, match=r"kernels/search/warnsdorff\.cc:\d+: overflow of a sum"):
        STEP(state, 1000)
    state = state_of()
    with pytest.raises(KernelFault, match=r"warnsdorff\.cc:\d+: division by 0"):
        STEP(state._replace(starts=state.starts[:0]), 1000)
    assert STEP(state_of(), 1000) == 1


def test_arrays_live_as_long_as_their_owner() -> None:
    bound = STEP.bind(state_of(30))
    for _ in range(20):
        np.full(900, 7, dtype=np.int64)
        assert bound(10) == 0


def test_threads_call_at_once() -> None:
    """A second thread counts during a kernel call, which would be impossible with the GIL held."""
    state = state_of(5, start=(0, 1))  # has no tour
    bound = STEP.bind(state)
    counted, seen_at = [0], []

    def count() -> None:
        while not seen_at:
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(0.01)
    before = counted[0]
    began = time.perf_counter()
    while time.perf_counter() - began < 0.3:
        bound(300_000)
    seen_at.append(counted[0])
    thread.join()
    assert counted[0] - before > 1000
