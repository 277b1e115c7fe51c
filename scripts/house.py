"""The folders of the house, what each imports, and their picture.

ORDER is the one list of the folders, lowest first. The tests hold every import to it, CONTRIBUTING.md and
docs/design.md show it as a table, and `draw` makes the picture docs/images/house.svg of it.
"""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "knightstour"

# The folders, lowest first: each imports only from those before it.
ORDER = [
    "model",
    "kernels",
    "machine",
    "statistics",
    "proofs",
    "search",
    "drawing",
    "constructions",
    "methods",
    "formats",
    "checking",
    "counting",
    "sequences",
    "certificates",
    "sampling",
    "puzzles",
    "web",
    "cli",
]
# The file of a folder to read first.
FIRST = {
    "model": "board.py",
    "kernels": "search/warnsdorff.cc",
    "machine": "native.py",
    "statistics": "table.py",
    "proofs": "theorems.py",
    "search": "rotation.py",
    "drawing": "figure.py",
    "constructions": "implicit.py",
    "methods": "table.py",
    "formats": "table.py",
    "checking": "reports.py",
    "counting": "count.py",
    "sequences": "table.py",
    "certificates": "verify.py",
    "sampling": "sample_tours.py",
    "puzzles": "make.py",
    "web": "api.py",
    "cli": "app.py",
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
    """All source files of the package."""
    return sorted(SOURCE.rglob("*.py"))


def module_of(file: Path) -> str:
    """`kernels.rng` for src/knightstour/core/kernels/rng.py."""
    parts = list(file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def folder_of(module: str) -> str:
    """`kernels` for `kernels.rng`."""
    return module.split(".")[0]


def target_of(found: Import) -> str:
    """The imported module of this package, without `knightstour.`; the package itself is `__init__`."""
    return found.target.removeprefix("knightstour").removeprefix(".") or "__init__"


def is_ours(found: Import) -> bool:
    """Whether a module of this package is imported."""
    return found.target.split(".")[0] == "knightstour"


def imports(file: Path) -> Iterator[Import]:
    """All imports of a file except those that only type checkers run."""

    def walk(node: ast.AST, is_top: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
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
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from walk(child, is_top and not inside)

    yield from walk(ast.parse(file.read_text(encoding="utf-8"), str(file)), True)


def _module(module: str, name: str) -> str:
    """What `from module import name` imports: a module of this package, or the one that holds the name."""
    if module.split(".")[0] == "knightstour":
        place = SOURCE.parent.joinpath(*module.split("."), name)
        if place.is_dir() or place.with_suffix(".py").exists():
            return f"{module}.{name}"
    return module


def summary(folder: str) -> str:
    """What is at home in a folder, in a sentence."""
    return (importlib.import_module(f"knightstour.{folder}").__doc__ or "").splitlines()[0]


def folders_table() -> str:
    """A row for each folder, highest first: its name, what is at home there, the file to read first."""
    lines = ["| folder | what is at home there | read first |", "|---|---|---|"]
    for folder in reversed(ORDER):
        lines.append(f"| `{folder}/` | {summary(folder)} | `{FIRST[folder]}` |")
    return "\n".join(lines)


def arrows() -> Counter[tuple[str, str]]:
    """How many imports lead from each folder to each other one."""
    count: Counter[tuple[str, str]] = Counter()
    for file in files():
        here = folder_of(module_of(file))
        for found in imports(file):
            there = folder_of(target_of(found)) if is_ours(found) else here
            if here in ORDER and there in ORDER and here != there:
                count[here, there] += 1
    return count


_STEP = 34  # pixels from one folder to the next
_LEFT, _TOP = 130, 16
# Least number of imports, and radius of the dot. Three sizes only, so that few changes make the picture stale.
_SIZES = ((20, 12), (5, 8), (1, 4))
_STYLE = """\
text { font: 14px system-ui, sans-serif; fill: #24292f } .small { font-size: 11px; fill: #57606a }
.line { stroke: #d0d7de } .dot { fill: #0969da } .seat { fill: #bf8700 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .small { fill: #9198a1 }
  .line { stroke: #3d444d } .dot { fill: #4493f8 } .seat { fill: #d29922 }
}"""


def draw() -> str:
    """The house as SVG: a floor for each folder, and a dot for each lower folder that it imports from.

    A small dot is 1 to 4 imports, a middle one up to 19, a large one more. A dot right of its folder's own square would
    be an import from above; there is none.
    """
    count = arrows()
    height = _TOP + _STEP * len(ORDER) + 8
    width = _LEFT + _STEP * len(ORDER) + 120
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        "<title>The eighteen folders and what each imports</title>",
        f"<style>{_STYLE}</style>",
    ]
    for level, folder in enumerate(ORDER):
        y = _TOP + _STEP * (len(ORDER) - 1 - level) + _STEP / 2
        x = _LEFT + _STEP * level + _STEP / 2
        parts += [
            f'<path class="line" d="M16 {y + _STEP / 2}H{x + _STEP / 2}" />',
            f'<text x="16" y="{y + 5}">{folder}</text>',
            f'<rect class="seat" x="{x - 6}" y="{y - 6}" width="12" height="12" rx="2" />',
            f'<text class="small" x="{x + 14}" y="{y + 4}">{folder}</text>',
        ]
        for below, other in enumerate(ORDER):
            radius = next((radius for least, radius in _SIZES if count[folder, other] >= least), None)
            if radius:
                at = _LEFT + _STEP * below + _STEP / 2
                title = f"<title>{folder} imports from {other}</title>"
                parts.append(f'<circle class="dot" cx="{at}" cy="{y}" r="{radius}">{title}</circle>')
    return "\n".join([*parts, "</svg>", ""])
