"""Tests of the layers: a folder imports only from earlier ones, and a command loads only what it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from house import (
    ORDER,
    RINGS,
    ROOT,
    SOURCE,
    UPWARD,
    Import,
    code_lines,
    files,
    folder_of,
    imports,
    is_ours,
    is_upward,
    module_of,
    place_of,
    target_of,
    types_too,
)

MAX_LINES = 600
# Code of a single kernel is in its file.
MAX_LINES_OF_A_KERNEL = 800
# Scripts and styles of the page.
MAX_LINES_OF_THE_PAGE = 450

# Allowed imports of a folder besides the standard library and NumPy ...
AT_ONCE = {"cli": {"click"}}
# ... and in the function that needs it, besides.
LATER = {
    "model": {"networkx", "pandas"},
    "formats": {"networkx", "scipy", "pydot"},
    "machine": {"dask", "distributed", "pyarrow"},
    "search": {"pysat"},
    "certificates": {"pysat"},
    "objectives": {"pysat"},
    "drawing": {"rich", "PIL", "resvg_py", "fpdf", "networkx"},
    "pictures": {"PIL", "ezdxf"},
    "sampling": {"pyarrow"},
    "web": {"anywidget", "traitlets"},
    "cli": {"rich", "pyarrow"},
}


def all_imports() -> list[Import]:
    """Return the imports of all files."""
    return [found for file in files() for found in imports(file)]


def ours() -> list[Import]:
    """Return the imports of modules of this package."""
    return [found for found in all_imports() if is_ours(found)]


def others() -> list[Import]:
    """Return the imports of other packages."""
    standard = {"knightstour", *sys.stdlib_module_names}
    return [found for found in all_imports() if found.target.split(".")[0] not in standard]


def test_imports_point_only_down() -> None:
    wrong = []
    for found in ours():
        here, there = folder_of(module_of(found.file)), folder_of(target_of(found))
        if here in ORDER and there in ORDER and ORDER.index(there) > ORDER.index(here) and not is_upward(found):
            wrong.append(f"{found}: {here} is below {there}")
    assert not wrong, "\n".join(wrong)


def test_upward_imports_are_few_and_used() -> None:
    assert {(module_of(found.file), target_of(found)) for found in ours() if is_upward(found)} == UPWARD
    assert len(UPWARD) <= 14


def test_folders_of_house_match_the_package() -> None:
    assert {place_of(folder) for folder in ORDER} == {path.parent for path in SOURCE.glob("*/*/__init__.py")}
    assert set(RINGS) == {path.parent.name for path in SOURCE.glob("*/__init__.py")}


def test_kernels_import_only_kernels() -> None:
    wrong = [
        str(found)
        for found in all_imports()
        if folder_of(module_of(found.file)) == "kernels"
        and not found.target.startswith("knightstour.core.kernels.")
        and found.target.split(".")[0] not in {"numpy", *sys.stdlib_module_names}  # of arrays, their type
    ]
    assert not wrong, "\n".join(wrong)


def test_third_party_imports_are_where_allowed() -> None:
    wrong = []
    for found in others():
        here = folder_of(module_of(found.file))
        package = found.target.split(".")[0]
        at_once = {"numpy"} | AT_ONCE.get(here, set())
        if here in [*ORDER, "__init__"] and package not in at_once:
            if found.is_top or package not in LATER.get(here, set()):
                when = "when it is loaded" if found.is_top else "at all"
                wrong.append(f"{found}: {here} may not, {when}")
    assert not wrong, "\n".join(wrong)


def test_no_modules_import_each_other_in_a_ring() -> None:
    below: dict[str, set[str]] = {module_of(file): set() for file in files()}
    for found in ours():
        if not found.is_top:
            continue
        if target_of(found) in below and module_of(found.file) != target_of(found):
            below[module_of(found.file)].add(target_of(found))
    while below:
        lowest = [module for module, targets in below.items() if not targets & set(below)]
        assert lowest, f"these import each other in a ring: {', '.join(sorted(below))}"
        for module in lowest:
            del below[module]


def circles(below: dict[str, set[str]]) -> list[set[str]]:
    """Return the largest sets of modules that import each other."""
    reached = {module: {module} for module in below}
    for module, seen in reached.items():
        waiting = [module]
        while waiting:
            fresh = below[waiting.pop()] - seen
            seen |= fresh
            waiting += fresh
    return [{other for other in seen if module in reached[other]} for module, seen in reached.items()]


def test_at_most_three_modules_import_each_other_for_their_types() -> None:
    modules = {module_of(file): file for file in files()}
    below = {
        name: {target_of(found) for found in types_too(file) if found.is_top and is_ours(found)} & modules.keys()
        for name, file in modules.items()
    }
    assert [sorted(circle) for circle in circles(below) if len(circle) > 3] == []
    assert len(circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})[0]) == 3


def test_code_lines_exclude_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""One\n\nTwo.\n"""\n\nNAME = """a\nb"""\n\n\ndef one():\n    """Return 1."""\n    return 1\n')
    assert code_lines(file) == 7


@pytest.mark.parametrize("folder", [SOURCE, ROOT / "tests", ROOT / "page/tests"], ids=["src", "tests", "page"])
def test_no_file_is_too_long(folder: Path) -> None:
    lengths = {str(f.relative_to(folder)): code_lines(f) for f in folder.rglob("*.py")}
    most = {name: MAX_LINES_OF_A_KERNEL if "kernels/" in name else MAX_LINES for name in lengths}
    long = {name: lines for name, lines in lengths.items() if lines > most[name]}
    assert not long, f"too many lines, so they hold more than one idea: {long}"


def test_no_file_of_the_page_is_too_long() -> None:
    static = ROOT / "page/src"
    # The texts of a language are a list, which a translator wants in one file.
    found = [file for suffix in ("js", "css") for file in static.rglob(f"*.{suffix}") if file.parent.name != "texts"]
    lengths = {str(file.relative_to(static)): len(file.read_text().splitlines()) for file in found}
    long = {name: lines for name, lines in lengths.items() if lines > MAX_LINES_OF_THE_PAGE}
    assert lengths and not long, f"too many lines, so they hold more than one subject: {long}"


def loaded_by(statement: str) -> set[str]:
    """Return the heavy packages that a statement loads in a new interpreter."""
    heavy = {"numpy", "rich", "networkx", "click", "dask", "PIL"}
    code = f"import sys; {statement}; print(*({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=1200)
    return set(done.stdout.split())


def test_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import knightstour") == set()
    assert loaded_by("import knightstour as kt; kt.NoTour, dir(kt), kt.__all__") == set()


def test_a_small_tour_loads_numpy_alone() -> None:
    find = "import knightstour as kt; from knightstour.core.search import rotation; "
    find += "from knightstour.core.model import budget; "
    find += "rotation.rotation(kt.Problem((8, 8)), budget.Budget(), 1)"
    assert loaded_by(find) <= {"numpy"}


@pytest.mark.long
def test_drawing_modules_load_only_for_pictures() -> None:
    code = "import sys, knightstour as kt; tour = kt.find_tour((5, 5)); {}; "
    code += "print('knightstour.core.drawing' in sys.modules)"
    for statement, is_loaded in (("repr(tour), repr(tour.board)", "False"), ("tour._repr_svg_()", "True")):
        command = [sys.executable, "-c", code.format(statement)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200)
        assert done.stdout.split() == [is_loaded]


def test_the_command_line_loads_without_numpy() -> None:
    assert loaded_by("import knightstour.interfaces.cli.app") <= {"click"}


def test_every_public_name_is_there() -> None:
    import knightstour

    for name in knightstour.__all__:
        assert getattr(knightstour, name) is not None
    assert set(knightstour.__all__) <= set(dir(knightstour))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = knightstour.nonsense


# ---------------------------------------------------------------- imports of commands


# Packages, and parts of NumPy and of the standard library, that take 20 ms and more.
HEAVY = {
    *("numpy", "numpy.ma", "numpy.random", "dask", "distributed", "PIL", "pyarrow", "pysat"),
    # The library in C++.
    "the-kernels",
    *("networkx", "rich", "http.server", "importlib.metadata", "asyncio", "multiprocessing", "unittest"),
}

# Every command loads these. Of `machine` it is `memory`, which knows the error of a system that gives no more memory:
# then nothing can be loaded.
ALWAYS = {"cli", "model", "machine"}
SEARCH = {"kernels", "search", "proofs"}

# Command line -> its imports besides ALWAYS.
LOADS = {
    "--help": set(),
    "solve --help": set(),
    "count 4x5": SEARCH | {"statistics", "counting", "formats", "numpy"},
    "puzzle 5x5 --seed 1": SEARCH | {"statistics", "formats", "methods", "puzzles", "numpy", "the-kernels"},
    "sample 6x6 -n 5 --closed --seed 1": SEARCH
    | {
        "statistics",
        "checking",
        "constructions",
        "drawing",
        "formats",
        "methods",
        "sampling",
        "numpy",
        "numpy.random",
        "the-kernels",
    },
    "solve 6x6": {"statistics", "constructions", "drawing", "formats", "methods", "numpy", "proofs", "search"},
    "unrank 4x5 3": SEARCH | {"statistics", "checking", "counting", "drawing", "formats", "numpy", "the-kernels"},
}


QUICK = ("solve --help", "solve 6x6")


@pytest.mark.parametrize("line", [pytest.param(line, marks=[pytest.mark.long] * (line not in QUICK)) for line in LOADS])
def test_a_command_loads_only_what_it_uses(line):
    code = (
        "import sys; from knightstour.interfaces.cli import app as cli\n"
        "cli._run(sys.argv[1:], False); native = sys.modules.get('knightstour.core.machine.native')\n"
        "is_loaded = native is not None and native.library.cache_info().currsize > 0\n"
        "print(*sys.modules, *['the-kernels'] * is_loaded, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    modules = set(done.stderr.splitlines()[-1].split())
    ours = {name.removeprefix("knightstour.") for name in modules if name.startswith("knightstour.")}
    folders = {folder_of(name) for name in ours} & set(ORDER)
    assert folders | modules & HEAVY == ALWAYS | LOADS[line]
