"""Tests that described arguments and mentioned files exist."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from helpers.public import FUNCTIONS
from site_docstrings import _ARGUMENT, _ENTRY, _LATER, _SECTION

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "knightstour"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks" / "RESULTS.md"])
# Words of an answer, which an example prints in the form of an argument.
PRINTED = {"right", "wrong", "checked", "reason", "source", "impossible"}


def arguments_of(docstring: str) -> set[str]:
    """Return the names of the arguments that a docstring describes, as the site reads them."""
    found = set()
    section = ""
    for line in docstring.split(">>>")[0].splitlines():
        section = "" if line[:1].strip() else section
        if match := _SECTION.match(line):
            section = match[1]
        if section:
            if section == "Args" and (match := _ENTRY.match(line)):
                found |= set(match[1].lstrip("*").split(", "))
            continue
        for piece in [line] if line.startswith(" ") else _LATER.split(line):
            if match := _ARGUMENT.match(piece):
                found |= set(match[1].split(", "))
    return found - PRINTED


def test_reads_arguments_of_google_docstrings() -> None:
    text = "Do it.\n\nArgs:\n    one, two: Any.\n        three: no name.\n    **rest: More.\n\nReturns:\n    four: Any."
    assert arguments_of(text) == {"one", "two", "rest"}
    assert arguments_of("Do it.\n\none: a number.\n") == {"one"}


def is_condition(node: ast.expr) -> bool:
    is_bool = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bool"
    return is_bool or isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: file.stem)
def test_texts_and_lists_are_not_multiplied_by_conditions(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and is_condition(node.right):
            what = node.left.value if isinstance(node.left, ast.Constant) else node.left
            assert not isinstance(what, str | ast.JoinedStr | ast.List | ast.Tuple), ast.unparse(node)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_docstring_describes_arguments_that_there_are(name: str) -> None:
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        assert not arguments_of(inspect.getdoc(function) or "") - set(parameters)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_optional_arguments_accept_none(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
    plain = {"str", "int", "float", "bool"}
    assert not [each.name for each in parameters if each.default is None and str(each.annotation) in plain]


def files_named(text: str) -> set[str]:
    """Return paths with a folder, in code or in text."""
    return set(re.findall(r"(?<![\w/.-])((?:[\w-]+/)+[\w-]+\.(?:py|cc|h|md|js|json|toml|ipynb|css|sh|yml))\b", text))


def is_there(path: str) -> bool:
    """Whether the file exists, relative to the repository, the package or one of its rings."""
    places = [ROOT, ROOT / "docs", SOURCE, *(SOURCE / ring for ring in ("core", "lab", "interfaces"))]
    places += [SOURCE / "lab/counting", ROOT / "page/src", SOURCE / "lab/counting/halves"]
    return any((place / path).exists() for place in places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # Fenced blocks have files that commands make; the pages of the reference are made with the site.
    text = re.sub(r"```.*?```|\]\([^)]*\)|^    .*$|https?://\S+", " ", text, flags=re.DOTALL | re.MULTILINE)
    assert not [
        name for name in files_named(text) if not is_there(name) and not name.startswith(("build/", "reference/"))
    ]


def test_files_that_the_source_names_exist() -> None:
    lost = [
        f"{file.relative_to(SOURCE)}: {name}"
        for file in SOURCE.rglob("*.py")
        for name in files_named(" ".join(re.findall(r'"""(.*?)"""', file.read_text(encoding="utf-8"), re.DOTALL)))
        if not is_there(name)
        and not (file.parent / name).exists()
        and name.split("/")[0] in ("docs", "tests", "scripts", "benchmarks", "core", "lab", "interfaces")
    ]
    assert not lost
