"""The rings and folders of the package, and their imports.

RINGS lists the folders, lowest first. The tests check every import against it, and CONTRIBUTING.md and docs/design.md
show it as a table.
"""

import ast
import functools
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "knightstour"

# The rings, innermost first, and their folders, lowest first: each imports only from those before it.
RINGS = {
    "core": [
        "model",
        "kernels",
        "machine",
        "proofs",
        "statistics",
        "search",
        "drawing",
        "constructions",
        "methods",
        "formats",
        "checking",
    ],
    "lab": [
        "museum",
        "pictures",
        "counting",
        "objectives",
        "sequences",
        "certificates",
        "instances",
        "catalogues",
        "sampling",
        "puzzles",
    ],
    "interfaces": ["web", "cli"],
}
ORDER = [folder for folders in RINGS.values() for folder in folders]
# The file of a folder to read first.
FIRST = {
    "model": "board.py",
    "kernels": "search/warnsdorff.cc",
    "machine": "native.py",
    "proofs": "theorems.py",
    "search": "rotation.py",
    "drawing": "figure.py",
    "constructions": "implicit.py",
    "methods": "table.py",
    "formats": "table.py",
    "checking": "reports.py",
    "statistics": "table.py",
    "objectives": "table.py",
    "museum": "annealing.py",
    "pictures": "knot.py",
    "counting": "count.py",
    "sequences": "table.py",
    "certificates": "verify.py",
    "instances": "table.py",
    "catalogues": "table.py",
    "sampling": "sample.py",
    "puzzles": "make.py",
    "web": "api.py",
    "cli": "app.py",
}


# Imports that point upward, inside functions: a module, and the imported module.
UPWARD = {
    # Methods of Tour, Board and Result that draw, save, read or certify.
    ("core.model.exports", "core.drawing.svg.picture"),
    ("core.model.exports", "core.formats.saving"),
    ("core.model.exports", "interfaces.web.widget"),
    ("core.model.board", "core.drawing.svg.picture"),
    ("core.model.board", "core.formats.board_saving"),
    ("core.model.board", "lab.pictures.images"),
    ("core.model.result", "lab.certificates.certify"),
    # `check` checks certificates, too.
    ("core.checking.check", "lab.certificates.verify"),
    # `solve(..., minimize=...)`, and the searches for tours with a statistic in a range.
    ("core.methods.solve", "lab.objectives.optimize"),
    ("core.methods.solve", "lab.objectives.table"),
    ("core.methods.several", "lab.objectives.goals"),
    ("core.search.listing", "lab.objectives.goals"),
    # Published numbers of boards that are too large to count.
    ("lab.counting.count", "lab.sequences.table"),
    ("lab.counting.plan", "lab.sequences.table"),
}


# The files to read first, in this order.
START = {
    "core/model/board.py": "boards, their squares and moves",
    "core/model/problem.py": "the problem: a board, open or closed, and conditions",
    "core/model/tour.py": "a tour, whose squares are checked in its constructor",
    "core/model/tour_check.py": "the check, which uses only coordinates",
    "core/model/result.py": "the result of `solve`, and of a method",
    "core/methods/solve.py": "the steps from a problem to its result",
    "core/methods/table.py": "the table of all methods",
    "core/search/warnsdorff.py": "a method: its options, and the call of its kernel",
    "core/kernels/search/warnsdorff.cc": "the inner loop of this method",
    "core/proofs/theorems.py": "theorems about boards without a tour",
    "_plugins.py": "the modules that add rows to the tables of the core",
    "interfaces/cli/commands/solve.py": "the command `solve`",
}

# Frequent changes -> the files that they need, as Markdown.
WALKS = {
    "A method": "a function in `core/search/`, and a row in `core/methods/table.py`; its pseudocode is in "
    "`core/methods/pseudocode.py`. Historical methods have their rows in `lab/museum/rows.py`.",
    "A statistic": "a row in `core/statistics/table.py`, with a function there, or in `core/statistics/shape.py` if it "
    "needs the whole line. If it is not a sum over moves or corners, `lab/objectives/worth.py` computes its change.",
    "A condition": "a class in `core/model/condition_table.py`. `core/model/conditions.py` reads its arguments, "
    "`core/model/condition_check.py` checks a tour, and `core/model/reduced.py` builds a smaller graph.",
    "A count": "`lab/counting/count.py` chooses an algorithm from `lab/counting/ways.py`, and calls its function.",
    "The colour of the path": "`path` of the two themes in `core/drawing/themes.py`, and `--path` in "
    "`page/src/style/base.css`; a test compares them.",
}


class Import(NamedTuple):
    """One imported module, its place, and whether it runs when the file is loaded."""

    file: Path
    line: int
    target: str
    is_top: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(SOURCE)}:{self.line} imports {self.target}"


def files() -> list[Path]:
    """Return all source files of the package."""
    return sorted(SOURCE.rglob("*.py"))


def module_of(file: Path) -> str:
    """Return `core.kernels.rng` for src/knightstour/core/kernels/rng.py."""
    parts = list(file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def folder_of(module: str) -> str:
    """Return `kernels` for `core.kernels.rng`; the ring for files next to its folders."""
    ring, _, rest = module.partition(".")
    return rest.split(".")[0] if ring in RINGS and rest else ring


def place_of(folder: str) -> Path:
    """Return the path of a folder."""
    return SOURCE / next(ring for ring, folders in RINGS.items() if folder in folders) / folder


def package_of(folder: str) -> str:
    """Return `knightstour.core.kernels` for `kernels`."""
    return f"knightstour.{place_of(folder).parent.name}.{folder}"


def target_of(found: Import) -> str:
    """Return the imported module without `knightstour.`; the package itself is `__init__`."""
    return found.target.removeprefix("knightstour").removeprefix(".") or "__init__"


def is_ours(found: Import) -> bool:
    """Whether a module of this package is imported."""
    return found.target.split(".")[0] == "knightstour"


def is_upward(found: Import) -> bool:
    """Whether an import is one of UPWARD."""
    return not found.is_top and (module_of(found.file), target_of(found)) in UPWARD


def types_too(file: Path) -> tuple[Import, ...]:
    """Return all imports of a file, including imports for type checkers."""
    return imports(file, with_types=True)


@functools.cache
def imports(file: Path, *, with_types: bool = False) -> tuple[Import, ...]:
    """Return the imports of a file. with_types: include imports for type checkers."""

    def walk(node: ast.AST, is_top: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test) and not with_types:
                for other in child.orelse:
                    yield from walk(other, is_top)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(file, child.lineno, alias.name, is_top)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{file.name}:{child.lineno}: write imports in full, from knightstour on"
                assert child.module is not None
                for alias in child.names:
                    yield Import(file, child.lineno, _module(child.module, alias.name), is_top)
            else:
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                yield from walk(child, is_top and not inside)

    return tuple(walk(ast.parse(file.read_text(encoding="utf-8"), str(file)), True))


def _module(module: str, name: str) -> str:
    """Return the module of this package that `from module import name` imports."""
    if module.split(".")[0] == "knightstour":
        place = SOURCE.parent.joinpath(*module.split("."), name)
        if place.is_dir() or place.with_suffix(".py").exists():
            return f"{module}.{name}"
    return module


def lazy_modules(file: Path) -> Iterator[str]:
    """Yield the modules in `Lazy(...)`, which are imported when they are called."""
    text = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text, str(file))) if "Lazy(" in text else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Lazy":
            if node.args and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def code_lines(file: Path) -> int:
    """Return the number of lines of a Python file without its docstrings."""
    text = file.read_text(encoding="utf-8")
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [
        node.body[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None
    ]
    return len(text.splitlines()) - sum((each.end_lineno or 0) - each.lineno + 1 for each in docstrings)


def reachable_modules(module: str, *, with_upward: bool = False) -> dict[str, int]:
    """Return the modules reachable by imports, with their lines of code.

    Included are the module itself, imports inside functions and `Lazy`. with_upward: whether to follow the imports of
    UPWARD. Rows that higher folders add to tables are not included.
    """
    by_name = {module_of(file): file for file in files()}
    found: dict[str, int] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in by_name and name != "__init__" and name not in found:
            file = by_name[name]
            found[name] = code_lines(file)
            waiting += [
                target_of(each) for each in imports(file) if is_ours(each) and (with_upward or not is_upward(each))
            ]
            waiting += [lazy.removeprefix("knightstour.") for lazy in lazy_modules(file)]
    return found


def summary(module: str) -> str:
    """Return the first sentence of a module's docstring."""
    return (importlib.import_module(module).__doc__ or "").splitlines()[0]


def rings_part() -> str:
    """Return the rings, the files to read first, and frequent changes, as Markdown."""
    rule = "A ring imports only from the rings before it in this list; `UPWARD` lists exceptions inside functions."
    lines = [f"The package has three rings. {rule}", ""]
    lines += [f"- `{ring}`: {summary(f'knightstour.{ring}').split(': ', 1)[1]}" for ring in RINGS]
    lines += ["", "**Files to read first**, in `src/knightstour`:", ""]
    lines += [f"{place}. `{file}`: {what}" for place, (file, what) in enumerate(START.items(), 1)]
    lines += ["", "**Frequent changes**, and the files that they need:", ""]
    return "\n".join([*lines, *(f"- *{name}*: {what}" for name, what in WALKS.items())])


def folders_table() -> str:
    """Return a table of the folders, highest first."""
    lines = ["| folder | contents | read first |", "|---|---|---|"]
    for folder in reversed(ORDER):
        place, home = place_of(folder).relative_to(SOURCE), summary(package_of(folder))
        lines.append(f"| `{place.as_posix()}/` | {home} | `{FIRST[folder]}` |")
    return "\n".join(lines)
