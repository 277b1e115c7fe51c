"""The order of the house: imports point only down, heavy packages are loaded late, and no room is too big.

Every module stands in LAYERS; a new one must be put there, where its subject belongs.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "knightstour"
MOST_LINES = 600
# What only one kernel uses stands in its file, where it is compiled and changed with it.
MOST_LINES_OF_A_KERNEL = 800

LAYERS = {
    # Parse, one library call, print: no search, no drawing.
    "front doors": """__init__ __main__ cli commands sampling_command counting_command drawing_command pictures
        plotting_command comparing_command web watch watch_keys dialogue console writing inputs checking
        overview streaming bulk_check dataset_command""",
    # Boards and tours to text and bytes, and back: never print, never solve.
    "presentation": """drawing watch_board formats notation records tsplib""",
    # The table of methods, and one room for each family of algorithms.
    "methods": """methods explicit implicit pieces runs filling tiles blocks four_rows windows endpoints
        existence arguments supply forced facts frontier frontier_plan backtracking branches warnsdorff merging rotation
        portfolio scale processes crew cluster datasets enumeration sampling laws distinct
        counting comparison cycles neural annealing genetic ants sat improvement straight""",
    "engine": """engine""",
    # Frozen values and pure functions.
    "data model": """board tour result errors given geometry symmetry trace""",
    # What the computer gives: files that are whole or not there, memory that is free.
    "machine": """files memory""",
    "kernels": """kernels""",
}
LAYER_OF = {module: layer for layer, names in LAYERS.items() for module in names.split()}

# What a layer may import of the package, itself included.
MAY_IMPORT = {
    "front doors": set(LAYERS),
    "presentation": {"presentation", "data model", "machine"},
    "methods": {"methods", "engine", "data model", "machine", "kernels"},
    "engine": {"engine", "data model", "kernels"},
    "data model": {"data model"},
    "machine": {"machine", "data model"},
    "kernels": {"kernels"},
}
# The one exception: a notebook asks tours and boards themselves for their pictures, which are drawn when it does.
PICTURES_IN_NOTEBOOKS = {("tour", "drawing.svg"), ("board", "drawing.svg")}
# What a layer may import from elsewhere when it is loaded; the standard library is free.
AT_ONCE = {
    "front doors": {"click", "numpy"},
    "presentation": {"numpy"},
    "methods": {"numpy"},
    "engine": {"numpy"},
    "data model": {"numpy"},
    "machine": set(),
    "kernels": set(),
}
# And in the function that needs it, besides.
LATER = {
    "front doors": {"rich", "starlette", "uvicorn", "matplotlib", "dask", "distributed", "pyarrow"},
    "presentation": {"rich", "PIL", "resvg_py", "matplotlib"},
    "methods": {"dask", "distributed", "pyarrow", "pysat", "numba"},
    "engine": {"numba"},
    "data model": {"networkx"},
    "machine": set(),
    "kernels": set(),
}


class Import(NamedTuple):
    """One imported module, where it stands, and whether it is loaded with the file or in a function."""

    file: Path
    line: int
    target: str
    is_top: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCE)}:{self.line} imports {self.target}"


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def layer(module: str) -> str:
    """Layer of `board`, `kernels.rng`, `web.server`, ...: its first name decides."""
    name = module.split(".")[0]
    assert name in LAYER_OF, (
        f"{name}.py stands in no layer: add it to LAYERS in {Path(__file__).name}, where it belongs"
    )
    return LAYER_OF[name]


def module_of(file: Path) -> str:
    parts = list(file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(file: Path) -> Iterator[Import]:
    """All imports of a file but those for type checkers only."""

    def walk(node: ast.AST, is_top: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                for other in child.orelse:
                    yield from walk(other, is_top)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(file, child.lineno, alias.name, is_top)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, (
                    f"{file.name}:{child.lineno}: write imports in full, beginning with knightstour"
                )
                assert child.module is not None
                for alias in child.names:
                    is_module = child.module.startswith("knightstour") and (
                        SOURCE.parent.joinpath(*child.module.split("."), f"{alias.name}.py").exists()
                        or SOURCE.parent.joinpath(*child.module.split("."), alias.name).is_dir()
                    )
                    target = f"{child.module}.{alias.name}" if is_module else child.module
                    yield Import(file, child.lineno, target, is_top)
            else:
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from walk(child, is_top and not inside)

    yield from walk(ast.parse(file.read_text(), str(file)), True)


ALL = [found for file in files() for found in imports(file)]
OURS = [found for found in ALL if found.target.split(".")[0] == "knightstour"]
OTHERS = [found for found in ALL if found.target.split(".")[0] not in {"knightstour", *sys.stdlib_module_names}]


def target_of(found: Import) -> str:
    """Module of the package that is imported, as `layer` takes it; the package itself is its __init__."""
    return found.target.removeprefix("knightstour").removeprefix(".") or "__init__"


def test_every_module_stands_in_a_layer() -> None:
    assert [module_of(file) for file in files() if layer(module_of(file))]


def test_imports_point_only_down() -> None:
    wrong = []
    for found in OURS:
        here = module_of(found.file)
        if target_of(found) == "__init__" and layer(here) != "front doors":
            # Front doors may ask the package for its version; for others it is above.
            wrong.append(f"{found} itself, or a module that does not exist")
        elif (here, target_of(found)) in PICTURES_IN_NOTEBOOKS and not found.is_top:
            continue
        elif layer(target_of(found)) not in MAY_IMPORT[layer(here)]:
            wrong.append(f"{found}: the {layer(here)} may not know the {layer(target_of(found))}")
    assert not wrong, "\n".join(wrong)


def test_kernels_know_only_kernels() -> None:
    wrong = [
        str(found)
        for found in ALL
        if layer(module_of(found.file)) == "kernels"
        and not found.target.startswith("knightstour.kernels.")
        and found.target.split(".")[0] not in sys.stdlib_module_names
    ]
    assert not wrong, "\n".join(wrong)


def test_other_peoples_packages_are_imported_where_they_may_be() -> None:
    wrong = []
    for found in OTHERS:
        here = layer(module_of(found.file))
        package = found.target.split(".")[0]
        if package not in AT_ONCE[here] and (found.is_top or package not in LATER[here]):
            when = "when it is loaded" if found.is_top else "at all"
            wrong.append(f"{found}: the {here} may not, {when}")
    assert not wrong, "\n".join(wrong)


def test_no_modules_load_each_other_in_a_ring() -> None:
    below: dict[str, set[str]] = {module_of(file): set() for file in files()}
    for found in OURS:
        if found.is_top and target_of(found) in below:
            below[module_of(found.file)].add(target_of(found))
    while below:
        lowest = [module for module, targets in below.items() if not targets & set(below)]
        assert lowest, f"these import each other in a ring: {', '.join(sorted(below))}"
        for module in lowest:
            del below[module]


@pytest.mark.parametrize("folder", [SOURCE, Path(__file__).parent], ids=["src", "tests"])
def test_no_file_is_too_long(folder: Path) -> None:
    lengths = {str(f.relative_to(folder)): len(f.read_text().splitlines()) for f in folder.rglob("*.py")}
    most = {name: MOST_LINES_OF_A_KERNEL if name.startswith("kernels/") else MOST_LINES for name in lengths}
    long = {name: lines for name, lines in lengths.items() if lines > most[name]}
    assert not long, f"too many lines, so they hold more than one idea: {long}"


def loaded_by(statement: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after a statement."""
    heavy = {"numpy", "numba", "rich", "networkx", "click", "dask", "PIL", "starlette"}
    code = f"import sys; {statement}; print(*({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def test_the_package_loads_nothing_heavy() -> None:
    assert loaded_by("import knightstour") == set()
    assert loaded_by("import knightstour as kt; kt.NoTour, dir(kt), kt.__all__") == set()


def test_a_small_tour_does_not_load_numba() -> None:
    find = "import knightstour as kt; from knightstour import engine, rotation, result; "
    # However slow the computer is.
    find += "engine.INTERPRETED_SECONDS = 10; "
    find += "rotation.rotation(kt.Problem.of((8, 8)), result.Budget(), 1)"
    assert loaded_by(find) <= {"numpy"}


def test_tours_and_boards_load_no_drawing_before_a_picture_is_wanted() -> None:
    code = "import sys, knightstour as kt; tour = kt.find_tour((5, 5)); {}; print('knightstour.drawing' in sys.modules)"
    for statement, is_loaded in (("repr(tour), repr(tour.board)", "False"), ("tour._repr_svg_()", "True")):
        command = [sys.executable, "-c", code.format(statement)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.split() == [is_loaded]


def test_the_command_line_loads_without_numpy() -> None:
    assert loaded_by("import knightstour.cli") <= {"click"}


def test_every_public_name_is_there() -> None:
    import knightstour

    for name in knightstour.__all__:
        assert getattr(knightstour, name) is not None
    assert set(knightstour.__all__) <= set(dir(knightstour))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = knightstour.nonsense
