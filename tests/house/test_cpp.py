"""Tests of C++ against its Python description: equal names and order, and users and references of kernel functions."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from house import SOURCE
from knightstour.core.kernels import builder
from reference import all_rows

KERNELS = SOURCE / "core/kernels"
SOURCES = sorted(KERNELS.rglob("*.cc"))
FILES = sorted([*SOURCES, *KERNELS.rglob("*.h")])
MAX_LINES = 400
MAX_LINES_OF_A_FUNCTION = 50
FUNCTIONS = {
    name: file
    for file in SOURCES
    for name in re.findall(r"^EXPORT_KERNEL\((\w+)\)", file.read_text(encoding="utf-8"), re.M)
}


def test_cold_sources_exist():
    assert {file.relative_to(KERNELS).as_posix() for file in SOURCES} >= builder.COLD


def fields_of(file: Path, struct: str) -> list[str]:
    """Return the members of a struct; empty if it is missing."""
    found = re.search(rf"^struct {struct} {{\n(.*?)^}};", file.read_text(encoding="utf-8"), re.M | re.S)
    if found is None:
        return []
    body = re.sub(r"//[^\n]*|<[^;]*?>(?= )", "", found[1])
    statements = [line.strip() for line in body.split(";") if line.strip() and not line.strip().startswith("using")]
    return [name.split()[-1] for line in statements for name in line.split(",")]


def described(file: Path) -> Any:
    """Return the Python module that describes the arrays of a C++ file, from its comment "See NAME.py for ..."."""
    name = re.search(r"\b[Ss]ee\s+(?:// )?(\S+)\.py", file.read_text(encoding="utf-8"))[1]  # type: ignore[index]
    place = SOURCE / name if "/" in name else file.parent / name
    return importlib.import_module(".".join(place.relative_to(SOURCE.parent).parts))


@pytest.mark.parametrize("file", [file for file in FILES if fields_of(file, "State")], ids=lambda file: file.stem)
def test_a_state_has_the_same_fields_in_both_languages(file: Path) -> None:
    module = described(file)
    assert fields_of(file, "State") == list(module.State._fields)


@pytest.mark.parametrize("file", [file for file in FILES if fields_of(file, "Counters")], ids=lambda file: file.stem)
def test_counters_have_the_same_places_in_both_languages(file: Path) -> None:
    module, names = described(file), [name.upper() for name in fields_of(file, "Counters")]
    text = Path(module.__file__).read_text(encoding="utf-8")
    block = re.search(r"^# [A-Z][^\n]*`counters`[^\n]*\n(.*?)^COUNTERS = ", text, re.M | re.S)
    assert block is not None
    asked = [
        name for line in block[1].splitlines() if line[0] != "#" for name in re.findall("[A-Z_]+", line.split("=")[0])
    ]
    assert asked and [getattr(module, name) for name in asked] == [names.index(name) for name in asked]
    assert len(names) == module.COUNTERS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_kernel_function_has_a_reference_and_a_user(name: str) -> None:
    assert name.startswith(f"{FUNCTIONS[name].stem}_")
    assert name in {row.function for row in all_rows()}
    assert any(f'"{name}"' in file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")), "it is not called"


def test_called_kernel_functions_exist() -> None:
    called = {
        name
        for file in SOURCE.rglob("*.py")
        for name in re.findall(r"\bkernel_function\(\"(\w+)\"", file.read_text("utf-8"))
    }
    assert called <= set(FUNCTIONS)
    assert {row.function for row in all_rows()} == set(FUNCTIONS)


def test_shared_types_have_distinct_names() -> None:
    """The linker merges functions of the same name."""
    places: dict[str, set[str]] = {}
    for file in FILES:
        # Names in an anonymous namespace are local.
        text = re.sub(r"^namespace \{\n.*^\}  // namespace$", "", file.read_text(encoding="utf-8"), flags=re.M | re.S)
        for name in re.findall(r"^(?:struct|enum) (\w+)(?:<.*>)? [:{]", text, re.M):
            places.setdefault(name, set()).add(file.name)
    assert [(name, files) for name, files in places.items() if len(files) > 1] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_of_cpp_and_no_function_is_too_long(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_LINES
    # A function ends at the first closing brace that is as far in as its first line.
    for first, line in enumerate(lines):
        if re.match(r" *[\w:<>&*\[][\w:<>&*,\[\] ]* [\w&*]+\([^;]*\)( const)? \{$", line) and "struct" not in line:
            indent = len(line) - len(line.lstrip())
            last = next(k for k in range(first, len(lines)) if lines[k].startswith(" " * indent + "}"))
            assert last - first < MAX_LINES_OF_A_FUNCTION, line


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_cpp_needs_no_library(file: Path) -> None:
    included = set(re.findall(r"^#include <(.*)>", file.read_text(encoding="utf-8"), re.M))
    # The checked library is for developers; cpuid.h is the compiler's own.
    assert included <= {"stdint.h"} | {"checked.cc": {"setjmp.h"}, "wide.h": {"cpuid.h"}}.get(file.name, set())
    assert not re.findall(r"^#define (?!EXPORT_KERNEL|EXPORT)\w+", file.read_text(encoding="utf-8"), re.M)


def test_cpp_layout_matches_clang_format() -> None:
    command = shutil.which("clang-format", path=str(Path(sys.executable).parent)) or shutil.which("clang-format")
    if command is None:
        pytest.skip("clang-format is not installed")
    done = subprocess.run([command, "--dry-run", "-Werror", *FILES], capture_output=True, text=True, cwd=builder.ROOT)
    assert done.returncode == 0, done.stderr
